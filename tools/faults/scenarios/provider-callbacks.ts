// Callbacks in every order, repeated, late, forged, wrong, or about somebody else's payment: each is a reason to
// look at the provider, and never a fact.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { newPlayer } from '../../harness/payments.js';
import type { Operator } from '../environment/operator.js';
import {
  type Callback,
  callBack,
  callBackRepeatedly,
  CALLBACK_COPIES,
  chargeCallback,
  chargeOf,
  pays,
  payoutCallback,
  payoutOf,
  proof,
  reverses,
  settles,
} from '../environment/provider.js';
import type { Random } from '../random.js';
import type { Scenario, ScenarioContext } from '../scenario.js';
import { OWN_DIALECT, SENDS_PAYOUTS } from '../settings.js';
import { withOwnOperator } from './own-operator.js';
import { alertsOf, eventsOf, paidDeposit, pendingDeposit, processingWithdrawal } from './payments.js';

const ORDERS_PLAYED = 6;
const SETTLES_WITHIN_MS = 120_000;

export const providerCallbacks: readonly Scenario[] = [
  ...(['refund', 'chargeback'] as const).map((kind): Scenario => ({
    family: 'provider',
    name: `a payment, its ${kind} and their callbacks × ${CALLBACK_COPIES}, in ${ORDERS_PLAYED} orders by seed`,
    holds: 'also before what they announce: each deposit goes pending, paid, and what it was reversed to, once',
    bounded: kind === 'chargeback',
    play: (context) => depositOrders(context, kind),
  })),
  {
    family: 'provider',
    name: `a payout’s settling, its return and their callbacks × ${CALLBACK_COPIES}, in ${ORDERS_PLAYED} orders by seed`,
    holds: 'each withdrawal goes processing, paid, returned, once',
    bounded: false,
    at: SENDS_PAYOUTS,
    play: (context) => payoutOrders(context),
  },
  {
    family: 'provider',
    name: 'callbacks that are garbage, oversized, forged, or of nobody',
    holds: 'each is refused with its status, forgeries raise an alert; no deposit changes; the ingress continues',
    bounded: true,
    // It bends the texts and headers of that dialect.
    at: OWN_DIALECT,
    play: (context) => garbage(context),
  },
  {
    family: 'provider',
    name:
      'callbacks that announce what did not happen: an unpaid charge, another amount, another tenant’s charge and ' +
      'payout, a refund of nothing',
    holds: 'the provider is asked and does not have it: no payment changes',
    bounded: false,
    at: SENDS_PAYOUTS,
    play: (context) => withOwnOperator(context, (other) => untrue(context, other), '--provider', 'a'),
  },
  ...(['expired', 'cancelled', 'failed'] as const).map((end): Scenario => ({
    family: 'provider',
    name: `a deposit is paid after it is ${end}`,
    holds: 'its state stays; the payment is stored, in suspense, with an alert; reported five times it is stored once',
    bounded: false,
    play: (context) => paidLate(context, end),
  })),
];

/** Every way to have the facts in their order and the callbacks in any, one of them drawn. */
function orderOf<Step>(facts: readonly Step[], callbacks: readonly Step[], random: Random): Step[] {
  const rest = [...facts];
  const places = random.shuffled([...facts.map(() => 'fact' as const), ...callbacks]);
  return places.map((place) => (place === 'fact' ? (rest.shift() as Step) : place));
}

async function depositOrders({ environment, random }: ScenarioContext, kind: 'refund' | 'chargeback'): Promise<void> {
  const { operator } = environment;
  const deposits = await Promise.all(Array.from({ length: ORDERS_PLAYED }, () => pendingDeposit(operator)));
  const natures = { refund: 'ORIGINAL', chargeback: 'MED_FRAUDE' } as const;
  // The provider's own callbacks arrive after all of these, too.
  environment.links.callbacks.cut();
  const plans = deposits.map((depositId) =>
    orderOf<() => Promise<unknown>>(
      [() => pays(environment, depositId), () => reverses(environment, depositId, kind)],
      [
        () => callBackRepeatedly(environment, chargeCallback(environment, { depositId })),
        () => callBackRepeatedly(environment, chargeCallback(environment, { depositId, reversal: natures[kind] })),
      ],
      random,
    ),
  );
  await Promise.all(plans.map((steps) => inTurn(steps, random)));
  environment.links.callbacks.heal();
  const ends = kind === 'refund' ? 'refunded' : 'chargeback';
  await Promise.all(deposits.map((id) => operator.reaches(`/v1/deposits/${id}`, [ends], SETTLES_WITHIN_MS)));
  for (const id of deposits)
    assert.deepEqual(await eventsOf(environment, id), ['deposit.pending', 'deposit.paid', `deposit.${ends}`]);
}

