// Environments of processes that production accepts.
import { randomBytes, randomUUID } from 'node:crypto';
import { ALL_TASK_QUEUES } from '../../../contract/temporal/workers.js';
import { type KeyPurpose, keyVariables, PURPOSES_OF, purposesOfQueues } from '../../../store/sealing/keys.js';

export const key = () => randomBytes(32).toString('base64');
const WHOLE = ['k2', 'k1'].map((id) => ({ id, key: randomBytes(32) }));
const HASH_KEY = randomBytes(32);
export const keysFor = (purposes: readonly KeyPurpose[]) => keyVariables(purposes, WHOLE, HASH_KEY);
export const keysForQueues = (queues: string) => ({
  WORKER_TASK_QUEUES: queues,
  ...keysFor(purposesOfQueues(queues.split(','))),
});
export const SOUND = {
  GATEWAY_ENVIRONMENT: 'production',
  DATABASE_URL: 'postgres://gateway:of-production@db:5432/gateway?sslmode=verify-full',
  TEMPORAL_ADDRESS: 'temporal:7233',
  TEMPORAL_TLS: 'true',
  GATEWAY_DOCS_URL: 'https://docs.example/payments',
  TRUSTED_PROXIES: '10.0.0.7,fd00::/8',
  TRUSTED_PROXY_HEADER: 'X-Client-Address',
  TRUSTED_CERTIFICATE_HEADER: 'X-Client-Operation',
  WORKER_BUILD_ID: '2026-11-21.1',
  PROVIDER_A_DIALECT: 'efi',
  PROVIDER_A_PIX_KEY: randomUUID(),
};
export const CALLBACKS = { PROVIDER_A_CALLBACK_SECRET: 'a secret of callbacks' };
export const CALLS = {
  PROVIDER_A_URL: 'https://a.example',
  PROVIDER_A_CLIENT_ID: 'gateway',
  PROVIDER_A_CLIENT_SECRET: 'a secret of the client',
};
export const SOUND_API = { ...SOUND, ...keysFor(PURPOSES_OF.api) };
export const SOUND_INGRESS = { ...SOUND, ...CALLBACKS, ...keysFor(PURPOSES_OF.ingress) };
export const SEALS = { GATEWAY_AUDIT_KEY: key(), GATEWAY_AUDIT_SEALS_DIR: '/audit-seals' };
/** Where alerts are sent on to. */
export const ALERTED = {
  ALERT_WEBHOOK_URL: 'https://alerts.example/',
  ALERT_WEBHOOK_SECRET: 'of production'.repeat(3),
};
export const SOUND_WORKER = { ...SOUND, ...CALLS, ...SEALS, ...ALERTED, ...keysForQueues(ALL_TASK_QUEUES.join()) };
export const WEBHOOKS = { ...SOUND, ...ALERTED, ...keysForQueues('webhooks') };
