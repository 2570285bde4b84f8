// The network of a run: servers that listen and clients that connect inside this process, with Node's own HTTP code on
// both ends. It has no speed but the clock's, and the faults that the seed gives each connection.
import { AsyncResource } from 'node:async_hooks';
import http from 'node:http';
import net from 'node:net';
import { Duplex } from 'node:stream';
import type { VirtualClock } from './clock.js';
import { type LabProcess, presentProcess } from './processes.js';

/** What becomes of one request over a connection of its own. */
export interface ConnectionFate {
  /** Nobody accepts it. */
  readonly isRefused?: boolean;
  /** Until the request arrives. */
  readonly thereMs: number;
  /** Until the answer arrives; `Infinity`: it never does, and nobody is told. */
  readonly backMs: number;
  /** `request`: the connection breaks before the request arrives. `answer`: after it was served, before its answer. */
  readonly cut?: 'request' | 'answer';
  /** What the answer says instead, in as many bytes. */
  readonly tells?: (answer: string) => string;
}

const CALM: ConnectionFate = { thereMs: 0, backMs: 0 };

/** A request that left, and what came back. */
export interface NotedCall {
  /** A process, or `outside`. */
  readonly from: string;
  readonly port: number;
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  /** Whatever it names of 32 hexadecimal digits: the reference of a payment. */
  readonly names: readonly string[];
  /** When its answer reached who asked; `null`: it did not. */
  answeredMs: number | null;
  status: number | null;
}

interface Listening {
  readonly server: net.Server;
  readonly process: LabProcess | undefined;
}

export class Network {
  readonly #servers = new Map<number, Listening>();
  #ports = 20_000;
  /** `from`: the process that connects; undefined: the world outside. */
  fateOf: (from: LabProcess | undefined, port: number) => ConnectionFate = () => CALM;
  /** Of these ports it is noted who asked what, and when the answer came, for the judge. */
  noted: ReadonlySet<number> = new Set();
  calls: NotedCall[] = [];

  constructor(private readonly clock: VirtualClock) {}

  listen(server: net.Server, port: number): number {
    const taken = port === 0 ? (this.#ports += 1) : port;
    this.#servers.set(taken, { server, process: presentProcess() });
    return taken;
  }

  /** Nobody listens any more. */
  clear(): void {
    for (const { server } of this.#servers.values()) server.close(() => undefined);
    this.#servers.clear();
    this.calls = [];
  }

  isServed(port: number): boolean {
    return this.#servers.has(port);
  }

  connect(port: number): Duplex {
    const from = presentProcess();
    const fate = this.fateOf(from, port);
    const client = new End('127.0.0.1', port);
    const listening = this.#servers.get(port);
    if (from?.isDead === true) return client;
    if (listening === undefined || listening.process?.isDead === true || fate.isRefused === true) {
      this.clock.after(fate.thereMs, () => client.destroy(failure('ECONNREFUSED')));
      return client;
    }
    const { server, process: owner } = listening;
    const isOver = () => from?.isDead === true || owner?.isDead === true;
    const call = this.noted.has(port) ? this.#note(from === undefined ? 'outside' : from.name, port) : null;
    process.nextTick(() => {
      if (client.destroyed) return;
      client.scoped(() => client.emit('connect'));
      const open = () => {
        const accepted = new End('127.0.0.1', 40_000);
        // The answer comes with the end of the connection: each serves one request.
        accepted.carry = (chunk) => {
          if (isOver() || fate.backMs === Infinity) return;
          if (fate.cut === 'answer') client.destroy(failure('ECONNRESET'));
          else
            this.#to(from, fate.backMs, () => {
              if (call !== null) this.#answered(call, chunk);
              client.receive(chunk === null || fate.tells === undefined ? chunk : told(chunk, fate.tells));
            });
        };
        client.carry = (chunk) => {
          if (isOver()) return;
          if (call !== null && chunk !== null) asks(call, chunk);
          if (fate.cut === 'request') client.destroy(failure('ECONNRESET'));
          else this.#to(owner, fate.thereMs, () => accepted.receive(chunk));
        };
        // What is on its way arrives, also when nobody waits for it any more.
        client.onGone = () => this.#after(fate.thereMs, () => accepted.destroy());
        accepted.onGone = () => {
          if (fate.backMs !== Infinity && !isOver()) this.#to(from, fate.backMs + 1, () => client.receive(null));
        };
        server.emit('connection', accepted);
      };
      if (owner === undefined) open();
      else owner.run(open);
      client.flush();
    });
    return client;
  }

