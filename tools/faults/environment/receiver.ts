// An operator's receiver of webhooks that misbehaves as instructed, and records what arrived and when.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Arrived {
  /** The header's and the body's, which must be the same. */
  readonly id: string;
  readonly headerId: string;
  readonly type: string;
  readonly objectId: string;
  readonly createdAtMs: number;
  readonly atMs: number;
  readonly body: string;
}

/** What it does with an event that has arrived whole. */
export type Manner = (response: ServerResponse, request: IncomingMessage) => void;

export interface MisbehavingReceiver {
  readonly url: string;
  readonly arrived: readonly Arrived[];
  /** Connections that were taken, also those on which nothing whole came. */
  connections(): number;
  behave(manner: Manner): void;
  /** Takes no connections any more, until `open`. */
  shut(): Promise<void>;
  open(): Promise<void>;
  /** Waits until so many arrivals fit. */
  waitFor(fits: (arrival: Arrived) => boolean, times: number, timeoutMs: number): Promise<readonly Arrived[]>;
  close(): Promise<void>;
}

export const takesIt: Manner = (response) => void response.writeHead(200).end();

export async function startMisbehavingReceiver(): Promise<MisbehavingReceiver> {
  const arrived: Arrived[] = [];
  let manner = takesIt;
  let taken = 0;
  let port = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    response.on('error', () => undefined);
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      arrived.push(arrivalOf(request, Buffer.concat(chunks).toString('utf8')));
      manner(response, request);
    });
  });
  server.on('connection', () => void (taken += 1));
  const open = () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const shut = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  await open();
  port = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    arrived,
    connections: () => taken,
    behave: (next) => void (manner = next),
    shut,
    open,
    waitFor: async (fits, times, timeoutMs) => {
      let found: Arrived[] = [];
      for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(50)) {
        found = arrived.filter(fits);
        if (found.length >= times) return found;
      }
      throw new Error(`${found.length} of ${times} deliveries came in ${timeoutMs / 1_000} s`);
    },
    close: () => (server.listening ? shut() : Promise.resolve()),
  };
}

function arrivalOf({ headers }: IncomingMessage, body: string): Arrived {
  const event = JSON.parse(body) as { id: string; type: string; object_id: string; created_at: string };
  return {
    id: event.id,
    headerId: String(headers['svc-event-id']),
    type: event.type,
    objectId: event.object_id,
    createdAtMs: Date.parse(event.created_at),
    atMs: Date.now(),
    body,
  };
}
