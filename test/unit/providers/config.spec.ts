// Configuration of providers and simulator: one clear error that names the variable.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError, readEnvironment } from '../../../platform/config/environment.js';
import { productionProblems } from '../../../platform/config/production.js';
import {
  accountLimitsSchema,
  readCallbacksConfig,
  readProvidersConfig,
  readSteeringConfig,
} from '../../../platform/config/providers.js';
import { readSimulatorConfig } from '../../../platform/config/simulator.js';
import { DEFAULT_DIALECTS } from '../../../providers/settings.js';
import { createProviders, accountTraits } from '../../../providers/index.js';
import { createSteering } from '../../../providers/steering.js';
import { NO_LIMITS } from '../../../providers/dialect-entry.js';

const account = (name: string) => ({
  [`PROVIDER_${name}_CLIENT_ID`]: 'client',
  [`PROVIDER_${name}_CLIENT_SECRET`]: 'a secret of the client',
  [`PROVIDER_${name}_PIX_KEY`]: 'gateway@bank.test',
  [`PROVIDER_${name}_CALLBACK_SECRET`]: 'a secret of callbacks',
});
const A = { PROVIDER_A_URL: 'https://a.test/', ...account('A') };

const messageOf = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    return error.message;
  }
  return assert.fail('the configuration should have been refused');
};

