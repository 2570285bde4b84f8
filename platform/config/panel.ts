// The panel process's configuration.
import { join } from 'node:path';
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

/** Passkeys belong to the panel's name, and browsers have them over TLS only. */
const securePanel = panelSchema.superRefine(({ GATEWAY_ENVIRONMENT, PANEL_URL }, context) => {
  if (GATEWAY_ENVIRONMENT === 'production' && !PANEL_URL.startsWith('https://'))
    context.addIssue({ code: 'custom', path: ['PANEL_URL'], message: 'must be an https address in production' });
});

const schema = combined({
  panel: securePanel,
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
  return readEnvironment(schema, environment, 'panel');
}
