// HTTP as an attacker writes it: bytes on a socket, from an own address, and the raw answer.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { signatureHeaders, type SigningKey } from '../../../client/signing.js';

/** Rates and failed signatures count by address: an attacker has many, all of them this machine's own. */
export function attackerAddress(number: number): string {
  return `127.66.${Math.floor(number / 250) % 250}.${1 + (number % 250)}`;
}
let used = 0;

export interface RawOptions {
  /** How long answers are waited for. Default 3 s. */
  readonly timeoutMs?: number;
  /** Default: until the other side ends the connection or the time is over. */
  readonly until?: (received: string) => boolean;
  /** Default: one that was not used lately. */
  readonly from?: string;
}

/** Everything that comes back on one connection on which these pieces are written; never rejects. */
export function sendRaw(
  port: number,
  pieces: readonly (string | Buffer)[],
  { timeoutMs = 3_000, until = () => false, from }: RawOptions = {},
): Promise<string> {
  return new Promise((resolve) => {
    const socket = openSocket(port, from);
    let received = '';
    const timer = setTimeout(() => socket.destroy(), timeoutMs);
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      if (until(received)) socket.destroy();
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(received);
    });
    for (const piece of pieces) socket.write(piece);
  });
}

/** A connection of the attacker's; its errors are its own business. */
export function openSocket(port: number, from: string = attackerAddress((used += 1))): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  return socket.on('error', () => undefined);
}

/** The status codes of all answers in what came back. */
export function statusesIn(received: string): number[] {
  return Array.from(received.matchAll(/HTTP\/1\.[01] (\d{3}) /g), ([, status]) => Number(status));
}

export interface RawRequest {
  readonly method?: string;
  /** As on the request line. */
  readonly target?: string;
  /** What is signed, where that is not the target itself. */
  readonly signedTarget?: string;
  readonly version?: string;
  readonly body?: string | Buffer;
  /** Instead of a Content-Length that is right. */
  readonly framing?: readonly string[];
  /** More header lines, as they are. */
  readonly headers?: readonly string[];
  /** Changes the lines of the signature after it was made. */
  readonly forge?: (signed: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
  readonly timestampSeconds?: number;
}

/**
 * A request whose signature is right, with everything else as asked; a POST has an Idempotency-Key and JSON as its
 * type.
 */
export function signedRaw(key: SigningKey, request: RawRequest): Buffer {
  const {
    method = 'GET',
    target = '/v1/ping',
    signedTarget = target,
    version = '1.1',
    body = '',
    headers = [],
    forge = (signed) => signed,
    timestampSeconds = Math.floor(Date.now() / 1_000),
  } = request;
  const bytes = Buffer.from(body);
  const framing = request.framing ?? (bytes.length > 0 || method === 'POST' ? [`Content-Length: ${bytes.length}`] : []);
  const input = { method, target: signedTarget, body: bytes, timestampSeconds, nonce: randomBytes(16).toString('hex') };
  const post =
    method === 'POST'
      ? [`Idempotency-Key: raw-${randomBytes(12).toString('hex')}`, 'Content-Type: application/json']
      : [];
  const signed = Object.entries(forge(signatureHeaders(key, input))).map(([name, value]) => `${name}: ${value}`);
  const lines = [
    `${method} ${target} HTTP/${version}`,
    'Host: gateway.test',
    ...signed,
    ...post,
    ...framing,
    ...headers,
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), bytes]);
}