describe('providers configuration', () => {
  it('has what is set, frozen, and nothing else', () => {
    const config = readProvidersConfig(A);
    assert.deepEqual(config, {
      providers: {
        a: {
          dialect: 'simulator-a',
          url: 'https://a.test',
          clientId: 'client',
          clientSecret: 'a secret of the client',
          pixKey: 'gateway@bank.test',
        },
      },
    });
    assert.ok(Object.isFrozen(config) && Object.isFrozen(config.providers) && Object.isFrozen(config.providers.a));
  });

  it('of callbacks it has what proves them, and nothing that calls a provider', () => {
    const config = readCallbacksConfig(A);
    const a = {
      dialect: 'simulator-a',
      pixKey: 'gateway@bank.test',
      callbackSecret: 'a secret of callbacks',
      callbackCertificate: null,
      keysUrl: null,
    };
    assert.deepEqual(config, { callbacks: { a } });
    assert.deepEqual(readCallbacksConfig({ PROVIDER_A_PIX_KEY: a.pixKey }).callbacks, {});
    assert.match(
      messageOf(() => readCallbacksConfig({ PROVIDER_A_CALLBACK_SECRET: a.callbackSecret })),
      /PROVIDER_A_PIX_KEY: is missing/,
    );
  });

  it('a slot stands on the dialect that is named, and on its own of the simulator otherwise', () => {
    assert.equal(readProvidersConfig({ ...A, PROVIDER_A_DIALECT: 'simulator-b' }).providers.a?.dialect, 'simulator-b');
    assert.match(
      messageOf(() => readProvidersConfig({ ...A, PROVIDER_A_DIALECT: 'bank' })),
      /PROVIDER_A_DIALECT: /,
    );
    const traits = accountTraits({ ...DEFAULT_DIALECTS, a: 'simulator-b' });
    const pspNotes = ['payer_identity_unavailable'];
    assert.deepEqual(traits('a'), {
      depositRequirements: ['player.name'],
      pspNotes,
      sendsPayouts: true,
      limits: NO_LIMITS,
    });
  });

  it('a bank that follows the standard is adjusted by settings, in production too', () => {
    const bank = { ...account('A'), PROVIDER_A_CALLBACK_SECRET: undefined, PROVIDER_A_DIALECT: 'api-pix' };
    const adjusted = {
      ...bank,
      GATEWAY_ENVIRONMENT: 'production',
      PROVIDER_A_URL: 'https://pix.bank.test/api',
      PROVIDER_A_TOKEN_URL: 'https://auth.bank.test/token',
      PROVIDER_A_SCOPES: 'cob.write cob.read',
      PROVIDER_A_CALL_HEADERS: 'x-app=one%20two&client_id=1',
      PROVIDER_A_CALL_QUERY: 'key=a%26b',
      PROVIDER_A_PATH_PREFIXES: 'cob=/v3&pix=/v2/pix-in',
    };
    const { a } = readProvidersConfig(adjusted).providers;
    assert.equal(a?.tokenUrl, 'https://auth.bank.test/token');
    assert.equal(a?.scopes, 'cob.write cob.read');
    assert.deepEqual(a?.callHeaders, { 'x-app': 'one two', client_id: '1' });
    assert.deepEqual(a?.callQuery, { key: 'a&b' });
    assert.deepEqual(a?.pathPrefixes, { cob: '/v3', pix: '/v2/pix-in' });
    for (const [name, value] of [
      ['CALL_HEADERS', 'authorization=Bearer%20x'],
      ['CALL_HEADERS', 'x-app=line%0Abreak'],
      ['CALL_HEADERS', 'x-app'],
      ['CALL_QUERY', 'a=1&a=2'],
      ['PATH_PREFIXES', 'dict=/v2'],
      ['PATH_PREFIXES', 'cob=v2'],
      ['TOKEN_URL', 'ftp://bank.test'],
      ['SCOPES', 'cob.write  cob.read'],
    ] as const)
      assert.match(
        messageOf(() => readProvidersConfig({ ...adjusted, [`PROVIDER_A_${name}`]: value })),
        new RegExp(`PROVIDER_A_${name}: `),
        `${name} ${value}`,
      );
    // The sandbox's own dialects are what they are.
    assert.match(
      messageOf(() => readProvidersConfig({ ...A, PROVIDER_A_SCOPES: 'cob.read' })),
      /PROVIDER_A_SCOPES: is no setting of the dialect simulator-a/,
    );
  });

  it('what a bank needs depends on how it proves its clients', () => {
    const { PROVIDER_A_CLIENT_SECRET: _secret, PROVIDER_A_CALLBACK_SECRET: _proof, ...known } = account('A');
    const sicoob = { ...known, PROVIDER_A_DIALECT: 'sicoob', PROVIDER_A_URL: 'https://sandbox.sicoob.com.br/pix' };
    assert.match(
      messageOf(() => readProvidersConfig(sicoob)),
      /PROVIDER_A_TOKEN_URL: is missing/,
    );
    const token = { PROVIDER_A_TOKEN_URL: 'https://auth.sicoob.test/token' };
    assert.equal(readProvidersConfig({ ...sicoob, ...token }).providers.a?.clientSecret, '');
    const sicredi = { ...known, PROVIDER_A_DIALECT: 'sicredi', PROVIDER_A_URL: 'https://api-pix.sicredi.com.br/api' };
    const said = messageOf(() => readProvidersConfig(sicredi));
    assert.match(said, /PROVIDER_A_CLIENT_SECRET: is missing/);
    assert.match(said, /PROVIDER_A_URL: is where real money moves/);
  });

  it('takes the control address with and without its path', () => {
    for (const url of [
      'http://127.0.0.1:7802',
      'http://127.0.0.1:7802/',
      'http://127.0.0.1:7802/control',
      'http://127.0.0.1:7802/control/',
    ]) {
      assert.equal(readSteeringConfig({ SIMULATOR_CONTROL_URL: url }).controlUrl, 'http://127.0.0.1:7802/control');
    }
  });

  it('reads certificates from their files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'provider-tls-'));
    try {
      writeFileSync(join(folder, 'x.pem'), 'PEM');
      const path = join(folder, 'x.pem');
      assert.deepEqual(
        readProvidersConfig({ ...A, PROVIDER_A_TLS_CERT_FILE: path, PROVIDER_A_TLS_KEY_FILE: path }).providers.a?.tls,
        { cert: 'PEM', key: 'PEM' },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  for (const [title, environment, message] of [
    ['one of a set missing', { ...A, PROVIDER_A_PIX_KEY: '' }, /PROVIDER_A_PIX_KEY: is missing/],
    ['an address that is none', { ...A, PROVIDER_A_URL: 'a.test' }, /PROVIDER_A_URL: must be an http or https address/],
    [
      'an address with a password',
      { ...A, PROVIDER_A_URL: 'https://me:secret@a.test' },
      /PROVIDER_A_URL: must have no user/,
    ],
    [
      'a short secret',
      { ...A, PROVIDER_A_CALLBACK_SECRET: 'short' },
      /PROVIDER_A_CALLBACK_SECRET: must have at least 16/,
    ],
    ['a receiving key of no format', { ...A, PROVIDER_A_PIX_KEY: 'Nobody' }, /PROVIDER_A_PIX_KEY: must be a PIX key/],
    [
      'a certificate without its key',
      { ...A, PROVIDER_A_TLS_CERT_FILE: '/dev/null' },
      /PROVIDER_A_TLS_CERT_FILE: goes with TLS_KEY_FILE/,
    ],
    [
      'a certificate file that is not there',
      { ...A, PROVIDER_A_TLS_CA_FILE: '/no/such/file' },
      /PROVIDER_A_TLS_CA_FILE: must name a readable PEM file/,
    ],
    [
      'plain http in production',
      { ...A, PROVIDER_A_URL: 'http://a.test', GATEWAY_ENVIRONMENT: 'production' },
      /PROVIDER_A_URL: must be an https address/,
    ],
    [
      'the simulator in production',
      { PROVIDER_SIMULATOR_URL: 'https://s.test', ...account('SIMULATOR'), GATEWAY_ENVIRONMENT: 'production' },
      /PROVIDER_SIMULATOR_URL: must be absent in production/,
    ],
    [
      'steering in production',
      { SIMULATOR_CONTROL_URL: 'http://127.0.0.1:7802', GATEWAY_ENVIRONMENT: 'production' },
      /SIMULATOR_CONTROL_URL: must be absent in production/,
    ],
  ] as const) {
    it(`refuses ${title}, naming the variable`, () =>
      assert.match(
        messageOf(() =>
          /CALLBACK/.test(String(message)) ? readCallbacksConfig(environment) : readProvidersConfig(environment),
        ),
        message,
      ));
  }

  it('never repeats a secret in its message', () => {
    assert.ok(
      !messageOf(() => readProvidersConfig({ ...A, PROVIDER_A_CLIENT_SECRET: 'hush-hush' })).includes('hush-hush'),
    );
  });

  it('a provider without configuration is a fault that says what to set', async () => {
    const providers = createProviders(readProvidersConfig(A));
    assert.deepEqual(providers.names, ['a']);
    assert.equal(providers('a').name, 'a');
    assert.throws(() => providers('b'), /provider b is not configured: set PROVIDER_B_URL/);
    assert.deepEqual(accountTraits(DEFAULT_DIALECTS)('b').pspNotes, ['payer_identity_unavailable']);
    await providers.close();
  });

  it("an account's limits are in minor units, and those of a shared account are not an own one's", () => {
    const readLimits = (environment: NodeJS.ProcessEnv) => readEnvironment(accountLimitsSchema, environment);
    const limits = {
      PROVIDER_A_DEPOSIT_MIN_MINOR: '100',
      PROVIDER_A_ACCOUNT_ACME_WITHDRAWAL_MAX_MINOR: '500000',
    };
    const traits = accountTraits(DEFAULT_DIALECTS, readLimits(limits));
    const none = { minMinor: null, maxMinor: null };
    assert.deepEqual(traits('a').limits, { deposit: { minMinor: 100n, maxMinor: null }, withdrawal: none });
    assert.deepEqual(traits('a.acme').limits, { deposit: none, withdrawal: { minMinor: null, maxMinor: 500_000n } });
    assert.deepEqual(traits('b').limits, NO_LIMITS);
    assert.match(
      messageOf(() => readLimits({ PROVIDER_B_DEPOSIT_MAX_MINOR: '1.00' })),
      /PROVIDER_B_DEPOSIT_MAX_MINOR: must be an amount in minor units/,
    );
    assert.match(
      messageOf(() => readLimits({ PROVIDER_B_WITHDRAWAL_MIN_MINOR: '2', PROVIDER_B_WITHDRAWAL_MAX_MINOR: '1' })),
      /PROVIDER_B_WITHDRAWAL_MIN_MINOR: must not be above PROVIDER_B_WITHDRAWAL_MAX_MINOR/,
    );
  });

  describe("an operation's own account", () => {
    const ACME: Record<string, string> = {
      PROVIDER_A_ACCOUNT_ACME_URL: 'https://acme.test',
      ...account('A_ACCOUNT_ACME'),
    };

    it('is next to the shared one, with its own variables', () => {
      const { providers } = readProvidersConfig({ ...A, ...ACME, PROVIDER_A_ACCOUNT_ACME_CLIENT_ID: 'acme' });
      assert.deepEqual(
        Object.entries(providers).map(([name, settings]) => [name, settings?.url, settings?.clientId]),
        [
          ['a', 'https://a.test', 'client'],
          ['a.acme', 'https://acme.test', 'acme'],
        ],
      );
      assert.deepEqual(Object.keys(readCallbacksConfig(ACME).callbacks), ['a.acme']);
      assert.deepEqual(Object.keys(readSimulatorConfig(ACME).accounts), ['a.acme']);
    });

    it("speaks its slot's dialect, or one of its own", () => {
      const dialect = (more: Record<string, string>) =>
        readProvidersConfig({ ...ACME, ...more }).providers['a.acme']?.dialect;
      assert.equal(dialect({}), 'simulator-a');
      assert.equal(dialect({ PROVIDER_A_DIALECT: 'efi' }), 'efi');
      assert.equal(dialect({ PROVIDER_A_DIALECT: 'efi', PROVIDER_A_ACCOUNT_ACME_DIALECT: 'simulator' }), 'simulator');
      const dialects = { ...DEFAULT_DIALECTS, 'a.acme': 'simulator-b' } as const;
      assert.deepEqual(accountTraits(dialects)('a.acme').depositRequirements, ['player.name']);
      assert.deepEqual(accountTraits(dialects)('a.other').depositRequirements, ['player.name', 'player.email']);
    });

    it('is refused by the names of its variables', () => {
      const { PROVIDER_A_ACCOUNT_ACME_PIX_KEY: _key, ...incomplete } = ACME;
      assert.match(
        messageOf(() => readProvidersConfig(incomplete)),
        /PROVIDER_A_ACCOUNT_ACME_PIX_KEY: is missing, while other settings of provider a\.acme are present/,
      );
      assert.match(
        messageOf(() => readProvidersConfig({ PROVIDER_A_ACCOUNT_1ST_URL: 'https://acme.test' })),
        /PROVIDER_A_ACCOUNT_1ST_URL: is of no account, which is one of simulator, a, b, or/,
      );
      assert.match(
        messageOf(() => readProvidersConfig({ PROVIDER_C_ACCOUNT_ACME_URL: 'https://acme.test' })),
        /PROVIDER_C_ACCOUNT_ACME_URL: is of no account/,
      );
    });

    it('its secrets may come from files, and are held only where they are needed', () => {
      const { PROVIDER_A_ACCOUNT_ACME_CLIENT_SECRET: secret = '', ...others } = ACME;
      const folder = mkdtempSync(join(tmpdir(), 'account-'));
      writeFileSync(join(folder, 'secret'), `${secret}\n`);
      const environment = { ...others, PROVIDER_A_ACCOUNT_ACME_CLIENT_SECRET_FILE: join(folder, 'secret') };
      assert.equal(readProvidersConfig(environment).providers['a.acme']?.clientSecret, secret);
      rmSync(folder, { recursive: true });
      const wrong = productionProblems({ ...ACME, GATEWAY_ENVIRONMENT: 'production' }, 'api').map(
        ({ variable }) => variable,
      );
      for (const field of ['CLIENT_ID', 'CLIENT_SECRET', 'CALLBACK_SECRET'])
        assert.ok(wrong.includes(`PROVIDER_A_ACCOUNT_ACME_${field}`), field);
    });
  });

  it('there is no steering without its address', () => assert.equal(createSteering({ controlUrl: null }), null));
});

describe('simulator configuration', () => {
  it('has defaults for all but the accounts', () => {
    const config = readSimulatorConfig(account('SIMULATOR'));
    assert.deepEqual(
      [config.host, config.port, config.callbackUrl, Object.keys(config.accounts)],
      ['127.0.0.1', 7802, 'http://127.0.0.1:7801', ['simulator']],
    );
    assert.match(config.stateDir, /var[/\\]simulator$/);
    assert.ok(Object.isFrozen(config));
  });

  for (const [title, environment, message] of [
    ['no account', {}, /at least one provider account/],
    [
      'half an account',
      { PROVIDER_B_CLIENT_ID: 'client' },
      /PROVIDER_B_CLIENT_SECRET: is missing.*PROVIDER_B_PIX_KEY: is missing/,
    ],
    ['a port that is none', { ...account('A'), SIMULATOR_PORT: '70000' }, /SIMULATOR_PORT: /],
    [
      'an address that is none',
      { ...account('A'), SIMULATOR_CALLBACK_URL: 'localhost' },
      /SIMULATOR_CALLBACK_URL: must be an http or https address/,
    ],
    [
      'production',
      { ...account('A'), GATEWAY_ENVIRONMENT: 'production' },
      /GATEWAY_ENVIRONMENT: the simulator runs in a sandbox only/,
    ],
  ] as const) {
    it(`refuses ${title}, naming the variable`, () =>
      assert.match(
        messageOf(() => readSimulatorConfig(environment)),
        message,
      ));
  }
});
