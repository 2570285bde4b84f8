// The withdrawal of the demo: created, approved by a person, sent and settled.
import { type NewWithdrawal, ProblemError, type Withdrawal } from '../../client/index.js';
import { expectStatus, playerLine, showPage, state, step } from './lines.js';
import { PLAYER_CPF, PLAYER_IP, WITHDRAWAL_AMOUNT } from './player.js';
import { command, DemoStopped, type Run } from './run.js';
import { follow, untilEntry } from './waiting.js';

// The second one decides only if the rules ask for two people.
const APPROVERS = ['Ana Souza', 'Bruno Lima'];

/** Null where the bank behind the slot sends no payouts, which the gateway says with a refusal. */
export async function createWithdrawal(run: Run): Promise<Withdrawal | null> {
  const withdrawal: NewWithdrawal = {
    external_id: `demo-withdrawal-${run.reference}`,
    player: {
      external_ref: run.playerRef,
      document: { type: 'CPF', number: PLAYER_CPF, country: 'BR' },
      ip: PLAYER_IP,
    },
    amount: WITHDRAWAL_AMOUNT,
    method: 'pix',
    destination: { pix: { key_type: 'cpf', key: PLAYER_CPF } },
  };
  await run.operator.expectWithdrawal({
    external_id: withdrawal.external_id,
    amount: withdrawal.amount,
    player_ref: run.playerRef,
  });
  step(run, 'operator reserves', await playerLine(run));
  const created = await requestWithdrawal(run, withdrawal);
  if (created === null) return null;
  step(run, 'POST /withdrawals', `${state(created)}   ${created.decision.reasons.join(', ') || created.decision.mode}`);
  showPage(run, created.id);
  return follow(run, 'withdrawal', created, (now) => now.status !== 'requested');
}

/** A conclusive refusal releases the reserve; anything else keeps it, as the contract requires of operators. */
async function requestWithdrawal(run: Run, withdrawal: NewWithdrawal): Promise<Withdrawal | null> {
  try {
    return (
      await run.client.createWithdrawal(withdrawal, { idempotencyKey: `withdrawal-create:${withdrawal.external_id}` })
    ).body;
  } catch (error) {
    if (error instanceof ProblemError && error.conclusive) await run.operator.releaseWithdrawal(withdrawal.external_id);
    if (!(error instanceof ProblemError) || error.code !== 'method_not_enabled') throw error;
    step(run, 'POST /withdrawals', 'method_not_enabled: this bank receives only, and sends no payouts');
    step(run, 'operator gives the reserve back', await playerLine(run));
    return null;
  }
}

/** A person approves, and a second one if the rules want two. A withdrawal that is past its review is left as it is. */
export async function approveWithdrawal(run: Run, created: Withdrawal): Promise<Withdrawal> {
  let withdrawal = created;
  for (const person of APPROVERS) {
    if (withdrawal.status !== 'under_review') break;
    const args = ['review', 'approve', withdrawal.id, '--as', person, '--reason', 'first withdrawal checked'];
    await command(run, args);
    step(run, 'gateway review approve', `by ${person}`);
    withdrawal = (await run.client.getWithdrawal(withdrawal.id)).body;
  }
  return withdrawal;
}

export async function payWithdrawal(run: Run, approved: Withdrawal): Promise<void> {
  step(run, 'GET /withdrawals/…', state(approved));
  const sent = await follow(
    run,
    'withdrawal',
    approved,
    ({ status }) => status !== 'approved' && status !== 'under_review',
  );
  expectStatus('withdrawal', sent, ['processing', 'paid']);
  if (sent.status === 'processing') await settleWithdrawal(run, sent);

  const paid = await follow(run, 'withdrawal', sent, ({ status }) => status !== 'processing');
  expectStatus('withdrawal', paid, ['paid']);
  if (!paid.psp_reference) throw new DemoStopped('the paid withdrawal has no psp_reference');
  step(run, '  psp_reference', paid.psp_reference);
  const entry = await untilEntry(
    run,
    'the demo operator to book the outflow',
    paid.id,
    ({ money }) => money === 'settled',
  );
  step(run, 'webhook withdrawal.paid', `${state({ ...entry, status: entry.status ?? '' })}   ${await playerLine(run)}`);
}

async function settleWithdrawal(run: Run, sent: Withdrawal): Promise<void> {
  try {
    const { body } = await run.client.sandbox.withdrawal(sent.id, 'pay', { idempotencyKey: `demo-pay:${sent.id}` });
    step(run, 'POST /sandbox/withdrawals/…/pay', state(body));
  } catch (error) {
    // The provider may have been quicker.
    const { body: now } = await run.client.getWithdrawal(sent.id);
    if (now.status !== 'paid') throw error;
  }
}
