// Settlements and withdrawals that want the same money at once: the cash box pays each of them once, and no more than
// it has.
import assert from 'node:assert/strict';
import { moveCash } from '../../../store/ledger/cash-movements.js';
import { inTransaction } from '../../../store/transactions.js';
import { insertWithdrawal } from '../../../store/payments/withdrawal/insert.js';
import { balances, useStore } from './fixtures.js';
import { fund, insertionOf, withdrawalOrder } from './withdrawal-fixtures.js';

const ROUNDS = 8;
const OF_EACH = 20;

describe('store: settlements and withdrawals of the same money', () => {
  const fixture = useStore();

  /** Whether it was covered. */
  async function settles(amount: string): Promise<boolean> {
    const { database, operationId } = fixture;
    const order = { operationId, amount: { amount, currency: 'BRL' }, document: 'slip 7', reason: 'as agreed' };
    const moved = await inTransaction(database, (transaction) =>
      moveCash(
        transaction,
        { ...order, ...{ kind: 'settlement', provider: 'simulator', to: null } },
        { requestedBy: 'ana', approval: null },
      ),
    );
    return moved.kind === 'done';
  }

  async function reserves(playerRef: string): Promise<boolean> {
    const { database, sealer } = fixture;
    const result = await insertWithdrawal({ database, sealer }, insertionOf(withdrawalOrder(fixture, { playerRef })));
    return result.kind === 'inserted';
  }

  it('never take more than there is, and both get some of it', async () => {
    const won = { settlements: 0, withdrawals: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      await fund(fixture, 10_000);
      const settle = async () => {
        if (await settles('1000')) won.settlements += 1;
      };
      const reserve = async (index: number) => {
        if (await reserves(`player-${round}-${index}`)) won.withdrawals += 1;
      };
      // The others join once the first has some of it: a reservation takes fewer statements, and could take all.
      const [early, late] = round % 2 === 0 ? [settle, reserve] : [reserve, settle];
      const tries = (attempt: (index: number) => Promise<void>) =>
        Array.from({ length: OF_EACH }, (_, index) => attempt(index));
      const begun = tries(early);
      await Promise.race(begun);
      await Promise.all([...begun, ...tries(late)]);
      const left = BigInt((await balances(fixture))['available'] ?? '0');
      assert.equal(left, 0n, `round ${round}: 10000 came, ${left} is left`);
    }
    assert.equal(won.settlements + won.withdrawals, ROUNDS * 10);
    assert.ok(won.settlements > 0 && won.withdrawals > 0, JSON.stringify(won));
    const { pending_out } = await balances(fixture);
    assert.equal(pending_out, String(won.withdrawals * 1_000));
  });
});
