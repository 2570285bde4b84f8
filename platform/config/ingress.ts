// The ingress process's configuration: the only one with what proves a provider's callbacks.
import { z } from 'zod';
import {
  combined,
  drainSeconds,
  drainSecondsOf,
  optionalPort,
  poolSize,
  port,
  readEnvironment,
  sharedSchema,
} from './environment.js';
import { networks } from './networks.js';
import { callbacksSchema } from './providers.js';
import { secretsSchema } from './secrets.js';
import { temporalSchema } from './temporal.js';
import { tracingSchema } from './tracing.js';

/** A callback is one statement. Forged callbacks, however many, take no more connections than this. */
const POOL_SIZE = 4;

export const ingressSchema = sharedSchema.extend({
  INGRESS_HOST: z.string().default('127.0.0.1'),
  INGRESS_PORT: port(7801),
  /** The port of liveness, readiness and metrics; not served without it. */
  INGRESS_METRICS_HOST: z.string().default('127.0.0.1'),
  INGRESS_METRICS_PORT: optionalPort,
  INGRESS_DRAIN_SECONDS: drainSeconds,
  /** The TLS edge. Only the edge is trusted to name the certificate that a provider presented. */
  TRUSTED_PROXIES: networks,
  DATABASE_POOL_SIZE: poolSize(POOL_SIZE),
});

const schema = combined({
  ingress: ingressSchema,
  temporal: temporalSchema,
  secrets: secretsSchema('ingress'),
  callbacks: callbacksSchema,
  tracing: tracingSchema('ingress'),
}).transform(({ ingress, temporal, secrets, callbacks, tracing }) => ({
  ...ingress,
  INGRESS_DRAIN_SECONDS: drainSecondsOf(ingress.INGRESS_DRAIN_SECONDS, ingress.GATEWAY_ENVIRONMENT),
  temporal,
  ...secrets,
  callbacks,
  tracing,
}));

export type IngressConfig = ReturnType<typeof readIngressConfig>;

/** Reads and freezes the configuration; throws ConfigurationError naming every wrong variable. */
export function readIngressConfig(environment: NodeJS.ProcessEnv) {
  return readEnvironment(schema, environment, 'ingress');
}
