// What the panel's configuration refuses, and what it makes of an address.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { ConfigurationError } from '../../../platform/config/environment.js';
import { readPanelConfig } from '../../../platform/config/panel.js';
import { keyVariables, PURPOSES_OF } from '../../../store/sealing/keys.js';

const ENVIRONMENT = {
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  DATABASE_URL: 'postgres://gateway_panel@127.0.0.1/gateway',
  ...keyVariables(PURPOSES_OF.panel, [{ id: 'k1', key: randomBytes(32) }], randomBytes(32)),
};

describe('configuration of the panel', () => {
  const EDGE = { TRUSTED_PROXIES: '172.30.10.2', TRUSTED_PROXY_HEADER: 'Gateway-Client-Address' };

  it('production: only behind its TLS edge, which names people’s addresses', () => {
    const production = { ...ENVIRONMENT, GATEWAY_ENVIRONMENT: 'production', PANEL_URL: 'https://panel.test' };
    assert.throws(() => readPanelConfig(production), /TRUSTED_PROXIES: must name .*TRUSTED_PROXY_HEADER: must name/);
    assert.equal(readPanelConfig({ ...production, ...EDGE }).TRUSTED_PROXIES.check('172.30.10.2'), true);
    const { TRUSTED_PROXIES } = EDGE;
    assert.throws(() => readPanelConfig({ ...ENVIRONMENT, TRUSTED_PROXIES }), /TRUSTED_PROXY_HEADER: goes with/);
  });

  it('production: only by an https address, which passkeys belong to', () => {
    const production = { ...ENVIRONMENT, ...EDGE, GATEWAY_ENVIRONMENT: 'production' };
    assert.throws(
      () => readPanelConfig(production),
      (error: unknown) => error instanceof ConfigurationError && /PANEL_URL: must be an https/.test(error.message),
    );
    assert.equal(readPanelConfig({ ...production, PANEL_URL: 'https://panel.test' }).PANEL_URL, 'https://panel.test');
  });

  const OIDC = {
    PANEL_OIDC_ISSUER: 'https://id.test',
    PANEL_OIDC_CLIENT_ID: 'panel',
    PANEL_OIDC_CLIENT_SECRET: 'of-production',
  };

  it('an identity provider: all of it or nothing, over TLS or on this machine', () => {
    const refuses = (change: object, message: RegExp) =>
      assert.throws(
        () => readPanelConfig({ ...ENVIRONMENT, ...OIDC, ...change }),
        (error: unknown) => error instanceof ConfigurationError && message.test(error.message),
      );
    const { PANEL_OIDC_ISSUER, PANEL_OIDC_SUBJECT_CLAIM } = readPanelConfig({ ...ENVIRONMENT, ...OIDC });
    assert.deepEqual([PANEL_OIDC_ISSUER, PANEL_OIDC_SUBJECT_CLAIM], ['https://id.test/', 'sub']);
    for (const variable of Object.keys(OIDC)) refuses({ [variable]: '' }, new RegExp(`${variable}: goes with`));
    refuses({ PANEL_OIDC_ISSUER: 'http://id.test' }, /PANEL_OIDC_ISSUER: must be an https address, or on this machine/);
    refuses({ PANEL_OIDC_ISSUER: 'id.test' }, /PANEL_OIDC_ISSUER: /);
    refuses({ PANEL_OIDC_SUBJECT_CLAIM: 'a b' }, /PANEL_OIDC_SUBJECT_CLAIM: must be the name of a claim/);
    const here = { ...ENVIRONMENT, ...OIDC, PANEL_OIDC_ISSUER: 'http://127.0.0.1:9000/realms/x' };
    assert.equal(readPanelConfig(here).PANEL_OIDC_ISSUER, 'http://127.0.0.1:9000/realms/x');
    const production = { ...here, GATEWAY_ENVIRONMENT: 'production', PANEL_URL: 'https://panel.test' };
    assert.throws(() => readPanelConfig(production), /PANEL_OIDC_ISSUER: must be an https address in production/);
    const developed = { ...production, ...OIDC, PANEL_OIDC_CLIENT_SECRET: 'dev_0123' };
    assert.throws(() => readPanelConfig(developed), /PANEL_OIDC_CLIENT_SECRET: is a secret that "npm start" made/);
  });
});
