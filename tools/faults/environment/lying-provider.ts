// A lying provider: a proxy between workers and the provider that changes some of the provider's answers.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { endToEnd } from '../../harness/recorder.js';

/** @returns the false answer; undefined to pass the true one */
export type Lie = (path: string, answer: Record<string, unknown>) => Record<string, unknown> | undefined;

export interface LyingProvider {
  readonly url: string;
  /** How many false answers were given, by path. */
  readonly sent: ReadonlyMap<string, number>;
  lie(lie: Lie): void;
  close(): Promise<void>;
}

export async function startLyingProvider(providerOrigin: string): Promise<LyingProvider> {
  const sent = new Map<string, number>();
  const lies: Lie[] = [];
  const server = createServer((question, response) => {
    void passOn(providerOrigin, question, lies, sent, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    lie: (lie) => void lies.push(lie),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function passOn(
  origin: string,
  question: IncomingMessage,
  lies: readonly Lie[],
  sent: Map<string, number>,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of question) chunks.push(chunk as Buffer);
  const path = question.url ?? '/';
  const { host: _host, ...headers } = endToEnd(question.headers);
  const answer = await request(`${origin}${path}`, {
    method: question.method as 'GET',
    headers,
    body: chunks.length === 0 ? null : Buffer.concat(chunks),
  });
  const text = await answer.body.text();
  const lie =
    answer.statusCode < 300
      ? lies.map((one) => one(path, JSON.parse(text) as Record<string, unknown>)).find((one) => one !== undefined)
      : undefined;
  if (lie !== undefined) sent.set(path, (sent.get(path) ?? 0) + 1);
  response.writeHead(answer.statusCode, endToEnd(answer.headers)).end(lie === undefined ? text : JSON.stringify(lie));
}
