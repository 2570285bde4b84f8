// A power cut: both apis, both workers and Temporal are killed at once, just after a request was stored. Nothing but
// PostgreSQL and Temporal's own store knows of it then.
import { within } from '../../harness/eventually.js';
import { begin, POWER_CUT } from '../crashes.js';
import type { Operator } from '../environment/operator.js';
import type { Scenario, ScenarioContext } from '../scenario.js';
import { PLAYED_WITH } from '../settings.js';
import type { Kind } from '../workload.js';

interface Act {
  readonly what: string;
  readonly kind: Kind;
  readonly step: 'cancelDeposit' | 'cancelWithdrawal' | 'approveWithdrawal';
  /** Makes the payment. @returns its path */
  prepare(operator: Operator): Promise<string>;
  ask(operator: Operator, path: string): Promise<unknown>;
  readonly ends: string;
}

const ACTS: readonly Act[] = [
  {
    what: 'the cancellation of a deposit',
    kind: 'deposit',
    step: 'cancelDeposit',
    prepare: pendingDeposit,
    ask: cancel,
    ends: 'cancelled',
  },
  {
    what: 'the cancellation of a withdrawal',
    kind: 'withdrawal',
    step: 'cancelWithdrawal',
    prepare: reviewedWithdrawal,
    ask: cancel,
    ends: 'cancelled',
  },
  {
    what: 'the approval of a withdrawal',
    kind: 'withdrawal',
    step: 'approveWithdrawal',
    prepare: reviewedWithdrawal,
    ask: (operator, path) => operator.steer(idOf(path), 'approve'),
    ends: 'processing',
  },
];
const BOUNDED = 'the approval of a withdrawal';
const SENT_WITHIN_MS = 120_000;

export const powerCut: readonly Scenario[] = ACTS.map((act) => ({
  family: 'processes',
  name: `apis, workers and Temporal killed at once after ${act.what} is stored`,
  holds: 'it continues from there when they are back; the operator gets the events',
  bounded: act.what === BOUNDED,
  at: PLAYED_WITH[act.kind],
  play: (context) => play(context, act),
}));

async function play({ environment }: ScenarioContext, { step, prepare, ask, ends }: Act): Promise<void> {
  const { operator } = environment;
  const path = await prepare(operator);
  let injected: ReturnType<typeof begin> | undefined;
  const failpoint = environment.failpoints.set({
    point: `activity.${step}.after`,
    subject: idOf(path),
    react: () => {
      injected = begin(POWER_CUT, environment);
      return new Promise(() => undefined);
    },
  });
  const answer = ask(operator, path).then(
    () => null,
    (error: unknown) => error,
  );
  await within(60_000, failpoint.hit, `a process reaches ${step}`);
  await injected?.over();
  const failure = await answer;
  if (failure !== null) throw failure;
  await operator.reaches(path, [ends], SENT_WITHIN_MS);
}

async function pendingDeposit(operator: Operator): Promise<string> {
  const path = `/v1/deposits/${(await operator.deposit()).id}`;
  await operator.reaches(path, ['pending']);
  return path;
}

async function reviewedWithdrawal(operator: Operator): Promise<string> {
  const { id } = await operator.withdrawal({ player: await operator.fundedPlayer() });
  const path = `/v1/withdrawals/${id}`;
  await operator.reaches(path, ['under_review']);
  return path;
}

function cancel(operator: Operator, path: string): Promise<unknown> {
  return operator.post(`${path}/cancel`, undefined);
}

const idOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
