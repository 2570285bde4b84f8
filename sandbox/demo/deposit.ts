// The deposit of the demo: created, paid by the player, credited by the operator.
import type { Deposit, NewDeposit } from '../../client/index.js';
import type { EventView } from '../demo-operator/view.js';
import { brl, expectStatus, playerLine, seenEvents, showPage, state, step } from './lines.js';
import { DEPOSIT_AMOUNT, PLAYER_CPF, PLAYER_EMAIL, PLAYER_NAME } from './player.js';
import { DemoStopped, type Run } from './run.js';
import { follow, found, notYet, until, untilEntry } from './waiting.js';

/** Charges of API Pix have no debtor: there the bank knows the payer only if the payment names one. */
const PAYER = { payer_document: { type: 'CPF', number: PLAYER_CPF, country: 'BR' } } as const;

export async function createDeposit(run: Run): Promise<Deposit> {
  const deposit: NewDeposit = {
    external_id: `demo-deposit-${run.reference}`,
    // Some providers need them: GET /currencies says so.
    player: {
      external_ref: run.playerRef,
      document: { type: 'CPF', number: PLAYER_CPF, country: 'BR' },
      name: PLAYER_NAME,
      email: PLAYER_EMAIL,
    },
    amount: DEPOSIT_AMOUNT,
    method: 'pix',
  };
  await run.operator.expectDeposit({
    external_id: deposit.external_id,
    amount: deposit.amount,
    player_ref: run.playerRef,
  });
  const { body: answered } = await run.client.createDeposit(deposit, {
    idempotencyKey: `deposit-create:${deposit.external_id}`,
  });
  step(run, 'POST /deposits', state(answered));
  showPage(run, answered.id);

  const pending = await follow(run, 'deposit', answered, (now) => now.status !== 'created');
  expectStatus('deposit', pending, ['pending']);
  const code = pending.instructions?.pix?.copy_paste;
  if (!code) throw new DemoStopped('the pending deposit has no PIX copy-and-paste code');
  step(run, '  PIX copy-and-paste', `${code.slice(0, 30)}…${code.slice(-8)}`);
  return pending;
}

/** Returns the event that notified the operator. */
export async function payDeposit(run: Run, deposit: Deposit): Promise<EventView> {
  const { body: answered } = await run.client.sandbox.payDeposit(
    deposit.id,
    {
      idempotencyKey: `demo-pay:${deposit.id}`,
    },
    PAYER,
  );
  step(run, 'POST /sandbox/deposits/…/pay', state(answered));
  const paid = await follow(run, 'deposit', answered, (now) => now.status !== 'pending');
  expectStatus('deposit', paid, ['paid']);

  const event = await until(run, 'the webhook deposit.paid at the demo operator', async () => {
    const { events } = await run.operator.state();
    const received = events.find(({ object_id: id, type }) => id === deposit.id && type === 'deposit.paid');
    return received ? found(received) : notYet(seenEvents(events, deposit.id));
  });
  step(
    run,
    'webhook deposit.paid',
    `signature verified, ${event.duplicates === 0 ? 'first time' : `seen ${event.duplicates + 1} times`}`,
  );

  const entry = await untilEntry(
    run,
    'the demo operator to credit the player',
    deposit.id,
    ({ money }) => money === 'credited',
  );
  step(
    run,
    '  fetched back, credited',
    `${state({ ...entry, status: entry.status ?? '' })}   ${await playerLine(run)}`,
  );
  return event;
}

export async function showBalances(run: Run): Promise<void> {
  const { body } = await run.client.balances();
  for (const { available, pending_in: incoming, pending_out: outgoing } of body.data) {
    step(
      run,
      'GET /balances',
      `${brl(available)} available, ${brl(incoming)} pending in, ${brl(outgoing)} pending out`,
    );
  }
}
