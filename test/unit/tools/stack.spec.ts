// What the embedded stack reads and keeps: settings from the environment, secrets in var/.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stackEnvironment } from '../../../tools/stack/environment.js';
import { PATHS } from '../../../tools/stack/paths.js';
import { ensureSecrets } from '../../../tools/stack/secrets.js';
import { neededPorts, readSettings } from '../../../tools/stack/settings.js';

describe('settings of the stack', () => {
  it('move all ports together, and each by itself', () => {
    const { ports } = readSettings({ GATEWAY_PORT_BASE: '9000', POSTGRES_PORT: '5433' });
    assert.deepEqual([ports.api, ports.temporalUi, ports.postgres, ports.workerHealth], [9000, 9006, 5433, 9008]);
  });

  it('need no port for a server that runs elsewhere', () => {
    const variables = (environment: Record<string, string>) =>
      neededPorts(readSettings(environment)).map((one) => one.variable);
    const elsewhere = variables({ DATABASE_URL: 'postgres://h/d', TEMPORAL_ADDRESS: 'h:7233' });
    assert.deepEqual(
      variables({}).filter((one) => !elsewhere.includes(one)),
      ['TEMPORAL_PORT', 'TEMPORAL_UI_PORT', 'POSTGRES_PORT'],
    );
  });

  it('refuse a wrong value in a line that names its variable', () => {
    for (const [variable, value] of [
      ['API_PORT', '70000'],
      ['POSTGRES_PORT', '0'],
      ['TEMPORAL_ADDRESS', 'h'],
      ['GATEWAY_ENVIRONMENT', 'production'],
    ] as const)
      assert.throws(() => readSettings({ [variable]: value }), { name: 'Failure', message: new RegExp(variable) });
  });
});

describe('secrets of the stack', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-secrets-'));
    file = join(folder, 'secrets.json');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are made once, for the owner only, and kept', () => {
    const made = ensureSecrets(file, join(folder, 'postgres'));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(ensureSecrets(file, join(folder, 'postgres')), made);
    assert.match(made.sealing_keys, /^k1:[A-Za-z0-9+/]{43}=$/);
    assert.equal(Buffer.from(made.hash_key, 'base64').length, 32);
    assert.notEqual(made.providers.a.client_secret, made.providers.b.client_secret);
  });

  it('are not made again while data sealed with the lost ones is there, nor replaced when they are damaged', () => {
    mkdirSync(join(folder, 'postgres', 'data'), { recursive: true });
    assert.throws(() => ensureSecrets(file, join(folder, 'postgres')), {
      name: 'Failure',
      message: /secrets\.json is missing.*--reset/,
    });
    writeFileSync(file, '{"sealing_keys":"k1:x"}');
    assert.throws(() => ensureSecrets(file, folder), { name: 'Failure', message: /lacks hash_key, .*providers/ });
  });

  it('reach the processes with the addresses, all as one environment', () => {
    const secrets = ensureSecrets(file, join(folder, 'postgres'));
    const environment = stackEnvironment(
      readSettings({ GATEWAY_PORT_BASE: '9000' }),
      { databaseUrl: 'postgresql://d', temporalAddress: 't:1' },
      secrets,
      PATHS,
    );
    assert.equal(environment['DATABASE_URL'], 'postgresql://d');
    assert.equal(environment['SIMULATOR_CALLBACK_URL'], 'http://127.0.0.1:9001');
    assert.equal(environment['PROVIDER_A_URL'], 'http://127.0.0.1:9002/a');
    assert.equal(environment['PROVIDER_B_CLIENT_SECRET'], secrets.providers.b.client_secret);
    assert.equal(environment['PROVIDER_A_DIALECT'], undefined);
  });

  it('name a bank’s dialect with what it needs', () => {
    const secrets = ensureSecrets(file, join(folder, 'postgres'));
    const settings = readSettings({ PROVIDER_A_DIALECT: 'efi', PROVIDER_B_DIALECT: 'woovi' });
    const servers = { databaseUrl: 'postgresql://d', temporalAddress: 't:1' };
    const of = stackEnvironment(settings, servers, secrets, PATHS);
    assert.deepEqual([of['PROVIDER_A_DIALECT'], of['PROVIDER_A_CLIENT_ID']], ['efi', secrets.providers.a.client_id]);
    assert.deepEqual([of['PROVIDER_B_DIALECT'], of['PROVIDER_B_CLIENT_ID']], ['woovi', undefined]);
    assert.match(of['PROVIDER_B_CALLBACK_KEYS_URL'] ?? '', /7802\/b\/api\/v1\/webhook\/public-keys$/);
    assert.throws(() => readSettings({ PROVIDER_A_DIALECT: 'bank' }), { message: /PROVIDER_A_DIALECT/ });
  });
});
