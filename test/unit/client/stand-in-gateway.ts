// A stand-in for the gateway: it checks every request by the specification's letter, with its own code rather than the
// client's, then plays a script of answers, whose last line repeats. It knows nothing of payments.
import { createHash, createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** Null if the request is well signed, else the code it would be refused with. */
  readonly fault: string | null;
}

/** One line of the script. `hang` never answers, `drop` cuts the connection, `raw` sends bytes under any content type. */
export type Scripted =
  | { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> }
  | { readonly hang: true }
  | { readonly drop: true }
  | { readonly raw: string; readonly status: number; readonly contentType: string };

export interface StandIn {
  readonly baseUrl: string;
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

export const STAND_IN_KEY = { keyId: 'key_test_STANDIN', secret: 'sk_stand_in_secret' };

/** Starts the stand-in on a free port of 127.0.0.1. */
export async function startStandIn(script: readonly Scripted[]): Promise<StandIn> {
  const seen: SeenRequest[] = [];
  const nonces = new Set<string>();
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      const fault = signatureFault(request, body, nonces);
      const line = script[Math.min(seen.length, script.length - 1)];
      seen.push({ method: request.method ?? '', target: request.url ?? '', headers: request.headers, body, fault });
      if (fault) answer(response, problem(fault === 'validation_failed' ? 400 : 401, fault));
      else if (line) answer(response, line);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A problem answer as the gateway writes it. */
export function problem(
  status: number,
  code: string,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Scripted {
  const retryable = status >= 500 || status === 429 || code === 'idempotency_in_progress' || code === 'day_open';
  const body = {
    type: `https://docs.example/errors/${code}`,
    title: code,
    status,
    code,
    trace_id: 'trace-1',
    retryable,
    ...more,
  };
  return {
    status,
    body,
    headers: { 'Content-Type': 'application/problem+json', 'Svc-Trace-Id': 'trace-1', ...headers },
  };
}

/** The whole body of a request. */
export async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function answer(response: ServerResponse, line: Scripted): void {
  if ('hang' in line) return;
  if ('drop' in line) {
    response.socket?.destroy();
    return;
  }
  if ('raw' in line) {
    response.writeHead(line.status, { 'Content-Type': line.contentType }).end(line.raw);
    return;
  }
  response
    .writeHead(line.status, { 'Content-Type': 'application/json; charset=utf-8', ...line.headers })
    .end(JSON.stringify(line.body));
}

/** Checks 3 to 9 and 13 of the specification's verification order; null if the request passes. */
export function signatureFault(request: IncomingMessage, body: Buffer, nonces: Set<string>): string | null {
  const header = (name: string): string => String(request.headers[name] ?? '');
  const [timestamp, nonce] = [header('svc-timestamp'), header('svc-nonce')];
  if (header('svc-key-id') !== STAND_IN_KEY.keyId) return 'unknown_key';
  if (!/^[1-9][0-9]*$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300)
    return 'timestamp_out_of_window';
  if (!/^[0-9a-f]{32}$/.test(nonce)) return 'invalid_signature';
  const hash = createHash('sha256').update(body).digest('hex');
  const canonical = `v1\n${timestamp}\n${nonce}\n${request.method}\n${request.url}\n${hash}`;
  const expected = `v1=${createHmac('sha256', STAND_IN_KEY.secret).update(canonical).digest('hex')}`;
  if (header('svc-signature') !== expected) return 'invalid_signature';
  if (nonces.has(nonce)) return 'replayed_nonce';
  nonces.add(nonce);
  if (request.method !== 'POST') return null;
  const keyFits = /^[A-Za-z0-9_.:-]{16,128}$/.test(header('idempotency-key'));
  return keyFits && header('content-type') === 'application/json; charset=utf-8' ? null : 'validation_failed';
}
