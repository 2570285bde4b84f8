// The worker that runs it is killed before and after every activity of both life cycles; another one goes on.
import assert from 'node:assert/strict';
import { killThere } from '../field/failpoint-desk.js';
import type { Operator } from '../field/operator.js';
import type { Scenario, Stage } from '../scenario.js';

/** The activities of a deposit that is created, paid and told of, and of a withdrawal that is approved, sent and paid. */
const ACTIVITIES = {
  deposit: ['decideDeposit', 'openDeposit', 'storeDeposit', 'examineCharge', 'deliverEvent'],
  withdrawal: ['decideWithdrawal', 'storeWithdrawal', 'decideDispatch', 'sendPayout', 'lookUpPayout', 'deliverEvent'],
} as const;

/** Where a life cycle's money moves. */
const BOUNDED = new Set(['openDeposit.after', 'storeWithdrawal.after', 'sendPayout.after']);

export const killedWorker: readonly Scenario[] = (['deposit', 'withdrawal'] as const).flatMap((kind) =>
  ACTIVITIES[kind].flatMap((activity) =>
    (['before', 'after'] as const).map((when): Scenario => ({
      family: 'processes',
      name: `worker killed ${when} ${activity} of a ${kind}`,
      holds: 'the other worker takes it up; the payment ends as it should',
      bounded: BOUNDED.has(`${activity}.${when}`),
      play: (stage) => playAt(stage, kind, `activity.${activity}.${when}`),
    })),
  ),
);

async function playAt({ field }: Stage, kind: 'deposit' | 'withdrawal', point: string): Promise<void> {
  const player = kind === 'withdrawal' ? await field.operator.fundedPlayer() : undefined;
  const trap = field.desk.set({ point, react: killThere });
  await (player === undefined ? liveDeposit(field.operator) : liveWithdrawal(field.operator, player));
  assert.ok(trap.hasSnapped(), `nobody came to ${point}`);
}

async function liveDeposit(operator: Operator): Promise<void> {
  const { id } = await operator.deposit();
  await operator.reaches(`/v1/deposits/${id}`, ['pending']);
  await operator.pay(id);
  await operator.reaches(`/v1/deposits/${id}`, ['paid']);
}

async function liveWithdrawal(operator: Operator, player: Awaited<ReturnType<Operator['fundedPlayer']>>): Promise<void> {
  const { id } = await operator.withdrawal({ player });
  const target = `/v1/withdrawals/${id}`;
  if ((await operator.reaches(target, ['under_review', 'approved', 'processing'])) === 'under_review') await operator.steer(id, 'approve');
  await operator.reaches(target, ['processing']);
  await operator.steer(id, 'pay');
  await operator.reaches(target, ['paid']);
}