async function payoutOrders({ environment, random }: ScenarioContext): Promise<void> {
  const { operator } = environment;
  const withdrawals = await Promise.all(Array.from({ length: ORDERS_PLAYED }, () => processingWithdrawal(operator)));
  environment.links.callbacks.cut();
  const plans = withdrawals.map((id) =>
    orderOf<() => Promise<unknown>>(
      [() => settles(environment, id, 'paid'), () => settles(environment, id, 'returned')],
      (['EM_PROCESSAMENTO', 'REALIZADO', 'DEVOLVIDO'] as const).map(
        (status) => () => callBackRepeatedly(environment, payoutCallback(environment, id, status)),
      ),
      random,
    ),
  );
  await Promise.all(plans.map((steps) => inTurn(steps, random)));
  environment.links.callbacks.heal();
  // Only a callback reports a provider's return, and the provider repeats its own after a minute at the latest.
  await Promise.all(
    withdrawals.map((id) => operator.reaches(`/v1/withdrawals/${id}`, ['returned'], SETTLES_WITHIN_MS)),
  );
  for (const id of withdrawals)
    assert.deepEqual((await eventsOf(environment, id)).slice(-3), [
      'withdrawal.processing',
      'withdrawal.paid',
      'withdrawal.returned',
    ]);
}

async function inTurn(steps: readonly (() => Promise<unknown>)[], random: Random): Promise<void> {
  const pauses = steps.map(() => random.below(400));
  for (const [index, step] of steps.entries()) {
    await step();
    await sleep(pauses[index]);
  }
}

