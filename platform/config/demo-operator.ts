// The configuration of the demo operator, and of the programs that prepare and play its part in containers.
import { join } from 'node:path';
import { z } from 'zod';
import { port, readEnvironment } from './environment.js';
import { projectRoot } from './project-root.js';

const root = projectRoot();

export const demoOperatorSchema = z.object({
  DEMO_OPERATOR_HOST: z.string().default('127.0.0.1'),
  DEMO_OPERATOR_PORT: port(7803),
  DEMO_OPERATOR_STATE_DIR: z.string().default(join(root, 'var', 'demo-operator')),
  DEMO_OPERATOR_SANDBOX_FILE: z.string().default(join(root, 'var', 'sandbox.json')),
  DEMO_OPERATOR_RECOVERY_SECONDS: z.coerce.number().int().min(1).max(86_400).default(300),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

/** Throws a ConfigurationError that names every variable at fault. */
export function readDemoOperatorConfig(environment: NodeJS.ProcessEnv) {
  return readEnvironment(demoOperatorSchema, environment);
}

/** The addresses for the programs in containers; development needs no variables for them. */
export const demoPlacesSchema = z.object({
  DEMO_OPERATOR_SANDBOX_FILE: z.string(),
  /** Its webhooks go to `/webhooks` there, and the demo reads its state. */
  DEMO_OPERATOR_URL: z.url({ protocol: /^https?$/ }),
  DEMO_GATEWAY_URL: z.url({ protocol: /^https$/ }),
  DEMO_TEMPORAL_UI_URL: z.url({ protocol: /^https?$/ }),
  /** Absent if there is no panel. */
  PANEL_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** The edge's certificate, which is trusted by comparison. */
  DEMO_EDGE_CERTIFICATE_FILE: z.string(),
  DEMO_AUTHORITY_DIR: z.string(),
  WORKER_BUILD_ID: z.string(),
});

/** Throws a ConfigurationError that names every variable at fault. */
export function readDemoPlaces(environment: NodeJS.ProcessEnv) {
  return readEnvironment(demoPlacesSchema, environment);
}
