// The provider answers late, never, wrongly, or its answer is lost: nothing is made twice, nothing is sent twice.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { SENTINELS } from '../../../sandbox/simulator/behaviours.js';
import { sendsOf, setProviderOutage } from '../../harness/provider-books.js';
import { leaveLostSends } from '../workload.js';
import type { Scenario, ScenarioContext } from '../scenario.js';
import { NAMES_PAYER, SENDS_PAYOUTS, SETTING_NAMES } from '../settings.js';
import { reviewedWithdrawal } from './payments.js';

/** By the sentinel's amount: the state that the deposit reaches by itself. */
const DEPOSITS: Readonly<Record<number, readonly string[]>> = {
  66601: ['pending'],
  66602: ['pending'],
  66603: ['failed'],
  66604: ['pending'],
  66606: ['paid'],
  66610: ['failed'],
  66611: ['paid'],
  66613: ['pending'],
  66614: ['pending'],
};
/** Those that the bank lets the person named in the charge pay. */
const PAID_BY_DEBTOR = new Set([66606, 66611]);
/** Those that the api cannot wait for. */
const ANSWERED_202 = new Set([66601, 66602, 66604]);

/**
 * The state that the withdrawal reaches by itself once it is approved; `approved`: it may stay unknown for ever whether
 * the payout was accepted.
 */
const PAYOUTS: Readonly<Record<number, readonly string[]>> = {
  66621: ['paid'],
  66622: ['paid'],
  66623: ['processing'],
  66624: ['failed'],
  66625: ['failed'],
  66626: ['paid'],
  66627: ['paid'],
  66628: ['processing'],
  66629: ['processing'],
  66630: ['processing'],
  66631: ['paid'],
  66632: ['approved'],
  66633: ['approved'],
  66634: ['returned'],
};
const BOUNDED = new Set([66623]);

/** Unprompted look-ups come after 2, 5, 10, 30 and 60 s. */
const SETTLES_WITHIN_MS = 120_000;

const described = (subject: 'deposit' | 'payout', amountMinor: number): string => {
  const sentinel = SENTINELS.find((row) => row.subject === subject && row.amountMinor === BigInt(amountMinor));
  if (sentinel === undefined) throw new Error(`there is no sentinel for ${subject}s of ${amountMinor}`);
  return `${sentinel.name} (${amountMinor})`;
};

export const providerAnswers: readonly Scenario[] = [
  ...Object.entries(DEPOSITS).map(([amount, ends]): Scenario => ({
    family: 'provider',
    name: `a deposit’s charge: ${described('deposit', Number(amount))}`,
    holds: `one charge at most; the deposit becomes ${ends.join(' or ')}`,
    bounded: BOUNDED.has(Number(amount)),
    at: PAID_BY_DEBTOR.has(Number(amount)) ? NAMES_PAYER : SETTING_NAMES,
    play: (context) => chargeAnswered(context, Number(amount), ends),
  })),
  {
    family: 'provider',
    name: 'a deposit’s charge: answered after 7.5 s',
    holds: '202 in time; then it is pending, with one charge',
    bounded: false,
    play: (context) => answeredAfterTheBudget(context),
  },
  ...(['hang', 'error', 'refuse'] as const).map((mode): Scenario => ({
    family: 'provider',
    name:
      'a provider in which every call is answered by ' +
      `${{ hang: 'silence', error: '500', refuse: 'a closed connection' }[mode]} for 20 s`,
    holds: 'deposits are answered 202 and become pending afterwards; withdrawals wait and leave once',
    bounded: false,
    play: (context) => outage(context, mode),
  })),
  ...Object.entries(PAYOUTS).map(([amount, ends]): Scenario => ({
    family: 'provider',
    name: `a withdrawal’s send: ${described('payout', Number(amount))}`,
    holds:
      'exactly one send; the withdrawal is ' +
      `${ends.join(' or ')}${ends.includes('approved') ? ': no trace is no proof, so it is looked up and never sent again' : ''}`,
    bounded: BOUNDED.has(Number(amount)),
    at: SENDS_PAYOUTS,
    play: (context) => payoutAnswered(context, Number(amount), ends),
  })),
];

async function chargeAnswered(
  { environment: { operator } }: ScenarioContext,
  amountMinor: number,
  ends: readonly string[],
): Promise<void> {
  const { body } = await operator.wanted('deposit', { amountMinor: String(amountMinor) });
  const created = await operator.post('/v1/deposits', body);
  assert.equal(created.status, ANSWERED_202.has(amountMinor) ? 202 : created.status, created.text);
  const { id } = JSON.parse(created.text) as { id: string };
  await operator.reaches(`/v1/deposits/${id}`, ends, SETTLES_WITHIN_MS);
}

/** Within the 8 s that a call may take and beyond the 7 s in which the operator is answered. */
const LATE_MS = 7_500;

async function answeredAfterTheBudget({ environment }: ScenarioContext): Promise<void> {
  const { operator, links } = environment;
  const { body } = await operator.wanted('deposit', {});
  links.provider.hold('down');
  const asked = performance.now();
  const creating = operator.post('/v1/deposits', body);
  await sleep(LATE_MS);
  links.provider.heal();
  const created = await creating;
  assert.equal(created.status, 202, created.text);
  assert.ok(performance.now() - asked < 10_000, 'the operator had to wait');
  const { id } = JSON.parse(created.text) as { id: string };
  await operator.reaches(`/v1/deposits/${id}`, ['pending'], SETTLES_WITHIN_MS);
}

async function outage(context: ScenarioContext, mode: 'hang' | 'error' | 'refuse'): Promise<void> {
  const { operator, simulator } = context.environment;
  const waiting = operator.bank.sendsPayouts ? await reviewedWithdrawal(operator) : null;
  await setProviderOutage(simulator.url, mode);
  try {
    const approving = waiting === null ? null : operator.steer(waiting, 'approve');
    const [deposit] = await Promise.all([operator.deposit(), approving]);
    assert.equal(await operator.status(`/v1/deposits/${deposit.id}`), 'created');
    await sleep(20_000);
    assert.equal(await operator.status(`/v1/deposits/${deposit.id}`), 'created');
    await setProviderOutage(simulator.url, 'none');
    await operator.reaches(`/v1/deposits/${deposit.id}`, ['pending'], SETTLES_WITHIN_MS);
    // What may have arrived is looked up and stays as it is; what surely never left goes out.
    if (waiting !== null)
      await operator.reaches(`/v1/withdrawals/${waiting}`, ['processing', 'approved'], SETTLES_WITHIN_MS);
  } finally {
    await setProviderOutage(simulator.url, 'none');
  }
  // Nobody knows whether a send without an answer was accepted.
  await leaveLostSends(context);
}

async function payoutAnswered(
  { environment, staysOpen }: ScenarioContext,
  amountMinor: number,
  ends: readonly string[],
): Promise<void> {
  const { operator, simulator } = environment;
  const id = await reviewedWithdrawal(operator, String(amountMinor));
  await operator.steer(id, 'approve');
  for (const deadline = Date.now() + 60_000; (await sendsOf(simulator.url, id)) === 0; await sleep(250))
    assert.ok(Date.now() < deadline, 'nothing was sent');
  await operator.reaches(`/v1/withdrawals/${id}`, ends, SETTLES_WITHIN_MS);
  if (ends.includes('approved')) {
    // Beyond its first look-ups, none of which finds anything.
    await sleep(20_000);
    assert.equal(await operator.status(`/v1/withdrawals/${id}`), 'approved');
    staysOpen(id);
  }
  assert.equal(await sendsOf(simulator.url, id), 1);
}
