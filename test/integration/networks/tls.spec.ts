// Every hop over TLS: Temporal behind mutual TLS or an API key, PostgreSQL with a private authority. The real processes
// pay a deposit over both; a stranger's certificate, another authority and another name connect to nothing.
import assert from 'node:assert/strict';
import { chownSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { connect as connectHttp2, createSecureServer, type Http2SecureServer, type Http2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NativeConnection } from '@temporalio/worker';
import pg from 'pg';
import { readDatabaseConfig, readTemporalConfig } from '../../../platform/config/cli.js';
import { addressing, connectTemporal } from '../../../platform/temporal/connection.js';
import { createDatabase } from '../../../store/database.js';
import { findFreePort } from '../../../tools/processes/ports.js';
import { ProcessRegistry } from '../../../tools/processes/registry.js';
import { newDeposit, once as newKey } from '../../../lab/harness/payments.js';
import { type Stack, startStack, testServers } from '../../../lab/harness/stack.js';
import { removePlace } from '../../../tools/servers/postgres-place.js';
import { type PostgresServer, preparePostgres } from '../../../tools/servers/postgres.js';
import { startTlsFront, testAuthority, type Pair, type TestAuthority, type TlsFront } from '../../support/tls.js';

const CONNECT_MS = 3_000;
const temporalPort = () => Number(testServers().temporalAddress.split(':')[1]);

describe('TLS to Temporal and PostgreSQL', function () {
  this.timeout(120_000);
  let folder: string;
  let [authority, stranger] = [] as unknown as [TestAuthority, TestAuthority];
  let [server, client, strangers] = [] as unknown as [Pair, Pair, Pair];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-tls-'));
    [authority, stranger] = [await testAuthority(folder, 'ours'), await testAuthority(folder, 'theirs')];
    server = await authority.issue('server', 'localhost', 'temporal.internal');
    client = await authority.issue('client', 'gateway-worker');
    strangers = await stranger.issue('stranger', 'gateway-worker');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  describe('Temporal that demands a client certificate', () => {
    let front: TlsFront;
    before(async () => {
      front = await startTlsFront(temporalPort(), {
        cert: server.certificate,
        key: server.key,
        ca: authority.certificate,
        requestCert: true,
        rejectUnauthorized: true,
        ALPNProtocols: ['h2'],
      });
    });
    after(() => front.close());

    const variables = (more: Readonly<Record<string, string>> = {}) => ({
      TEMPORAL_ADDRESS: `localhost:${front.port}`,
      TEMPORAL_TLS_CA_FILE: authority.certificateFile,
      TEMPORAL_TLS_CERT_FILE: client.certificateFile,
      TEMPORAL_TLS_KEY_FILE: client.keyFile,
      ...more,
    });
    /** By the client's connection and by the worker's, which are different libraries. */
    async function reach(environment: Readonly<Record<string, string>>): Promise<void> {
      const config = readTemporalConfig(environment);
      const connection = await connectTemporal(config, CONNECT_MS);
      await connection.workflowService.getSystemInfo({});
      await connection.close();
      const native = await NativeConnection.connect(addressing(config));
      await native.workflowService.getSystemInfo({});
      await native.close();
    }
    const fails = async (environment: Readonly<Record<string, string>>) => {
      const config = readTemporalConfig(environment);
      await assert.rejects(connectTemporal(config, CONNECT_MS), /Failed to connect before the deadline/);
      await assert.rejects(NativeConnection.connect(addressing(config)), { name: 'TransportError' });
    };

    it('our certificate, the server’s authority and name → connected', async () => {
      await reach(variables());
      assert.ok(front.accepted() >= 2);
    });

    it('a name of the certificate that is not in the address → connected when it is given, else refused', async () => {
      const byAddress = { TEMPORAL_ADDRESS: `127.0.0.1:${front.port}` };
      await reach(variables({ ...byAddress, TEMPORAL_TLS_SERVER_NAME: 'temporal.internal' }));
      await fails(variables(byAddress));
    });

    for (const [title, changed] of [
      ['no certificate', () => ({ TEMPORAL_TLS_CERT_FILE: '', TEMPORAL_TLS_KEY_FILE: '' })],
      [
        'another authority’s certificate',
        () => ({ TEMPORAL_TLS_CERT_FILE: strangers.certificateFile, TEMPORAL_TLS_KEY_FILE: strangers.keyFile }),
      ],
      ['a server of another authority', () => ({ TEMPORAL_TLS_CA_FILE: stranger.certificateFile })],
    ] as const) {
      it(`${title} → refused`, () => fails(variables(changed())));
    }

    it('half of a pair, or TLS off with a certificate → the variable is named', () => {
      assert.throws(
        () => readTemporalConfig(variables({ TEMPORAL_TLS_KEY_FILE: '' })),
        /TEMPORAL_TLS_CERT_FILE: goes with TEMPORAL_TLS_KEY_FILE/,
      );
      assert.throws(() => readTemporalConfig(variables({ TEMPORAL_TLS: 'false' })), /TEMPORAL_TLS: must not be false/);
      assert.throws(
        () => readTemporalConfig(variables({ TEMPORAL_TLS_CA_FILE: join(folder, 'none') })),
        /TEMPORAL_TLS_CA_FILE: must name a readable PEM file/,
      );
    });

    it('api, worker and command over it, with PostgreSQL over TLS: a deposit is paid', async () => {
      const postgres = await startPostgres();
      let stack: Stack | undefined;
      try {
        const { TEMPORAL_ADDRESS, ...tls } = variables();
        stack = await startStack({
          servers: {
            postgresUrl: postgres.superuserUrl.replace('127.0.0.1', 'localhost'),
            temporalAddress: testServers().temporalAddress,
            folder,
            isDirect: true,
          },
          variables: { ...tls, TEMPORAL_ADDRESS, DATABASE_TLS_CA_FILE: authority.certificateFile },
        });
        const { id } = (await stack.client.createDeposit(newDeposit(), newKey())).body;
        await stack.client.sandbox.payDeposit(id, newKey());
        await stack.receiver.waitFor(id, 'deposit.paid');
        assert.equal((await stack.gateway('ledger', 'verify'))['ok'], true);
        assert.deepEqual(await connectionsOf(stack), { all: true, some: true });
      } finally {
        await stack?.close();
        await postgres.service.stop();
        postgres.end();
      }
    });
  });

  describe('Temporal that demands an API key', () => {
    const KEY = 'an-api-key-of-a-namespace';
    let front: Http2SecureServer;
    let upstream: Http2Session;
    before(async () => {
      const target = connectHttp2(`http://127.0.0.1:${temporalPort()}`);
      upstream = target;
      front = createSecureServer({ cert: server.certificate, key: server.key });
      front.on('stream', (stream, headers) => {
        stream.on('error', () => undefined);
        if (headers.authorization !== `Bearer ${KEY}`)
          return stream.respond(
            { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '16' },
            { endStream: true },
          );
        const { ':authority': _, ...rest } = headers;
        const onward = target.request(rest);
        stream.pipe(onward);
        onward.on('response', (answer) => stream.respond(answer, { waitForTrailers: true }));
        onward.on('trailers', (trailers) => stream.on('wantTrailers', () => stream.sendTrailers(trailers)));
        onward.pipe(stream);
      });
      front.listen(0, '127.0.0.1');
      await once(front, 'listening');
    });
    after(() => {
      upstream.destroy();
      front.close();
    });

    const variables = (more: Readonly<Record<string, string>>) => ({
      TEMPORAL_ADDRESS: `localhost:${(front.address() as AddressInfo).port}`,
      TEMPORAL_TLS_CA_FILE: authority.certificateFile,
      ...more,
    });
    const ask = async (environment: Readonly<Record<string, string>>) => {
      const connection = await connectTemporal(readTemporalConfig(environment), CONNECT_MS);
      try {
        return await connection.workflowService.describeNamespace({ namespace: 'default' });
      } finally {
        await connection.close();
      }
    };

    it('the key → answered, by the client and the worker; another key → refused', async () => {
      const given = variables({ TEMPORAL_API_KEY: KEY });
      assert.equal((await ask(given)).namespaceInfo?.name, 'default');
      const native = await NativeConnection.connect(addressing(readTemporalConfig(given)));
      await native.workflowService.getSystemInfo({});
      await native.close();
      await assert.rejects(ask(variables({ TEMPORAL_API_KEY: 'another' })), isUnauthenticated);
      await assert.rejects(ask(variables({})), isUnauthenticated);
    });

    it('a key is never sent without TLS', () => {
      const { tls } = readTemporalConfig({ TEMPORAL_ADDRESS: 'ns.acct.tmprl.cloud:7233', TEMPORAL_API_KEY: KEY });
      assert.deepEqual(tls, {});
    });
  });

  describe('PostgreSQL with TLS', () => {
    let postgres: Awaited<ReturnType<typeof startPostgres>>;
    before(async () => {
      postgres = await startPostgres();
    });
    after(async () => {
      await postgres.service.stop();
      postgres.end();
    });

    const url = (host: string) => postgres.superuserUrl.replace('127.0.0.1', host);
    async function isTls(environment: Readonly<Record<string, string>>): Promise<unknown> {
      const { DATABASE_URL } = readDatabaseConfig(environment);
      const database = createDatabase({
        url: DATABASE_URL,
        poolSize: 1,
        connectTimeoutMs: CONNECT_MS,
        statementTimeoutMs: CONNECT_MS,
      });
      try {
        return await database.$queryRaw`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`;
      } finally {
        await database.$disconnect();
      }
    }

    it('its authority and name → connected over TLS', async () => {
      const given = { DATABASE_URL: url('localhost'), DATABASE_TLS_CA_FILE: authority.certificateFile };
      assert.deepEqual(await isTls(given), [{ ssl: true }]);
      assert.deepEqual(await isTls({ DATABASE_URL: url('localhost') }), [{ ssl: false }]);
    });

    it('another authority → refused', () =>
      assert.rejects(isTls({ DATABASE_URL: url('localhost'), DATABASE_TLS_CA_FILE: stranger.certificateFile }), {
        message: /unable to verify the first certificate/,
      }));

    it('another name → refused', async () => {
      const other = await authority.issue('other-name', 'elsewhere.internal');
      const named = await startPostgres(other);
      try {
        const given = {
          DATABASE_URL: named.superuserUrl.replace('127.0.0.1', 'localhost'),
          DATABASE_TLS_CA_FILE: authority.certificateFile,
        };
        await assert.rejects(isTls(given), { message: /does not match certificate's altnames/ });
      } finally {
        await named.service.stop();
        named.end();
      }
    });

    it('an address instead of a name, two settings at once, an unreadable file → the variable is named', () => {
      const file = authority.certificateFile;
      for (const [DATABASE_URL, DATABASE_TLS_CA_FILE, named] of [
        [url('127.0.0.1'), file, /DATABASE_URL: must name the host of a TLS connection, not its address/],
        [`${url('localhost')}?sslmode=require`, file, /DATABASE_URL: must have no ssl… parameter/],
        [url('localhost'), `${file}.none`, /DATABASE_TLS_CA_FILE: must name a readable PEM file/],
      ] as const)
        assert.throws(() => readDatabaseConfig({ DATABASE_URL, DATABASE_TLS_CA_FILE }), named);
    });
  });

  /** A PostgreSQL of its own that has a certificate; it takes plain connections too. */
  async function startPostgres(certificate: Pair = server): Promise<PostgresServer & { end(): void }> {
    const home = mkdtempSync(join(folder, 'postgres-'));
    const registry = new ProcessRegistry(join(home, 'processes.json'));
    const prepared = preparePostgres(
      {
        environment: process.env,
        home: join(home, 'postgres'),
        port: await findFreePort(),
        superuserPassword: 'of-the-test',
        logFile: join(home, 'postgres.log'),
        settings: { fsync: 'off', ssl: 'on', ssl_cert_file: 'server.crt', ssl_key_file: 'server.key' },
      },
      registry,
    );
    const { dataFolder, user } = prepared.files;
    for (const [file, name] of [
      [certificate.certificateFile, 'server.crt'],
      [certificate.keyFile, 'server.key'],
    ] as const) {
      copyFileSync(file, join(dataFolder, name));
      if (user) chownSync(join(dataFolder, name), user.uid, user.gid);
    }
    await prepared.service.start();
    return {
      ...prepared,
      end: () => {
        registry.close();
        removePlace(join(home, 'postgres'));
      },
    };
  }
});

/** Whether every connection to the stack's database uses TLS, and whether there is one at all. */
async function connectionsOf({ databaseUrl }: Stack): Promise<unknown> {
  const watcher = new pg.Client({ connectionString: databaseUrl });
  await watcher.connect();
  try {
    const { rows } = await watcher.query(
      `SELECT bool_and(ssl) AS all, count(*) > 2 AS some FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    return rows[0];
  } finally {
    await watcher.end();
  }
}

const UNAUTHENTICATED = 16;

/** The server's code, by whichever class the client reports it. */
function isUnauthenticated(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ((cause as { code?: unknown }).code === UNAUTHENTICATED) return true;
  return /request unauthenticated|unauthorized|UNAUTHENTICATED/i.test(String(error));
}
