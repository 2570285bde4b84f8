// An attacker who takes over a process may write what its role stores, and one who reaches Temporal may start anything:
// together they send no payout and return no payment that nobody decided, and staff hear of it once. About 10 s.
import assert from 'node:assert/strict';
import { DEPOSIT_WORKFLOW, WITHDRAWAL_WORKFLOW } from '../../contract/temporal/payment.js';
import { TASK_QUEUES } from '../../contract/temporal/workers.js';
import { newId } from '../../domain/identifiers.js';
import { writeJson } from '../../domain/money.js';
import { Prisma } from '../../prisma/generated/client.js';
import { eventually } from '../../lab/harness/eventually.js';
import { ProvedDeposit } from './harness/deposit.js';
import { ACTION_MS } from './harness/payment.js';
import { fundedOperation, onModel, useStage } from './harness/stage.js';
import { ProvedWithdrawal } from './harness/withdrawal.js';

describe('a role that stores transitions, with a Temporal client', () => {
  const stage = useStage({ start: onModel });

  /** As the role of the rules workers, which every payments worker has too. */
  const asRulesWorker = (statement: Prisma.Sql) =>
    stage().database.$transaction([
      stage().database.$executeRaw`SET LOCAL ROLE gateway_rules`,
      stage().database.$executeRaw(statement),
    ]);

  /** Starts a second process from its row, next to the one that it has. */
  async function startedAnew(workflow: string, { id, operationId }: ProvedDeposit | ProvedWithdrawal): Promise<void> {
    const input = { kind: 'reopen', id, operationId };
    const workflowId = `tampered-${newId('event')}`;
    await stage().temporal.client.start(workflow, { workflowId, taskQueue: TASK_QUEUES.payments, args: [input] });
  }

  const alerts = async (objectId: string) =>
    (await stage().database.alert.findMany({ where: { objectId, kind: 'NOT_IN_THE_BOOKS' } })).map(
      ({ detail }) => detail,
    );

  const staffHear = (id: string) =>
    eventually(async () => (await alerts(id)).length > 0, `staff hear of ${id}`, ACTION_MS);

  async function reviewed(): Promise<ProvedWithdrawal> {
    const withdrawal = new ProvedWithdrawal(stage(), await fundedOperation(stage()), { reviewRequested: true });
    await withdrawal.create();
    await withdrawal.reaches('under_review');
    return withdrawal;
  }

  it('a return that is only written into the row is not asked for, and staff hear of it once', async () => {
    const deposit = new ProvedDeposit(stage(), await fundedOperation(stage()));
    const { id } = deposit;
    await deposit.create();
    const { endToEndId } = await deposit.payAtProvider('other');
    await deposit.notice();
    await deposit.reaches('under_review');
    const request = writeJson({
      actId: newId('staffAct'),
      of: endToEndId,
      person: 'ana',
      reason: 'x',
      at: '2026-11-21T12:00:00Z',
      amountMinor: deposit.order.amountMinor,
      returnedBeforeMinor: '0',
    });
    await asRulesWorker(Prisma.sql`
      UPDATE deposit SET return_request = ${request}::jsonb, revision = revision + 1 WHERE id = ${id}`);
    for (let starts = 0; starts < 2; starts += 1) await startedAnew(DEPOSIT_WORKFLOW, deposit);
    await staffHear(id);
    await stage().temporal.sleep(60_000);
    assert.equal(deposit.charge.returns.size, 0);
    assert.equal(await deposit.status(), 'under_review');
    assert.deepEqual(await alerts(id), [`${id}: the return was refused (not_decided)`]);
  }).timeout(2 * ACTION_MS);

  for (const [what, mode] of [
    ['by hand', 'manual'],
    ['by hand, and said to be automatic', 'automatic'],
  ] as const)
    it(`a payout approved ${what} is not sent, and staff hear of it once`, async () => {
      const withdrawal = await reviewed();
      const { id } = withdrawal;
      await asRulesWorker(Prisma.sql`
        UPDATE withdrawal SET status = 'approved', version = version + 1, revision = revision + 1,
          decision_mode = ${mode}, decided_by = '[{"person": "ana", "decision": "approve"}]'
        WHERE id = ${id}`);
      for (let starts = 0; starts < 3; starts += 1) await startedAnew(WITHDRAWAL_WORKFLOW, withdrawal);
      await staffHear(id);
      await stage().temporal.sleep(600_000);
      assert.equal(withdrawal.payout.sends, 0);
      assert.equal((await stage().database.payoutSend.findUnique({ where: { withdrawalId: id } }))?.state, 'cleared');
      assert.deepEqual(await alerts(id), [`${id}: the payout was refused (not_decided)`]);
    }).timeout(2 * ACTION_MS);

  it('a payout that was refused, and set to approved again, is not sent', async () => {
    const withdrawal = await reviewed();
    const { id } = withdrawal;
    assert.equal(await withdrawal.review('refuse'), 'done');
    await asRulesWorker(Prisma.sql`
      UPDATE withdrawal SET status = 'approved', revision = revision + 1 WHERE id = ${id}`);
    await startedAnew(WITHDRAWAL_WORKFLOW, withdrawal);
    await staffHear(id);
    assert.equal(withdrawal.payout.sends, 0);
    assert.deepEqual(await alerts(id), [`${id}: the payout was refused (not_in_ledger)`]);
  }).timeout(2 * ACTION_MS);
});
