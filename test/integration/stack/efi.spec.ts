// A slot that stands on the dialect of Efí, through the whole gateway: what operators are asked for, a deposit with its
// payer, a return, and a withdrawal whose key is compared at the send.
import assert from 'node:assert/strict';
import pg from 'pg';
import { eventually } from '../../../lab/harness/eventually.js';
import { newDeposit, newPlayer, newWithdrawal, once, type TestPlayer } from '../../../lab/harness/payments.js';
import { answerFaults, requestFaults } from '../../../lab/harness/judges/api-pix-traffic.js';
import { createRecorder } from '../../../lab/harness/recorder.js';
import { type Stack, startStack } from '../../../lab/harness/stack.js';
import { judgeOfApiPix } from '../../judge/api-pix-or-skip.js';
import { control, dialectSettings } from './simulated-slot.js';

describe('a slot on the dialect of Efí', function () {
  this.timeout(120_000);
  const recorder = createRecorder();
  let stack: Stack;
  let database: pg.Client;
  let player: TestPlayer & { readonly name: string };

  before(async () => {
    const address = await recorder.listen('');
    const settings = { ...dialectSettings('efi'), PROVIDER_SIMULATOR_URL: `${address}/simulator` };
    stack = await startStack({ variables: settings });
    recorder.passTo(stack.simulatorUrl);
    database = new pg.Client({ connectionString: stack.databaseUrl });
    await database.connect();
    player = { ...newPlayer(), name: 'Ana Souza' };
  });
  after(async () => {
    await database.end();
    await stack.close();
    await recorder.close();
  });

  const deposit = async (amount: string) =>
    (await stack.client.createDeposit({ ...newDeposit(amount, player), player }, once())).body;
  const withdrawal = async (amount: string, key = 'ana@player.test') => {
    const order = newWithdrawal(player, amount);
    const destination = { pix: { key_type: 'email', key } } as const;
    const { id, status } = (await stack.client.createWithdrawal({ ...order, destination }, once())).body;
    if (status === 'under_review') await stack.client.sandbox.withdrawal(id, 'approve', once());
    return id;
  };

  const put = (path: string, body: object) =>
    fetch(`${stack.simulatorUrl}/control/simulator/${path}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('requires the name of operators, and notes that payers are named', async () => {
    const [currency] = (await stack.client.currencies()).body.data;
    const [details] = currency?.method_details ?? [];
    assert.deepEqual([details?.deposit_requirements, details?.psp_notes], [['player.name'], []]);
  });

  it('pending → paid, by the player whom only the list of charges names; reported at the one address', async () => {
    const { id } = await deposit('100000');
    await stack.receiver.waitFor(id, 'deposit.pending');
    await stack.client.sandbox.payDeposit(id, once());
    await stack.receiver.waitFor(id, 'deposit.paid');
    const { payer } = (await stack.client.getDeposit(id)).body;
    assert.equal(payer?.matches_player, true);
    // Efí reports its fee with the payment.
    assert.equal((await stack.client.balances()).body.data[0]?.available.amount, '99999');
  });

  it('three payments in one callback → each is paid', async () => {
    const deposits = await Promise.all(['1101', '1102', '1103'].map(deposit));
    await Promise.all(deposits.map(({ id }) => stack.receiver.waitFor(id, 'deposit.pending')));
    assert.equal((await put('batch', { size: deposits.length })).status, 204);
    for (const { id } of deposits) await stack.client.sandbox.payDeposit(id, once());
    await Promise.all(deposits.map(({ id }) => stack.receiver.waitFor(id, 'deposit.paid')));
    const { rows } = await database.query<{ callbacks: string }>(
      'SELECT count(*)::text AS callbacks FROM provider_callback WHERE received_at > $1',
      [new Date(Date.parse(deposits[0]!.created_at))],
    );
    assert.equal(rows[0]?.callbacks, '1');
  });

  it('a PIX on a static code, reported with a txid that is nobody’s → taken, and staff are alerted', async () => {
    await control(stack, '/received', { amount_minor: '1200', txid: 'TABLE7' });
    const isAlerted = async () =>
      (await database.query("SELECT FROM alert WHERE kind = 'CALLBACK_UNKNOWN_OBJECT'")).rowCount === 1;
    await eventually(isAlerted, 'the alert');
    const books = async () =>
      (await (await fetch(`${stack.simulatorUrl}/control/books`)).json()) as { waiting_callbacks: number };
    await eventually(async () => (await books()).waiting_callbacks === 0, 'the callback is answered');
  });

  it('a code of another host → failed: environment_guard', async () => {
    const { id } = await deposit('66610');
    await eventually(async () => (await stack.client.getDeposit(id)).body.status === 'failed', 'failed');
    assert.equal((await stack.client.getDeposit(id)).body.failure_code, 'environment_guard');
  });

  it('approved stays while the account does not cover it; sent once it does', async () => {
    const setBalance = (amount_minor: string | null) => put('balance', { amount_minor });
    assert.equal((await setBalance('999')).status, 204);
    const id = await withdrawal('1000');
    const short = async () =>
      (await database.query('SELECT FROM alert WHERE object_id = $1 AND kind = $2', [id, 'PROVIDER_BALANCE_SHORT']))
        .rowCount === 1;
    await eventually(short, 'the alert');
    assert.equal((await stack.client.getWithdrawal(id)).body.status, 'approved');
    await setBalance('1000');
    await stack.receiver.waitFor(id, 'withdrawal.processing');
    await setBalance(null);
  });

  it('processing → paid; the holder of the key is compared by the bank', async () => {
    const id = await withdrawal('1000');
    await stack.receiver.waitFor(id, 'withdrawal.processing');
    const { rows } = await database.query<{ key_owner: string }>('SELECT key_owner FROM withdrawal WHERE id = $1', [
      id,
    ]);
    assert.equal(rows[0]?.key_owner, 'at_send');
    await stack.client.sandbox.withdrawal(id, 'pay', once());
    await stack.receiver.waitFor(id, 'withdrawal.paid');
  });

  it("another's key → failed at the send, and the money is back", async () => {
    const before = (await stack.client.balances()).body.data[0]?.available.amount;
    const id = await withdrawal('1100', 'other-holder@sentinel.test');
    await stack.receiver.waitFor(id, 'withdrawal.failed');
    assert.equal((await stack.client.getWithdrawal(id)).body.failure_code, 'key_of_another_document');
    assert.equal((await stack.client.balances()).body.data[0]?.available.amount, before);
  });

  it('and all that worker and bank have said is as API Pix has it, but for what is known of Efí', function () {
    const judge = judgeOfApiPix(this);
    const sent = requestFaults(judge, recorder.exchanges);
    assert.ok(sent.judged > 10, `${sent.judged} exchanges`);
    assert.deepEqual(sent.faults, []);
    assert.deepEqual(answerFaults(judge, 'efi', recorder.exchanges).news, []);
  });
});
