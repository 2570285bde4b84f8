// The embedded PostgreSQL: starts, keeps its data over restarts and kills, leaves nothing running, half-made data is no
// data.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { identifyProcess, isStillRunning } from '../../../tools/bootstrap/process-identity.mjs';
import { findFreePort, portProblem } from '../../../tools/processes/ports.js';
import { ProcessRegistry, trySignal } from '../../../tools/processes/registry.js';
import { removePlace } from '../../../tools/servers/postgres-place.js';
import { ensureDatabase, postgresUrl, preparePostgres } from '../../../tools/servers/postgres.js';
import { createTestDatabase } from '../../../lab/harness/database.js';
import { eventually } from '../../../lab/harness/eventually.js';

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('embedded PostgreSQL', () => {
  let folder: string;
  let registry: ProcessRegistry;
  let port: number;
  const password = randomBytes(8).toString('hex');
  const prepare = (inMemory = false) =>
    preparePostgres(
      {
        environment: process.env,
        home: join(folder, 'postgres'),
        port,
        superuserPassword: password,
        logFile: join(folder, 'postgres.log'),
        settings: { fsync: 'off' },
        inMemory,
      },
      registry,
    );

  beforeEach(async () => {
    // A private folder, as `mktemp -d` makes it: root's PostgreSQL user cannot enter it.
    folder = mkdtempSync(join(tmpdir(), 'gateway-postgres-'));
    registry = new ProcessRegistry(join(folder, 'processes.json'));
    port = await findFreePort();
  });
  afterEach(() => {
    registry.close();
    removePlace(join(folder, 'postgres'));
    rmSync(folder, { recursive: true, force: true });
  });

  it('starts, keeps its data over a restart, and stops', async () => {
    const first = prepare();
    await first.service.start();
    await ensureDatabase(first.superuserUrl, 'gateway', 'secret');
    const url = postgresUrl(port, 'gateway', 'secret', 'gateway');
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.service.stop();
    assert.equal(await portProblem(port), undefined);

    const second = prepare();
    await second.service.start();
    try {
      await ensureDatabase(second.superuserUrl, 'gateway', 'secret');
      assert.deepEqual(await query(url, 'SELECT answer FROM kept'), [{ answer: 42 }]);
      await assert.rejects(
        query(postgresUrl(port, 'gateway', 'wrong', 'gateway'), 'SELECT 1'),
        /password authentication failed/,
      );
    } finally {
      await second.service.stop();
    }
  });

  it('keeps its data in memory when asked to and there is enough, finds it again, and removes it', async function () {
    const first = prepare(true);
    const { dataFolder } = first.files;
    if (!dataFolder.startsWith('/dev/shm/')) return this.skip();
    await first.service.start();
    await ensureDatabase(first.superuserUrl, 'gateway', 'secret');
    await first.service.stop();
    assert.equal(prepare().files.dataFolder, dataFolder);
    removePlace(join(folder, 'postgres'));
    assert.ok(!existsSync(dataFolder));
  });

  it('stops a server that an earlier run left behind', async () => {
    const first = prepare();
    await first.service.start();
    const { pid } = first.service;
    assert.ok(pid !== undefined);
    const left = identifyProcess(pid);
    assert.ok(left !== undefined);

    // The earlier run is gone without a trace: its service no longer watches.
    first.service.abandon();
    port = await findFreePort();
    const second = prepare();
    assert.equal(isStillRunning(left), false);
    await second.service.start();
    await second.service.stop();
  });

  it('is up again by itself after it was killed', async () => {
    const server = prepare();
    await server.service.start();
    try {
      const killed = server.service.pid;
      assert.ok(killed !== undefined);
      trySignal(killed, 'SIGKILL');
      const rows = await eventually(
        () => query(server.superuserUrl, 'SELECT 1 AS one').catch(() => undefined),
        'PostgreSQL answers again',
      );
      assert.deepEqual(rows, [{ one: 1 }]);
      assert.notEqual(server.service.pid, killed);
    } finally {
      await server.service.stop();
    }
  });

  it('does not log the values of a refused statement', async () => {
    const server = prepare();
    await server.service.start();
    try {
      await query(server.superuserUrl, 'CREATE TABLE person (document TEXT PRIMARY KEY)');
      const insert = `INSERT INTO person VALUES ('52998224725')`;
      await query(server.superuserUrl, insert);
      await assert.rejects(query(server.superuserUrl, insert), /duplicate key/);
    } finally {
      await server.service.stop();
    }
    const log = readFileSync(join(folder, 'postgres.log'), 'utf8');
    assert.match(log, /duplicate key value/);
    assert.equal(log.includes('52998224725'), false);
  });

  it('replaces the unfinished data folder of a killed run', async () => {
    const first = prepare();
    await first.service.start();
    await first.service.stop();
    const place = existsSync(join(folder, 'postgres', 'data'))
      ? join(folder, 'postgres')
      : (JSON.parse(readFileSync(join(folder, 'postgres', 'elsewhere.json'), 'utf8')) as { place: string }).place;
    rmSync(join(place, 'data'), { recursive: true });
    mkdirSync(join(place, 'data.unfinished'));
    writeFileSync(join(place, 'data.unfinished', 'PG_VERSION'), '3');
    const second = prepare();
    await second.service.start();
    await second.service.stop();
  });
});

describe('test databases', () => {
  it('are migrated, separate, and gone after drop', async () => {
    const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    try {
      assert.notEqual(one.url, two.url);
      const [migrations] = await query(
        one.url,
        'SELECT count(*)::int AS count FROM _prisma_migrations WHERE finished_at IS NOT NULL',
      );
      assert.ok(Number(migrations?.['count']) > 0);
      await query(one.url, 'CREATE TABLE only_here ()');
      await assert.rejects(query(two.url, 'SELECT * FROM only_here'), /does not exist/);
    } finally {
      await Promise.all([one.drop(), two.drop()]);
    }
    await assert.rejects(query(one.url, 'SELECT 1'), /does not exist/);
  });
});
