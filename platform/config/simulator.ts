// Reads the simulator process's configuration. It uses the providers' own variables for the accounts it plays, so the
// two sides of a connection are configured by the same names.
import { join } from 'node:path';
import type { BlockList } from 'node:net';
import { z } from 'zod';
import type { AccountName } from '../../domain/provider-accounts.js';
import { type DialectName, accountVariable } from '../../providers/settings.js';
import { DIALECTS } from '../../providers/index.js';
import type { TracingOptions } from '../telemetry/tracing-options.js';
import { combined, port, readEnvironment } from './environment.js';
import { networks } from './networks.js';
import { pemFile } from './pem-file.js';
import { projectRoot } from './project-root.js';
import { accountsIn, dialectOf, faultOf, slotVariables, type Values } from './provider-accounts.js';
import { tracingSchema } from './tracing.js';

/** The simulator's settings for a client of one of its providers. */
export interface SimulatedAccount {
  readonly dialect: DialectName;
  /** `null` if the dialect has none, like `callbackSecret`. */
  readonly clientId: string | null;
  readonly clientSecret: string;
  readonly pixKey: string;
  readonly callbackSecret: string | null;
}

export interface SimulatorConfig {
  readonly host: string;
  readonly port: number;
  /**
   * The provider's address in BR codes: `host:port`; `null` if it is the address that it listens on.
   */
  readonly publicHost: string | null;
  /** Addresses that may steer it, in addition to this machine. */
  readonly controlNetworks: BlockList;
  /** Folder of the journal; made if absent. */
  readonly stateDir: string;
  /** Base address of the gateway's provider ingress: callbacks go to `/callbacks/{provider}/…` under it. */
  readonly callbackUrl: string;
  /** Below 1, callbacks are repeated sooner than their dialect says. */
  readonly callbackPace: number;
  /** Its certificate, as a server and towards those it calls, and the authority of its clients; null: plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string; readonly ca: string } | null;
  readonly accounts: Readonly<Partial<Record<AccountName, SimulatedAccount>>>;
  readonly logLevel: string;
  /** `null` if nothing is traced. */
  readonly tracing: TracingOptions | null;
}

const ACCOUNT_FIELDS = ['CLIENT_ID', 'CLIENT_SECRET', 'PIX_KEY', 'CALLBACK_SECRET'] as const;
type AccountField = (typeof ACCOUNT_FIELDS)[number];
/** The settings of each account. Variables of own accounts have no fixed names; the reader finds them. */
const accountVariables = slotVariables(['DIALECT', ...ACCOUNT_FIELDS], z.string().max(1_024).optional());

/** What the two sides of a dialect must agree on. */
function neededOf(dialect: DialectName): readonly AccountField[] {
  const needs: readonly string[] = [...DIALECTS[dialect].calls.needs, ...DIALECTS[dialect].callbacks.needs];
  return ACCOUNT_FIELDS.filter((field) => needs.includes(field));
}

/** The accounts with any variable set besides the dialect, and a fault for each missing variable. */
function accountsOf(values: Values, context: z.RefinementCtx): SimulatorConfig['accounts'] {
  const accounts: Partial<Record<AccountName, SimulatedAccount>> = {};
  for (const name of accountsIn(values, context)) {
    const read = (field: AccountField) => values[accountVariable(name, field)];
    if (ACCOUNT_FIELDS.every((field) => read(field) === undefined)) continue;
    const fault = faultOf(name, context);
    const dialect = dialectOf(values, name, fault);
    for (const field of neededOf(dialect).filter((needed) => read(needed) === undefined))
      fault(field, `is missing, while other settings of provider ${name} are present`);
    accounts[name] = Object.freeze({
      dialect,
      clientId: read('CLIENT_ID') ?? null,
      clientSecret: read('CLIENT_SECRET') ?? '',
      pixKey: read('PIX_KEY') ?? '',
      callbackSecret: read('CALLBACK_SECRET') ?? null,
    });
  }
  return Object.freeze(accounts);
}

interface TlsVariables {
  readonly SIMULATOR_TLS_CERT_FILE?: string | undefined;
  readonly SIMULATOR_TLS_KEY_FILE?: string | undefined;
  readonly SIMULATOR_TLS_CA_FILE?: string | undefined;
}

/** All three or none. */
function tlsOf(values: TlsVariables, context: z.RefinementCtx): SimulatorConfig['tls'] {
  const { SIMULATOR_TLS_CERT_FILE: cert, SIMULATOR_TLS_KEY_FILE: key, SIMULATOR_TLS_CA_FILE: ca } = values;
  if (cert !== undefined && key !== undefined && ca !== undefined) return { cert, key, ca };
  if (cert !== undefined || key !== undefined || ca !== undefined)
    context.addIssue({
      code: 'custom',
      path: ['SIMULATOR_TLS_CERT_FILE'],
      message: 'goes with SIMULATOR_TLS_KEY_FILE and SIMULATOR_TLS_CA_FILE',
    });
  return null;
}

export const simulatorSchema = z
  .looseObject({
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
    SIMULATOR_CALLBACK_PACE: z.coerce
      .number({ error: 'must be a number' })
      .positive('must be more than 0')
      .max(1, 'must be 1 at most')
      .default(1),
    SIMULATOR_TLS_CERT_FILE: pemFile.optional(),
    SIMULATOR_TLS_KEY_FILE: pemFile.optional(),
    SIMULATOR_TLS_CA_FILE: pemFile.optional(),
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    ...accountVariables,
  })
  .transform((environment, context): Omit<SimulatorConfig, 'tracing'> => {
    const accounts = accountsOf(environment as Values, context);
    if (Object.keys(accounts).length === 0)
      faultOf('simulator', context)(
        'CLIENT_ID',
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
      tls: tlsOf(environment, context),
      callbackPace: environment.SIMULATOR_CALLBACK_PACE,
      accounts,
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
