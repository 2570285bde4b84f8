// A whole gateway whose operation's clock a test moves: what test/support/timed-lives.ts is played on.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Deposit, Withdrawal } from '../../../../client/index.js';
import { eventually } from '../../../../lab/harness/eventually.js';
import { newDeposit, newPlayer, newWithdrawal, once } from '../../../../lab/harness/payments.js';
import type { Stack } from '../../../../lab/harness/stack.js';
import type { TimedDeposit, TimedGateway, TimedPayment, TimedWithdrawal } from '../../../support/timed-lives.js';

/** The simulator's sentinels: a send that is answered by nothing, and a key that DICT is silent about. */
const LOST_SEND_MINOR = '66632';
const SILENT_KEY = 'dict-down@sentinel.test';

/** Its clock is frozen: each moment is exact. */
export function timed(stack: Stack): TimedGateway {
  const { client } = stack;

  const payment = (id: string, read: () => Promise<{ readonly status: string }>): TimedPayment => ({
    status: async () => (await read()).status,
    events: async () =>
      (await client.listEvents({ object_id: id })).body.data.map(({ type, created_at }) => ({ type, at: created_at })),
  });
  const depositOf = ({ id, expires_at }: Deposit): TimedDeposit => ({
    ...payment(id, async () => (await client.getDeposit(id)).body),
    expiresAt: String(expires_at),
    pay: async () => void (await client.sandbox.payDeposit(id, once())),
    approve: async () => void (await client.sandbox.reviewDeposit(id, 'approve', once())),
    refuseWebhooks: () => stack.receiver.answerWith(500),
    attempts: async (type) =>
      (await client.sandbox.webhookDeliveries({ limit: 200 })).body.data
        .filter((one) => one.object_id === id && one.type === type)
        .map(({ sent_at }) => sent_at)
        .sort(),
  });
  const withdrawalOf = ({ id, created_at }: Withdrawal): TimedWithdrawal => ({
    ...payment(id, async () => (await client.getWithdrawal(id)).body),
    createdAt: created_at,
    reasons: async () => (await client.getWithdrawal(id)).body.decision.reasons,
    settle: async () => void (await client.sandbox.withdrawal(id, 'pay', once())),
  });

  /** Of a player with money, whom no rule holds up. */
  async function withdraw(amount: string, key?: string): Promise<Withdrawal> {
    const rules = join(stack.folder, 'timed-rules.json');
    writeFileSync(rules, JSON.stringify({ currencies: { BRL: { first_withdrawal_manual: false } } }));
    await stack.gateway('rules', 'set', '--operation', stack.operation.operation_id, rules, '--as', 'ana');
    const player = newPlayer();
    const { id } = (await client.createDeposit(newDeposit('100000', player), once())).body;
    await client.sandbox.payDeposit(id, once());
    const order = newWithdrawal(player, amount);
    const destination = key === undefined ? order.destination : { pix: { key_type: 'email' as const, key } };
    return (await client.createWithdrawal({ ...order, destination }, once())).body;
  }

  return {
    latenessSeconds: 0,
    async advanceTo(to) {
      const { body } = await client.sandbox.setClock({ to }, once());
      assert.deepEqual([body.reached, body.pending], [true, []]);
    },
    deposit: async () => depositOf((await client.createDeposit(newDeposit(), once())).body),
    withdrawalOfUnknownKey: async () => withdrawalOf(await withdraw('1000', SILENT_KEY)),
    async withdrawalOfUnknownOutcome() {
      const withdrawal = withdrawalOf(await withdraw(LOST_SEND_MINOR));
      await eventually(async () => (await withdrawal.status()) === 'approved', 'its send');
      return withdrawal;
    },
  };
}
