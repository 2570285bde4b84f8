// What has ended stays ended, whichever role writes: every column with the time of an end that a role may write, from
// the catalogues of the database and the grants. About 2 s.
import assert from 'node:assert/strict';
import pg from 'pg';
import { rightsOn, TABLE_GRANTS } from '../../../prisma/grants.js';
import { type Role, ROLE_NAMES } from '../../../prisma/roles.js';
import { createTestDatabase, type TestDatabase } from '../../../lab/harness/database.js';

/** Times that roles may write and that are no ends, and why. */
const GOES_ON: Readonly<Record<string, string>> = {
  'operation.automatic_stopped_at': 'automatic decisions stop and, by two people, go on',
  'operation.clock_held_until': 'one advance of a sandbox’s clock after another has it',
  'operation_counter.changed_at': 'the latest change',
  'deposit.instructions_expires_at': 'a step stores the whole state of the payment, guarded by its version',
  'deposit.paid_at': 'the same',
  'withdrawal.decided_at': 'the same',
  'withdrawal.paid_at': 'the same',
  'payout_send.claimed_at': 'an attempt that proved that nothing left passes the permission on',
  'payout_send.traceless_since': 'the latest series of look-ups',
  'payout_send.traceless_last_at': 'the same',
  'provider_callback.passed_on_at': 'the latest time',
  'account_sweep.through': 'how far a list was read',
  'account_sweep.swept_at': 'the latest time',
  'account_sweep.reading_from': 'the span that is being read',
  'account_sweep.reading_to': 'the same',
  'case_work.snoozed_until': 'people let a case wait and take it back',
  'dispute.due_at': 'what the provider says',
  'self_check.succeeded_at': 'the latest time',
  'staff_passkey.last_used_at': 'the latest time',
};

/** It has a time of its own in advance, so only a later one is refused. */
const EXPIRES = ['webhook_secret.expires_at'];

const ENDED: { readonly code: string } = { code: '23001' };

