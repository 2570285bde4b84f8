// Production refuses to start with what belongs to development: each fault by itself, and all of them in one error.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readApiConfig } from '../../../platform/config/api.js';
import { readIngressConfig } from '../../../platform/config/ingress.js';
import { productionProblems } from '../../../platform/config/production.js';
import { readWorkerConfig } from '../../../platform/config/worker.js';
import { PURPOSES_OF } from '../../../store/sealing/keys.js';
import { stackEnvironment } from '../../../tools/stack/environment.js';
import { PATHS } from '../../../tools/stack/paths.js';
import { ensureSecrets } from '../../../tools/stack/secrets.js';
import { readSettings } from '../../../tools/stack/settings.js';
import {
  ALERTED,
  CALLBACKS,
  CALLS,
  key,
  keysFor,
  keysForQueues,
  SEALS,
  SOUND,
  SOUND_API,
  SOUND_INGRESS,
  SOUND_WORKER,
  WEBHOOKS,
} from './sound-environments.js';

const without = (variables: object) => Object.fromEntries(Object.keys(variables).map((name) => [name, '']));

const FAULTS: readonly (readonly [title: string, changed: Readonly<Record<string, string>>, named: RegExp])[] = [
  [
    'a development sealing key',
    { GATEWAY_SEALING_KEYS: `k2:${key()},dev:k1:${key()}` },
    /GATEWAY_SEALING_KEYS: holds a key that "npm start" made/,
  ],
  [
    'a development hash key',
    { GATEWAY_HASH_KEY: `dev:${key()}` },
    /GATEWAY_HASH_KEY: holds a key that "npm start" made/,
  ],
  [
    'an example key',
    { GATEWAY_HASH_KEY: Buffer.alloc(32, 7).toString('base64') },
    /GATEWAY_HASH_KEY: holds a key that is not random/,
  ],
  [
    'a development database password',
    { DATABASE_URL: 'postgres://gateway:dev_0123@db:5432/gateway' },
    /DATABASE_URL: holds a password that "npm start" made/,
  ],
  [
    'the simulator as provider',
    { PROVIDER_SIMULATOR_URL: 'https://s.example' },
    /PROVIDER_SIMULATOR_URL: must be absent/,
  ],
  [
    'the simulator’s steering',
    { SIMULATOR_CONTROL_URL: 'http://127.0.0.1:7802' },
    /SIMULATOR_CONTROL_URL: must be absent/,
  ],
  ['a provider over http', { PROVIDER_A_URL: 'http://a.example' }, /PROVIDER_A_URL: must be an https address/],
  [
    'documentation over http',
    { GATEWAY_DOCS_URL: 'http://docs.example' },
    /GATEWAY_DOCS_URL: must be an https address/,
  ],
  [
    'no edge',
    { TRUSTED_PROXIES: '', TRUSTED_PROXY_HEADER: '' },
    /TRUSTED_PROXIES: must name the TLS edge.*TRUSTED_PROXY_HEADER: must name/,
  ],
  [
    'what goes with calls, in a process that makes none',
    { PROVIDER_A_CALL_HEADERS: 'X-Key=of-production', PROVIDER_A_ACCOUNT_ACME_CALL_QUERY: 'app=of-production' },
    /PROVIDER_A_CALL_HEADERS: must be absent here.*PROVIDER_A_ACCOUNT_ACME_CALL_QUERY: must be absent here/,
  ],
  [
    'a development secret in the header of calls',
    { PROVIDER_A_CALL_HEADERS: 'X-Application=gateway&X-Key=dev_0123456789abcdef' },
    /PROVIDER_A_CALL_HEADERS: holds a secret that "npm start" made/,
  ],
  [
    'a development secret in the address of calls',
    { PROVIDER_A_CALL_QUERY: 'key=dev_0123456789abcdef' },
    /PROVIDER_A_CALL_QUERY: holds a secret that "npm start" made/,
  ],
  ...[
    'PROVIDER_A_CLIENT_SECRET',
    'PROVIDER_A_CALLBACK_SECRET',
    'PROVIDER_A_TLS_PFX_PASSWORD',
    'TEMPORAL_API_KEY',
    'GATEWAY_VAULT_TOKEN',
    'GATEWAY_AUDIT_SEALS_SECRET_KEY',
  ].map(
    (variable) =>
      [
        `a development secret in ${variable}`,
        { [variable]: 'dev_0123456789abcdef' },
        new RegExp(`${variable}: is a secret that "npm start" made`),
      ] as const,
  ),
  [
    'codes of a test environment',
    { PROVIDER_A_TEST_LOCATION_HOSTS: 'codes.test' },
    /PROVIDER_A_TEST_LOCATION_HOSTS: must be absent in production/,
  ],
  [
    'TLS that verifies nobody',
    { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    /NODE_TLS_REJECT_UNAUTHORIZED: must not be 0 in production/,
  ],
  [
    'a debugger behind another option',
    { NODE_OPTIONS: '--max-old-space-size=512 --inspect-brk' },
    /NODE_OPTIONS: must open no debugger/,
  ],
  [
    'a private network that is everything, in two halves of IPv6',
    { GATEWAY_PRIVATE_HOSTS: 'db, ::/1, 8000::/1' },
    /GATEWAY_PRIVATE_HOSTS: must not trust every address/,
  ],
  ['an edge wider than 10.0.0.0/8', { TRUSTED_PROXIES: '10.0.0.0/7' }, /TRUSTED_PROXIES: must not trust every address/],
  ['an edge wider than fc00::/7', { TRUSTED_PROXIES: 'fc00::/6' }, /TRUSTED_PROXIES: must not trust every address/],
  [
    'an edge that is every address of IPv4, as IPv6 writes them',
    { TRUSTED_PROXIES: '::ffff:0:0/96' },
    /TRUSTED_PROXIES: must not trust every address/,
  ],
  [
    'what proves callbacks, in a process that takes none',
    CALLBACKS,
    /PROVIDER_A_CALLBACK_SECRET: must be absent here: only the ingress/,
  ],
  [
    'what pays, in a process that does not',
    CALLS,
    /PROVIDER_A_CLIENT_ID: must be absent here.*PROVIDER_A_CLIENT_SECRET: must be absent here: only workers that call/,
  ],
  [
    'what signs people in, in a process that does not',
    { PANEL_OIDC_CLIENT_SECRET: 'of-production' },
    /PANEL_OIDC_CLIENT_SECRET: must be absent here: only the panel/,
  ],
  [
    'what alerts are sent on with, in a process that sends none',
    { ...ALERTED, ALERT_PAGER_KEY: 'of-production' },
    /ALERT_WEBHOOK_SECRET: must be absent here: only workers of the webhooks.*ALERT_PAGER_KEY: must be absent here/,
  ],
  [
    'a target of alerts over http',
    { ALERT_WEBHOOK_URL: 'http://alerts.example/' },
    /ALERT_WEBHOOK_URL: must be an https address/,
  ],
  [
    'a plain database',
    { DATABASE_URL: 'postgres://gateway:of-production@db:5432/gateway' },
    /DATABASE_URL: must be reached over TLS in production \(DATABASE_TLS_CA_FILE.*GATEWAY_PRIVATE_HOSTS/,
  ],
  [
    'a database whose certificate nobody verifies',
    { DATABASE_URL: 'postgres://gateway:of-production@db:5432/gateway?sslmode=no-verify' },
    /DATABASE_URL: must be reached over TLS/,
  ],
  [
    'a database whose TLS is required and then switched off',
    { DATABASE_URL: 'postgres://gateway:p@db/gateway?sslmode=verify-full&sslmode=disable' },
    /DATABASE_URL: must have each parameter once/,
  ],
  ['a plain Temporal', { TEMPORAL_TLS: '' }, /TEMPORAL_ADDRESS: must be reached over TLS.*TEMPORAL_TLS_CA_FILE/],
  ['a Temporal whose TLS is off', { TEMPORAL_TLS: 'false' }, /TEMPORAL_ADDRESS: must be reached over TLS/],
  ...['disabled', '1', 'TRUE'].map(
    (TEMPORAL_TLS) =>
      [
        `a Temporal whose TLS is “${TEMPORAL_TLS}”`,
        { TEMPORAL_TLS },
        /TEMPORAL_ADDRESS: must be reached over TLS|TEMPORAL_TLS: must be true or false/,
      ] as const,
  ),
  [
    'a collector that is reached with a key in its address',
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector:4318/?key=a&key=b' },
    /OTEL_EXPORTER_OTLP_ENDPOINT: must have no user, query or fragment/,
  ],
  [
    'a header of the collector twice',
    { OTEL_EXPORTER_OTLP_HEADERS: 'X-Key=a,x-key=b' },
    /OTEL_EXPORTER_OTLP_HEADERS: must look like/,
  ],
  [
    'spans over a plain network',
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' },
    /OTEL_EXPORTER_OTLP_ENDPOINT: must be reached over TLS/,
  ],
  ['private hosts that are none', { GATEWAY_PRIVATE_HOSTS: 'db,*' }, /GATEWAY_PRIVATE_HOSTS: must be names/],
  [
    'an edge that says no operation of the certificate',
    { TRUSTED_CERTIFICATE_HEADER: '' },
    /TRUSTED_CERTIFICATE_HEADER: must name the header/,
  ],
  ['no documentation address', { GATEWAY_DOCS_URL: '' }, /GATEWAY_DOCS_URL: must be set/],
  ...['SANDBOX_WITHDRAWALS_PER_PLAYER_AND_HOUR', 'SANDBOX_DEPOSITS_PER_PLAYER_AND_HOUR'].map(
    (variable) =>
      [`${variable}, which is of a sandbox`, { [variable]: '30' }, new RegExp(`${variable}: must be absent`)] as const,
  ),
];

describe('what production refuses to start with', () => {
  it('the ingress needs what proves callbacks, no edge, and holds nothing that pays', () => {
    const bare = Object.fromEntries(
      Object.entries(SOUND_INGRESS).filter(([name]) => !/^(TRUSTED_|GATEWAY_DOCS|WORKER_)/.test(name)),
    );
    const {
      DATABASE_POOL_SIZE,
      INGRESS_DRAIN_SECONDS,
      callbacks: { callbacks },
    } = readIngressConfig(bare);
    assert.deepEqual([DATABASE_POOL_SIZE, INGRESS_DRAIN_SECONDS, Object.keys(callbacks)], [4, 5, ['a']]);
    assert.throws(() => readIngressConfig({ ...bare, ...without(CALLBACKS) }), /CALLBACK_SECRET: or another provider/);
    assert.throws(() => readIngressConfig({ ...bare, ...CALLS }), /PROVIDER_A_CLIENT_SECRET: must be absent here/);
  });

  it('the widest private networks may be trusted, and options of Node that open nothing', () => {
    const harmless = { NODE_OPTIONS: '--max-old-space-size=512', NODE_TLS_REJECT_UNAUTHORIZED: '1' };
    assert.deepEqual(productionProblems({ ...SOUND_API, ...harmless }, 'api'), []);
    for (const networks of ['10.0.0.0/8', 'fc00::/7', '::1/128,::ffff:10.0.0.0/104', '172.16.0.0/12, fd00::/8'])
      assert.deepEqual(productionProblems({ ...SOUND_API, TRUSTED_PROXIES: networks }, 'api'), [], networks);
  });

  it('the ingress needs the edge where a certificate proves callbacks: others could claim one', () => {
    const { TRUSTED_PROXIES: _, ...direct } = SOUND_INGRESS;
    const certified = { ...direct, PROVIDER_A_CALLBACK_CERTIFICATE: 'CN=bank' };
    assert.throws(() => readIngressConfig(certified), /TRUSTED_PROXIES: must name the TLS edge/);
    const { TRUSTED_PROXIES } = readIngressConfig({ ...certified, TRUSTED_PROXIES: '10.0.0.7' });
    assert.deepEqual(TRUSTED_PROXIES.rules, ['Subnet: IPv4 10.0.0.7/32']);
    assert.throws(
      () => readIngressConfig({ ...certified, TRUSTED_PROXIES: '0.0.0.0/0' }),
      /TRUSTED_PROXIES: must not trust every address/,
    );
  });

  it('a worker without named queues → it does not start: it would hold every key', () => {
    const { WORKER_TASK_QUEUES: _, ...unnamed } = SOUND_WORKER;
    assert.throws(() => readWorkerConfig(unnamed), /WORKER_TASK_QUEUES: must name the queues/);
  });

  it('a worker that calls nobody holds nothing that goes with calls', () => {
    for (const variable of ['PROVIDER_A_CALL_HEADERS', 'PROVIDER_A_CALL_QUERY'])
      assert.throws(
        () => readWorkerConfig({ ...WEBHOOKS, [variable]: 'X-Key=of-production' }),
        new RegExp(`${variable}: must be absent here`),
      );
  });

  for (const [title, changed, named] of FAULTS) {
    it(`${title} → the api does not start`, () =>
      assert.throws(
        () => readApiConfig({ ...SOUND_API, ...changed }),
        (error: Error) => error.name === 'ConfigurationError' && named.test(error.message),
      ));
  }

  it('every fault is in one error, with what no environment would accept', () => {
    const all = { ...SOUND_API, GATEWAY_HASH_KEY: `dev:${key()}`, TRUSTED_PROXIES: '', API_PORT: 'x' };
    assert.throws(
      () => readApiConfig(all),
      ({ message }: Error) =>
        ['GATEWAY_HASH_KEY', 'TRUSTED_PROXIES', 'API_PORT'].every((name) => message.includes(`${name}: `)),
    );
  });

  it('a plain hop → only to a host that is named private, or on this machine', () => {
    const plain = {
      ...SOUND_API,
      DATABASE_URL: 'postgres://gateway:of-production@10.1.2.3:5432/gateway',
      TEMPORAL_TLS: '',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://[::1]:4318',
    };
    const faults = (hosts: string) =>
      productionProblems({ ...plain, GATEWAY_PRIVATE_HOSTS: hosts }, 'api').map(({ variable }) => variable);
    assert.deepEqual(faults(''), ['DATABASE_URL', 'TEMPORAL_ADDRESS']);
    assert.deepEqual(faults('temporal, 10.1.2.4'), ['DATABASE_URL']);
    assert.deepEqual(faults('10.1.0.0/16,temporal.example'), ['TEMPORAL_ADDRESS']);
    assert.deepEqual(faults('10.1.0.0/16,Temporal'), []);
    assert.equal(readApiConfig({ ...plain, GATEWAY_PRIVATE_HOSTS: '10.1.0.0/16,temporal' }).temporal.tls, undefined);
    const local = { DATABASE_URL: 'postgres://g:p@127.0.0.1/g', TEMPORAL_ADDRESS: 'localhost:7233' };
    assert.deepEqual(productionProblems({ ...plain, ...local }, 'api'), []);
  });

  it('never repeats a secret', () => {
    const secret = 'dev_very-much-a-secret';
    assert.throws(
      () =>
        readApiConfig({ ...SOUND_API, PROVIDER_A_CLIENT_SECRET: secret, DATABASE_URL: `postgres://u:${secret}@db/x` }),
      ({ message }: Error) => !message.includes('very-much'),
    );
  });

  it('a worker of the rules alone needs no provider and no edge', () => {
    const bare = Object.fromEntries(
      Object.entries(SOUND).filter(([name]) => !/^(PROVIDER_|TRUSTED_|GATEWAY_DOCS)/.test(name)),
    );
    assert.equal(readWorkerConfig({ ...bare, ...keysForQueues('rules') }).GATEWAY_ENVIRONMENT, 'production');
    assert.throws(() => readWorkerConfig({ ...bare, ...keysForQueues('payments,rules') }), /PROVIDER_A_URL/);
    for (const queues of ['rules', 'webhooks'])
      assert.throws(
        () => readWorkerConfig({ ...bare, ...CALLS, ...ALERTED, ...keysForQueues(queues) }),
        /CLIENT_SECRET: must be absent/,
      );
    assert.throws(() => readWorkerConfig({ ...SOUND_WORKER, ...CALLBACKS }), /CALLBACK_SECRET: must be absent here/);
  });

  it('the key of the audit trail → only in a worker of payments', () => {
    const { GATEWAY_AUDIT_KEY: _, ...unsealed } = SOUND_WORKER;
    assert.throws(() => readWorkerConfig(unsealed), /GATEWAY_AUDIT_KEY: is required/);
    assert.throws(
      () => readWorkerConfig({ ...SOUND_WORKER, GATEWAY_AUDIT_SEALS_DIR: '' }),
      /GATEWAY_AUDIT_SEALS_DIR: or GATEWAY_AUDIT_SEALS_URL is required/,
    );
    const bucket = {
      ...SOUND_WORKER,
      GATEWAY_AUDIT_SEALS_DIR: '',
      GATEWAY_AUDIT_SEALS_URL: 'https://s3.example/seals',
      GATEWAY_AUDIT_SEALS_ACCESS_KEY: 'gateway',
      GATEWAY_AUDIT_SEALS_SECRET_KEY: 'a secret of the store',
    };
    assert.notEqual(readWorkerConfig(bucket).sealing, null);
    for (const [changed, named] of [
      [{ GATEWAY_AUDIT_SEALS_URL: 'http://s3.example/seals' }, /SEALS_URL: must be an https address/],
      [{ GATEWAY_AUDIT_SEALS_SECRET_KEY: '' }, /SEALS_SECRET_KEY: goes with GATEWAY_AUDIT_SEALS_URL/],
      [{ GATEWAY_AUDIT_SEALS_DIR: '/audit-seals' }, /SEALS_URL: must be absent while GATEWAY_AUDIT_SEALS_DIR/],
    ] as const)
      assert.throws(() => readWorkerConfig({ ...bucket, ...changed }), named);
    assert.throws(() => readApiConfig({ ...SOUND_API, ...SEALS }), /GATEWAY_AUDIT_KEY: must be absent here/);
    assert.throws(() => readIngressConfig({ ...SOUND_INGRESS, ...SEALS }), /GATEWAY_AUDIT_KEY: must be absent here/);
    for (const WORKER_TASK_QUEUES of ['rules', 'webhooks', 'providers,rules'])
      assert.throws(
        () => readWorkerConfig({ ...SOUND_WORKER, WORKER_TASK_QUEUES }),
        /GATEWAY_AUDIT_KEY: must be absent here/,
      );
    for (const GATEWAY_AUDIT_KEY of [`dev:${key()}`, Buffer.alloc(32, 7).toString('base64')])
      assert.throws(
        () => readWorkerConfig({ ...SOUND_WORKER, GATEWAY_AUDIT_KEY }),
        /GATEWAY_AUDIT_KEY: holds a key that/,
      );
  });

  it('a process holds exactly the keys of its purposes, and no root key', () => {
    const processes: readonly [name: string, read: () => unknown][] = [
      ['api', () => readApiConfig({ ...SOUND_API, ...more })],
      ['ingress', () => readIngressConfig({ ...SOUND_INGRESS, ...more })],
      ['a webhooks worker', () => readWorkerConfig({ ...WEBHOOKS, ...more })],
    ];
    let more: Record<string, string> = {};
    const refused = (given: Record<string, string>, named: RegExp) => {
      more = given;
      for (const [name, read] of processes) assert.throws(read, named, name);
    };
    for (const [, read] of processes) assert.doesNotThrow(read);
    refused({ GATEWAY_SEALING_KEYS: `k2:${key()}` }, /SEALING_KEYS: must not hold whole keys: "gateway sealing split"/);
    refused(
      { GATEWAY_SEALING_KEYS: `k2.lists:${key()}` },
      /must hold a key for .+; .*must hold no key for lists: this/,
    );
    refused({ GATEWAY_HASH_KEY: key() }, /GATEWAY_HASH_KEY: must be absent here: this process looks nothing up/);
    refused({ GATEWAY_SEALING_KEYS: `k2.nothing:${key()}` }, /GATEWAY_SEALING_KEYS/);
    assert.throws(() => readWorkerConfig({ ...SOUND_WORKER, GATEWAY_HASH_KEY: '' }), /GATEWAY_HASH_KEY: is required/);
  });

  it('a worker without a build → it does not start; the api needs none', () => {
    const { WORKER_BUILD_ID: _, ...unnamed } = SOUND_WORKER;
    assert.throws(() => readWorkerConfig(unnamed), /WORKER_BUILD_ID: must name the build/);
    assert.throws(
      () => readWorkerConfig({ ...SOUND_WORKER, WORKER_BUILD_ID: 'v1:2' }),
      /WORKER_BUILD_ID: must be 1 to 63/,
    );
    const api = {
      ...unnamed,
      ...without({ ...CALLS, ...SEALS, ...ALERTED, GATEWAY_HASH_KEY: '' }),
      ...keysFor(PURPOSES_OF.api),
    };
    assert.equal(readApiConfig(api).GATEWAY_ENVIRONMENT, 'production');
  });

  it('a sandbox takes all of it', () => {
    const marked = {
      ...SOUND,
      GATEWAY_ENVIRONMENT: 'sandbox',
      GATEWAY_SEALING_KEYS: `dev:k1:${key()}`,
      GATEWAY_HASH_KEY: `dev:${key()}`,
      PROVIDER_A_URL: 'http://a.example',
      TRUSTED_PROXIES: '',
      TRUSTED_PROXY_HEADER: '',
    };
    const { keys } = readApiConfig(marked);
    assert.equal(keys.kind === 'held' && keys.keys.currentId(), 'k1');
  });

  it('every secret of "npm start" is marked: production refuses its environment whole', () => {
    const home = mkdtempSync(join(tmpdir(), 'secrets-'));
    try {
      const secrets = ensureSecrets(join(home, 'secrets.json'), join(home, 'postgres'));
      const made = stackEnvironment(
        readSettings({}),
        { databaseUrl: `postgres://g:${secrets.postgres_password}@127.0.0.1/g`, temporalAddress: '127.0.0.1:1' },
        secrets,
        PATHS,
      );
      const refused = new Set(
        productionProblems({ ...made, GATEWAY_ENVIRONMENT: 'production' }, 'api').map(({ variable }) => variable),
      );
      const secretVariables = Object.keys(made).filter((name) =>
        /SECRET|KEYS|HASH_KEY|AUDIT_KEY|DATABASE_URL/.test(name),
      );
      assert.ok(secretVariables.length >= 9);
      assert.deepEqual(
        secretVariables.filter((name) => !refused.has(name)),
        [],
      );
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});
