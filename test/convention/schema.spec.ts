// The tables' two descriptions agree: prisma/migrations give exactly prisma/schema.prisma.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { checkSchema, readSchema, schemaAsSql } from '../../tools/schema-engine.js';
import { createTestDatabase } from '../../tools/harness/database.js';
import type { TestDatabase } from '../../tools/harness/database.js';

/** Compiled or as source, as this test itself runs. */
const PROGRAM = import.meta.url.endsWith('.js')
  ? [join(import.meta.dirname, '..', '..', 'tools', 'schema.js')]
  : ['--import', 'tsx', join(import.meta.dirname, '..', '..', 'tools', 'schema.ts')];

describe('the schema', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  it('is exactly what the migrations give', async () => {
    const { matches, missingSql } = await checkSchema(database.url);
    assert.ok(
      matches,
      `prisma/schema.prisma has what the migrations do not give; add a migration with:\n${missingSql}`,
    );
  });

  it('is found to differ when it has a table that no migration makes', async () => {
    const extended = `${readSchema()}\nmodel NotMigrated {\n  id String @id\n}\n`;
    const { matches, missingSql } = await checkSchema(database.url, extended);
    assert.equal(matches, false);
    assert.match(missingSql, /CREATE TABLE "NotMigrated"/);
  });

  it('is not checked by a role that may not create databases, which is one line', async () => {
    const [role, password] = [`checker_${randomUUID().slice(0, 8)}`, randomUUID()];
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
      const url = Object.assign(new URL(database.url), { username: role, password });
      const { status, stdout, stderr } = spawnSync(process.execPath, [...PROGRAM, 'check'], {
        env: { PATH: process.env['PATH'], DATABASE_URL: url.href },
        encoding: 'utf8',
        timeout: 30_000,
      });
      assert.deepEqual([status, stdout], [1, '']);
      assert.match(stderr, /^schema: the role in DATABASE_URL needs the right to create databases[^\n]*\n$/);
    } finally {
      await client.query(`DROP ROLE IF EXISTS ${role}`);
      await client.end();
    }
  });

  it('can be written as SQL', async () => {
    assert.match(await schemaAsSql(database.url), /CREATE TABLE "operation"/);
  });
});
