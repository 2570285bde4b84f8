// The machine that a run lives on: its clock, chance, network and statements replace Node's own, so that everything in
// this process happens in an order that the seed decides. Install it before anything of the gateway is loaded.
import crypto from 'node:crypto';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import QRCode from 'qrcode';
import { Chance } from './chance.js';
import { VirtualClock } from './clock.js';
import { Network, replaceSockets } from './network.js';
import { presentProcess } from './processes.js';
import { real } from './real.js';
import { Statements, watchStatements } from './statements.js';

export interface Machine {
  readonly clock: VirtualClock;
  readonly network: Network;
  readonly statements: Statements;
  /** For what the gateway draws: ids, nonces, keys. */
  chance: Chance;
  /** Resolves when nothing happens any more before the clock moves. */
  settle(): Promise<void>;
}

/** So many turns without anything mean that nothing more comes. */
const QUIET_TURNS = 3;

let installed: Machine | null = null;
let immediates = 0;

/** The machine of this process, installed at the first call. */
export function machine(): Machine {
  return (installed ??= install());
}

function install(): Machine {
  const clock = new VirtualClock(Date.UTC(2026, 0, 5, 9));
  const statements = new Statements();
  const made: Machine = {
    clock,
    network: new Network(clock),
    statements,
    chance: new Chance(0),
    settle: () => settle(statements),
  };
  statements.thawed = (process) => clock.thawed(process);
  replaceTime(clock);
  replaceChance(made);
  replaceSockets(made.network);
  watchStatements(statements);
  watchCompilers(statements);
  watchPictures(statements);
  syncBuiltinESMExports();
  return made;
}

async function settle(statements: Statements): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS;) {
    await real.turn();
    if (immediates > 0) quiet = 0;
    else if (statements.isBusy && (await statements.goOn())) quiet = 0;
    else quiet += 1;
  }
}

/** The present process's own time: its clock may be off. */
function ownMs(clock: VirtualClock): number {
  return clock.nowMs + (presentProcess()?.clockAheadMs ?? 0);
}

class Timer {
  #stop: () => void = () => undefined;

  constructor(
    private readonly clock: VirtualClock,
    private readonly milliseconds: number,
    private readonly action: () => void,
    private readonly isRepeated: boolean,
  ) {
    this.refresh();
  }

  refresh(): this {
    this.#stop();
    const process = presentProcess();
    const fire = () => {
      const frozenMs = (process?.frozenUntilMs ?? 0) - this.clock.nowMs;
      if (frozenMs > 0) {
        this.#stop = this.clock.after(frozenMs, fire);
        return;
      }
      if (this.isRepeated) this.refresh();
      this.action();
    };
    this.#stop = this.clock.after(this.milliseconds, fire);
    return this;
  }

  close(): this {
    this.#stop();
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return false;
  }
}

function replaceTime(clock: VirtualClock): void {
  const RealDate = globalThis.Date;
  class LabDate extends RealDate {
    constructor(...args: unknown[]) {
      if (args.length === 0) super(Math.floor(ownMs(clock)));
      else super(...(args as [number]));
    }

    static override now(): number {
      return Math.floor(ownMs(clock));
    }
  }
  // A value of one realm's Date is one of the other's: libraries compare by instanceof.
  Object.defineProperty(LabDate, Symbol.hasInstance, { value: (value: unknown) => value instanceof RealDate });
  // The SDK tells a date by the name of its class.
  Object.defineProperty(LabDate, 'name', { value: 'Date' });
  globalThis.Date = LabDate as DateConstructor;
  Object.defineProperty(performance, 'now', { value: () => clock.nowMs, configurable: true });
  const timer =
    (isRepeated: boolean) =>
    (action: (...args: unknown[]) => void, milliseconds = 0, ...args: unknown[]) =>
      new Timer(clock, Math.max(1, milliseconds), () => action(...args), isRepeated);
  const stop = (given: unknown) => {
    if (given instanceof Timer) given.close();
  };
  const soon = (action: (...args: unknown[]) => void, ...args: unknown[]) => {
    immediates += 1;
    const state = { isOver: false };
    real.soon(() => {
      if (state.isOver) return;
      state.isOver = true;
      immediates -= 1;
      action(...args);
    });
    return Object.assign(state, { ref: () => state, unref: () => state, hasRef: () => true });
  };
  const never = (given: unknown) => {
    const state = given as { isOver?: boolean } | undefined;
    if (state?.isOver !== false) return;
    state.isOver = true;
    immediates -= 1;
  };
  const replaced = {
    setTimeout: timer(false),
    setInterval: timer(true),
    clearTimeout: stop,
    clearInterval: stop,
    setImmediate: soon,
    clearImmediate: never,
  };
  Object.assign(globalThis, replaced);
  Object.assign(createRequire(import.meta.url)('node:timers') as object, replaced);
  Object.assign(timersPromises, { setTimeout: pausing(clock) });
  AbortSignal.timeout = (milliseconds: number) => {
    const controller = new AbortController();
    clock.after(milliseconds, () =>
      controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
    );
    return controller.signal;
  };
}

function pausing(clock: VirtualClock) {
  return (milliseconds = 0, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise((resolve, reject) => {
      const stop = clock.after(Math.max(1, milliseconds), () => {
        signal?.removeEventListener('abort', abort);
        resolve(value);
      });
      const abort = () => {
        stop();
        reject(signal?.reason as Error);
      };
      if (signal?.aborted === true) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
}

function replaceChance(made: Machine): void {
  const randomUUID = () => made.chance.uuid();
  const randomBytes = (length: number, callback?: (error: null, bytes: Buffer) => void) => {
    const bytes = made.chance.bytes(length);
    if (callback !== undefined) process.nextTick(() => callback(null, bytes));
    return bytes;
  };
  const randomInt = (from: number, to?: number) =>
    to === undefined ? made.chance.whole(0, from - 1) : made.chance.whole(from, to - 1);
  Object.assign(crypto, { randomUUID, randomBytes, randomInt });
  Object.defineProperty(globalThis.crypto, 'randomUUID', { value: randomUUID, configurable: true });
  const getRandomValues = (into: Uint8Array) => {
    into.set(made.chance.bytes(into.length));
    return into;
  };
  Object.defineProperty(globalThis.crypto, 'getRandomValues', { value: getRandomValues, configurable: true });
  Math.random = () => made.chance.unit();
}

/** WebAssembly is compiled beside this thread: what waits for it waits as for PostgreSQL. */
function watchCompilers(statements: Statements): void {
  const wasm = (globalThis as unknown as { WebAssembly: Record<string, (...given: unknown[]) => Promise<unknown>> })
    .WebAssembly;
  for (const name of ['compile', 'instantiate']) {
    const work = wasm[name];
    if (work !== undefined) wasm[name] = (...given) => statements.pass(() => work(...given));
  }
}

/** The simulator's pictures are packed beside this thread, too. */
function watchPictures(statements: Statements): void {
  const work = QRCode.toDataURL.bind(QRCode) as (...given: unknown[]) => Promise<string>;
  Object.assign(QRCode, { toDataURL: (...given: unknown[]) => statements.pass(() => work(...given)) });
}
