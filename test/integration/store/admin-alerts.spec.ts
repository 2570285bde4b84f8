// What alerts every admin: the database raises the alert for every writer of the row, and the rule of Prometheus pages
// for it.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Role } from '../../../prisma/roles.js';
import { exposition } from '../../../platform/telemetry/instruments.js';
import { createDatabase } from '../../../store/database.js';
import { ensureClaimedPerson } from '../../../store/staff/people.js';
import { readAlertRules } from '../../../tools/docs/alert-rules.js';
import { storedGauges } from '../../../worker/gauges.js';
import { openStore, type StoreFixture } from './fixtures.js';

describe('store: what alerts every admin', function () {
  this.timeout(60_000);
  let fixture: StoreFixture;
  before(async () => {
    fixture = await openStore();
    await ensureClaimedPerson(fixture.database, 'ana');
  });
  after(() => fixture.close());

  const as = async (role: Role | 'owner', sql: string, ...values: unknown[]) => {
    const { url, urlOfRole } = fixture.testDatabase;
    const client = new pg.Client({ connectionString: role === 'owner' ? url : urlOfRole(role) });
    await client.connect();
    try {
      await client.query(sql, values);
    } finally {
      await client.end();
    }
  };
  const passkey = (role: Role, id: string) =>
    as(
      role,
      `INSERT INTO staff_passkey (id, staff_handle, name, public_key, counter, transports, is_synced)
       VALUES ($1, 'ana', 'laptop', '\\x00', 0, '{}', false)`,
      id,
    );
  const breakGlass = (role: Role, id: string) =>
    as(
      role,
      `INSERT INTO staff_session (id, token_hash, staff_handle, means, ticket)
       VALUES ($1, $2, 'ana', 'break_glass', 'INC-1')`,
      id,
      randomBytes(32),
    );
  const openAlerts = (kind: string) =>
    fixture.database.alert.findMany({
      where: { kind, resolvedAt: null },
      select: { objectId: true, detail: true, operationId: true },
    });
  /** What a payments worker exports now. */
  const exported = async () => {
    const url = fixture.testDatabase.urlOfRole('gateway_payments');
    const database = createDatabase({ url, poolSize: 2, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 });
    try {
      return await exposition('worker', storedGauges(database, Date.now))();
    } finally {
      await database.$disconnect();
    }
  };
  /**
   * Whether a rule that pages is true of what is exported. Such a rule names one series: max(NAME{LABEL="VALUE"}) > 0.
   */
  const pages = async (alert: string) => {
    const rule = readAlertRules().find((item) => item.alert === alert) ?? assert.fail(`no rule ${alert}`);
    assert.deepEqual([rule.labels.severity, rule.for], ['page', undefined], 'it pages at once');
    const [, series = ''] = /^max\((\w+\{\w+="\w+"\})\) > 0$/.exec(rule.expr) ?? assert.fail(rule.expr);
    const line = (await exported()).split('\n').find((text) => text.startsWith(`${series} `));
    assert.ok(line !== undefined, `${series} is not exported`);
    return Number(line.split(' ')[1]) > 0;
  };

  it('a new passkey, even one that the panel’s role writes by itself', async () => {
    assert.equal(await pages('PasskeyAdded'), false);
    const id = 'planted-by-the-panel';
    await passkey('gateway_panel', id);
    assert.deepEqual(await openAlerts('PASSKEY_ADDED'), [
      { objectId: id, detail: 'ana has a new passkey', operationId: null },
    ]);
    assert.equal(await pages('PasskeyAdded'), true);
  });

  it('the alert of a passkey: for twelve hours nobody ends it, and the person whose it is never does', async () => {
    await passkey('gateway_panel', 'planted-a-second-time');
    const resolve = (objectId: string, by: string | null, role: Role = 'gateway_panel') =>
      as(role, 'UPDATE alert SET resolved_at = now(), resolved_by = $2 WHERE object_id = $1', objectId, by);
    await assert.rejects(resolve('planted-a-second-time', 'ben'), /stays open for twelve hours/);
    await assert.rejects(
      as('gateway_rules', `UPDATE alert SET resolved_at = now() WHERE object_id = 'planted-a-second-time'`),
      /stays open for twelve hours/,
    );
    await as('gateway_panel', `UPDATE alert SET assigned_to = 'ben' WHERE object_id = 'planted-a-second-time'`);
    const row = { kind: 'PASSKEY_ADDED', detail: 'ana has a new passkey' };
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    for (const [objectId, hours] of [
      ['almost', 11.9],
      ['old', 12.1],
    ] as const)
      await fixture.database.alert.create({
        data: { ...row, id: `alr_${objectId}`, objectId, createdAt: hoursAgo(hours) },
      });
    await assert.rejects(resolve('almost', 'ben'), /stays open for twelve hours/);
    await assert.rejects(resolve('old', 'ana'), /another person resolves/);
    await assert.rejects(resolve('old', null), /another person resolves/);
    await assert.rejects(
      as('owner', `UPDATE alert SET created_at = now() - interval '13 hours' WHERE object_id = 'almost'`),
      /never changes/,
    );
    await resolve('old', 'ben');
    assert.deepEqual(
      (await openAlerts('PASSKEY_ADDED'))
        .map(({ objectId }) => objectId)
        .filter((id) => id !== 'planted-by-the-panel')
        .sort(),
      ['almost', 'planted-a-second-time'],
    );
  });

  it('a break-glass session, which the role of the command alone begins', async () => {
    assert.equal(await pages('BreakGlass'), false);
    await assert.rejects(breakGlass('gateway_panel', 'ses_panel'), /begins at the command line/);
    assert.equal(await fixture.database.staffSession.count(), 0);
    await breakGlass('gateway_command', 'ses_command');
    assert.deepEqual(await openAlerts('BREAK_GLASS'), [
      { objectId: 'ses_command', detail: 'ana broke the glass, ticket INC-1', operationId: null },
    ]);
    assert.equal(await pages('BreakGlass'), true);
  });
});
