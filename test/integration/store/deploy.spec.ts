// Deployments of the database: migrations once, functions whenever their text changed, all or nothing.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { deployDatabase } from '../../../prisma/deploy.js';
import { projectRoot } from '../../../platform/config/project-root.js';
import { createTestDatabase, type TestDatabase } from '../../../lab/harness/database.js';

const NOTHING = { migrations: [], functions: [], missingRoles: [], openToRoles: [] };

describe('deploying the database', () => {
  let [folder, database] = ['', undefined as unknown as TestDatabase];
  let client: pg.Client;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-deploy-'));
    for (const part of ['migrations', 'functions'])
      cpSync(join(projectRoot(), 'prisma', part), join(folder, part), { recursive: true });
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  const deploy = () => deployDatabase(database.url, { folder });
  const writeFunction = (name: string, sql: string) => writeFileSync(join(folder, 'functions', `${name}.sql`), sql);
  const writeAnswer = (name: string, answer: number) =>
    writeFunction(name, `CREATE OR REPLACE FUNCTION ${name}() RETURNS integer LANGUAGE sql AS 'SELECT ${answer}'`);
  const ask = async (name: string) =>
    (await client.query<{ answer: number }>(`SELECT ${name}() AS answer`)).rows[0]?.answer;

  it('an empty database gets every migration and every function, one that is up to date nothing', async () => {
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const { migrations, functions } = await deploy();
    assert.equal(migrations[0], '20261122010100_operations');
    assert.ok(functions.includes('authenticate_request') && functions.includes('refuse_change'));
    assert.deepEqual(await deploy(), NOTHING);
  });

  it('a function is applied whenever its text changed, and no other', async () => {
    writeAnswer('one', 1);
    assert.deepEqual(await deploy(), { migrations: [], functions: ['one'], missingRoles: [], openToRoles: [] });
    writeAnswer('one', 11);
    assert.deepEqual(
      [await deploy(), await ask('one')],
      [{ migrations: [], functions: ['one'], missingRoles: [], openToRoles: [] }, 11],
    );
    writeAnswer('one', 1);
    assert.deepEqual(
      [await deploy(), await ask('one')],
      [{ migrations: [], functions: ['one'], missingRoles: [], openToRoles: [] }, 1],
      'back again',
    );
  });

  it('of functions that change together, all do or none', async () => {
    writeAnswer('first', 1);
    await deploy();
    writeAnswer('first', 2);
    writeFunction('second', 'CREATE OR REPLACE FUNCTION second() RETURNS integer LANGUAGE sql AS $$SELECT nothing$$');
    await assert.rejects(deploy(), { name: 'MigrationError', message: /^function second failed: .*"nothing"/ });
    assert.equal(await ask('first'), 1);
    writeAnswer('second', 2);
    assert.deepEqual(await deploy(), {
      migrations: [],
      functions: ['first', 'second'],
      missingRoles: [],
      openToRoles: [],
    });
  });

  it('a function may use what a migration of the same release adds', async () => {
    const migration = join(folder, 'migrations', '29990101000000_later');
    cpSync(join(folder, 'migrations', '20261122010100_operations'), migration, { recursive: true });
    writeFileSync(
      join(migration, 'migration.sql'),
      'CREATE TABLE later (answer integer); INSERT INTO later VALUES (42)',
    );
    writeFunction('later', "CREATE FUNCTION later() RETURNS integer LANGUAGE sql AS 'SELECT answer FROM later'");
    assert.deepEqual(await deploy(), {
      migrations: ['29990101000000_later'],
      functions: ['later'],
      missingRoles: [],
      openToRoles: [],
    });
    assert.equal(await ask('later'), 42);
  });

  it('a function whose file was gone for a release is applied again', async () => {
    writeAnswer('passing', 1);
    await deploy();
    rmSync(join(folder, 'functions', 'passing.sql'));
    assert.deepEqual(await deploy(), NOTHING);
    await client.query('DROP FUNCTION passing()');
    writeAnswer('passing', 1);
    assert.deepEqual(await deploy(), { migrations: [], functions: ['passing'], missingRoles: [], openToRoles: [] });
  });

  it('of several processes at once one applies', async () => {
    writeAnswer('one', 1);
    const deployed = await Promise.all(Array.from({ length: 5 }, deploy));
    assert.deepEqual(deployed.map(({ functions }) => functions.length).sort(), [0, 0, 0, 0, 1]);
  });

  it('an applied migration that was edited is refused, and no function is applied', async () => {
    writeFileSync(join(folder, 'migrations', '20261122010200_rules', 'migration.sql'), '-- nothing');
    writeAnswer('one', 1);
    await assert.rejects(deploy(), /^MigrationError: migration 20261122010200_rules was edited after/);
    await assert.rejects(ask('one'), /does not exist/);
  });
});
