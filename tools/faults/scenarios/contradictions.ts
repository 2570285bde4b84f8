// The provider contradicts what it has said, or answers about something else: a liar between it and the workers changes its answers.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../harness/eventually.js';
import type { Field } from '../field/field.js';
import { type Lie, type Liar, startLiar } from '../field/liar.js';
import { callBackRepeatedly, chargeCallback, chargeOf, payoutCallback, payoutOf, settles } from '../field/provider.js';
import type { Scenario, Stage } from '../scenario.js';
import { alertsOf, paidDeposit, pendingDeposit, processingWithdrawal } from './payments.js';

const SETTLES_WITHIN_MS = 120_000;
const ASKED_WITHIN_MS = 60_000;

export const contradictions: readonly Scenario[] = [
  {
    family: 'provider',
    name: 'the provider contradicts itself: a payout paid then failed, failed then paid, settled with another amount or reference; a charge paid then unpaid, or answered as another’s',
    holds:
      'what is final stays; staff are told of contradictions; nothing is credited or settled by an answer about something else',
    bounded: false,
    play: (stage) => contradict(stage),
  },
];

async function contradict({ field }: Stage): Promise<void> {
  const liar = await startLiar(`http://127.0.0.1:${field.links.provider.port}`);
  try {
    await Promise.all(
      field.workers.map((worker) => worker.restart({ PROVIDER_SIMULATOR_URL: `${liar.url}/simulator` })),
    );
    await contradictedPayouts(field, liar);
    await contradictedCharges(field, liar);
  } finally {
    await Promise.all(field.workers.map((worker) => worker.restart()));
    await liar.close();
  }
}

async function contradictedPayouts(field: Field, liar: Liar): Promise<void> {
  const { operator } = field;
  const [paidFirst, failedFirst, otherAmount, otherReference] = (await Promise.all(
    Array.from({ length: 4 }, () => processingWithdrawal(operator)),
  )) as [string, string, string, string];
  await settles(field, paidFirst, 'paid');
  await settles(field, failedFirst, 'failed');
  await Promise.all([
    operator.reaches(`/v1/withdrawals/${paidFirst}`, ['paid'], SETTLES_WITHIN_MS),
    operator.reaches(`/v1/withdrawals/${failedFirst}`, ['failed'], SETTLES_WITHIN_MS),
  ]);

  liar.lie(about(paidFirst, (payout) => ({ ...payout, status: 'NAO_REALIZADO', motivo: { codigo: 'AC03' } })));
  liar.lie(about(failedFirst, (payout) => ({ ...payout, status: 'REALIZADO' })));
  liar.lie(about(otherAmount, (payout) => ({ ...payout, status: 'REALIZADO', valor: '0.01' })));
  liar.lie(about(otherReference, (payout) => ({ ...payout, status: 'REALIZADO', idEnvio: payoutOf(paidFirst) })));
  for (const id of [paidFirst, failedFirst, otherAmount, otherReference])
    await callBackRepeatedly(field, payoutCallback(field, id, 'REALIZADO'));
  await eventually(
    async () =>
      (await alertsOf(field, paidFirst)).has('PAYOUT_CONTRADICTION') &&
      (await alertsOf(field, failedFirst)).has('PAYOUT_CONTRADICTION'),
    'staff are told of both contradictions',
    ASKED_WITHIN_MS,
  );
  await eventually(
    async () => [otherAmount, otherReference].every((id) => wasTold(liar, payoutOf(id))),
    'the provider was asked',
    ASKED_WITHIN_MS,
  );
  await sleep(2_000);
  const seen = await Promise.all(
    [paidFirst, failedFirst, otherAmount, otherReference].map((id) => operator.status(`/v1/withdrawals/${id}`)),
  );
  assert.deepEqual(seen, ['paid', 'failed', 'processing', 'processing']);
}

async function contradictedCharges(field: Field, liar: Liar): Promise<void> {
  const { operator } = field;
  const [{ id: unpaidAgain }, { id: other }, unpaid] = await Promise.all([
    paidDeposit(field),
    paidDeposit(field),
    pendingDeposit(operator),
  ]);
  liar.lie(about(unpaidAgain, (charge) => ({ ...charge, status: 'ATIVA', pix: [] })));
  // The answer about another, paid charge to the question about this one.
  let answerOfOther: Record<string, unknown> | undefined;
  liar.lie((path, charge) => {
    if (path.endsWith(chargeOf(other))) answerOfOther = charge;
    return path.endsWith(chargeOf(unpaid)) ? answerOfOther : undefined;
  });
  await callBackRepeatedly(field, chargeCallback(field, { depositId: other }));
  await eventually(
    async () => answerOfOther !== undefined,
    'the provider was asked about the paid charge',
    ASKED_WITHIN_MS,
  );
  for (const depositId of [unpaidAgain, unpaid]) await callBackRepeatedly(field, chargeCallback(field, { depositId }));
  await eventually(
    async () => [unpaidAgain, unpaid].every((id) => wasTold(liar, chargeOf(id))),
    'the lies were told',
    ASKED_WITHIN_MS,
  );
  await sleep(2_000);
  const seen = await Promise.all([unpaidAgain, other, unpaid].map((id) => operator.status(`/v1/deposits/${id}`)));
  assert.deepEqual(seen, ['paid', 'paid', 'pending']);
}

function about(id: string, change: (answer: Record<string, unknown>) => Record<string, unknown>): Lie {
  return (path, answer) => (path.endsWith(id.slice(4)) ? change(answer) : undefined);
}

function wasTold({ told }: Liar, reference: string): boolean {
  return [...told.keys()].some((path) => path.endsWith(reference));
}
