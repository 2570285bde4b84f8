// `gateway setup`: what it makes is what docker-compose.yml and the processes take, and nobody else can read it.
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readApiConfig } from '../../../platform/config/api.js';
import { readIngressConfig } from '../../../platform/config/ingress.js';
import { readSecrets } from '../../../platform/config/cli.js';
import { readProvidersConfig } from '../../../platform/config/providers.js';
import { readWorkerConfig } from '../../../platform/config/worker.js';
import { runGateway } from '../../../cli/program.js';
import { composeServices } from '../../support/compose.js';

async function setup(...args: string[]) {
  const [out, errors]: [string[], string[]] = [[], []];
  const code = await runGateway(['setup', ...args], {
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

/** What Compose gives a service: its environment filled from .env. The containers' folders are those of `deployment`. */
function environmentOf(
  service: string,
  variables: Readonly<Record<string, string>>,
  deployment: string,
): Record<string, string> {
  const fill = (value: string) =>
    value.replace(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, byDefault: string) => variables[name] || byDefault);
  const inDeployment = (value: string) =>
    value
      .replace(/^\/(files|keys|audit|providers|callbacks)\//, (_, name: string) => `${join(deployment, name)}/`)
      .replace(/^\/run\/secrets/, join(deployment, 'secrets'));
  const given = Object.entries(composeServices<{ environment: Record<string, string> }>()[service]?.environment ?? {});
  return Object.fromEntries(given.map(([name, value]) => [name, inDeployment(fill(value))]));
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
    const keys = { GATEWAY_KEY_PROVIDER: 'file', GATEWAY_KEYS_FILE: made('keys', 'gateway.keys') };
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
    for (const name of [
      'secrets',
      'files',
      'keys',
      'audit',
      'audit-seals',
      'providers',
      'callbacks',
      'edge',
      'authority',
      'clients',
    ])
      assert.equal(mode(name), '700', name);
    assert.equal(mode('keys', 'gateway.keys'), '600');
    assert.equal(mode('audit', 'seal.key'), '600');
    assert.equal(mode('authority', 'authority.key.pem'), '600');
    assert.equal((statSync(join(folder, '.env')).mode & 0o777).toString(8), '600');
    // Mounted one by one into containers of other users; the folder keeps everybody else out.
    assert.equal(mode('secrets', 'postgres-password'), '444');
  });

  it('each password is its own, and of another deployment another one', async () => {
    await setup('--environment', 'sandbox', '--folder', join(folder, 'one'));
    await setup('--environment', 'sandbox', '--folder', join(folder, 'two'));
    const passwords = ['one', 'two'].flatMap((name) =>
      readdirSync(join(folder, name, 'deployment', 'secrets')).map((file) =>
        readFileSync(join(folder, name, 'deployment', 'secrets', file), 'utf8'),
      ),
    );
    assert.equal(passwords.length, 2 * 10);
    assert.equal(new Set(passwords).size, passwords.length);
    for (const password of passwords) assert.ok(password.length >= 32);
  });

  it('production: no simulator, no authority, and it says what is still to be filled in', async () => {
    const { out } = await setup('--environment', 'production', '--folder', folder);
    const { to_fill_in: left } = JSON.parse(out) as { to_fill_in: string[] };
    assert.ok(left.includes('PROVIDER_A_URL') && left.includes('GATEWAY_DOCS_URL'));
    const variables = variablesOf(join(folder, '.env'));
    assert.equal(variables['GATEWAY_ENVIRONMENT'], 'production');
    assert.deepEqual(
      Object.keys(variables).filter((name) => /SIMULATOR|SANDBOX/.test(name)),
      [],
    );
    assert.ok(!existsSync(made('authority')));
  });

  const FILLED_IN = {
    GATEWAY_DOCS_URL: 'https://docs.example',
    PROVIDER_A_DIALECT: 'efi',
    PROVIDER_A_URL: 'https://bank.example',
    PROVIDER_A_CLIENT_ID: 'gateway',
    PROVIDER_A_CLIENT_SECRET: 'a secret of the bank’s own',
    PROVIDER_A_PIX_KEY: 'gateway@bank.example',
    PROVIDER_A_CALLBACK_SECRET: 'another secret of the bank',
  };
  for (const [environment, filledIn] of [
    ['sandbox', {}],
    ['production', FILLED_IN],
  ] as const) {
    it(`${environment}: with it, docker-compose.yml tells the api, the ingress and the workers all that they need`, async () => {
      await setup('--environment', environment, '--folder', folder);
      const variables = { ...variablesOf(join(folder, '.env')), ...filledIn };
      for (const [service, read, role] of [
        ['api', readApiConfig, 'gateway_api'],
        ['ingress', readIngressConfig, 'gateway_ingress'],
        ['worker-payments', readWorkerConfig, 'gateway_payments'],
        ['worker-webhooks', readWorkerConfig, 'gateway_webhooks'],
      ] as const) {
        const config = read(environmentOf(service, variables, made()));
        assert.equal(config.GATEWAY_ENVIRONMENT, environment, service);
        assert.equal(config.keys.kind, 'held');
        assert.match(config.DATABASE_URL, new RegExp(`^postgres://${role}:[^@]+@postgres:5432/gateway$`));
      }
    });
  }

  it('production without them: one line names all that is missing', async () => {
    await setup('--environment', 'production', '--folder', folder);
    const variables = variablesOf(join(folder, '.env'));
    assert.throws(
      () => readApiConfig(environmentOf('api', variables, made())),
      /^ConfigurationError: configuration: (?=.*GATEWAY_DOCS_URL).*$/,
    );
    assert.throws(
      () => readIngressConfig(environmentOf('ingress', variables, made())),
      /^ConfigurationError: configuration: (?=.*PROVIDER_A_CALLBACK_SECRET).*$/,
    );
  });

  it('changes nothing that is there: exit code 1', async () => {
    await setup('--environment', 'sandbox', '--folder', folder);
    const before = readFileSync(made('keys', 'gateway.keys'), 'utf8');
    const { code, errors } = await setup('--environment', 'sandbox', '--folder', folder);
    assert.equal(code, 1);
    assert.match(errors, /\.env is there already/);
    assert.equal(readFileSync(made('keys', 'gateway.keys'), 'utf8'), before);
  });

  for (const [option, args] of [
    ['--environment', ['--environment', 'staging']],
    ['--build', ['--environment', 'sandbox', '--build', 'a b']],
    ['--host', ['--environment', 'sandbox', '--host', 'https://gateway.test']],
    ['--folder', ['--environment', 'sandbox', '--folder', '/dev/null/x']],
  ] as const) {
    it(`${args.join(' ')}: exit code 2, one line that names ${option}`, async () => {
      const { code, errors } = await setup(...args, ...(option === '--folder' ? [] : ['--folder', folder]));
      assert.equal(code, 2);
      assert.match(errors, new RegExp(`^gateway: ${option}: .*\\n$`));
      assert.ok(!existsSync(join(folder, '.env')));
    });
  }
});
