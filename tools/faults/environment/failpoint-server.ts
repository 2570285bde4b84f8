// The failpoint server: processes call it at every failpoint, and it lets them continue, delays them or kills them
// there.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Arrival } from '../../../platform/failpoints/failpoints.js';
import type { Point } from '../points.js';

/** What to do with a process that hits the failpoint. It continues when the promise resolves. */
export type Reaction = (arrival: Arrival) => Promise<void> | void;

/** Kills the process at the failpoint, as a power cut would. */
export const killProcess: Reaction = ({ pid }) => {
  process.kill(pid, 'SIGKILL');
  return new Promise(() => undefined);
};

export interface Failpoint {
  readonly point: Point;
  /** Only hits for this payment or event; without it, all hits. */
  readonly subject?: string | (() => string | undefined);
  /** How many hits to let pass first. Default 0. */
  readonly skip?: number;
  readonly react: Reaction;
}

/** A failpoint that reacts to one hit and is gone then. */
export interface ArmedFailpoint {
  /** Resolves when it is hit, before the reaction is over. */
  readonly hit: Promise<Arrival>;
  wasHit(): boolean;
  remove(): void;
}

export interface FailpointServer {
  readonly url: string;
  set(failpoint: Failpoint): ArmedFailpoint;
  /** How often each failpoint was reached, armed or not. */
  arrivals(): ReadonlyMap<string, number>;
  /** Disarms all. A process that waits in a reaction keeps waiting. */
  clear(): void;
  close(): Promise<void>;
}

interface Waiting {
  readonly failpoint: Failpoint;
  left: number;
  readonly onHit: (arrival: Arrival) => void;
}

export async function startFailpointServer(): Promise<FailpointServer> {
  const armed = new Set<Waiting>();
  const seen = new Map<string, number>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const arrival = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Arrival;
      seen.set(arrival.point, (seen.get(arrival.point) ?? 0) + 1);
      void react(armed, arrival).finally(() => response.writeHead(204).end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    set: (failpoint) => {
      let arrived: Arrival | undefined;
      let resolve: (arrival: Arrival) => void = () => undefined;
      const hit = new Promise<Arrival>((done) => (resolve = done));
      const waiting: Waiting = {
        failpoint,
        left: failpoint.skip ?? 0,
        onHit: (arrival) => {
          arrived = arrival;
          resolve(arrival);
        },
      };
      armed.add(waiting);
      return { hit, wasHit: () => arrived !== undefined, remove: () => void armed.delete(waiting) };
    },
    arrivals: () => seen,
    clear: () => armed.clear(),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function react(armed: Set<Waiting>, arrival: Arrival): Promise<void> {
  for (const waiting of armed) {
    if (!fits(waiting.failpoint, arrival)) continue;
    if (waiting.left > 0) {
      waiting.left -= 1;
      continue;
    }
    armed.delete(waiting);
    waiting.onHit(arrival);
    await waiting.failpoint.react(arrival);
    return;
  }
}

function fits({ point, subject }: Failpoint, arrival: Arrival): boolean {
  if (point !== arrival.point) return false;
  if (subject === undefined) return true;
  return (typeof subject === 'string' ? subject : subject()) === arrival.subject;
}
