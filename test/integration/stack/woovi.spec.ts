// The port's conformance on the whole gateway with a slot on Woovi: money in, money out, and answers that are lost.
import assert from 'node:assert/strict';
import pg from 'pg';
import { newDeposit, newPlayer, newWithdrawal, once } from '../../../lab/harness/payments.js';
import { judgeBy, WOOVI_DOCUMENT } from '../../../lab/harness/judges/woovi.js';
import { createRecorder } from '../../../lab/harness/recorder.js';
import { type Stack, startStack } from '../../../lab/harness/stack.js';
import { dialectSettings } from './simulated-slot.js';

/** Accepted, and the connection of the send is cut. */
const LOST = '66628';
/** Failed with AC03 in the answer. */
const REFUSED = '66624';

describe('the whole gateway with a slot on Woovi', function () {
  this.timeout(120_000);
  const recorder = createRecorder();
  let stack: Stack;
  const player = { ...newPlayer(), name: 'Ana Souza' };

  before(async () => {
    const address = await recorder.listen('');
    stack = await startStack({
      variables: {
        ...dialectSettings('woovi'),
        PROVIDER_SIMULATOR_URL: `${address}/simulator`,
        SANDBOX_WITHDRAWALS_PER_PLAYER_AND_HOUR: '10',
      },
    });
    recorder.passTo(stack.simulatorUrl);
  });
  after(async () => {
    await stack?.close();
    await recorder.close();
  });

  const deposit = async (amount: string) => (await stack.client.createDeposit(newDeposit(amount, player), once())).body;
  const paid = async (amount: string) => {
    const { id } = await deposit(amount);
    await stack.client.sandbox.payDeposit(id, once());
    await stack.receiver.waitFor(id, 'deposit.paid');
    return id;
  };
  const available = async () => (await stack.client.balances()).body.data[0]?.available.amount;
  /** What the payment did to the cash box. */
  const movementsOf = async (id: string) => {
    const database = new pg.Client({ connectionString: stack.databaseUrl });
    await database.connect();
    try {
      const { rows } = await database.query<{ movement: string; amount: string }>(
        `SELECT movement, amount_minor::text AS amount FROM ledger_entry
         WHERE account = 'available' AND object_id = $1 ORDER BY id`,
        [id],
      );
      return rows.map(({ movement, amount }) => `${movement} ${amount}`);
    } finally {
      await database.end();
    }
  };
  /** A withdrawal of the player's own CPF, approved. */
  const approved = async (amount: string) => {
    const { id } = (await stack.client.createWithdrawal(newWithdrawal(player, amount), once())).body;
    await stack.client.sandbox.withdrawal(id, 'approve', once());
    return id;
  };

  it('the operator needs no fields, and sees that the payer will be known', async () => {
    const [brl] = (await stack.client.currencies()).body.data;
    assert.deepEqual(brl?.method_details?.[0], { method: 'pix', deposit_requirements: [], psp_notes: [] });
  });

  it('deposit: pending → paid by a signed webhook → refunded', async () => {
    const { id, status, instructions } = await deposit('5000');
    assert.equal(status, 'pending');
    assert.match(instructions?.pix?.copy_paste ?? '', /simulator\/qr\/v1/);
    await stack.client.sandbox.payDeposit(id, once());
    await stack.receiver.waitFor(id, 'deposit.paid');
    const { payer, paid_amount: paidAmount } = (await stack.client.getDeposit(id)).body;
    assert.deepEqual([payer?.matches_player, paidAmount?.amount], [true, '5000']);
    assert.equal(await available(), '4915', 'the fee has left the cash box');
    await stack.client.sandbox.refundDeposit(id, once());
    await stack.receiver.waitFor(id, 'deposit.refunded');
    const transfers = await movementsOf(id);
    assert.deepEqual(transfers, ['deposit_credited 5000', 'fee_with_payment -85', 'deposit_refunded -5000']);
  });

  it('deposit: pending → expired', async () => {
    const { id } = await deposit('5100');
    await stack.client.sandbox.expireDeposit(id, once());
    await stack.receiver.waitFor(id, 'deposit.expired');
  });

  it('deposit: paid → chargeback, reported as a lost dispute by its end-to-end id', async () => {
    const id = await paid('5200');
    await stack.client.sandbox.chargebackDeposit(id, once());
    await stack.receiver.waitFor(id, 'deposit.chargeback');
  });

  it('deposit: refused with an error of no list → failed, and reported as drift', async () => {
    const { id } = await deposit('66603');
    await stack.receiver.waitFor(id, 'deposit.failed');
    assert.equal((await stack.client.getDeposit(id)).body.failure_code, 'psp_rejected');
    const metrics = await (await fetch(`${stack.workerHealthUrl}/metrics`)).text();
    assert.match(metrics, /gateway_provider_drift_total\{[^}]*what="unknown_error"[^}]*\} [1-9]/);
  });

  it('withdrawal: sent → paid → returned by the receiving bank', async () => {
    await paid('400000');
    const id = await approved('3000');
    await stack.client.sandbox.withdrawal(id, 'pay', once());
    await stack.receiver.waitFor(id, 'withdrawal.paid');
    assert.match((await stack.client.getWithdrawal(id)).body.psp_reference ?? '', /^E/);
    await stack.client.sandbox.withdrawal(id, 'return', once());
    await stack.receiver.waitFor(id, 'withdrawal.returned');
  });

  it('withdrawal: refused in the answer → failed, the money is back', async () => {
    const id = await approved(REFUSED);
    await stack.receiver.waitFor(id, 'withdrawal.failed');
    assert.equal((await stack.client.getWithdrawal(id)).body.failure_code, 'AC03');
  });

  it('withdrawal: the answer is lost → found by its reference and paid, sent once', async () => {
    const id = await approved(LOST);
    await stack.client.sandbox.withdrawal(id, 'pay', once());
    await stack.receiver.waitFor(id, 'withdrawal.paid');
    const reference = id.replace(/^wdr_/, '');
    const books = (await (await fetch(`${stack.simulatorUrl}/control/books?reference=${reference}`)).json()) as {
      payouts: { sends: number }[];
    };
    assert.equal(books.payouts[0]?.sends, 1);
  });

  it('and the books hold, with a fee for every payment', async () => {
    assert.deepEqual((await stack.gateway('ledger', 'verify'))['problems'], []);
  });

  it('and all that worker and bank have said is as Woovi’s document has it', function () {
    const file = process.env[WOOVI_DOCUMENT];
    if (!file) {
      process.stdout.write(`  SKIPPED: Woovi is not judged: ${WOOVI_DOCUMENT} names no file\n`);
      return this.skip();
    }
    const judge = judgeBy(file);
    const exchanges = recorder.exchanges.filter(({ path }) => path.startsWith('/api/v1/'));
    assert.ok(exchanges.length > 20, `${exchanges.length} exchanges`);
    assert.deepEqual([...new Set(exchanges.flatMap((exchange) => judge.faultsOf(exchange)))], []);
  });
});
