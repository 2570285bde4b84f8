// The steps of a deposit whose return two people concluded, over rows and a provider in memory.
import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { createDepositSteps } from '../../../activities/deposits/index.js';
import type { DepositSteps } from '../../../activities/deposits/types.js';
import type { DepositOrder } from '../../../contract/temporal/deposit.js';
import { chargeReferenceOf } from '../../../domain/identifiers.js';
import { depositOrder, paymentFinding } from '../../../tools/harness/deposit-fixtures.js';
import { FakeWorld } from '../../support/fake-activities.js';

const AT = '2026-11-21T12:00:00.000Z';
const LATER = '2026-11-21T12:05:00.000Z';

describe('the steps of a deposit whose return people concluded', () => {
  let world: FakeWorld;
  let order: DepositOrder;
  beforeEach(() => {
    world = new FakeWorld();
    order = depositOrder({ sealer: world.sealer, operationId: 'op_1' });
  });

  const steps = (): DepositSteps =>
    createDepositSteps({
      deposits: world.database.deposits,
      rules: world.rules.engine,
      charges: world.provider.chargeCalls,
      sealer: world.sealer,
      environment: 'sandbox',
    });
  const ref = (seenVersion: number, at = LATER) => {
    const { depositId: id, operationId, provider } = order;
    return { id, operationId, seenVersion, at, provider };
  };
  const charge = () => world.provider.charge(order.depositId);
  const row = () => world.database.deposits.kept(order.depositId);
  const published = () => world.database.events.map(({ type }) => type);
  const alerts = () => world.database.alerts.map(({ kind, occasion }) => [kind, occasion]);
  const balance = (account: 'pending_in') => world.database.balance('op_1', account);
  const payment = (change: Parameters<typeof paymentFinding>[2]) => paymentFinding(world.sealer, order, change);
  const failsWith = (type: string, nonRetryable: boolean) => (error: unknown) =>
    error instanceof ApplicationFailure && error.type === type && (error.nonRetryable ?? false) === nonRetryable;

  const request = (id: string) => {
    const about = { operationId: 'op_1', subjectId: order.depositId, subjectVersion: 3 };
    const act = { ...about, id, kind: 'deposit.return', handle: 'ana', reason: 'another payer' } as const;
    return steps().requestReturn({ ...ref(3), actId: world.database.acts.store(act) });
  };
  /** Under review, because the provider did not name the payer; a person asked for its return by act-1. */
  async function returning(): Promise<void> {
    await steps().openDeposit({ order, at: AT, chargeWithinMs: 5_000 });
    charge().payments = [payment({ payerMatch: 'unknown' })];
    await steps().examineCharge({ ...ref(2), rules: 'asked' });
    assert.equal((await request('act-1')).state.isReturning, true);
  }

  /** Two people concluded the return that act-1 asked for. */
  const concluded = (result: 'done' | 'never', at = AT) =>
    world.database.deposits.conclusions.push({
      ...{ returnActId: 'act-1', result, at },
      ...{ person: 'ben', reason: 'stuck', evidence: 'ticket 4711' },
    });
  const reported = (state: 'pending' | 'done' | 'refused') => {
    const reference = chargeReferenceOf(order.depositId);
    const reversal = { kind: 'refund', amountMinor: '5000', reference, state, at: LATER } as const;
    charge().payments = [payment({ payerMatch: 'unknown', reversals: [reversal] })];
  };

  it('concluded as done: looked up, not asked for again, and returned', async () => {
    await returning();
    reported('pending');
    concluded('done');
    const asked = await steps().followReturn({ ...ref(3), isLater: true });
    assert.deepEqual([asked.outcome, asked.state.deposit.status, charge().returns], ['done', 'returned', 0]);
    assert.deepEqual(world.database.balance('op_1', 'pending_in'), 0n);
    assert.equal((await steps().followReturn(ref(4))).outcome, 'done');
    assert.equal(published().filter((type) => type === 'deposit.returned').length, 1);
  });

  it('concluded as never made: under review again, and the next return has another id', async () => {
    await returning();
    charge().returnAnswers.push({ kind: 'pending' });
    await assert.rejects(steps().followReturn(ref(3)), failsWith('NotYet', false));
    concluded('never');
    const asked = await steps().followReturn(ref(3));
    assert.deepEqual([asked.outcome, asked.state.isReturning, charge().returns], ['refused', false, 1]);
    assert.equal(balance('pending_in'), 5_000n);
    await request('act-2');
    assert.equal((await steps().followReturn(ref(3))).outcome, 'done');
    const first = chargeReferenceOf(order.depositId);
    assert.deepEqual(charge().returnReferences, [first, `${first}r2`]);
    assert.equal(balance('pending_in'), 0n);
  });

  it('concluded a moment ago: tried again soon, however long it has been followed', async () => {
    await returning();
    concluded('never', LATER);
    const soon = (error: ApplicationFailure) => String(error.nextRetryDelay) === '2000';
    await assert.rejects(steps().followReturn({ ...ref(3), isLater: true }), soon);
    assert.deepEqual([row()?.returnRequest?.actId, charge().returns], ['act-1', 0]);
  });

  it('concluded, and the provider knows better: its answer counts', async () => {
    await returning();
    concluded('never');
    reported('done');
    assert.equal((await steps().followReturn(ref(3))).outcome, 'done');
    assert.deepEqual([row()?.snapshot.status, balance('pending_in')], ['returned', 0n]);
  });

  it('concluded as done, and the provider refused it: its answer counts', async () => {
    await returning();
    concluded('done');
    reported('refused');
    assert.equal((await steps().followReturn(ref(3))).outcome, 'refused');
    assert.deepEqual([row()?.snapshot.status, balance('pending_in')], ['under_review', 5_000n]);
    assert.deepEqual(
      alerts().map(([kind]) => kind),
      ['RETURN_REFUSED'],
    );
  });

  it('concluded, and the provider answers nothing: settled a moment later, by every look-up', async () => {
    await returning();
    charge().isSilent = true;
    concluded('never', LATER);
    const at = (seconds: number) => new Date(Date.parse(LATER) + seconds * 1_000).toISOString();
    await assert.rejects(steps().followReturn(ref(3, at(14))), failsWith('ProviderInconclusive', false));
    assert.equal((await steps().examineCharge({ ...ref(3, at(15)), rules: 'silent' })).outcome, 'examined');
    assert.deepEqual([row()?.returnRequest, balance('pending_in')], [null, 5_000n]);
  });
});
