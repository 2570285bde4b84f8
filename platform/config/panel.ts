// The panel process's configuration.
import { join } from 'node:path';
import { z } from 'zod';
import { meansIn } from '../../domain/staff.js';
import {
  combined,
  ConfigurationError,
  drainSeconds,
  drainSecondsOf,
  optionalPort,
  poolSize,
  port,
  readEnvironment,
  sharedSchema,
} from './environment.js';
import { projectRoot } from './project-root.js';
import { secretsSchema } from './secrets.js';
import { temporalSchema } from './temporal.js';
import { tracingSchema } from './tracing.js';

const POOL_SIZE = 8;
const PORT = 7804;

export const panelSchema = sharedSchema.extend({
  PANEL_HOST: z.string().default('127.0.0.1'),
  PANEL_PORT: port(PORT),
  /** The address in people's browsers, which every request that changes something must come from. */
  PANEL_URL: z
    .url({ protocol: /^https?$/ })
    .default(`http://localhost:${PORT}`)
    .transform((url) => new URL(url).origin),
  /** The folder of the page: index.html and what it loads. */
  PANEL_FILES_DIR: z.string().default(join(projectRoot(), 'dist', 'panel', 'web')),
  /** How long a case should wait for its decision at most. */
  PANEL_DECIDE_WITHIN_SECONDS: z.coerce.number().int().min(60).max(604_800).default(1_800),
  /** The port of liveness, readiness and metrics; not served without it. */
  PANEL_METRICS_HOST: z.string().default('127.0.0.1'),
  PANEL_METRICS_PORT: optionalPort,
  PANEL_DRAIN_SECONDS: drainSeconds,
  TEMPORAL_UI_URL: z.url('must be a URL').optional(),
  DATABASE_POOL_SIZE: poolSize(POOL_SIZE),
});

const schema = combined({
  panel: panelSchema,
  temporal: temporalSchema,
  secrets: secretsSchema,
  tracing: tracingSchema('panel'),
}).transform(({ panel, temporal, secrets, tracing }) => ({
  ...panel,
  PANEL_DRAIN_SECONDS: drainSecondsOf(panel.PANEL_DRAIN_SECONDS, panel.GATEWAY_ENVIRONMENT),
  temporal,
  ...secrets,
  tracing,
}));

export type PanelConfig = ReturnType<typeof readPanelConfig>;

/** Reads and freezes the configuration; throws ConfigurationError naming every wrong variable. */
export function readPanelConfig(environment: NodeJS.ProcessEnv) {
  if (environment['GATEWAY_ENVIRONMENT'] === 'production' && !meansIn('production').includes('link'))
    throw new ConfigurationError(
      'configuration: GATEWAY_ENVIRONMENT: the panel does not run in production: people sign in to it by links, which ' +
        'production does not accept, and it has no passkeys yet; decide with the gateway command',
    );
  return readEnvironment(schema, environment, 'panel');
}
