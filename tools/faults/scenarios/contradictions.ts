// The provider contradicts an earlier answer or answers about another payment: a proxy before it changes its answers.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../harness/eventually.js';
import type { Environment } from '../environment/environment.js';
import { type Lie, type LyingProvider, startLyingProvider } from '../environment/lying-provider.js';
import {
  callBackRepeatedly,
  chargeCallback,
  chargeOf,
  payoutCallback,
  payoutOf,
  settles,
} from '../environment/provider.js';
import type { Scenario, ScenarioContext } from '../scenario.js';
import { OWN_DIALECT } from '../settings.js';
import { alertsOf, paidDeposit, pendingDeposit, processingWithdrawal } from './payments.js';

const SETTLES_WITHIN_MS = 120_000;
const ASKED_WITHIN_MS = 60_000;

export const contradictions: readonly Scenario[] = [
  {
    family: 'provider',
    name:
      'the provider contradicts itself: a payout paid then failed, failed then paid, settled with another amount ' +
      'or reference; a charge paid then unpaid, or answered as another’s',
    holds: 'final states stay; contradictions raise alerts; an answer about something else credits and settles nothing',
    bounded: false,
    // It changes answers, field by field.
    at: OWN_DIALECT,
    play: (context) => contradict(context),
  },
];

async function contradict({ environment }: ScenarioContext): Promise<void> {
  const lyingProvider = await startLyingProvider(`http://127.0.0.1:${environment.links.provider.port}`);
  try {
    await Promise.all(
      environment.workers.map((worker) => worker.restart({ PROVIDER_SIMULATOR_URL: `${lyingProvider.url}/simulator` })),
    );
    await contradictedPayouts(environment, lyingProvider);
    await contradictedCharges(environment, lyingProvider);
  } finally {
    await Promise.all(environment.workers.map((worker) => worker.restart()));
    await lyingProvider.close();
  }
}

async function contradictedPayouts(environment: Environment, lyingProvider: LyingProvider): Promise<void> {
  const { operator } = environment;
  const [paidFirst, failedFirst, otherAmount, otherReference] = (await Promise.all(
    Array.from({ length: 4 }, () => processingWithdrawal(operator)),
  )) as [string, string, string, string];
  await settles(environment, paidFirst, 'paid');
  await settles(environment, failedFirst, 'failed');
  await Promise.all([
    operator.reaches(`/v1/withdrawals/${paidFirst}`, ['paid'], SETTLES_WITHIN_MS),
    operator.reaches(`/v1/withdrawals/${failedFirst}`, ['failed'], SETTLES_WITHIN_MS),
  ]);

  lyingProvider.lie(about(paidFirst, (payout) => ({ ...payout, status: 'NAO_REALIZADO', motivo: { codigo: 'AC03' } })));
  lyingProvider.lie(about(failedFirst, (payout) => ({ ...payout, status: 'REALIZADO' })));
  lyingProvider.lie(about(otherAmount, (payout) => ({ ...payout, status: 'REALIZADO', valor: '0.01' })));
  lyingProvider.lie(
    about(otherReference, (payout) => ({ ...payout, status: 'REALIZADO', idEnvio: payoutOf(paidFirst) })),
  );
  for (const id of [paidFirst, failedFirst, otherAmount, otherReference])
    await callBackRepeatedly(environment, payoutCallback(environment, id, 'REALIZADO'));
  await eventually(
    async () =>
      (await alertsOf(environment, paidFirst)).has('PAYOUT_CONTRADICTION') &&
      (await alertsOf(environment, failedFirst)).has('PAYOUT_CONTRADICTION'),
    'both contradictions raise alerts',
    ASKED_WITHIN_MS,
  );
  await eventually(
    async () => [otherAmount, otherReference].every((id) => wasSent(lyingProvider, payoutOf(id))),
    'the provider was asked',
    ASKED_WITHIN_MS,
  );
  await sleep(2_000);
  const seen = await Promise.all(
    [paidFirst, failedFirst, otherAmount, otherReference].map((id) => operator.status(`/v1/withdrawals/${id}`)),
  );
  assert.deepEqual(seen, ['paid', 'failed', 'processing', 'processing']);
}

async function contradictedCharges(environment: Environment, lyingProvider: LyingProvider): Promise<void> {
  const { operator } = environment;
  const [{ id: unpaidAgain }, { id: other }, unpaid] = await Promise.all([
    paidDeposit(environment),
    paidDeposit(environment),
    pendingDeposit(operator),
  ]);
  lyingProvider.lie(about(unpaidAgain, (charge) => ({ ...charge, status: 'ATIVA', pix: [] })));
  // The answer about another, paid charge to the question about this one.
  let answerOfOther: Record<string, unknown> | undefined;
  lyingProvider.lie((path, charge) => {
    if (path.endsWith(chargeOf(other))) answerOfOther = charge;
    return path.endsWith(chargeOf(unpaid)) ? answerOfOther : undefined;
  });
  await callBackRepeatedly(environment, chargeCallback(environment, { depositId: other }));
  await eventually(
    async () => answerOfOther !== undefined,
    'the provider was asked about the paid charge',
    ASKED_WITHIN_MS,
  );
  for (const depositId of [unpaidAgain, unpaid])
    await callBackRepeatedly(environment, chargeCallback(environment, { depositId }));
  await eventually(
    async () => [unpaidAgain, unpaid].every((id) => wasSent(lyingProvider, chargeOf(id))),
    'the lies were sent',
    ASKED_WITHIN_MS,
  );
  await sleep(2_000);
  const seen = await Promise.all([unpaidAgain, other, unpaid].map((id) => operator.status(`/v1/deposits/${id}`)));
  assert.deepEqual(seen, ['paid', 'paid', 'pending']);
}

function about(id: string, change: (answer: Record<string, unknown>) => Record<string, unknown>): Lie {
  return (path, answer) => (path.endsWith(id.slice(4)) ? change(answer) : undefined);
}

function wasSent({ sent }: LyingProvider, reference: string): boolean {
  return [...sent.keys()].some((path) => path.endsWith(reference));
}
