// Secrets from files, and a database password of any characters.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDatabaseConfig, readSecrets } from '../../../platform/config/cli.js';
import { readCallbacksConfig, readProvidersConfig } from '../../../platform/config/providers.js';

const KEY = Buffer.from('0123456789abcdef0123456789abcdef').toString('base64');
const PROVIDER = {
  PROVIDER_A_URL: 'https://a.example',
  PROVIDER_A_CLIENT_ID: 'gateway',
  PROVIDER_A_PIX_KEY: 'gateway@bank.example',
};

describe('secrets from files', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'gateway-secrets-'))));
  after(() => rmSync(folder, { recursive: true }));
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  it('a secret comes from the file that its _FILE variable names, without the last line break', () => {
    const { keys } = readSecrets({
      GATEWAY_SEALING_KEYS_FILE: file('sealing', `k1:${KEY}\n`),
      GATEWAY_HASH_KEY_FILE: file('hash', `${KEY}\r\n`),
    });
    assert.equal(keys.kind, 'held');
    const { providers } = readProvidersConfig({
      ...PROVIDER,
      PROVIDER_A_CLIENT_SECRET_FILE: file('client', 'a secret with spaces \n'),
    });
    assert.equal(providers.a?.clientSecret, 'a secret with spaces ');
    const { callbacks } = readCallbacksConfig({
      PROVIDER_A_PIX_KEY: PROVIDER.PROVIDER_A_PIX_KEY,
      PROVIDER_A_CALLBACK_SECRET_FILE: file('callback', 'sixteen characters'),
    });
    assert.equal(callbacks.a?.callbackSecret, 'sixteen characters');
  });

  it('a file that is missing or empty, and a secret that is given twice, are named; no value is repeated', () => {
    const environment = {
      GATEWAY_SEALING_KEYS_FILE: join(folder, 'nowhere'),
      GATEWAY_HASH_KEY: KEY,
      GATEWAY_HASH_KEY_FILE: file('again', KEY),
    };
    assert.throws(
      () => readSecrets(environment),
      (error: Error) => {
        assert.match(error.message, /GATEWAY_SEALING_KEYS_FILE: must name a readable file that is not empty/);
        assert.match(error.message, /GATEWAY_HASH_KEY_FILE: must be absent while GATEWAY_HASH_KEY is set/);
        assert.ok(!error.message.includes(KEY));
        return true;
      },
    );
    assert.throws(
      () => readSecrets({ GATEWAY_SEALING_KEYS: `k1:${KEY}`, GATEWAY_HASH_KEY_FILE: file('empty', '\n') }),
      /GATEWAY_HASH_KEY_FILE/,
    );
  });

  for (const password of ['u8/k+Q==', 'p@ss:word/?#[]', 'ação %41 "quoted"', "it's"]) {
    it(`DATABASE_PASSWORD may be ${password}`, () => {
      const { DATABASE_URL } = readDatabaseConfig({
        DATABASE_URL: 'postgres://gateway@postgres:5432/gateway',
        DATABASE_PASSWORD: password,
      });
      const url = new URL(DATABASE_URL);
      assert.equal(decodeURIComponent(url.password), password);
      assert.deepEqual([url.username, url.host, url.pathname], ['gateway', 'postgres:5432', '/gateway']);
    });
  }

  it('the user may be a variable too: one URL for all processes, a role for each', () => {
    const parts = { DATABASE_URL: 'postgres://db:5432/gateway', DATABASE_USER: 'gateway_api' };
    assert.equal(readDatabaseConfig(parts).DATABASE_URL, 'postgres://gateway_api@db:5432/gateway');
    const url = new URL(readDatabaseConfig({ ...parts, DATABASE_PASSWORD: 'p@ss' }).DATABASE_URL);
    assert.deepEqual([url.username, decodeURIComponent(url.password)], ['gateway_api', 'p@ss']);
    assert.throws(
      () => readDatabaseConfig({ ...parts, DATABASE_URL: 'postgres://gateway@db/gateway' }),
      /DATABASE_USER: must be absent while DATABASE_URL names a user/,
    );
  });

  it('a password inside DATABASE_URL that makes it no URL is one clear error, and so are two passwords or no user', () => {
    assert.throws(
      () => readDatabaseConfig({ DATABASE_URL: 'postgres://gateway:u8/k+Q==@postgres:5432/gateway' }),
      /DATABASE_URL: is no URL: percent-encode its password, or give that in DATABASE_PASSWORD/,
    );
    assert.throws(
      () => readDatabaseConfig({ DATABASE_URL: 'postgres://gateway:a@postgres/gateway', DATABASE_PASSWORD: 'b' }),
      /DATABASE_PASSWORD: must be absent while DATABASE_URL holds a password/,
    );
    assert.throws(
      () => readDatabaseConfig({ DATABASE_URL: 'postgres://postgres/gateway', DATABASE_PASSWORD: 'b' }),
      /DATABASE_URL: must name a user/,
    );
  });
});
