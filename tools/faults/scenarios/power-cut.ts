// The power goes: both apis, both workers and Temporal are killed at once, just after what somebody asked for was stored. Nothing but PostgreSQL
// and Temporal's own store knows of it then.
import { within } from '../../harness/eventually.js';
import { begin, POWER_CUT } from '../casualties.js';
import type { Operator } from '../field/operator.js';
import type { Scenario, Stage } from '../scenario.js';

interface Act {
  readonly what: string;
  readonly step: 'storeDeposit' | 'storeWithdrawal';
  /** Makes the payment. @returns its path */
  prepare(operator: Operator): Promise<string>;
  ask(operator: Operator, path: string): Promise<unknown>;
  readonly ends: string;
}

const ACTS: readonly Act[] = [
  {
    what: 'the cancellation of a deposit',
    step: 'storeDeposit',
    prepare: pendingDeposit,
    ask: cancel,
    ends: 'cancelled',
  },
  {
    what: 'the cancellation of a withdrawal',
    step: 'storeWithdrawal',
    prepare: reviewedWithdrawal,
    ask: cancel,
    ends: 'cancelled',
  },
  {
    what: 'the approval of a withdrawal',
    step: 'storeWithdrawal',
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
  holds: 'it goes on from there when they are back; the operator is told',
  bounded: act.what === BOUNDED,
  play: (stage) => play(stage, act),
}));

async function play({ field }: Stage, { step, prepare, ask, ends }: Act): Promise<void> {
  const { operator } = field;
  const path = await prepare(operator);
  let strike: ReturnType<typeof begin> | undefined;
  const trap = field.desk.set({
    point: `activity.${step}.after`,
    subject: idOf(path),
    react: () => {
      strike = begin(POWER_CUT, field);
      return new Promise(() => undefined);
    },
  });
  const answer = ask(operator, path).then(
    () => null,
    (error: unknown) => error,
  );
  await within(60_000, trap.snapped, `somebody comes to ${step}`);
  await strike?.over();
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
