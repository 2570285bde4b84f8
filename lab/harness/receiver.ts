// An operator's webhook receiver for tests: records requests and answers as the test sets.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly object_id: string;
  readonly object_version: number;
}

export interface Receiver {
  readonly url: string;
  /** Everything that came, in order, repeats included. */
  readonly events: readonly ReceivedEvent[];
  /** The same, unparsed. */
  readonly bodies: readonly string[];
  /** The headers of each. */
  readonly headers: readonly IncomingHttpHeaders[];
  /** What it answers from now on. */
  answerWith(status: number): void;
  /** The types of an object's events once each, by version. */
  typesOf(objectId: string): string[];
  /** Waits until an object's event of that type has come. */
  waitFor(objectId: string, type: string, timeoutMs?: number): Promise<void>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const events: ReceivedEvent[] = [];
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      bodies.push(body);
      headers.push(request.headers);
      events.push(JSON.parse(body) as ReceivedEvent);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const of = (objectId: string) => [
    ...new Map(events.filter((event) => event.object_id === objectId).map((event) => [event.id, event])).values(),
  ];
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    events,
    bodies,
    headers,
    answerWith: (next) => {
      status = next;
    },
    typesOf: (objectId) =>
      of(objectId)
        .sort((a, b) => a.object_version - b.object_version)
        .map(({ type }) => type),
    waitFor: async (objectId, type, timeoutMs = 60_000) => {
      for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(50)) {
        if (of(objectId).some((event) => event.type === type)) return;
      }
      throw new Error(
        `${type} of ${objectId} did not arrive; there are ${
          of(objectId)
            .map((event) => event.type)
            .join(', ') || 'no events'
        }`,
      );
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
