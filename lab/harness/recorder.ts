// A proxy that keeps what passes: between an adapter and the simulator it records both directions for a judge.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';

export interface Exchange {
  /** The first part of the address. */
  readonly slot: string;
  readonly method: string;
  /** Below the slot, without its query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly status: number;
  readonly answer: unknown;
}

export interface Recorder {
  readonly exchanges: Exchange[];
  /** Listens and passes on to that address; answers its own. */
  listen(target: string): Promise<string>;
  /** Passes on to another address from now on. */
  passTo(target: string): void;
  close(): Promise<void>;
}

export function createRecorder(): Recorder {
  const exchanges: Exchange[] = [];
  let target = '';
  const server: Server = createServer((incoming, response) => {
    passOn(target, incoming, response, exchanges).catch(() => response.destroy());
  });
  return {
    exchanges,
    async listen(to) {
      target = to;
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    passTo(to) {
      target = to;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function passOn(
  target: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  exchanges: Exchange[],
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const answered = await request(`${target}${incoming.url ?? ''}`, {
    method: incoming.method as 'GET',
    headers: endToEnd(incoming.headers),
    ...(body.length === 0 ? {} : { body }),
  });
  const text = await answered.body.text();
  const url = new URL(incoming.url ?? '', target);
  exchanges.push({
    slot: /^\/([^/]*)/.exec(url.pathname)?.[1] ?? '',
    method: incoming.method ?? '',
    path: url.pathname.replace(/^\/[a-z]+(?=\/)/, ''),
    query: Object.fromEntries(url.searchParams),
    body: jsonOf(body.toString()),
    status: answered.statusCode,
    answer: jsonOf(text),
  });
  response.writeHead(answered.statusCode, endToEnd(answered.headers)).end(text);
}

const HOP_BY_HOP = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive']);

/** The headers that a proxy passes on. */
function endToEnd(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_BY_HOP.has(name) ? [] : [[name, value]],
    ),
  );
}

/** Unchanged if it is not JSON, such as a form. */
function jsonOf(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
