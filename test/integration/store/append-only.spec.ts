// The books are never emptied: whatever refuses changes of its rows refuses TRUNCATE too. About 1 s.
import assert from 'node:assert/strict';
import { createDatabase, type Database } from '../../../store/database.js';
import { createTestDatabase, type TestDatabase } from '../../../lab/harness/database.js';

const APPEND_ONLY_TABLES = [
  'audit_entry',
  'audit_seal',
  'bank_movement',
  'case_note',
  'cash_movement',
  'decision',
  'event',
  'item_return',
  'ledger_entry',
  'reconciliation_day',
  'reconciliation_item',
  'return_conclusion',
  'statement_day',
  'statement_line',
  'statement_removal',
  'statement_resolution',
  'suspense_entry',
];

describe('append-only tables', function () {
  this.timeout(60_000);
  let test: TestDatabase;
  let database: Database;
  before(async () => {
    test = await createTestDatabase();
    database = createDatabase({ url: test.url, poolSize: 2, connectTimeoutMs: 10_000, statementTimeoutMs: 10_000 });
  });
  after(async () => {
    await database.$disconnect();
    await test.drop();
  });

  it('are these: every table that refuses to change or remove a row', async () => {
    const rows = await database.$queryRaw<{ name: string }[]>`
      SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger
      WHERE tgname ~ '_(append_only|no_delete)$' ORDER BY 1`;
    assert.deepEqual(
      rows.map(({ name }) => name),
      APPEND_ONLY_TABLES,
    );
  });

  for (const table of APPEND_ONLY_TABLES)
    it(`${table} cannot be truncated`, () =>
      assert.rejects(() => database.$executeRawUnsafe(`TRUNCATE "${table}" CASCADE`), /append-only/));
});
