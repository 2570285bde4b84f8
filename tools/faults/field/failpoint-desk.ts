// The desk that the processes of a campaign ask at every failpoint: it lets them go on, keeps them waiting or has them killed there.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Arrival } from '../../../platform/failpoints/failpoints.js';

/** What happens to who comes to a place; it goes on when the promise resolves. */
export type Reaction = (arrival: Arrival) => Promise<void> | void;

/** Ends the process where it stands, as a power cut would. */
export const killThere: Reaction = ({ pid }) => {
  process.kill(pid, 'SIGKILL');
  return new Promise(() => undefined);
};

export interface Trap {
  readonly point: string;
  /** Only this payment's or event's arrivals; absent: anybody's. */
  readonly subject?: string | (() => string | undefined);
  /** So many arrivals pass before it snaps. Default 0. */
  readonly skip?: number;
  readonly react: Reaction;
}

/** A trap snaps once. */
export interface SetTrap {
  /** Resolves when it has snapped (and before its reaction is over). */
  readonly snapped: Promise<Arrival>;
  hasSnapped(): boolean;
  remove(): void;
}

export interface FailpointDesk {
  readonly url: string;
  set(trap: Trap): SetTrap;
  /** Every place that anybody has come to, with how often: what a campaign could reach. */
  arrivals(): ReadonlyMap<string, number>;
  /** Forgets all traps; who is kept waiting by one waits on. */
  clear(): void;
  close(): Promise<void>;
}

interface Waiting {
  readonly trap: Trap;
  left: number;
  readonly snap: (arrival: Arrival) => void;
}

export async function startFailpointDesk(): Promise<FailpointDesk> {
  const traps = new Set<Waiting>();
  const seen = new Map<string, number>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const arrival = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Arrival;
      seen.set(arrival.point, (seen.get(arrival.point) ?? 0) + 1);
      void react(traps, arrival).finally(() => response.writeHead(204).end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    set: (trap) => {
      let arrived: Arrival | undefined;
      let resolve: (arrival: Arrival) => void = () => undefined;
      const snapped = new Promise<Arrival>((done) => (resolve = done));
      const waiting: Waiting = {
        trap,
        left: trap.skip ?? 0,
        snap: (arrival) => {
          arrived = arrival;
          resolve(arrival);
        },
      };
      traps.add(waiting);
      return { snapped, hasSnapped: () => arrived !== undefined, remove: () => void traps.delete(waiting) };
    },
    arrivals: () => seen,
    clear: () => traps.clear(),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function react(traps: Set<Waiting>, arrival: Arrival): Promise<void> {
  for (const waiting of traps) {
    if (!fits(waiting.trap, arrival)) continue;
    if (waiting.left > 0) {
      waiting.left -= 1;
      continue;
    }
    traps.delete(waiting);
    waiting.snap(arrival);
    await waiting.trap.react(arrival);
    return;
  }
}

function fits({ point, subject }: Trap, arrival: Arrival): boolean {
  if (point !== arrival.point) return false;
  if (subject === undefined) return true;
  return (typeof subject === 'string' ? subject : subject()) === arrival.subject;
}
