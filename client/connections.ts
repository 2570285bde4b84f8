// The connections to the gateway, by Node's own means: kept alive, each answer bounded in time and size.
import http from 'node:http';
import https from 'node:https';

/** All PEM. */
export interface ClientTls {
  readonly certificate: string;
  readonly key: string;
  /** Trusted instead of the system's authorities; absent: the system's. */
  readonly authorities?: string;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface RawRequest {
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** From connecting to the last byte of the answer. */
  readonly timeoutMs: number;
}

export interface Connections {
  /** Rejects if no whole answer comes. */
  exchange(request: RawRequest): Promise<RawAnswer>;
  /** Lets requests under way finish. */
  close(): Promise<void>;
}

// A page of 200 objects stays far below this; the bound keeps a broken server from filling the operator's memory.
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** Less than servers keep an idle connection: a request must not meet one that is being closed. */
const IDLE_TIMEOUT_MS = 4_000;

/** Connections to one origin (`https://host:port`). */
export function openConnections(origin: string, tls: ClientTls | undefined): Connections {
  const { protocol, hostname, port } = new URL(origin);
  const [library, agent] =
    protocol === 'https:'
      ? [https, new https.Agent({ keepAlive: true, timeout: IDLE_TIMEOUT_MS, ...tlsOptions(tls) })]
      : [http, new http.Agent({ keepAlive: true, timeout: IDLE_TIMEOUT_MS })];
  const underWay = new Set<Promise<unknown>>();

  function exchange(request: RawRequest): Promise<RawAnswer> {
    const { method, target: path, headers, body, timeoutMs } = request;
    const answered = new Promise<RawAnswer>((resolve, reject) => {
      const sent = library.request({
        agent,
        // An IPv6 address stands in brackets in an origin.
        host: hostname.replace(/^\[|\]$/g, ''),
        port: port === '' ? undefined : Number(port),
        method,
        path,
        headers: method === 'POST' ? { ...headers, 'Content-Length': body.length } : headers,
      });
      const timer = setTimeout(
        () => sent.destroy(new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError')),
        timeoutMs,
      );
      sent.on('error', reject);
      sent.on('close', () => clearTimeout(timer));
      sent.on('response', (answer) => {
        const chunks: Buffer[] = [];
        let size = 0;
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_ANSWER_BYTES) sent.destroy(new Error(`the answer is over ${MAX_ANSWER_BYTES} bytes`));
          else chunks.push(chunk);
        });
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      });
      sent.end(method === 'POST' ? body : undefined);
    });
    const settled = answered.catch(() => undefined);
    underWay.add(settled);
    void settled.finally(() => underWay.delete(settled));
    return answered;
  }

  return {
    exchange,
    async close() {
      await Promise.all(underWay);
      agent.destroy();
    },
  };
}

function tlsOptions(tls: ClientTls | undefined): { cert?: string; key?: string; ca?: string } {
  if (tls === undefined) return {};
  return { cert: tls.certificate, key: tls.key, ...(tls.authorities === undefined ? {} : { ca: tls.authorities }) };
}
