// The one check of what became of a payment: state, version, events, money, alerts, and what must always hold besides.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { WithdrawalSnapshot } from '../../../domain/payments/withdrawal.js';
import type { AlertKind } from '../../../domain/alerts.js';
import { LEDGER_ACCOUNTS, type LedgerAccount } from '../../../domain/ledger.js';
import { type FakeDatabase, type Snapshot, sumOf } from '../../support/fakes/database.js';
import { eventually } from '../../../lab/harness/eventually.js';

export interface Outcome {
  readonly status: Snapshot['status'];
  readonly version: number;
  /** In the order they were stored, with the version each shows: `deposit.paid@3`. */
  readonly events: readonly string[];
  /** What this payment's movements leave on the operation's accounts, in minor units; nothing where not named. */
  readonly ledger?: Partial<Record<LedgerAccount, number>>;
  /** Alerts that are open. */
  readonly alerts?: readonly AlertKind[];
}

interface Case {
  readonly id: string;
  readonly database: FakeDatabase;
  readonly row: Snapshot;
  query(): Promise<Snapshot | null>;
}

/** Waits (in real time) for the status, then compares everything. */
export async function expectOutcome(one: Case, expected: Outcome): Promise<void> {
  const reached = () => one.row.status === expected.status && one.row.version >= expected.version;
  await eventually(reached, `status ${expected.status} at version ${expected.version}`).catch(() => undefined);
  const { database, id, row } = one;
  const actual = {
    status: row.status,
    version: row.version,
    events: database.events.filter(({ objectId }) => objectId === id).map(({ type, version }) => `${type}@${version}`),
    ledger: ledgerOf(database, id),
    alerts: database.alerts
      .filter(({ objectId, resolved }) => objectId === id && !resolved)
      .map(({ kind }) => kind)
      .sort(),
  };
  assert.deepEqual(actual, { ...expected, ledger: expected.ledger ?? {}, alerts: [...(expected.alerts ?? [])].sort() });
  await expectAnswered(one);
  expectInvariants(database, row);
}

/** As workflows answer a payment: who decided stays in Postgres. */
export function withoutPeople<Row extends Snapshot>(row: Row): Row {
  if ('decidedBy' in row) return { ...row, decidedBy: [] };
  const { writeOffs: _, ...withdrawal } = row as WithdrawalSnapshot;
  return { ...withdrawal, decision: { ...withdrawal.decision, decidedBy: [] } } as unknown as Row;
}

/** A step stores before its workflow learns of it: for a moment the workflow may answer what was. */
async function expectAnswered(one: Case): Promise<void> {
  const isCurrent = async () => isDeepStrictEqual(await one.query(), withoutPeople(one.row));
  await eventually(isCurrent, 'the workflow answers what Postgres holds').catch(async () =>
    assert.deepEqual(await one.query(), withoutPeople(one.row), 'the workflow answers what Postgres holds'),
  );
}

function ledgerOf(database: FakeDatabase, id: string): Partial<Record<LedgerAccount, number>> {
  const movements = database.movements.filter(({ objectId }) => objectId === id);
  const sums = LEDGER_ACCOUNTS.map((account) => [account, Number(sumOf(movements, account))] as const);
  return Object.fromEntries(sums.filter(([, sum]) => sum !== 0));
}

function expectInvariants(database: FakeDatabase, row: Snapshot): void {
  const events = database.events.filter(({ objectId }) => objectId === row.id);
  const firstVersion = events[0]?.version ?? row.version + 1;
  assert.ok(firstVersion <= 2, 'the first event is of version 1 or 2');
  const versions = Array.from({ length: row.version - firstVersion + 1 }, (_, index) => firstVersion + index);
  assert.deepEqual(
    events.map(({ version }) => version),
    versions,
    'every version has exactly one event, without gaps',
  );
  for (const { type, object } of events)
    assert.equal(type.split('.')[1], object.status, 'an event shows the state it is named after');
  const total = LEDGER_ACCOUNTS.reduce((sum, account) => sum + database.balance(row.operationId, account), 0n);
  assert.equal(total, 0n, 'the ledger balances');
}
