// What the panel's configuration refuses, and what it makes of an address.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { ConfigurationError } from '../../../platform/config/environment.js';
import { readPanelConfig } from '../../../platform/config/panel.js';

const ENVIRONMENT = {
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  DATABASE_URL: 'postgres://gateway_panel@127.0.0.1/gateway',
  GATEWAY_SEALING_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  GATEWAY_HASH_KEY: randomBytes(32).toString('base64'),
};

describe('configuration of the panel', () => {
  it('production: only by an https address, which passkeys belong to', () => {
    const production = { ...ENVIRONMENT, GATEWAY_ENVIRONMENT: 'production' };
    assert.throws(
      () => readPanelConfig(production),
      (error: unknown) => error instanceof ConfigurationError && /PANEL_URL: must be an https/.test(error.message),
    );
    assert.equal(readPanelConfig({ ...production, PANEL_URL: 'https://panel.test' }).PANEL_URL, 'https://panel.test');
  });

  it('the address is an origin', () => {
    assert.equal(readPanelConfig(ENVIRONMENT).PANEL_URL, 'http://localhost:7804');
    assert.equal(
      readPanelConfig({ ...ENVIRONMENT, PANEL_URL: 'https://panel.test/x/' }).PANEL_URL,
      'https://panel.test',
    );
  });
});