  #note(from: string, port: number): WrittenCall {
    const atMs = this.clock.nowMs;
    const call: WrittenCall = { from, port, atMs, method: '', path: '', names: [], answeredMs: null, status: null };
    this.calls.push(call);
    return call;
  }

  #answered(call: WrittenCall, chunk: Buffer | null): void {
    if (call.answeredMs !== null || chunk === null) return;
    const [, status] = /^HTTP\/1\.\d (\d{3})/.exec(chunk.toString('latin1', 0, 16)) ?? [];
    if (status === undefined) return;
    call.answeredMs = this.clock.nowMs;
    call.status = Number(status);
  }

  /** One that is frozen hears it when it goes on. */
  #to(process: LabProcess | undefined, milliseconds: number, action: () => void): void {
    this.#after(milliseconds, () => {
      const frozenMs = (process?.frozenUntilMs ?? 0) - this.clock.nowMs;
      if (frozenMs > 0) this.clock.after(frozenMs, action);
      else action();
    });
  }

  #after(milliseconds: number, action: () => void): void {
    if (milliseconds <= 0) process.nextTick(action);
    else this.clock.after(milliseconds, action);
  }
}

function told(chunk: Buffer, tells: (answer: string) => string): Buffer {
  const changed = Buffer.from(tells(chunk.toString('latin1')), 'latin1');
  if (changed.length !== chunk.length) throw new Error('an answer was changed to another length');
  return changed;
}

type WrittenCall = { -readonly [Name in keyof NotedCall]: NotedCall[Name] };

/** Takes in a part of a request. */
function asks(call: WrittenCall, chunk: Buffer): void {
  const text = chunk.toString('latin1');
  const [, method, path] = /^([A-Z]+) (\S+) HTTP/.exec(text) ?? [];
  if (method !== undefined && call.method === '') Object.assign(call, { method, path });
  const found = text.match(/(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])|(?<![0-9a-f])[0-9a-f]{32}(?=r\d)/g);
  if (found !== null) call.names = [...call.names, ...found];
}

function failure(code: 'ECONNREFUSED' | 'ECONNRESET'): Error {
  return Object.assign(new Error(code), { code, syscall: 'connect' });
}

/** One end of a connection. */
class End extends Duplex {
  readonly #scope = new AsyncResource('LabConnection');
  readonly #early: (Buffer | null)[] = [];
  carry: ((chunk: Buffer | null) => void) | null = null;
  onGone: () => void = () => undefined;
  bytesRead = 0;

  constructor(
    readonly remoteAddress: string,
    readonly remotePort: number,
  ) {
    super({ allowHalfOpen: true });
    this.on('error', () => undefined);
  }

  scoped(action: () => void): void {
    this.#scope.runInAsyncScope(action);
  }

  receive(chunk: Buffer | null): void {
    if (this.destroyed || this.readableEnded) return;
    this.bytesRead += chunk?.length ?? 0;
    this.scoped(() => this.push(chunk));
  }

  /** What was written before the connection was open. */
  flush(): void {
    for (const chunk of this.#early.splice(0)) this.carry?.(chunk);
  }

  override _read(): void {
    // The other end pushes.
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const copy = Buffer.from(chunk);
    if (this.carry === null) this.#early.push(copy);
    else this.carry(copy);
    done();
  }

  override _final(done: () => void): void {
    this.carry?.(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.onGone();
    done(error);
  }

  /** Nothing idles here: each connection serves one request. */
  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/** Lets everything in this process that connects or listens on a loopback port do so in `network`. */
export function replaceSockets(network: Network): void {
  const { connect } = net;
  const replaced = (...args: unknown[]): unknown => {
    const [options] = args as [{ port?: number | string } | undefined];
    const port = Number(options?.port ?? 0);
    if (typeof options === 'object' && options !== null && port > 0) return network.connect(port);
    return (connect as (...given: unknown[]) => unknown)(...args);
  };
  Object.assign(net, { connect: replaced, createConnection: replaced });
  // It took Node's own when it was loaded.
  Object.assign(http.Agent.prototype, { createConnection: replaced });
  const listen = function listen(this: net.Server, ...args: unknown[]): net.Server {
    const [port] = args.map((argument) =>
      typeof argument === 'object' ? (argument as { port?: number }).port : argument,
    );
    const callback = args.find((argument): argument is () => void => typeof argument === 'function');
    const taken = network.listen(this, Number(port ?? 0));
    this.address = () => ({ port: taken, address: '127.0.0.1', family: 'IPv4' });
    // One request for each connection: its fate is that of the request, and nothing idles.
    Object.assign(this, { maxRequestsPerSocket: 1 });
    if (callback !== undefined) this.once('listening', callback);
    process.nextTick(() => this.emit('listening'));
    return this;
  };
  net.Server.prototype.listen = listen as typeof net.Server.prototype.listen;
}
