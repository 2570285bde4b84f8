// What alerts every admin: the database raises the alert for every writer of the row, keeps it from those whom it is
// about, and the rule of Prometheus pages for it.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Role } from '../../../prisma/roles.js';
import { exposition } from '../../../platform/telemetry/instruments.js';
import { ABUSE_ALERTS } from '../../../domain/abuse-alerts.js';
import { ALERTS } from '../../../domain/alerts.js';
import { createDatabase } from '../../../store/database.js';
import { ensureClaimedPerson } from '../../../store/staff/people.js';
import { readAlertRules } from '../../../tools/docs/alert-rules.js';
import { storedGauges } from '../../../worker/gauges.js';
import { useStore } from './fixtures.js';

const ABUSE = Object.keys(ABUSE_ALERTS).sort();

describe('store: what alerts every admin', function () {
  this.timeout(60_000);
  const fixture = useStore('once');
  before(async () => {
    await ensureClaimedPerson(fixture.database, 'ana');
  });

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
   * By how much each kind in the alert rule of abuse increases while something is done, between two scrapes. It is
   * increase((max by (alert) (METRIC{class="abuse"}))[RANGE:STEP]) > 0.
   */
  const pages = async (done: () => Promise<unknown>) => {
    const rule = readAlertRules().find((item) => item.alert === 'AbuseAlertRaised') ?? assert.fail('no rule');
    assert.deepEqual([rule.labels.severity, rule.for], ['page', undefined], 'it pages at once');
    const form = /^increase\(\(max by \(alert\) \((\w+)\{(class="abuse")\}\)\)\[15m:15s\]\) > 0$/;
    const [, metric, matcher] = form.exec(rule.expr) ?? assert.fail(rule.expr);
    const scrape = async () => {
      const series = new RegExp(`^${metric}\\{alert="(\\w+)",${matcher}\\} (\\d+)$`, 'gm');
      return new Map([...(await exported()).matchAll(series)].map(([, kind, total]) => [kind, Number(total)]));
    };
    const before = await scrape();
    assert.deepEqual([...before.keys()].sort(), ABUSE, 'every kind of abuse has a series before it is raised');
    await done();
    return [...(await scrape())]
      .map(([kind, total]) => [kind, total - (before.get(kind) ?? NaN)] as const)
      .filter(([, increase]) => increase !== 0);
  };

  it('a new passkey, even one that the panel’s role writes by itself', async () => {
    const id = 'planted-by-the-panel';
    assert.deepEqual(await pages(() => passkey('gateway_panel', id)), [['PASSKEY_ADDED', 1]]);
    assert.deepEqual(await openAlerts('PASSKEY_ADDED'), [
      { objectId: id, detail: 'ana has a new passkey', operationId: null },
    ]);
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
    const row = { kind: 'PASSKEY_ADDED', detail: 'ana has a new passkey', gainedBy: 'ana' };
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

  it('a new role in production, whoever writes it; none in a sandbox', async () => {
    const granted = `INSERT INTO staff_role (staff_handle, role, operation_id, granted_by)
      VALUES ('ana', $1, 'op_1', 'eve')`;
    const grant = (role: string) => as('gateway_command', granted, role);
    await grant('support');
    assert.deepEqual(await openAlerts('ROLE_GRANTED'), []);
    await as('owner', `UPDATE staff_policy SET environment = 'production'`);
    await assert.rejects(grant('reviewer'), /two people decide/);
    // As if they had (people.spec.ts).
    await as('owner', 'ALTER TABLE staff_role DISABLE TRIGGER staff_role_kept');
    assert.deepEqual(await pages(() => grant('reviewer')), [['ROLE_GRANTED', 1]]);
    await grant('approver');
    await as('owner', 'ALTER TABLE staff_role ENABLE TRIGGER staff_role_kept');
    await as('owner', `UPDATE staff_policy SET environment = 'sandbox'`);
    assert.deepEqual((await openAlerts('ROLE_GRANTED')).map(({ detail }) => detail).sort(), [
      'ana is approver now, by eve',
      'ana is reviewer now, by eve',
    ]);
  });

  it('a break-glass session, which the role of the command alone begins', async () => {
    await assert.rejects(breakGlass('gateway_panel', 'ses_panel'), /begins at the command line/);
    assert.equal(await fixture.database.staffSession.count(), 0);
    await breakGlass('gateway_command', 'ses_command');
    assert.deepEqual(await openAlerts('BREAK_GLASS'), [
      { objectId: 'ses_command', detail: 'ana broke the glass, ticket INC-1', operationId: null },
    ]);
  });

  it('an alert that is resolved before the next scrape pages all the same', async () => {
    const raisedAndResolved = async () => {
      await breakGlass('gateway_command', 'ses_short');
      await as(
        'gateway_panel',
        `UPDATE alert SET resolved_at = now(), resolved_by = 'ben' WHERE object_id = 'ses_short'`,
      );
    };
    assert.deepEqual(await pages(raisedAndResolved), [['BREAK_GLASS', 1]]);
  });

  /** An alert old enough for that of a passkey to be resolved. */
  const raise = (kind: string) =>
    fixture.database.alert.create({
      data: {
        ...{ id: `alr_of_${kind}`, kind, objectId: kind, detail: 'x', causedBy: 'ana', gainedBy: 'eva' },
        createdAt: new Date(Date.now() - 13 * 3_600_000),
      },
    });

  for (const kind of ABUSE)
    it(`${kind}: ended by another person than whom it is about, and not by the gateway`, async () => {
      await raise(kind);
      const update = (role: Role | 'owner', set: string) =>
        as(role, `UPDATE alert SET ${set} WHERE id = 'alr_of_${kind}'`);
      await assert.rejects(update('gateway_rules', 'resolved_at = now()'), /another person resolves/);
      for (const person of ['ana', 'eva']) {
        const resolved = `resolved_at = now(), resolved_by = '${person}'`;
        await assert.rejects(update('gateway_command', resolved), /another person resolves/);
        await assert.rejects(update('gateway_panel', `assigned_to = '${person}'`), /another person looks after/);
      }
      await assert.rejects(update('owner', 'caused_by = NULL'), /never changes/);
      await update('gateway_panel', `assigned_to = 'ben'`);
      await update('gateway_panel', `resolved_at = now(), resolved_by = 'ben'`);
      await assert.rejects(update('gateway_panel', 'resolved_at = NULL'), /never changes/);
    });

  it('every other alert: the gateway ends it when its condition ends', async () => {
    const others = Object.keys(ALERTS).filter((kind) => !ABUSE.includes(kind));
    for (const kind of others) await raise(kind);
    await as('gateway_rules', 'UPDATE alert SET resolved_at = now() WHERE kind = ANY ($1)', others);
  });

  it('every alert is written with the notice that it is to be sent on', async () => {
    const [noticed, raised] = [await fixture.database.alertNotice.count(), await fixture.database.alert.count()];
    assert.deepEqual([noticed, raised > 0], [raised, true]);
    // Who raises alerts cannot take the notice back.
    for (const role of ['gateway_command', 'gateway_panel', 'gateway_rules'] as const)
      await assert.rejects(as(role, 'DELETE FROM alert_notice'), /permission denied/);
  });
});
