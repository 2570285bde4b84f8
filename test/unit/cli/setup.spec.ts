// `gateway setup`: what it makes is what docker-compose.yml and the processes take, and nobody else can read it.
import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { grantsClaim, TEMPORAL_GRANTS } from '../../../cli/certificates/temporal-grants.js';
import { readApiConfig } from '../../../platform/config/api.js';
import { readIngressConfig } from '../../../platform/config/ingress.js';
import { readPanelConfig } from '../../../platform/config/panel.js';
import { readSecrets } from '../../../platform/config/cli.js';
import { readProvidersConfig } from '../../../platform/config/providers.js';
import { readWorkerConfig } from '../../../platform/config/worker.js';
import { runGateway } from '../../../cli/program.js';
import { PURPOSES_OF } from '../../../store/sealing/keys.js';
import { composeServices } from '../../support/compose.js';

const setup = (...args: string[]) => run('setup', ...args);

async function run(...args: string[]) {
  const [out, errors]: [string[], string[]] = [[], []];
  const code = await runGateway(args, {
    environment: {},
    writeOut: (text) => out.push(text),
    writeError: (text) => errors.push(text),
  });
  return { code, out: out.join(''), errors: errors.join('') };
}

/** The lines of an .env file that set something. */
function variablesOf(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/**
 * What Compose gives a service: its environment filled from .env. The containers' folders are those of `deployment`.
 */
function environmentOf(
  service: string,
  variables: Readonly<Record<string, string>>,
  deployment: string,
): Record<string, string> {
  const fill = (value: string) =>
    value.replace(/\$\{(\w+):?-([^}]*)\}/g, (_, name: string, byDefault: string) => variables[name] || byDefault);
  const inDeployment = (value: string) =>
    value
      .replace(/^\/keys\//, () => `${join(deployment, 'keys', keysOf(service))}/`)
      .replace(/^\/(files|audit|providers|callbacks)\//, (_, name: string) => `${join(deployment, name)}/`)
      .replace(/^\/run\/secrets\/(.*)/, (_, name: string) => join(deployment, 'secrets', sourceOf(service, name)));
  const given = Object.entries(composeServices<{ environment: Record<string, string> }>()[service]?.environment ?? {});
  return Object.fromEntries(given.map(([name, value]) => [name, inDeployment(fill(value))]));
}

/** The folder of keys that a service mounts. */
function keysOf(service: string): string {
  const volumes = composeServices<{ volumes?: string[] }>()[service]?.volumes ?? [];
  return volumes.flatMap((volume) => /\/keys\/([a-z-]+):\/keys:ro$/.exec(volume)?.[1] ?? []).join();
}

/** The secret that a service has under this name. */
function sourceOf(service: string, name: string): string {
  const secrets = composeServices<{ secrets?: (string | { source: string; target: string })[] }>()[service]?.secrets;
  const found = secrets?.find((secret) => (typeof secret === 'string' ? secret : secret.target) === name);
  return typeof found === 'object' ? found.source : name;
}

describe('gateway setup', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'gateway-setup-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const made = (...path: string[]) => join(folder, 'deployment', ...path);

  it('sandbox: the processes take its variables and files as they are', async () => {
    const { code, out } = await setup(
      '--environment',
      'sandbox',
      '--folder',
      folder,
      '--build',
      '2026-11-22.1',
      '--host',
      'gateway.test',
    );
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(out), { env_file: join(folder, '.env'), folder: made(), to_fill_in: [] });

    const variables = variablesOf(join(folder, '.env'));
    assert.equal(variables['WORKER_BUILD_ID'], '2026-11-22.1');
    assert.match(variables['GATEWAY_USER'] ?? '', /^[1-9]\d*:\d+$/, 'never as root');
    // In the containers deployment/providers is /providers, and so on.
    const environment = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [
        name,
        value.replace(/^\/(audit|providers|callbacks)\//, (_, folder: string) => `${made(folder)}/`),
      ]),
    );
    assert.equal(readProvidersConfig(environment).providers.simulator?.url, 'http://simulator:7802/simulator');
    const keys = { GATEWAY_KEY_PROVIDER: 'file', GATEWAY_KEYS_FILE: made('keys', 'command', 'gateway.keys') };
    assert.equal(readSecrets({ ...environment, ...keys }).keys.kind, 'held');

    const certificate = new X509Certificate(readFileSync(made('edge', 'edge.crt.pem')));
    for (const name of ['localhost', 'edge', 'gateway.test'])
      assert.ok(certificate.checkHost(name) !== undefined, name);
    assert.ok(certificate.checkIP('127.0.0.1') !== undefined);
    assert.equal(
      readFileSync(made('edge', 'authority.crt.pem'), 'utf8'),
      readFileSync(made('authority', 'authority.crt.pem'), 'utf8'),
    );
    assert.match(readFileSync(made('edge', 'revoked.crl.pem'), 'utf8'), /X509 CRL/);
    assert.ok(!existsSync(made('edge', 'authority.key.pem')), 'the edge never has the authority’s key');
  });

  it('nobody else can read what it makes', async () => {
    await setup('--environment', 'sandbox', '--folder', folder);
    const mode = (...path: string[]) => (statSync(made(...path)).mode & 0o777).toString(8);
    for (const name of readdirSync(made())) assert.equal(mode(name), '700', name);
    for (const process of ['command', ...Object.keys(PURPOSES_OF)]) {
      assert.equal(mode('keys', process), '700', process);
      assert.equal(mode('keys', process, 'gateway.keys'), '600', process);
    }
    assert.equal(mode('audit', 'seal.key'), '600');
    assert.equal(mode('authority', 'authority.key.pem'), '600');
    assert.equal((statSync(join(folder, '.env')).mode & 0o777).toString(8), '600');
    // Mounted one by one into containers of other users; the folder keeps everybody else out.
    assert.equal(mode('secrets', 'postgres-password'), '444');
  });

  it('each password is its own, of another deployment another one, and none is made again', async () => {
    await setup('--environment', 'sandbox', '--folder', join(folder, 'one'));
    await setup('--environment', 'sandbox', '--folder', join(folder, 'two'));
    const passwords = ['one', 'two'].flatMap((name) =>
      readdirSync(join(folder, name, 'deployment', 'secrets')).map((file) =>
        readFileSync(join(folder, name, 'deployment', 'secrets', file), 'utf8'),
      ),
    );
    assert.equal(passwords.length, 2 * (12 + 18));
    assert.equal(new Set(passwords).size, passwords.length);
    for (const password of passwords) assert.ok(password.length >= 32);
    const kept = readFileSync(join(folder, 'one', '.env'), 'utf8');
    const { code, errors } = await setup('--environment', 'sandbox', '--folder', join(folder, 'one'));
    assert.match(errors, /\.env is there already/);
    assert.deepEqual([code, readFileSync(join(folder, 'one', '.env'), 'utf8')], [1, kept]);
  });

  const FILLED_IN = {
    GATEWAY_DOCS_URL: 'https://docs.example',
    PROVIDER_A_DIALECT: 'efi',
    PROVIDER_A_URL: 'https://bank.example',
    PROVIDER_A_CLIENT_ID: 'gateway',
    PROVIDER_A_CLIENT_SECRET: 'a secret of the bank’s own',
    PROVIDER_A_PIX_KEY: 'gateway@bank.example',
    PROVIDER_A_CALLBACK_SECRET: 'another secret of the bank',
    PANEL_URL: 'https://panel.example',
    ALERT_PAGER_KEY: 'a key of the pager',
  };
  for (const [environment, filledIn] of [
    ['sandbox', {}],
    ['production', FILLED_IN],
  ] as const) {
    it(`${environment}: with it, docker-compose.yml gives the api, the ingress and the workers all that they need`, async () => {
      await setup('--environment', environment, '--folder', folder);
      const variables = { ...variablesOf(join(folder, '.env')), ...filledIn };
      for (const [service, read, role, caller] of [
        ['api', readApiConfig, 'gateway_api', 'api'],
        ['ingress', readIngressConfig, 'gateway_ingress', 'ingress'],
        ['worker-payments', readWorkerConfig, 'gateway_payments', 'worker-payments'],
        ['worker-providers', readWorkerConfig, 'gateway_payments', 'worker-providers'],
        ['worker-rules', readWorkerConfig, 'gateway_rules', 'worker-rules'],
        ['worker-webhooks', readWorkerConfig, 'gateway_webhooks', 'worker-webhooks'],
        ['panel', readPanelConfig, 'gateway_panel', 'panel'],
      ] as const) {
        const config = read(environmentOf(service, variables, made()));
        assert.equal(config.GATEWAY_ENVIRONMENT, environment, service);
        assert.equal(config.keys.kind, 'held');
        assert.equal(config.temporal.apiKey, readFileSync(made('secrets', `temporal-token-${caller}`), 'utf8'));
        assert.ok(config.temporal.tls?.serverRootCACertificate !== undefined, 'a token crosses no plain connection');
        assert.match(config.DATABASE_URL, new RegExp(`^postgres://${role}:[^@]+@postgres:5432/gateway$`));
      }
    });
  }

  it('production: no simulator, no authority; what is still to be filled in is said, and missed at the start', async () => {
    const { out } = await setup('--environment', 'production', '--folder', folder);
    const { to_fill_in: left } = JSON.parse(out) as { to_fill_in: string[] };
    assert.ok(left.includes('PROVIDER_A_URL') && left.includes('GATEWAY_DOCS_URL'));
    const variables = variablesOf(join(folder, '.env'));
    assert.ok(!Object.keys(variables).some((name) => /SIMULATOR|SANDBOX/.test(name)) && !existsSync(made('authority')));
    assert.throws(
      () => readApiConfig(environmentOf('api', variables, made())),
      /^ConfigurationError: configuration: (?=.*GATEWAY_DOCS_URL).*$/,
    );
    assert.throws(
      () => readIngressConfig(environmentOf('ingress', variables, made())),
      /^ConfigurationError: configuration: (?=.*PROVIDER_A_CALLBACK_SECRET).*$/,
    );
  });

  const callersOf = async (...path: string[]) => {
    const read = (name: string) => readFileSync(join(...path, 'deployment', 'secrets', name), 'utf8');
    const keys = createLocalJWKSet(JSON.parse(read('temporal-token-keys')) as JSONWebKeySet);
    const token = (caller: string) => (caller === 'ui' ? tokenOfUi(read) : read(`temporal-token-${caller}`));
    const expected = { audience: read('temporal-token-audience') };
    return { read, verified: (caller: string) => jwtVerify(token(caller), keys, { ...expected, subject: caller }) };
  };
  const tokenOfUi = (read: (name: string) => string) =>
    /^grpc_set_header Authorization "Bearer (\S+)";\n$/.exec(read('temporal-ui-authorization'))?.[1] ?? '';

  it('Temporal’s server knows its callers by tokens, and each grants what the table says', async () => {
    await setup('--environment', 'production', '--folder', folder);
    const { read, verified } = await callersOf(folder);
    for (const [caller, grants] of Object.entries(TEMPORAL_GRANTS)) {
      const { temporal, permissions } = (await verified(caller)).payload;
      assert.deepEqual(temporal, grantsClaim('default', grants), caller);
      assert.equal(permissions, undefined, 'a role of Temporal’s own would permit more');
      // It is a header of every call.
      assert.ok(JSON.stringify(temporal).length < 3_000, caller);
    }
    assert.equal(Buffer.from(read('temporal-task-key'), 'base64').length, 32);
  });

  it('Temporal’s server shows a certificate of its name, its roles another one of another authority', async () => {
    await setup('--environment', 'production', '--folder', folder);
    const { read } = await callersOf(folder);
    const [server, node] = ['server', 'node'].map((name) => {
      const certificate = new X509Certificate(read(`temporal-${name}-certificate`));
      assert.ok(certificate.checkPrivateKey(createPrivateKey(read(`temporal-${name}-key`))), name);
      return certificate;
    }) as [X509Certificate, X509Certificate];
    const ofServer = new X509Certificate(readFileSync(made('files', 'temporal-authority.crt.pem')));
    const ofNodes = new X509Certificate(read('temporal-node-authority'));
    assert.equal(server.checkHost('temporal'), 'temporal');
    assert.ok(server.verify(ofServer.publicKey) && node.verify(ofNodes.publicKey));
    assert.ok(!server.verify(ofNodes.publicKey) && !node.verify(ofServer.publicKey));
  });

  it('temporal renew-access: no token of before is worth anything', async () => {
    await setup('--environment', 'sandbox', '--folder', folder);
    const before = await callersOf(folder);
    const old = before.read('temporal-token-api');
    assert.equal((await run('temporal', 'renew-access', made())).code, 0);
    const { read, verified } = await callersOf(folder);
    await verified('api');
    assert.notEqual(read('temporal-token-api'), old);
    const keys = createLocalJWKSet(JSON.parse(read('temporal-token-keys')) as JSONWebKeySet);
    await assert.rejects(jwtVerify(old, keys), { code: 'ERR_JWKS_NO_MATCHING_KEY' });
    const elsewhere = await run('temporal', 'renew-access', folder);
    assert.equal(elsewhere.code, 1);
    assert.match(elsewhere.errors, /is not the folder of a deployment/);
  });

  it('a wrong option → exit code 2, one line that names it, and nothing is made', async () => {
    for (const [option, value] of [
      ['--build', 'a b'],
      ['--host', 'https://gateway.test'],
    ] as const) {
      const { code, errors } = await setup('--environment', 'sandbox', '--folder', folder, option, value);
      assert.equal(code, 2);
      assert.match(errors, new RegExp(`^gateway: ${option}: .*\\n$`));
      assert.ok(!existsSync(join(folder, '.env')));
    }
  });
});
