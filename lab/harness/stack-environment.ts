// The environment of a test stack's processes: ports, keys and provider accounts of its own.
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { findFreePort } from '../../tools/processes/ports.js';

export interface StackPorts {
  readonly api: number;
  readonly ingress: number;
  readonly simulator: number;
  readonly health: number;
}

/** Where a stack's processes find what they need. */
interface StackPlace {
  readonly databaseUrl: string;
  readonly temporal: { readonly address: string; readonly namespace: string };
  readonly ports: StackPorts;
  /** The folder of its files. */
  readonly home: string;
}

export async function findStackPorts(): Promise<StackPorts> {
  return {
    api: await findFreePort(),
    ingress: await findFreePort(),
    simulator: await findFreePort(),
    health: await findFreePort(),
  };
}

/** The variables of every process of a sandbox whose three slots are the simulator's, with new secrets. */
export function stackEnvironment({ databaseUrl, temporal, ports, home }: StackPlace): Record<string, string> {
  const key = () => randomBytes(32).toString('base64');
  return {
    GATEWAY_ENVIRONMENT: 'sandbox',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '10',
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    GATEWAY_SEALING_KEYS: `k1:${key()}`,
    GATEWAY_HASH_KEY: key(),
    GATEWAY_AUDIT_KEY: key(),
    GATEWAY_AUDIT_SEALS_DIR: join(home, 'audit-seals'),
    LOG_LEVEL: 'info',
    API_PORT: String(ports.api),
    INGRESS_PORT: String(ports.ingress),
    WORKER_HEALTH_PORT: String(ports.health),
    SIMULATOR_PORT: String(ports.simulator),
    SIMULATOR_STATE_DIR: join(home, 'simulator'),
    SIMULATOR_CALLBACK_URL: `http://127.0.0.1:${ports.ingress}`,
    SIMULATOR_CONTROL_URL: `http://127.0.0.1:${ports.simulator}`,
    ...Object.fromEntries(['simulator', 'a', 'b'].flatMap((name) => providerEnvironment(name, ports.simulator))),
  };
}

function providerEnvironment(name: string, simulatorPort: number): [string, string][] {
  const secret = () => randomBytes(16).toString('hex');
  const values = {
    URL: `http://127.0.0.1:${simulatorPort}/${name}`,
    CLIENT_ID: `test-${name}`,
    CLIENT_SECRET: secret(),
    PIX_KEY: randomUUID(),
    CALLBACK_SECRET: secret(),
  };
  return Object.entries(values).map(([field, value]) => [`PROVIDER_${name.toUpperCase()}_${field}`, value]);
}
