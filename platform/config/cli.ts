// The configuration of the `gateway` command. Each part is read on its own, so that a command requires only what it
// uses.
import { join } from 'node:path';
import { z } from 'zod';
import { meansIn } from '../../domain/staff.js';
import { sealWitness, witnessSchema } from './audit.js';
import { readEnvironment, sharedSchema } from './environment.js';
import { networks } from './networks.js';
import { panelSchema } from './panel.js';
import { commandSecretsSchema, wholeKeysSchema } from './secrets.js';
import { temporalSchema } from './temporal.js';

const databaseSchema = sharedSchema.pick({ DATABASE_URL: true, GATEWAY_ENVIRONMENT: true });
const migrationSchema = databaseSchema.extend({
  /** How long a new passkey signs nothing, and new people and roles approve nothing with who made them. */
  STAFF_WAIT_HOURS: z.coerce.number().int().min(0).max(720).optional(),
});
const egressSchema = z.object({ WEBHOOK_SANDBOX_NETWORKS: networks });
const temporalUiSchema = z.object({
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_UI_URL: z.url('must be a URL').optional(),
});
const staffSchema = sharedSchema.pick({ GATEWAY_ENVIRONMENT: true }).extend({
  GATEWAY_SESSION_FILE: z.string().optional(),
  XDG_CONFIG_HOME: z.string().optional(),
  HOME: z.string().optional(),
});
const panelPlaceSchema = panelSchema.pick({ PANEL_URL: true, GATEWAY_ENVIRONMENT: true });
const panelAddressSchema = z
  .object({
    GATEWAY_ENVIRONMENT: z.enum(['sandbox', 'production']).default('sandbox'),
    /** The panel's address in people's browsers. */
    GATEWAY_PANEL_URL: z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin),
  })
  .refine(
    ({ GATEWAY_ENVIRONMENT, GATEWAY_PANEL_URL }) =>
      GATEWAY_ENVIRONMENT === 'sandbox' || GATEWAY_PANEL_URL.startsWith('https://'),
    { path: ['GATEWAY_PANEL_URL'], error: 'must be an https address in production' },
  );
const identityProviderSchema = panelSchema.pick({ PANEL_OIDC_ISSUER: true });
const deploymentSchema = sharedSchema.pick({ WORKER_DEPLOYMENT_NAME: true });

/** Where Postgres is. Throws ConfigurationError naming the variable. */
export function readDatabaseConfig(environment: NodeJS.ProcessEnv) {
  return readEnvironment(databaseSchema, environment);
}

/** The same for the migration, and what it sets for the staff. Throws ConfigurationError naming the variable. */
export function readMigrationConfig(environment: NodeJS.ProcessEnv) {
  return readEnvironment(migrationSchema, environment);
}

/** Where Temporal is. Throws ConfigurationError naming the variable. */
export function readTemporalConfig(environment: NodeJS.ProcessEnv) {
  return readEnvironment(temporalSchema, environment);
}

/**
 * How the person who runs a command is authenticated: where their session is kept (`null` for nowhere), and whether a
 * claimed name is enough. Throws ConfigurationError naming the variable.
 */
export function readStaffConfig(environment: NodeJS.ProcessEnv) {
  const config = readEnvironment(staffSchema, environment);
  const folder = config.XDG_CONFIG_HOME ?? (config.HOME === undefined ? null : join(config.HOME, '.config'));
  const byDefault = folder === null ? null : join(folder, 'operator-payments-gateway', 'session');
  return {
    environment: config.GATEWAY_ENVIRONMENT,
    sessionFile: config.GATEWAY_SESSION_FILE ?? byDefault,
    isClaimEnough: meansIn(config.GATEWAY_ENVIRONMENT).includes('claim'),
  };
}

/** Where people open the panel. Throws ConfigurationError naming the variable. */
export function readPanelPlace(environment: NodeJS.ProcessEnv) {
  return readEnvironment(panelPlaceSchema, environment);
}

/** Where staff commands run in production. Throws ConfigurationError naming the variable. */
export function readPanelAddress(environment: NodeJS.ProcessEnv) {
  return readEnvironment(panelAddressSchema, environment);
}

/**
 * The identity provider that signs people in to the panel besides the gateway. Throws ConfigurationError naming the
 * variable.
 */
export function readIdentityProvider(environment: NodeJS.ProcessEnv) {
  return readEnvironment(identityProviderSchema, environment);
}

/** The deployment whose builds the workers are. Throws ConfigurationError naming the variable. */
export function readDeploymentConfig(environment: NodeJS.ProcessEnv) {
  return readEnvironment(deploymentSchema, environment);
}

/** The private networks that a sandbox's webhooks may go to. Throws ConfigurationError naming the variable. */
export function readEgressConfig(environment: NodeJS.ProcessEnv) {
  return readEnvironment(egressSchema, environment);
}

/** Whether Temporal was configured. A command for which notifying a workflow is optional works without it. */
export function hasTemporalConfig(environment: NodeJS.ProcessEnv): boolean {
  return (environment['TEMPORAL_ADDRESS'] ?? '') !== '';
}

/** Where people look at workflows; `null` without an address. Throws ConfigurationError naming the variable. */
export function readTemporalUi(environment: NodeJS.ProcessEnv) {
  const { TEMPORAL_UI_URL: url, TEMPORAL_NAMESPACE: namespace } = readEnvironment(temporalUiSchema, environment);
  return url === undefined ? null : { url, namespace };
}

/** The sealing and hash keys. Throws ConfigurationError naming the variable. */
export function readSecrets(environment: NodeJS.ProcessEnv) {
  return readEnvironment(commandSecretsSchema, environment);
}

/** The keys and the export of the audit trail's seals. Throws ConfigurationError naming the variable. */
export function readAuditConfig(environment: NodeJS.ProcessEnv) {
  const settings = readEnvironment(witnessSchema, environment);
  return { witness: sealWitness(settings), seed: settings.GATEWAY_AUDIT_KEY ?? null };
}

/** The keys that make those of all purposes. Throws ConfigurationError naming the variable. */
export function readWholeKeys(environment: NodeJS.ProcessEnv) {
  return readEnvironment(wholeKeysSchema(environment['GATEWAY_KEY_PROVIDER']), environment);
}
