// The steps of a deposit whose return two people concluded, over rows and a provider in memory.
import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { chargeReferenceOf } from '../../../domain/identifiers.js';
import { AT, DepositWorld, LATER } from './deposit-world.js';

describe('the steps of a deposit whose return people concluded', () => {
  let world: DepositWorld;
  beforeEach(() => {
    world = new DepositWorld();
  });

  const failsWith = (type: string, nonRetryable: boolean) => (error: unknown) =>
    error instanceof ApplicationFailure && error.type === type && (error.nonRetryable ?? false) === nonRetryable;

  const request = (id: string) => {
    const about = { operationId: 'op_1', subjectId: world.order.id, subjectVersion: 3 };
    const act = { ...about, id, kind: 'deposit.return', handle: 'ana', reason: 'another payer' } as const;
    return world.step().requestReturn({ ...world.ref(3), actId: world.database.acts.store(act) });
  };
  /** Under review, because the provider did not name the payer; a person asked for its return by act-1. */
  async function returning(): Promise<void> {
    await world.step().openDeposit({ order: world.order, at: AT, chargeWithinMs: 5_000 });
    world.charge().payments = [world.payment({ payerMatch: 'unknown' })];
    await world.step().lookUpCharge({ ...world.ref(2), rules: 'asked' });
    assert.equal((await request('act-1')).state.isReturning, true);
  }

  /** Two people concluded the return that act-1 asked for. */
  const concluded = (result: 'done' | 'never', at = AT) =>
    world.database.deposits.conclusions.push({
      ...{ returnActId: 'act-1', result, at },
      ...{ person: 'ben', reason: 'stuck', evidence: 'ticket 4711' },
    });

  it('concluded as never made: under review again, and the next return has another id', async () => {
    await returning();
    world.charge().returnAnswers.push({ kind: 'pending' });
    await assert.rejects(world.step().followReturn(world.ref(3)), failsWith('NotYet', false));
    concluded('never');
    const asked = await world.step().followReturn(world.ref(3));
    assert.deepEqual([asked.outcome, asked.state.isReturning, world.charge().returns], ['refused', false, 1]);
    assert.equal(world.balance('pending_in'), 5_000n);
    await request('act-2');
    assert.equal((await world.step().followReturn(world.ref(3))).outcome, 'done');
    const first = chargeReferenceOf(world.order.id);
    assert.deepEqual(world.charge().returnReferences, [first, `${first}r2`]);
    assert.equal(world.balance('pending_in'), 0n);
  });

  it('concluded a moment ago: tried again soon, however long it has been followed', async () => {
    await returning();
    concluded('never', LATER);
    const soon = (error: ApplicationFailure) => String(error.nextRetryDelay) === '2000';
    await assert.rejects(world.step().followReturn({ ...world.ref(3), isLater: true }), soon);
    assert.deepEqual([world.row()?.record.returnRequest?.actId, world.charge().returns], ['act-1', 0]);
  });

  it('concluded, and the provider answers nothing: settled a moment later, by every look-up', async () => {
    await returning();
    world.charge().isSilent = true;
    concluded('never', LATER);
    const at = (seconds: number) => new Date(Date.parse(LATER) + seconds * 1_000).toISOString();
    await assert.rejects(world.step().followReturn(world.ref(3, at(14))), failsWith('ProviderInconclusive', false));
    assert.equal((await world.step().lookUpCharge({ ...world.ref(3, at(15)), rules: 'silent' })).outcome, 'looked_up');
    assert.deepEqual([world.row()?.record.returnRequest, world.balance('pending_in')], [null, 5_000n]);
  });
});
