// The workflow of a payment is lost in each of its waits, and started again from the row as the hourly check does. The
// payment continues to its end: ledger balanced, every movement once, sent at most once, every event delivered.
import assert from 'node:assert/strict';
import { WorkflowNotFoundError } from '@temporalio/client';
import { SEARCH_ATTRIBUTES, WAITING_FOR, type WaitingFor } from '../../contract/temporal/search-attributes.js';
import { DEPOSIT_STATUSES, isDepositClosed } from '../../domain/payments/deposit.js';
import { isWithdrawalClosed, WITHDRAWAL_STATUSES } from '../../domain/payments/withdrawal.js';
import { assertAlways, assertPublished } from './harness/always.js';
import { Pool } from './matrix/cells.js';
import { ProvedDeposit } from './harness/deposit.js';
import { onModel, type Stage, useStage } from './harness/stage.js';
import { ProvedWithdrawal } from './harness/withdrawal.js';
import { type End, type Proved, soon, type WaitCase } from './reopened/cases.js';
import { REOPENED } from './reopened/table.js';

/** One of them waits for the expiry of a deposit, in real time. */
const TIMEOUT_MS = 400_000;
const CASES_AT_A_TIME = 12;
const CASES = WAITING_FOR.flatMap((wait) => REOPENED[wait].map((one) => ({ wait, one })));

describe('a payment whose workflow is lost', () => {
  const stage = useStage({ start: onModel });
  /** The states in which workflows were lost. */
  const states = new Set<string>();

  const results = new Map<WaitCase, Promise<string>>();

  // All at once, each awaited by the test that is named after it.
  before(() => {
    const pool = new Pool(CASES_AT_A_TIME);
    for (const { wait, one } of CASES) {
      const result = pool.run(() => execute(stage(), wait, one));
      result.catch(() => undefined);
      results.set(one, result);
    }
  });
  after(async function () {
    this.timeout(TIMEOUT_MS);
    await Promise.allSettled(results.values());
  });

  for (const { wait, one } of CASES)
    it(`in its wait for ${wait} (${one.name}) ends ${one.end.status}`, async () => {
      states.add((await results.get(one)) ?? '');
    }).timeout(TIMEOUT_MS);

  it('was lost in every state in which a payment waits', () => {
    const open = [
      ...DEPOSIT_STATUSES.filter((status) => !isDepositClosed(status)).map((status) => `deposit ${status}`),
      ...WITHDRAWAL_STATUSES.filter((status) => !isWithdrawalClosed(status)).map((status) => `withdrawal ${status}`),
    ];
    assert.deepEqual(
      open.filter((state) => !states.has(state)),
      [],
    );
  });
});

/** Answers the state in which the workflow was lost. */
async function execute(stage: Stage, wait: WaitingFor, { play, mayHaveLeft, end }: WaitCase): Promise<string> {
  const { payment, enter, goOn } = await play(stage);
  await enter();
  await soon(async () => (await waitOf(payment)) === wait, `${payment.id} waits for ${wait}`);
  const state = `${payment instanceof ProvedDeposit ? 'deposit' : 'withdrawal'} ${await payment.status()}`;
  await lose(payment);
  assert.equal((await payment.reopen()).kind, 'answer');
  if (mayHaveLeft === true) {
    // The payout may have ended, and its workflow with it.
    const answer = await payment.cancel();
    assert.ok(answer === 'invalid_state' || answer === 'closed', `no cancel once it may have left: ${answer}`);
  }
  await goOn();
  await payment.ended();
  await assertEnd(payment, end);
  return state;
}

async function waitOf({ stage, id }: Proved): Promise<string | undefined> {
  const { typedSearchAttributes } = await stage.temporal.client.getHandle(id).describe();
  return typedSearchAttributes.get(SEARCH_ATTRIBUTES.WaitingFor);
}

/** As by hand in the Temporal UI. One that ends meanwhile is lost, too. */
async function lose({ stage, id }: Proved): Promise<void> {
  try {
    await stage.temporal.client.getHandle(id).terminate('lost');
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

async function assertEnd(payment: Proved, { status, movements, sends }: End): Promise<void> {
  const { stage, operationId } = payment;
  await assertAlways({ stage, operationId, payments: [payment] });
  await assertPublished({ stage }, payment);
  const stored = await payment.read();
  assert.equal(stored?.row.status, status);
  const transfers = stored.entries
    .filter(({ objectId }) => objectId === payment.id)
    .filter(({ amountMinor }) => amountMinor > 0n);
  assert.deepEqual(
    transfers.map(({ movement }) => movement),
    movements,
    'each movement once',
  );
  if (payment instanceof ProvedWithdrawal) assert.equal(payment.payout.sends, sends, 'sent at most once');
}
