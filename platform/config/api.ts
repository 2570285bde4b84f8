// The api process's configuration, from its environment.
import { z } from 'zod';
import { HOURLY_LIMITS } from '../../contract/http/schemas/player.js';
import {
  combined,
  drainSeconds,
  drainSecondsOf,
  optionalPort,
  port,
  readEnvironment,
  sharedSchema,
} from './environment.js';
import { accountDialectsSchema, accountLimitsSchema, steeringSchema } from './providers.js';
import { secretsSchema } from './secrets.js';
import { temporalSchema } from './temporal.js';
import { tracingSchema } from './tracing.js';
import { bothOrNeither, headerName, trustedProxies } from './trusted-proxies.js';

const hourlyLimit = z.coerce.number().int().min(1).max(1_000_000);

export const apiSchema = sharedSchema
  .extend({
    API_HOST: z.string().default('127.0.0.1'),
    API_PORT: port(7800),
    /** The port of liveness, readiness and metrics; not served without it. */
    API_METRICS_HOST: z.string().default('127.0.0.1'),
    API_METRICS_PORT: optionalPort,
    API_DRAIN_SECONDS: drainSeconds,
    GATEWAY_DOCS_URL: z
      .url({ protocol: /^https?$/ })
      .default('http://127.0.0.1:7800/docs')
      .transform((url) => url.replace(/\/+$/, '')),
    /** The hourly limits of a player, which a sandbox may have higher for tests of its own. Production refuses both. */
    SANDBOX_DEPOSITS_PER_PLAYER_AND_HOUR: hourlyLimit.optional(),
    SANDBOX_WITHDRAWALS_PER_PLAYER_AND_HOUR: hourlyLimit.optional(),
    /** The panel's address in people's browsers: pages of workflows link to it. */
    PANEL_URL: z
      .url({ protocol: /^https?$/ })
      .transform((url) => new URL(url).origin)
      .optional(),
    ...trustedProxies,
    /** The header in which the edge writes the operation of the client's certificate. */
    TRUSTED_CERTIFICATE_HEADER: headerName.optional(),
  })
  .superRefine(bothOrNeither);

const schema = combined({
  api: apiSchema,
  temporal: temporalSchema,
  secrets: secretsSchema('api'),
  steering: steeringSchema,
  dialects: accountDialectsSchema,
  accountLimits: accountLimitsSchema,
  tracing: tracingSchema('api'),
}).transform(({ api, temporal, secrets, steering, dialects, accountLimits, tracing }) => ({
  ...api,
  API_DRAIN_SECONDS: drainSecondsOf(api.API_DRAIN_SECONDS, api.GATEWAY_ENVIRONMENT),
  hourlyLimits: {
    deposits: api.SANDBOX_DEPOSITS_PER_PLAYER_AND_HOUR ?? HOURLY_LIMITS.deposits,
    withdrawals: api.SANDBOX_WITHDRAWALS_PER_PLAYER_AND_HOUR ?? HOURLY_LIMITS.withdrawals,
  },
  temporal,
  ...secrets,
  steering,
  dialects,
  accountLimits,
  tracing,
}));

export type ApiConfig = ReturnType<typeof readApiConfig>;

/** Reads and freezes the configuration; throws ConfigurationError naming every wrong variable. */
export function readApiConfig(environment: NodeJS.ProcessEnv) {
  return readEnvironment(schema, environment, 'api');
}
