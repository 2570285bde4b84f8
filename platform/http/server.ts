// The HTTP server around a Koa application: limits on time and size, answers to malformed HTTP, graceful shutdown.
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';

/** Longer than the usual 60 s of load balancers, so that they close idle connections first. */
export const KEEP_ALIVE_MS = 65_000;

const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: 2_000,
  // The application answers a missing Host, like every other problem.
  requireHostHeader: false,
} as const;
const SHUTDOWN_MS = 10_000;
const IDLE_CHECK_MS = 50;

export interface RunningServer {
  readonly port: number;
  /** From now on every response closes its connection; new connections are still accepted. */
  drain(): void;
  /** Accepts no new connection, gives running requests at most 10 s, then closes. */
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Larger bodies get no `100 Continue`; the application refuses them. */
  readonly bodyLimitBytes: number;
  /** The answer to requests that never reach the application, in the application's shape. */
  readonly refusalOf: (fault: HttpFault) => RawAnswer;
}

/** The faults of a request that cannot be parsed. */
export type HttpFault = 'too_slow' | 'headers_too_large' | 'no_http' | 'connect';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Listens; rejects with the system's error (`EADDRINUSE`) when it cannot. */
export async function startServer<State>(app: Koa<State>, options: ServerOptions): Promise<RunningServer> {
  let draining = false;
  const server = createServer(app, options, () => draining);
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(options.port, options.host, resolve),
  );
  const drain = () => {
    draining = true;
  };
  return { port: (server.address() as AddressInfo).port, drain, close: () => closeServer(server) };
}

function createServer<State>(
  app: Koa<State>,
  { refusalOf, bodyLimitBytes }: ServerOptions,
  isDraining: () => boolean,
): http.Server {
  const handle = app.callback();
  const running = new WeakMap<Duplex, Running>();
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    running.set(request.socket, { request, response });
    if (isDraining() || !server.listening) response.setHeader('Connection', 'close');
    void handle(request, response);
  };
  const server = http.createServer({ ...LIMITS }, answer);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // Do not request a body that will be refused.
    if (Number(request.headers['content-length'] ?? 0) <= bodyLimitBytes) response.writeContinue();
    answer(request, response);
  });
  server.on('checkExpectation', answer);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    answerMalformed(error, socket, running.get(socket), refusalOf),
  );
  server.on('connect', (_request, socket: Duplex) => answerRaw(socket, refusalOf('connect')));
  return server;
}

interface Running {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * A request that Node cannot parse never reaches the application; it is answered here if the connection allows. A
 * connection that never sent anything ends without an answer: a client that opened it ahead would take the answer for
 * that of its first request.
 */
function answerMalformed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  current: Running | undefined,
  refusalOf: ServerOptions['refusalOf'],
): void {
  const open = current !== undefined && !current.response.writableFinished;
  const isSilent = socket instanceof Socket && socket.bytesRead === 0;
  if (error.code === 'ECONNRESET' || !socket.writable || isSilent) socket.destroy();
  else if (open && current.request.complete) {
    // Garbage after a complete request: that request still gets its response, the last on this connection.
    if (!current.response.headersSent) current.response.setHeader('Connection', 'close');
  } else if (open && current.response.headersSent) socket.destroy();
  else answerRaw(socket, refusalOf(faultOf(error)));
}

function faultOf({ code }: NodeJS.ErrnoException): HttpFault {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'too_slow';
  return code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'no_http';
}

function answerRaw(socket: Duplex, { status, headers, body }: RawAnswer): void {
  const head = { ...headers, 'Content-Length': String(body.length), Connection: 'close' };
  const lines = [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}`,
    ...Object.entries(head).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ];
  socket.end(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]));
}

async function closeServer(server: http.Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A kept-alive connection becomes idle after its response and would delay the shutdown.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), SHUTDOWN_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
