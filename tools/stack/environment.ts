// The environment variables of the stack's processes; `gateway` commands use the same ones (var/stack.json).
import type { SlotName } from '../../domain/provider-accounts.js';
import { DEVELOPMENT_KEY_MARK } from '../../platform/config/production.js';
import type { DialectName } from '../../providers/settings.js';
import type { StackPaths } from './paths.js';
import type { StackSecrets } from './secrets.js';
import type { PortName } from './settings.js';

export interface StackServers {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
}

/** The settings that processes need. */
export interface ProcessSettings {
  readonly ports: Readonly<
    Record<Extract<PortName, 'api' | 'ingress' | 'simulator' | 'demoOperator' | 'workerHealth'>, number>
  > &
    /** Only where there is a panel. */
    Readonly<Partial<Record<Extract<PortName, 'panel'>, number>>> &
    /** Only where several processes of a kind share one machine, each with its own ports. */
    Readonly<Partial<Record<Extract<PortName, 'apiMetrics' | 'ingressMetrics' | 'workerSdkMetrics'>, number>>>;
  readonly temporalNamespace: string;
  readonly temporalUiUrl?: string;
  readonly docsUrl: string | undefined;
  readonly logLevel: string;
  readonly dialects?: Readonly<Partial<Record<SlotName, DialectName>>>;
}

/** The variables of every process: one set, so that they cannot disagree. */
export function stackEnvironment(
  settings: ProcessSettings,
  servers: StackServers,
  secrets: StackSecrets,
  paths: StackPaths,
): Record<string, string> {
  const { ports } = settings;
  return {
    GATEWAY_ENVIRONMENT: 'sandbox',
    DATABASE_URL: servers.databaseUrl,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    TEMPORAL_NAMESPACE: settings.temporalNamespace,
    GATEWAY_SEALING_KEYS: secrets.sealing_keys.split(',').map(marked).join(','),
    GATEWAY_HASH_KEY: marked(secrets.hash_key),
    GATEWAY_AUDIT_KEY: marked(secrets.audit_key),
    GATEWAY_AUDIT_SEALS_DIR: paths.auditSeals,
    GATEWAY_DOCS_URL: settings.docsUrl ?? `http://127.0.0.1:${ports.api}/docs`,
    LOG_LEVEL: settings.logLevel,
    API_HOST: '127.0.0.1',
    API_PORT: String(ports.api),
    INGRESS_PORT: String(ports.ingress),
    ...(ports.panel === undefined ? {} : { PANEL_PORT: String(ports.panel), PANEL_URL: panelUrlOf(ports.panel) }),
    ...(settings.temporalUiUrl === undefined ? {} : { TEMPORAL_UI_URL: settings.temporalUiUrl }),
    WORKER_HEALTH_PORT: String(ports.workerHealth),
    ...(ports.apiMetrics === undefined ? {} : { API_METRICS_PORT: String(ports.apiMetrics) }),
    ...(ports.ingressMetrics === undefined ? {} : { INGRESS_METRICS_PORT: String(ports.ingressMetrics) }),
    ...(ports.workerSdkMetrics === undefined ? {} : { WORKER_SDK_METRICS_PORT: String(ports.workerSdkMetrics) }),
    SIMULATOR_PORT: String(ports.simulator),
    SIMULATOR_STATE_DIR: paths.simulator,
    SIMULATOR_CALLBACK_URL: `http://127.0.0.1:${ports.ingress}`,
    SIMULATOR_CONTROL_URL: `http://127.0.0.1:${ports.simulator}`,
    DEMO_OPERATOR_PORT: String(ports.demoOperator),
    DEMO_OPERATOR_STATE_DIR: paths.demoOperator,
    DEMO_OPERATOR_SANDBOX_FILE: paths.sandbox,
    ...providerEnvironment('simulator', ports.simulator, secrets, settings.dialects?.simulator),
    ...providerEnvironment('a', ports.simulator, secrets, settings.dialects?.a),
    ...providerEnvironment('b', ports.simulator, secrets, settings.dialects?.b),
  };
}

/** By name: browsers keep a session's cookie over plain HTTP on `localhost` alone. */
export const panelUrlOf = (port: number) => `http://localhost:${port}`;

/** Marked here: the kept secrets have no mark. */
const marked = (key: string) => `${DEVELOPMENT_KEY_MARK}${key}`;

/** The simulator serves all three providers, each under its own path. */
function providerEnvironment(
  name: keyof StackSecrets['providers'],
  simulatorPort: number,
  secrets: StackSecrets,
  dialect: DialectName | undefined,
): Record<string, string> {
  const prefix = `PROVIDER_${name.toUpperCase()}`;
  const { client_id, client_secret, pix_key, callback_secret } = secrets.providers[name];
  const url = `http://127.0.0.1:${simulatorPort}/${name}`;
  return {
    ...(dialect === undefined ? {} : { [`${prefix}_DIALECT`]: dialect }),
    [`${prefix}_URL`]: url,
    // Woovi's clients have no id besides their secret, and its callbacks are signed with a published key.
    ...(dialect === 'woovi'
      ? { [`${prefix}_CALLBACK_KEYS_URL`]: `${url}/api/v1/webhook/public-keys` }
      : { [`${prefix}_CLIENT_ID`]: client_id }),
    [`${prefix}_CLIENT_SECRET`]: client_secret,
    [`${prefix}_PIX_KEY`]: pix_key,
    [`${prefix}_CALLBACK_SECRET`]: callback_secret,
  };
}
