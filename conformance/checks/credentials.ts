// The credentials that the kit gives an integration, and their rotation.
import { randomBytes } from 'node:crypto';
import type { Adapter, AdapterCredentials } from '../operator/adapter.js';
import type { Gateway } from '../gateway/server.js';

export interface Credentials {
  readonly current: AdapterCredentials;
  /** Has the integration use these credentials; the gateway accepts a new key before it is told. */
  change(changes: Partial<Pick<AdapterCredentials, 'key_id' | 'secret' | 'webhook_secret'>>): Promise<void>;
}

/** A key as the gateway issues them. */
export function newKey(): Pick<AdapterCredentials, 'key_id' | 'secret'> {
  return { key_id: `key_test_${randomBytes(10).toString('hex')}`, secret: randomBytes(32).toString('base64url') };
}

export function newWebhookSecret(): string {
  return `whsec_${randomBytes(24).toString('base64url')}`;
}

/** New credentials, given to the integration. */
export async function issueCredentials(gateway: Gateway, adapter: Adapter): Promise<Credentials> {
  let current: AdapterCredentials = { base_url: gateway.baseUrl, ...newKey(), webhook_secret: newWebhookSecret() };
  const put = async (): Promise<void> => {
    gateway.keys.add({ keyId: current.key_id, secret: current.secret });
    gateway.daySecret = current.webhook_secret;
    await adapter.useCredentials(current);
  };
  await put();
  return {
    get current() {
      return current;
    },
    async change(changes) {
      current = { ...current, ...changes };
      await put();
    },
  };
}