async function garbage({ environment }: ScenarioContext): Promise<void> {
  const { operator } = environment;
  const depositId = await pendingDeposit(operator);
  const proven = proof(environment);
  const good = { ...chargeCallback(environment, { depositId }), headers: proven };
  const body = String(good.body);
  const deep = `{"pix":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
  const many = (count: number) => JSON.stringify({ pix: Array.from({ length: count }, () => ({ endToEndId: 'x' })) });
  const attempts: readonly [what: string, callback: Callback, statuses: readonly (number | null)[]][] = [
    ['nothing', { ...good, body: '' }, [400]],
    ['no JSON', { ...good, body: '{"pix": [' }, [400]],
    ['another shape', { ...good, body: '[]' }, [400]],
    ['null', { ...good, body: 'null' }, [400]],
    ['wrong types', { ...good, body: '{"pix": [{"endToEndId": 7, "txid": {}, "valor": 50}]}' }, [400]],
    ['invalid UTF-8', { ...good, body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) }, [400]],
    ['deep nesting', { ...good, body: deep }, [400]],
    ['2,000 entries', { ...good, body: many(2_000) }, [400]],
    ['300 KiB', { ...good, body: body + ' '.repeat(300 * 1024) }, [413, null]],
    ['10 MB', { ...good, body: Buffer.alloc(10 * 1024 * 1024, ' ') }, [413, null]],
    ['no such path', { ...good, path: '/callbacks/simulator/other' }, [400]],
    ['a provider that does not exist', { ...good, path: '/callbacks/nobody/pix' }, [404]],
    ['a path out of its folder', { ...good, path: '/callbacks/simulator/../a/pix' }, [401, 404]],
    ['no secret', { ...good, headers: {} }, [401]],
    ['a wrong secret', { ...good, headers: { 'x-callback-secret': 'x'.repeat(40) } }, [401]],
    ['a secret and more', { ...good, headers: { 'x-callback-secret': `${proven['x-callback-secret']}x` } }, [401]],
    ['another provider’s proof', { ...good, path: '/callbacks/b/pix' }, [401]],
    [
      'another receiver’s key',
      {
        ...good,
        body: body.replace(
          String(environment.commonVariables['PROVIDER_SIMULATOR_PIX_KEY']),
          '00000000-0000-4000-8000-000000000000',
        ),
      },
      [401],
    ],
    // A callback is believed in nothing: the charge is looked up.
    ['an amount below zero', { ...good, body: body.replace('"50.00"', '"-50.00"') }, [200]],
    // A payer chooses the txid of a static code: any text is a charge that nobody has.
    [
      'a NUL',
      { ...good, body: body.replace(chargeOf(depositId), `${chargeOf(depositId).slice(0, 31)}\\u0000`) },
      [200],
    ],
    ['a charge that nobody has', { ...good, body: body.replace(chargeOf(depositId), 'f'.repeat(32)) }, [200]],
  ];
  for (const [index, [what, callback, statuses]] of attempts.entries()) {
    const status = await callBack(environment, callback, index);
    assert.ok(statuses.includes(status), `${what} was answered ${status}`);
  }
  assert.equal(await operator.status(`/v1/deposits/${depositId}`), 'pending');
  const kinds = await alertsOf(environment);
  assert.ok(kinds.has('CALLBACK_FORGED') && kinds.has('CALLBACK_UNKNOWN_OBJECT'), [...kinds].join());
  // And a true one is taken.
  await pays(environment, depositId);
  assert.equal(await callBack(environment, good, 0), 200);
  await operator.reaches(`/v1/deposits/${depositId}`, ['paid']);
}

/** Provider A wants to know these. */
const PLAYER_OF_A = { name: 'Maria Silva', email: 'maria@example.test' };

/** @param other another tenant, at another provider */
async function untrue({ environment }: ScenarioContext, other: Operator): Promise<void> {
  const { operator } = environment;
  const player = { ...newPlayer(), ...PLAYER_OF_A };
  const [unpaid, waiting, { id: theirs, endToEndId }, elsewhere] = await Promise.all([
    pendingDeposit(operator),
    processingWithdrawal(operator),
    paidDeposit(environment),
    pendingDeposit(other, { player }),
  ]);
  environment.links.callbacks.cut();
  const lies = [
    chargeCallback(environment, { depositId: unpaid }),
    chargeCallback(environment, { depositId: unpaid, amount: '0.01' }),
    // The end-to-end id of a real payment, on a charge that was not paid.
    chargeCallback(environment, { depositId: unpaid, endToEndId }),
    chargeCallback(environment, { depositId: unpaid, reversal: 'ORIGINAL' }),
    // A payout's reference as a charge's, and the other way round.
    chargeCallback(environment, { depositId: `dep_${payoutOf(waiting)}` }),
    payoutCallback(environment, `wdr_${chargeOf(unpaid)}`, 'REALIZADO'),
    payoutCallback(environment, waiting, 'REALIZADO'),
    payoutCallback(environment, waiting, 'NAO_REALIZADO'),
    payoutCallback(environment, waiting, 'DEVOLVIDO', '0.01'),
    // Another tenant's, whose provider is another one.
    chargeCallback(environment, { depositId: elsewhere }),
  ];
  for (const lie of lies) await callBackRepeatedly(environment, lie);
  await sleep(5_000);
  assert.equal(await operator.status(`/v1/deposits/${unpaid}`), 'pending');
  assert.equal(await operator.status(`/v1/deposits/${theirs}`), 'paid');
  assert.equal(await other.status(`/v1/deposits/${elsewhere}`), 'pending');
  assert.equal(await operator.status(`/v1/withdrawals/${waiting}`), 'processing');
  assert.deepEqual(await eventsOf(environment, theirs), ['deposit.pending', 'deposit.paid']);
}

/** The provider's PIX lacks the sandbox marker: refused here, and payable there all the same. */
const UNMARKED_MINOR = '66610';

async function paidLate({ environment }: ScenarioContext, end: 'expired' | 'cancelled' | 'failed'): Promise<void> {
  const { operator } = environment;
  const { id, amountMinor } = await operator.deposit(end === 'failed' ? { amountMinor: UNMARKED_MINOR } : {});
  const target = `/v1/deposits/${id}`;
  await operator.reaches(target, [end === 'failed' ? 'failed' : 'pending']);
  if (end === 'cancelled') await operator.post(`${target}/cancel`, undefined);
  if (end === 'expired') await operator.post(`/v1/sandbox/deposits/${id}/expire`, undefined);
  await operator.reaches(target, [end]);
  const before = await eventsOf(environment, id);
  await pays(environment, id);
  await callBackRepeatedly(environment, chargeCallback(environment, { depositId: id }));
  for (const deadline = Date.now() + 60_000; ; await sleep(250)) {
    const { paid_amount: paid, status } = JSON.parse((await operator.get(target)).text) as {
      paid_amount: { amount: string } | null;
      status: string;
    };
    assert.equal(status, end);
    if (paid?.amount === amountMinor) break;
    assert.ok(Date.now() < deadline, 'what was paid is not stored');
  }
  await callBackRepeatedly(environment, chargeCallback(environment, { depositId: id }));
  assert.deepEqual(await eventsOf(environment, id), before);
  const { rows } = await environment.database.query<{ total: string }>(
    `SELECT coalesce(sum(amount_minor), 0)::text AS total FROM ledger_entry WHERE account = 'suspense'
      AND object_id = $1`,
    [id],
  );
  assert.equal(rows[0]?.total.replace('-', ''), amountMinor);
  assert.ok((await alertsOf(environment, id)).has('LATE_PAYMENT'));
}
