// What statements that go by the driver read: nothing of a value may be lost on the way.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../platform/config/project-root.js';
import { Prisma } from '../../../prisma/generated/client.js';
import { createDatabase, type Database } from '../../../store/database.js';
import { isDatabaseUnavailable } from '../../../store/errors.js';
import { parseSql, rfc3339, rowOf, rowsOf, sqlFile } from '../../../store/statements.js';
import { createTestDatabase, type TestDatabase } from '../../../lab/harness/database.js';

describe('statements by the driver', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  before(async () => {
    testDatabase = await createTestDatabase();
    // One connection: what it has prepared can be asked of it.
    database = createDatabase({
      url: testDatabase.url,
      poolSize: 1,
      connectTimeoutMs: 10_000,
      statementTimeoutMs: 10_000,
    });
  });
  after(async () => {
    await database.$disconnect();
    await testDatabase.drop();
  });

  it('amounts are bigint and sequences text, with every digit', async () => {
    const amount = BigInt('9'.repeat(38));
    assert.deepEqual(
      await rowOf(
        database,
        Prisma.sql`SELECT ${amount}::numeric(38,0) AS amount, 0::numeric(38,0) AS nothing, 9223372036854775807::bigint
          AS sequence, NULL::numeric AS missing`,
      ),
      {
        amount,
        nothing: 0n,
        sequence: '9223372036854775807',
        missing: null,
      },
    );
  });

  for (const [written, expected] of [
    ['2026-11-21 09:30:00+00', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21 09:30:00.5+00', '2026-11-21T09:30:00.500Z'],
    ['2026-11-21 09:30:00.25+00', '2026-11-21T09:30:00.250Z'],
    ['2026-11-21 06:30:00.123-03', '2026-11-21T09:30:00.123Z'],
    ['2026-12-31 23:59:59.9996+00', '2027-01-01T00:00:00.000Z'],
  ] as const) {
    it(`a time is RFC 3339 in UTC: ${written} → ${expected}`, async () => {
      const row = await rowOf<{ at: string }>(database, Prisma.sql`SELECT ${written}::timestamptz(3) AS at`);
      assert.equal(row?.at, expected);
      assert.equal(new Date(expected).toISOString(), expected);
    });
  }

  it('a time that no session in UTC writes is refused, not shifted', () => {
    for (const text of ['2026-11-21 06:30:00-03', 'infinity', '2026-11-21 09:30:00.123456+00'])
      assert.throws(() => rfc3339(text), RangeError, text);
  });

  it('bytes, lists, documents and truth come as they are', async () => {
    const bytes = Buffer.from([0, 1, 92, 255]);
    const row = await rowOf(
      database,
      Prisma.sql`SELECT ${bytes}::bytea AS bytes, ${['a,b', 'c"d', 'NULL']}::text[] AS list,
        ${JSON.stringify([{ n: 1 }])}::jsonb AS document, ${true}::boolean AS truth`,
    );
    assert.deepEqual(row, { bytes, list: ['a,b', 'c"d', 'NULL'], document: [{ n: 1 }], truth: true });
  });

  describe('what is a database that is away, and what a fault', () => {
    const NOWHERE = 'postgres://nobody@127.0.0.1:1/none';
    const verdict = async (other: Database, statement: Prisma.Sql) =>
      isDatabaseUnavailable(
        await rowsOf(other, statement).then(
          () => assert.fail('answered'),
          (error: unknown) => error,
        ),
      );
    const opened: Database[] = [];
    const open = (url: string, { connectTimeoutMs = 10_000, statementTimeoutMs = 10_000 } = {}) => {
      const other = createDatabase({ url, poolSize: 1, connectTimeoutMs, statementTimeoutMs });
      opened.push(other);
      return other;
    };
    after(() => Promise.all(opened.map((other) => other.$disconnect())));

    it('nobody listens there → away', async () =>
      assert.equal(await verdict(open(NOWHERE), Prisma.sql`SELECT 1`), true));
    it('the connection is ended under the statement → away, and the next one is answered', async () => {
      const other = open(testDatabase.url);
      assert.equal(await verdict(other, Prisma.sql`SELECT pg_terminate_backend(pg_backend_pid())`), true);
      assert.deepEqual(await rowsOf(other, Prisma.sql`SELECT 1 AS one`), [{ one: 1 }]);
    });
    it('the statement takes too long → away', async () =>
      assert.equal(
        await verdict(open(testDatabase.url, { statementTimeoutMs: 50 }), Prisma.sql`SELECT pg_sleep(30)::text`),
        true,
      ));
    it('no connection is free in time → away', async () => {
      // The time is long enough to connect in, on a busy machine; a lock keeps the one connection for longer than that.
      const other = open(testDatabase.url, { connectTimeoutMs: 3_000 });
      await rowsOf(database, Prisma.sql`SELECT pg_advisory_lock(1)::text`);
      const busy = rowsOf(other, Prisma.sql`SELECT pg_advisory_lock(1)::text`);
      assert.equal(await verdict(other, Prisma.sql`SELECT 1`), true);
      await rowsOf(database, Prisma.sql`SELECT pg_advisory_unlock(1)`);
      await busy;
    });
    it('a statement that Postgres does not understand → a fault', async () =>
      assert.equal(await verdict(open(testDatabase.url), Prisma.sql`SELECT nonsense`), false));
  });

  it('a statement is prepared once for all its values, unless it is to be planned for them', async () => {
    const prepared = async (mark: string) =>
      (await rowsOf<{ statement: string }>(database, Prisma.sql`SELECT statement FROM pg_prepared_statements`)).filter(
        ({ statement }) => statement.includes(`'${mark}'`),
      ).length;
    for (const value of [1, 2]) await rowsOf(database, Prisma.sql`SELECT 'kept', ${value}::int`);
    for (const value of [1, 2])
      await rowsOf(database, Prisma.sql`SELECT 'planned anew', ${value}::int`, 'for_its_values');
    assert.deepEqual([await prepared('kept'), await prepared('planned anew')], [1, 0]);
  });

  it('each statement of a file is one that PostgreSQL can plan', async () => {
    const folder = join(projectRoot(), 'store');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.sql'));
    assert.ok(files.length > 20, `${files.length} files`);
    for (const [index, file] of files.entries()) {
      const { text } = parseSql(readFileSync(join(folder, file), 'utf8'));
      await assert.doesNotReject(rowsOf(database, { text: `PREPARE file_${index} AS ${text}`, values: [] }), file);
    }
  });

  it('parameters are numbered by name; casts, formats and comments are none', () => {
    assert.deepEqual(parseSql('-- :none\nSELECT :b::text, to_char(:a, \'HH24:MI\'), \'{"kind": "wait"}\', :b\n'), {
      text: 'SELECT $1::text, to_char($2, \'HH24:MI\'), \'{"kind": "wait"}\', $1',
      names: ['b', 'a'],
    });
  });

  it('a statement of a file takes its parameters, no less and no more', () => {
    const permit = sqlFile('payments/withdrawal/unsend.sql');
    assert.deepEqual(permit({ attempt: 'second', id: 'first' }).values, ['first', 'second']);
    assert.throws(() => permit({ id: 'first' }), TypeError);
    assert.throws(() => permit({ id: 'first', attempt: 'second', at: 'third' }), TypeError);
  });
});
