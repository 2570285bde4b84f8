// Temporal's UI as operations staff get it: everything can be read, nothing can be changed. Reviews, cancellations and
// what else moves money are the gateway's own commands. The dev server's UI cannot be configured so (a separate UI can:
// `disableWriteActions`), so what `npm start` shows is a way to it that lets reads through.
import { createServer, request as ask, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

const HOST = '127.0.0.1';
const UPSTREAM_TIMEOUT_MS = 60_000;
/** What the UI asks of its server before it draws a button. */
const SETTINGS_PATH = '/api/v1/settings';
/** A query of a workflow, with which the page reads the current details, is a POST. */
const QUERY_PATH = /^\/api\/v1\/namespaces\/[^/]+\/workflows\/[^/]+(\/runs\/[^/]+)?\/query\/[^/]+$/;
const REFUSAL = {
  message: 'This UI only reads. Payments are acted on with the gateway command: see docs/operating.md.',
};

/** The UI that listens on `uiPort`, without its write actions. Call `listen` on what is answered. */
export function readOnlyUi(uiPort: number): Server {
  return createServer((request, response) => {
    const path = pathOf(request);
    if (!isRead(request, path)) answerJson(response, 405, REFUSAL);
    else if (path === SETTINGS_PATH) void answerSettings(uiPort, response);
    else forward(uiPort, request, response);
  });
}

/** {@link readOnlyUi} as something that a stack starts and stops. */
export class ReadOnlyUi {
  readonly #server: Server;

  constructor(uiPort: number) {
    this.#server = readOnlyUi(uiPort);
  }

  start(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject).listen({ host: HOST, port }, resolve);
    });
  }

  async stop(): Promise<void> {
    this.kill();
  }

  kill(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

function isRead({ method = '' }: IncomingMessage, path: string): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  // An encoded slash would make another path of it behind.
  return method === 'POST' && QUERY_PATH.test(path) && !/%2f/i.test(path);
}

/** The settings of the UI behind, with its buttons off. */
async function answerSettings(uiPort: number, response: ServerResponse): Promise<void> {
  try {
    const answer = await fetch(`http://${HOST}:${uiPort}${SETTINGS_PATH}`, {
      signal: AbortSignal.timeout(UPSTREAM_TIMEOUT_MS),
    });
    const settings = (await answer.json()) as object;
    for (const cookie of answer.headers.getSetCookie()) response.appendHeader('set-cookie', cookie);
    answerJson(response, answer.status, { ...settings, DisableWriteActions: true });
  } catch {
    answerUnavailable(response);
  }
}

function forward(uiPort: number, request: IncomingMessage, response: ServerResponse): void {
  const { method, url: path } = request;
  // A new connection for each request: the server may close a kept one just when it is used again.
  const headers = { ...request.headers, connection: 'close' };
  const upstream = ask({ host: HOST, port: uiPort, method, path, headers, agent: false, timeout: UPSTREAM_TIMEOUT_MS });
  upstream.on('response', (answer) => {
    // How the connection behind ends is nothing to the browser.
    const { connection: _, ...passed } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, passed);
    answer.pipe(response);
  });
  upstream.on('timeout', () => upstream.destroy());
  upstream.on('error', () => answerUnavailable(response));
  response.on('close', () => {
    if (!response.writableFinished) upstream.destroy();
  });
  request.pipe(upstream);
}

function answerUnavailable(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else answerJson(response, 502, { message: 'The UI of Temporal does not answer.' });
}

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
