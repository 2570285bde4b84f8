// Postgres is away at any step: the payment waits, visibly, and continues by itself; nothing is done twice or lost.
import assert from 'node:assert/strict';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { DepositCase } from './harness/deposit-case.js';
import { eventually } from '../../lab/harness/eventually.js';
import { useGateway } from './harness/gateway.js';
import type { Outcome } from './harness/expect-outcome.js';
import type { WithdrawalCase } from './harness/withdrawal-case.js';

type Case = DepositCase | WithdrawalCase;

interface Row<One extends Case> {
  /** The step that fails, as the fake database names it. */
  readonly step: string;
  readonly title: string;
  readonly before: (one: One) => Promise<unknown>;
  readonly trigger: (one: One) => unknown;
  readonly outcome: Outcome;
  /** Where it differs after ten minutes without Postgres. */
  readonly outcomeAfterOutage?: Outcome;
}

const DEPOSIT_PAID: Outcome = {
  status: 'paid',
  version: 3,
  events: ['deposit.pending@2', 'deposit.paid@3'],
  ledger: { available: 5000, provider_clearing: -5000 },
};
const EXPIRED = ['deposit.pending@2', 'deposit.expired@3'];
const PROCESSING: Outcome = {
  status: 'processing',
  version: 2,
  events: ['withdrawal.approved@1', 'withdrawal.processing@2'],
  ledger: { available: -3000, pending_out: 3000 },
};

const DEPOSITS: readonly Row<DepositCase>[] = [
  {
    step: 'insert',
    title: '(new) → created',
    before: async () => undefined,
    trigger: (deposit) => deposit.create(),
    outcome: { status: 'pending', version: 2, events: ['deposit.pending@2'] },
  },
  {
    step: 'pending',
    title: 'created → pending',
    before: async () => undefined,
    trigger: (deposit) => deposit.create(),
    outcome: { status: 'pending', version: 2, events: ['deposit.pending@2'] },
  },
  {
    step: 'paid',
    title: 'pending → paid',
    before: (deposit) => deposit.create(),
    trigger: (deposit) => deposit.pay(),
    outcome: DEPOSIT_PAID,
  },
  {
    step: 'cancelled',
    title: 'pending → cancelled',
    before: (deposit) => deposit.create(),
    trigger: (deposit) => deposit.cancel(),
    outcome: { status: 'cancelled', version: 3, events: ['deposit.pending@2', 'deposit.cancelled@3'] },
  },
  {
    step: 'load',
    title: 'expired: reopened for a late payment',
    before: async (deposit) => {
      await deposit.create();
      await deposit.expire();
      await deposit.payAtProvider();
      await deposit.untilEnded();
    },
    trigger: (deposit) => deposit.refresh(),
    outcome: {
      status: 'expired',
      version: 3,
      events: EXPIRED,
      ledger: { suspense: 5000, provider_clearing: -5000 },
      alerts: ['LATE_PAYMENT'],
    },
  },
  {
    step: 'note',
    title: 'expired: a late payment is recorded',
    before: async (deposit) => {
      await deposit.create();
      await deposit.expire();
    },
    trigger: (deposit) => deposit.pay(),
    outcome: {
      status: 'expired',
      version: 3,
      events: EXPIRED,
      ledger: { suspense: 5000, provider_clearing: -5000 },
      alerts: ['LATE_PAYMENT'],
    },
  },
];

const WITHDRAWALS: readonly Row<WithdrawalCase>[] = [
  {
    step: 'insert',
    title: '(new) → approved',
    before: async () => undefined,
    trigger: (withdrawal) => withdrawal.create(),
    outcome: PROCESSING,
    // Without its row nothing was decided: people decide, as if the rules were away.
    outcomeAfterOutage: {
      status: 'under_review',
      version: 1,
      events: ['withdrawal.under_review@1'],
      ledger: { available: -3000, pending_out: 3000 },
    },
  },
  {
    step: 'processing',
    title: 'approved → processing',
    before: async () => undefined,
    trigger: (withdrawal) => withdrawal.create(),
    outcome: PROCESSING,
  },
  {
    step: 'paid',
    title: 'processing → paid',
    before: async (withdrawal) => {
      await withdrawal.create();
      await withdrawal.untilStatus('processing');
      withdrawal.payout.settle('2026-01-01T00:00:00.000Z');
    },
    trigger: (withdrawal) => withdrawal.refresh(),
    outcome: {
      status: 'paid',
      version: 3,
      events: [...PROCESSING.events, 'withdrawal.paid@3'],
      ledger: { available: -3000, provider_clearing: 3000 },
    },
  },
  {
    step: 'alert',
    title: 'approved: an alert is raised',
    before: async (withdrawal) => {
      withdrawal.ruling.dispatch.availableMinor = -1n;
    },
    trigger: (withdrawal) => withdrawal.create(),
    outcome: {
      status: 'approved',
      version: 1,
      events: ['withdrawal.approved@1'],
      ledger: { available: -3000, pending_out: 3000 },
      alerts: ['CASH_BOX_SHORT'],
    },
  },
];

