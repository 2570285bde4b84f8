// Ports on 127.0.0.1: checks them and finds free ones.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { Failure } from '../bootstrap/failure.mjs';

const HOST = '127.0.0.1';
const LOW_PORTS = { from: 12_000, to: 32_000 };

export interface NeededPort {
  readonly port: number;
  /** What listens there, for the message. */
  readonly purpose: string;
  /** The environment variable that moves it. */
  readonly variable: string;
}

/** Why a port cannot be used (EADDRINUSE, EACCES, …); undefined when it can. */
export async function portProblem(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host: HOST, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Throws a {@link Failure} that names the first port that cannot be used and the variable that moves it. */
export async function requireFreePorts(needed: readonly NeededPort[]): Promise<void> {
  refuseSharedPorts(needed);
  for (const { port, purpose, variable } of needed) {
    const problem = await portProblem(port);
    if (problem === undefined) continue;
    const reason = problem === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${problem})`;
    throw new Failure(
      `Port ${port} for ${purpose} ${reason}. End that program, or choose another port with ${variable} (all at ` +
        'once: GATEWAY_PORT_BASE).',
    );
  }
}

function refuseSharedPorts(needed: readonly NeededPort[]): void {
  const seen = new Map<number, NeededPort>();
  for (const one of needed) {
    const other = seen.get(one.port);
    if (other)
      throw new Failure(
        `${other.variable} and ${one.variable} both ask for port ${one.port}; give them different ones.`,
      );
    seen.set(one.port, one);
  }
}

/**
 * A free port below the system's range for outgoing connections, so that a server finds it free again after a restart.
 * Random, so that parallel runs do not collide; never the same one twice.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOW_PORTS.from, LOW_PORTS.to);
    if (handedOut.has(port)) continue;
    handedOut.add(port);
    if ((await portProblem(port)) === undefined) return port;
  }
}

const handedOut = new Set<number>();
