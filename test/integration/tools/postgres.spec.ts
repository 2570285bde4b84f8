// The embedded PostgreSQL: starts, keeps its data over restarts and kills, leaves nothing running, half-made data is no
// data.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { identifyProcess, isStillRunning } from '../../../tools/bootstrap/process-identity.mjs';
import { eventually } from '../../../lab/harness/eventually.js';
import { findFreePort, portProblem } from '../../../tools/processes/ports.js';
import { ProcessRegistry, trySignal } from '../../../tools/processes/registry.js';
import { removePlace } from '../../../tools/servers/postgres-place.js';
import { ensureDatabase, postgresUrl, preparePostgres } from '../../../tools/servers/postgres.js';

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

  it('starts, keeps its data over a restart and a kill, stops, and replaces what a killed run left unfinished', async () => {
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
      const killed = second.service.pid;
      assert.ok(killed !== undefined);
      trySignal(killed, 'SIGKILL');
      const kept = () => query(url, 'SELECT answer FROM kept').catch(() => undefined);
      assert.deepEqual(await eventually(kept, 'PostgreSQL answers again'), [{ answer: 42 }]);
      assert.notEqual(second.service.pid, killed);
      await assert.rejects(
        query(postgresUrl(port, 'gateway', 'wrong', 'gateway'), 'SELECT 1'),
        /password authentication failed/,
      );
    } finally {
      await second.service.stop();
    }
    const { dataFolder } = second.files;
    rmSync(dataFolder, { recursive: true });
    mkdirSync(`${dataFolder}.unfinished`);
    writeFileSync(join(`${dataFolder}.unfinished`, 'PG_VERSION'), '3');
    const third = prepare();
    await third.service.start();
    await third.service.stop();
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
});
