// What the panel's configuration refuses, and what it makes of an address.
import assert from 'node:assert/strict';
import { ConfigurationError } from '../../../platform/config/environment.js';
import { readPanelConfig } from '../../../platform/config/panel.js';

const ENVIRONMENT = {
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  DATABASE_URL: 'postgres://gateway_panel@127.0.0.1/gateway',
  GATEWAY_SEALING_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  GATEWAY_HASH_KEY: Buffer.alloc(32, 2).toString('base64'),
};

describe('configuration of the panel', () => {
  it('production is refused in one line, whatever else is set', () => {
    assert.throws(
      () => readPanelConfig({ ...ENVIRONMENT, GATEWAY_ENVIRONMENT: 'production' }),
      (error: unknown) =>
        error instanceof ConfigurationError && /passkeys/.test(error.message) && !error.message.includes('\n'),
    );
  });

  it('the address is an origin', () => {
    assert.equal(readPanelConfig(ENVIRONMENT).PANEL_URL, 'http://localhost:7804');
    assert.equal(
      readPanelConfig({ ...ENVIRONMENT, PANEL_URL: 'https://panel.test/x/' }).PANEL_URL,
      'https://panel.test',
    );
  });
});
