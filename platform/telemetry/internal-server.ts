// A process's internal port: liveness, readiness and metrics. Callers never reach it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EXPOSITION_TYPE } from './instruments.js';

export interface InternalServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface InternalServerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Whether new work should be sent here. */
  readonly isReady: () => Promise<boolean>;
  readonly metrics: () => Promise<string>;
}

const TIMEOUT_MS = 10_000;

/** `GET /livez` (200 while the process can answer at all), `/healthz` (200 or 503), `/metrics`. */
export async function startInternalServer({
  host,
  port,
  isReady,
  metrics,
}: InternalServerOptions): Promise<InternalServer> {
  const answer = async (url: string | undefined): Promise<{ status: number; body?: string }> => {
    if (url === '/livez') return { status: 200 };
    if (url === '/healthz') return { status: (await isReady()) ? 200 : 503 };
    if (url === '/metrics') return { status: 200, body: await metrics() };
    return { status: 404 };
  };
  const server = createServer({ requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS }, (request, response) => {
    answer(request.method === 'GET' ? request.url : undefined).then(
      ({ status, body }) =>
        response
          .writeHead(status, {
            'cache-control': 'no-store',
            ...(body === undefined ? {} : { 'content-type': EXPOSITION_TYPE }),
          })
          .end(body),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
