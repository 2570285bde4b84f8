// An operator's webhook receiver for measuring: reports at once when an event arrived, and how long after its creation.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const envelope = z.object({ id: z.string(), type: z.string(), object_id: z.string(), created_at: z.string() });

export interface BenchReceiver {
  readonly url: string;
  /** From the event's `created_at`, the moment of the transition, to its first arrival, in milliseconds. */
  readonly latencies: readonly number[];
  forget(): void;
  /** Resolves when the object's event of that type has come; rejects after a minute. */
  arrival(objectId: string, type: string): Promise<void>;
  close(): Promise<void>;
}

const PATIENCE_MS = 60_000;

export async function startBenchReceiver(): Promise<BenchReceiver> {
  const latencies: number[] = [];
  const seen = new Set<string>();
  const arrived = new Set<string>();
  const waiting = new Map<string, () => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(200).end();
      const event = envelope.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      if (seen.has(event.id)) return;
      seen.add(event.id);
      latencies.push(Date.now() - Date.parse(event.created_at));
      const key = `${event.object_id} ${event.type}`;
      arrived.add(key);
      waiting.get(key)?.();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    latencies,
    forget: () => void latencies.splice(0),
    arrival: (objectId, type) => {
      const key = `${objectId} ${type}`;
      if (arrived.has(key)) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${key} did not arrive`)), PATIENCE_MS);
        waiting.set(key, () => {
          clearTimeout(timer);
          waiting.delete(key);
          resolve();
        });
      });
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