describe('Postgres is down', () => {
  const gateway = useGateway();

  async function waitsAndGoesOn<One extends Case>(
    one: One,
    { step, before, trigger, outcome, outcomeAfterOutage = outcome }: Row<One>,
  ): Promise<void> {
    await before(one);
    one.database.breakDown(one.id, 'refuses', step);
    const answer = Promise.resolve(trigger(one));
    await eventually(() => one.database.failuresOf(one.id) > 0, `${step} fails`);
    await gateway.sleep(600);
    // What waits is seen by name in the Temporal UI, with its attempts and its last failure.
    const { raw } = await one.handle.describe();
    const waiting = (raw.pendingActivities ?? []).filter(
      ({ lastFailure }) => lastFailure?.message === 'the database does not answer',
    );
    assert.equal(waiting.length, 1, 'one visible step waits');
    assert.ok((waiting[0]?.attempt ?? 0) > 10, `attempt ${waiting[0]?.attempt}`);
    assert.ok(one.database.repair(one.id) > 10);
    // The longest pause of a step that waits for a provider as well; nobody's answer waits for it.
    await gateway.sleep(31);
    await answer;
    await one.expectOutcome(outcomeAfterOutage);
  }

  async function isDoneOnce<One extends Case>(one: One, { step, before, trigger, outcome }: Row<One>): Promise<void> {
    await before(one);
    one.database.breakDown(one.id, 'loses_answer', step);
    const answer = Promise.resolve(trigger(one));
    await eventually(() => one.database.failuresOf(one.id) > 0, `${step} fails`);
    await gateway.sleep(30);
    assert.ok(one.database.repair(one.id) > 0);
    await gateway.sleep(16);
    await answer;
    await one.expectOutcome(outcome);
  }

  /** A workflow task that is tried again has a later clock; what its first try stored counts, and is published once. */
  async function isFoundStored<One extends Case>(
    one: One,
    { step, before, trigger, outcome }: Row<One>,
  ): Promise<void> {
    await before(one);
    one.database.forestall(one.id, step);
    await trigger(one);
    await one.expectOutcome(outcome);
    const { events } = one.database;
    const published = events.filter(({ objectId }) => objectId === one.id).map(({ id }) => id);
    await eventually(() => one.inbox.attempts.length >= published.length, 'every event is delivered');
    assert.deepEqual(one.inbox.attempts.map(({ eventId }) => eventId).sort(), published.sort());
  }

  it('deposit (new): the row cannot be stored: the caller may try again, and then it is created', async () => {
    const deposit = gateway.newDeposit();
    deposit.database.breakDown(deposit.id, 'refuses', 'insert');
    await assert.rejects(deposit.create(), WorkflowUpdateFailedError);
    assert.equal(deposit.database.deposit(deposit.id), null);
    deposit.database.repair(deposit.id);
    await eventually(async () => (await deposit.handle.describe()).status.name === 'FAILED', 'the run ended');
    await deposit.createAgain();
    await deposit.expectOutcome({ status: 'pending', version: 2, events: ['deposit.pending@2'] });
  });

  it('deposit pending → paid: what comes between two tries of a step waits for its end, and time goes on', async () => {
    const deposit = await gateway.pendingDeposit();
    deposit.database.breakDown(deposit.id, 'refuses', 'paid');
    await deposit.payAtProvider();
    await deposit.notice();
    for (let second = 0; second < 20; second += 1) {
      await gateway.sleep(0.05);
      await deposit.notice();
    }
    assert.ok(deposit.database.repair(deposit.id) > 0);
    await gateway.sleep(60);
    await deposit.expectOutcome(DEPOSIT_PAID);
  });

  for (const row of DEPOSITS) {
    if (row.step !== 'insert')
      it(`deposit ${row.title}: waits ten minutes, visibly, and continues`, () =>
        waitsAndGoesOn(gateway.newDeposit(), row));
    it(`deposit ${row.title}: committed, but the answer is lost; done once`, () =>
      isDoneOnce(gateway.newDeposit(), row));
    if (row.step !== 'load')
      it(`deposit ${row.title}: stored by a task that was lost; its times are kept`, () =>
        isFoundStored(gateway.newDeposit(), row));
  }
  for (const row of WITHDRAWALS) {
    it(`withdrawal ${row.title}: waits ten minutes, visibly, and continues`, () =>
      waitsAndGoesOn(gateway.newWithdrawal(), row));
    it(`withdrawal ${row.title}: committed, but the answer is lost; done once`, () =>
      isDoneOnce(gateway.newWithdrawal(), row));
    if (row.step !== 'alert')
      it(`withdrawal ${row.title}: stored by a task that was lost; its times are kept`, () =>
        isFoundStored(gateway.newWithdrawal(), row));
  }
});
