// Reads the simulator process's configuration. It uses the providers' own variables for the accounts it plays, so the
// two sides of a connection are configured by the same names.
import { join } from 'node:path';
import type { BlockList } from 'node:net';
import { z } from 'zod';
import { DEFAULT_DIALECTS, DIALECT_NAMES, type DialectName } from '../../providers/dialect-names.js';
import { DIALECTS } from '../../providers/dialects.js';
import { PROVIDER_NAMES, type ProviderName } from '../../providers/port.js';
import type { TracingOptions } from '../telemetry/tracing-options.js';
import { combined, port, readEnvironment } from './environment.js';
import { networks } from './networks.js';
import { projectRoot } from './project-root.js';
import { tracingSchema } from './tracing.js';

/** What the simulator knows of a client of one of its providers. */
export interface SimulatedAccount {
  readonly dialect: DialectName;
  /** Null where the dialect has none, like `callbackSecret`. */
  readonly clientId: string | null;
  readonly clientSecret: string;
  readonly pixKey: string;
  readonly callbackSecret: string | null;
}

export interface SimulatorConfig {
  readonly host: string;
  readonly port: number;
  /**
   * What stands in BR codes as the provider's address: `host:port`; null where it is the address that it listens on.
   */
  readonly publicHost: string | null;
  /** Addresses that may steer it, in addition to this machine. */
  readonly controlNetworks: BlockList;
  /** Folder of the journal; made if absent. */
  readonly stateDir: string;
  /** Base address of the gateway's provider ingress: callbacks go to `/callbacks/{provider}/…` under it. */
  readonly callbackUrl: string;
  readonly accounts: Readonly<Partial<Record<ProviderName, SimulatedAccount>>>;
  readonly logLevel: string;
  /** Null: nothing is traced. */
  readonly tracing: TracingOptions | null;
}

const ACCOUNT_FIELDS = ['CLIENT_ID', 'CLIENT_SECRET', 'PIX_KEY', 'CALLBACK_SECRET'] as const;
const variable = (name: ProviderName, field: string) => `PROVIDER_${name.toUpperCase()}_${field}`;
const accountVariables = Object.fromEntries(
  PROVIDER_NAMES.flatMap((name) => [
    [variable(name, 'DIALECT'), z.enum(DIALECT_NAMES).optional()],
    ...ACCOUNT_FIELDS.map((field) => [variable(name, field), z.string().max(1_024).optional()]),
  ]),
) as Record<string, z.ZodOptional<z.ZodType<string>>>;

/** What the two sides of a dialect need to know of each other. */
function neededOf(dialect: DialectName): readonly (typeof ACCOUNT_FIELDS)[number][] {
  const needs: readonly string[] = [...DIALECTS[dialect].calls.needs, ...DIALECTS[dialect].callbacks.needs];
  return ACCOUNT_FIELDS.filter((field) => needs.includes(field));
}

export const simulatorSchema = z
  .object({
    GATEWAY_ENVIRONMENT: z.literal('sandbox', { error: 'the simulator runs in a sandbox only' }).default('sandbox'),
    SIMULATOR_HOST: z.string().default('127.0.0.1'),
    SIMULATOR_PORT: port(7802),
    SIMULATOR_PUBLIC_HOST: z
      .string()
      .regex(/^[A-Za-z0-9.-]{1,253}(:\d{1,5})?$/, 'must look like simulator.example:7802')
      .optional(),
    SIMULATOR_CONTROL_NETWORKS: networks,
    SIMULATOR_STATE_DIR: z.string().optional(),
    SIMULATOR_CALLBACK_URL: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .default('http://127.0.0.1:7801')
      .transform((text) => text.replace(/\/+$/, '')),
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    ...accountVariables,
  })
  .transform((environment, context): Omit<SimulatorConfig, 'tracing'> => {
    const values = environment as unknown as Readonly<Record<string, string | undefined>>;
    const fault = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    const accounts: Partial<Record<ProviderName, SimulatedAccount>> = {};
    for (const name of PROVIDER_NAMES) {
      const read = (field: (typeof ACCOUNT_FIELDS)[number]) => values[variable(name, field)];
      if (ACCOUNT_FIELDS.every((field) => read(field) === undefined)) continue;
      const dialect = (values[variable(name, 'DIALECT')] as DialectName | undefined) ?? DEFAULT_DIALECTS[name];
      const missing = neededOf(dialect).filter((field) => read(field) === undefined);
      for (const field of missing)
        fault(variable(name, field), `is missing, while other settings of provider ${name} are present`);
      accounts[name] = Object.freeze({
        dialect,
        clientId: read('CLIENT_ID') ?? null,
        clientSecret: read('CLIENT_SECRET') ?? '',
        pixKey: read('PIX_KEY') ?? '',
        callbackSecret: read('CALLBACK_SECRET') ?? null,
      });
    }
    if (Object.keys(accounts).length === 0)
      fault(
        'PROVIDER_SIMULATOR_CLIENT_ID',
        'the simulator needs at least one provider account (PROVIDER_<NAME>_CLIENT_ID, _CLIENT_SECRET, _PIX_KEY, ' +
          '_CALLBACK_SECRET)',
      );
    return {
      host: environment.SIMULATOR_HOST,
      port: environment.SIMULATOR_PORT,
      publicHost: environment.SIMULATOR_PUBLIC_HOST ?? null,
      controlNetworks: environment.SIMULATOR_CONTROL_NETWORKS,
      stateDir: environment.SIMULATOR_STATE_DIR ?? join(projectRoot(), 'var', 'simulator'),
      callbackUrl: environment.SIMULATOR_CALLBACK_URL,
      accounts: Object.freeze(accounts),
      logLevel: environment.LOG_LEVEL,
    };
  });

const schema = combined({ simulator: simulatorSchema, tracing: tracingSchema('simulator') }).transform(
  ({ simulator, tracing }): SimulatorConfig => ({ ...simulator, tracing }),
);

/** Throws a ConfigurationError that names every variable at fault. */
export function readSimulatorConfig(environment: NodeJS.ProcessEnv): Readonly<SimulatorConfig> {
  return readEnvironment(schema, environment);
}
