// The settings of the embedded stack from the environment: ports, and servers that already run.
import { DIALECT_NAMES, type DialectName } from '../../providers/settings.js';
import { SLOTS, type SlotName } from '../../domain/provider-accounts.js';
import { z } from 'zod';
import { ConfigurationError, readEnvironment } from '../../platform/config/environment.js';
import { temporalSchema } from '../../platform/config/temporal.js';
import type { TemporalServer } from '../../platform/temporal/connection.js';
import { Failure } from '../bootstrap/failure.mjs';
import type { NeededPort } from '../processes/ports.js';
import type { Environment } from '../bootstrap/programs.mjs';

/** The stack's ports, in the order they follow GATEWAY_PORT_BASE. */
const PORTS = {
  api: { variable: 'API_PORT', purpose: 'the API' },
  ingress: { variable: 'INGRESS_PORT', purpose: "the providers' callbacks" },
  simulator: { variable: 'SIMULATOR_PORT', purpose: 'the provider simulator' },
  demoOperator: { variable: 'DEMO_OPERATOR_PORT', purpose: 'the demo operator' },
  panel: { variable: 'PANEL_PORT', purpose: 'the panel' },
  temporal: { variable: 'TEMPORAL_PORT', purpose: 'Temporal' },
  temporalUi: { variable: 'TEMPORAL_UI_PORT', purpose: "Temporal's UI" },
  postgres: { variable: 'POSTGRES_PORT', purpose: 'PostgreSQL' },
  workerHealth: { variable: 'WORKER_HEALTH_PORT', purpose: "the worker's health check and metrics" },
  apiMetrics: { variable: 'API_METRICS_PORT', purpose: "the API's metrics" },
  workerSdkMetrics: { variable: 'WORKER_SDK_METRICS_PORT', purpose: "the metrics of the worker's Temporal SDK" },
  ingressMetrics: { variable: 'INGRESS_METRICS_PORT', purpose: "the ingress's metrics" },
} as const;
export type PortName = keyof typeof PORTS;
const PORT_NAMES = Object.keys(PORTS) as PortName[];
const DEFAULT_PORT_BASE = 7800;

export interface StackSettings {
  readonly ports: Readonly<Record<PortName, number>>;
  /** A PostgreSQL that already runs; undefined: the stack starts one. */
  readonly databaseUrl: string | undefined;
  /** A Temporal that already runs; undefined: the stack starts one. */
  readonly temporalAddress: string | undefined;
  /** How that one is reached. */
  readonly temporalServer: TemporalServer | undefined;
  readonly temporalNamespace: string;
  readonly temporalUiUrl: string;
  readonly docsUrl: string | undefined;
  readonly logLevel: string;
  /** The dialects behind the slots, if not the sandbox's own. */
  readonly dialects: Readonly<Partial<Record<SlotName, DialectName>>>;
}

const portNumber = z.coerce.number('must be a port number').int('must be a port number').min(1).max(65_535);

const dialectVariable = (name: SlotName) => `PROVIDER_${name.toUpperCase()}_DIALECT`;

const schema = z.object({
  GATEWAY_ENVIRONMENT: z
    .literal('sandbox', '"npm start" runs the sandbox; production is docker-compose.yml')
    .default('sandbox'),
  GATEWAY_PORT_BASE: portNumber.max(65_535 - PORT_NAMES.length).default(DEFAULT_PORT_BASE),
  ...Object.fromEntries(SLOTS.map((name) => [dialectVariable(name), z.enum(DIALECT_NAMES).optional()])),
  ...(Object.fromEntries(PORT_NAMES.map((name) => [PORTS[name].variable, portNumber.optional()])) as Record<
    string,
    z.ZodOptional<typeof portNumber>
  >),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL')
    .optional(),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^\s:]+:\d+$/, 'must be host:port')
    .optional(),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_UI_URL: z.url('must be a URL').optional(),
  GATEWAY_DOCS_URL: z.url('must be a URL').optional(),
  LOG_LEVEL: z.string().default('info'),
});

/** Throws a {@link Failure} that names the variable and what it should be. */
export function readSettings(environment: Environment): StackSettings {
  const parsed = parse(schema, environment);
  const given = parsed as unknown as Record<string, number | undefined>;
  const ports = Object.fromEntries(
    PORT_NAMES.map((name, index) => [name, given[PORTS[name].variable] ?? parsed.GATEWAY_PORT_BASE + index]),
  ) as Record<PortName, number>;
  return {
    ports,
    databaseUrl: parsed.DATABASE_URL,
    temporalAddress: parsed.TEMPORAL_ADDRESS,
    temporalServer: parsed.TEMPORAL_ADDRESS === undefined ? undefined : parse(temporalSchema, environment),
    temporalNamespace: parsed.TEMPORAL_NAMESPACE,
    temporalUiUrl: parsed.TEMPORAL_UI_URL ?? uiOf(parsed.TEMPORAL_ADDRESS, ports.temporalUi),
    docsUrl: parsed.GATEWAY_DOCS_URL,
    logLevel: parsed.LOG_LEVEL,
    dialects: dialectsOf(parsed as unknown as Record<string, DialectName | undefined>),
  };
}

function dialectsOf(given: Readonly<Record<string, DialectName | undefined>>): StackSettings['dialects'] {
  const named = SLOTS.map((name) => [name, given[dialectVariable(name)]] as const);
  return Object.fromEntries(named.filter(([, dialect]) => dialect !== undefined));
}

function parse<Schema extends z.ZodType>(schema: Schema, environment: Environment): Readonly<z.output<Schema>> {
  try {
    return readEnvironment(schema, { ...environment });
  } catch (error) {
    if (error instanceof ConfigurationError) throw new Failure(error.message);
    throw error;
  }
}

/** Our own UI, or the one that a dev server elsewhere serves by default. */
function uiOf(temporalAddress: string | undefined, ownUiPort: number): string {
  return temporalAddress === undefined
    ? `http://127.0.0.1:${ownUiPort}`
    : `http://${temporalAddress.split(':')[0]}:8233`;
}

/** The ports that this stack will listen on. */
export function neededPorts(settings: StackSettings): NeededPort[] {
  const unused = new Set<PortName>();
  if (settings.databaseUrl !== undefined) unused.add('postgres');
  if (settings.temporalAddress !== undefined) unused.add('temporal').add('temporalUi');
  return PORT_NAMES.filter((name) => !unused.has(name)).map((name) => ({ ...PORTS[name], port: settings.ports[name] }));
}