describe('what has ended', function () {
  this.timeout(60_000);
  let test: TestDatabase;
  let owner: pg.Client;
  /** Nullable times, by their tables. */
  const times = new Map<string, string[]>();

  before(async () => {
    test = await createTestDatabase();
    owner = new pg.Client({ connectionString: test.url });
    await owner.connect();
    const { rows } = await owner.query<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = 'public' AND udt_name = 'timestamptz' AND is_nullable = 'YES' ORDER BY 1, ordinal_position`,
    );
    // Without foreign keys and checks, and inserted without triggers, any row will do.
    await owner.query(`DO $$
      DECLARE one record;
      BEGIN
        FOR one IN SELECT conrelid::regclass AS of, conname FROM pg_constraint
          WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f')
        LOOP
          EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.of, one.conname);
        END LOOP;
      END $$`);
    for (const { table, column } of rows) times.set(table, [...(times.get(table) ?? []), column]);
  });
  after(async () => {
    await owner?.end();
    await test?.drop();
  });

  /** The roles that may write the column. */
  const writersOf = (table: string, column: string): Role[] =>
    ROLE_NAMES.filter((role) => rightsOn(table, [column], role, 'sandbox').update.includes(column));
  const written = () =>
    [...times].flatMap(([table, columns]) =>
      table in TABLE_GRANTS
        ? columns.filter((column) => writersOf(table, column).length > 0).map((column) => `${table}.${column}`)
        : [],
    );

  /** Does it in a transaction that has one row of the table, with these values, and is undone. */
  async function withRow(table: string, values: Readonly<Record<string, string | null>>, work: () => Promise<void>) {
    await owner.query('BEGIN');
    try {
      await owner.query('SET LOCAL session_replication_role = replica');
      const { rows: needed } = await owner.query<{ column: string; value: string }>(
        `SELECT attname::text AS column, CASE
             WHEN typname IN ('jsonb', 'json') OR typcategory = 'A' THEN '{}'
             WHEN typcategory IN ('N', 'B') THEN '0' WHEN typcategory = 'D' THEN '2026-01-01' ELSE '' END AS value
         FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
         WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attnotnull AND NOT atthasdef`,
        [table],
      );
      const row = { ...Object.fromEntries(needed.map(({ column, value }) => [column, value])), ...values };
      const names = Object.keys(row).map((name) => pg.escapeIdentifier(name));
      await owner.query(
        `INSERT INTO "${table}" (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
        Object.values(row),
      );
      await owner.query('SET LOCAL session_replication_role = origin');
      await work();
    } finally {
      await owner.query('ROLLBACK');
    }
  }

  /** The statement as the role; its error, which is undone, if it has one. */
  async function as(role: Role, sql: string): Promise<{ code?: string } | null> {
    await owner.query('SAVEPOINT before');
    try {
      await owner.query(`SET LOCAL ROLE ${role}`);
      await owner.query(sql);
      return null;
    } catch (error) {
      await owner.query('ROLLBACK TO before');
      return error as { code?: string };
    } finally {
      await owner.query('RESET ROLE');
    }
  }

  it('is every time that a role may write, but those that go on', async () => {
    const [open, names] = [[] as string[], written()];
    for (const name of names) {
      const [table = '', column = ''] = name.split('.');
      const [writer] = writersOf(table, column) as [Role];
      await withRow(table, { [column]: '2026-01-01' }, async () => {
        if ((await as(writer, `UPDATE "${table}" SET "${column}" = NULL`))?.code !== ENDED.code) open.push(name);
      });
    }
    assert.ok(names.length > 30);
    assert.deepEqual(open.sort(), Object.keys(GOES_ON).sort());
  });

  describe('attack 54: begin again what has ended', () => {
    it('no role that may write an end sets it back to NULL, or to another time', async () => {
      for (const name of written().filter((one) => !(one in GOES_ON))) {
        const [table = '', column = ''] = name.split('.');
        await withRow(table, { [column]: '2026-01-01' }, async () => {
          for (const role of writersOf(table, column))
            for (const value of ['NULL', `'2999-01-01'`, ...(EXPIRES.includes(name) ? [] : [`'2025-01-01'`])]) {
              const error = await as(role, `UPDATE "${table}" SET "${column}" = ${value}`);
              assert.equal(error?.code, ENDED.code, `${role}: ${name} = ${value}`);
            }
        });
      }
    });

    it('an end is not put off: in the future it is now, so that nobody has to wait for it', async () => {
      const names = written().filter((one) => !(one in GOES_ON) && !EXPIRES.includes(one));
      for (const name of names.filter((one) => one !== 'staff_act.consumed_at')) {
        const [table = '', column = ''] = name.split('.');
        const [writer] = writersOf(table, column) as [Role];
        await withRow(table, {}, async () => {
          assert.equal(await as(writer, `UPDATE "${table}" SET "${column}" = '2999-01-01'`), null, name);
          const { rows } = await owner.query(`SELECT "${column}" <= clock_timestamp() AS has_ended FROM "${table}"`);
          assert.deepEqual(rows, [{ has_ended: true }], name);
        });
      }
    });

    const DECIDED: readonly (readonly [what: string, table: string, before: string, after: string, ends: boolean])[] = [
      ['a rejected request becomes approved', 'approval_request', 'rejected', 'approved', true],
      ['a used approval is used again', 'approval_request', 'used', 'approved', true],
      ['an approved request waits again', 'approval_request', 'approved', 'pending', true],
      ['a rejected change of rules becomes approved', 'rule_change_request', 'rejected', 'approved', true],
      ['an approval is used up', 'approval_request', 'approved', 'used', false],
      ['a request is decided', 'approval_request', 'pending', 'approved', false],
    ];
    for (const [what, table, before, after, isRefused] of DECIDED)
      it(`${what}: ${isRefused ? 'refused' : 'as ever'}`, async () => {
        await withRow(table, { status: before }, async () => {
          for (const role of writersOf(table, 'status')) {
            const error = await as(role, `UPDATE ${table} SET status = '${after}'`);
            assert.equal(error?.code, isRefused ? ENDED.code : undefined, role);
            if (!isRefused) break;
          }
        });
      });

    it('another person is named for it, or a used code is removed: refused', async () => {
      const cases = [
        ['gateway_panel', 'alert', 'resolved_by', 'resolved_at'],
        ['gateway_command', 'approval_request', 'decided_by', 'decided_at'],
        ['gateway_panel', 'staff_passkey', 'removed_by', 'removed_at'],
      ] as const;
      for (const [role, table, who, when] of cases)
        await withRow(table, { [who]: 'ana', [when]: '2026-01-01' }, async () => {
          assert.equal((await as(role, `UPDATE ${table} SET ${who} = 'eva'`))?.code, ENDED.code, table);
        });
      await withRow('staff_sign_in_link', { used_at: '2026-01-01' }, async () => {
        assert.equal((await as('gateway_command', 'DELETE FROM staff_sign_in_link'))?.code, ENDED.code);
      });
      await withRow('staff_sign_in_link', {}, async () => {
        assert.equal(await as('gateway_command', 'DELETE FROM staff_sign_in_link'), null);
      });
    });
  });

  it('begins again by a function of the owner alone: a person; in production two people decide it', async () => {
    const enable = () => as('gateway_command', `SELECT enable_person('ana')`);
    const ana = { handle: 'ana', disabled_at: '2026-01-02' };
    await withRow('staff', ana, async () => {
      assert.equal(await enable(), null);
      const { rows } = await owner.query<{ disabled_at: Date | null }>('SELECT disabled_at FROM staff');
      assert.deepEqual(rows, [{ disabled_at: null }]);
    });
    await withRow('staff', ana, async () => {
      await owner.query(`UPDATE staff_policy SET environment = 'production'`);
      assert.equal((await enable())?.code, ENDED.code);
    });
    await withRow('staff', ana, async () =>
      assert.equal((await as('gateway_panel', `SELECT enable_person('ana')`))?.code, '42501'),
    );
  });
});
