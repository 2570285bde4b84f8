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
import { TRACE_PLACE } from '../../domain/trace-context.js';
import { projectRoot } from './project-root.js';
import { secretsSchema } from './secrets.js';
import { temporalSchema } from './temporal.js';
import { tracingSchema } from './tracing.js';
import { bothOrNeither, trustedProxies } from './trusted-proxies.js';

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
  /** The longest time that a case should wait for its decision. */
  PANEL_DECIDE_WITHIN_SECONDS: z.coerce.number().int().min(60).max(604_800).default(1_800),
  /** An approval of more minor units than this needs a reason; empty, as by default: none does. */
  PANEL_REASON_ABOVE_MINOR: z
    .string()
    .regex(/^\d{0,18}$/, 'must be minor units, or empty')
    .default('')
    .transform((text) => (text === '' ? null : BigInt(text))),
  /** The port of liveness, readiness and metrics; not served without it. */
  PANEL_METRICS_HOST: z.string().default('127.0.0.1'),
  PANEL_METRICS_PORT: optionalPort,
  PANEL_DRAIN_SECONDS: drainSeconds,
  /** The identity provider that signs people in, as its metadata spells it; `undefined` for none. */
  PANEL_OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .refine(isSecureOrHere, 'must be an https address, or on this machine')
    .transform((url) => new URL(url).href)
    .optional(),
  PANEL_OIDC_CLIENT_ID: z.string().max(200).optional(),
  PANEL_OIDC_CLIENT_SECRET: z.string().max(500).optional(),
  /** The claim of its ID token that names a person permanently and uniquely. */
  PANEL_OIDC_SUBJECT_CLAIM: z
    .string()
    .regex(/^[A-Za-z0-9_.:/-]{1,100}$/, 'must be the name of a claim')
    .default('sub'),
  /** The maximum age of a sign-in there; without it, the provider decides. */
  PANEL_OIDC_MAX_AGE_SECONDS: z.coerce.number().int().min(0).max(36_000).optional(),
  /** The panel's TLS edge. */
  ...trustedProxies,
  TEMPORAL_UI_URL: z.url('must be a URL').optional(),
  /** Where traces are shown: an address with `{trace}` in it. */
  TRACES_UI_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .refine((text) => text.includes(TRACE_PLACE), `must have ${TRACE_PLACE} in it`)
    .optional(),
  DATABASE_POOL_SIZE: poolSize(POOL_SIZE),
});

function isSecureOrHere(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** Passkeys belong to the panel's name, and browsers have them over TLS only. */
const securePanel = panelSchema.superRefine((panel, context) => {
  const { GATEWAY_ENVIRONMENT, PANEL_URL } = panel;
  bothOrNeither(panel, context);
  if (GATEWAY_ENVIRONMENT === 'production' && !PANEL_URL.startsWith('https://'))
    context.addIssue({ code: 'custom', path: ['PANEL_URL'], message: 'must be an https address in production' });
  const together = ['PANEL_OIDC_ISSUER', 'PANEL_OIDC_CLIENT_ID', 'PANEL_OIDC_CLIENT_SECRET'] as const;
  if (together.every((variable) => panel[variable] === undefined)) return;
  for (const variable of together.filter((name) => panel[name] === undefined))
    context.addIssue({ code: 'custom', path: [variable], message: `goes with ${together.join(', ')}: all or none` });
});

const schema = combined({
  panel: securePanel,
  temporal: temporalSchema,
  secrets: secretsSchema('panel'),
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
