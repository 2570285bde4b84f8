// The workload: payments from creation to their end, while faults are injected.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBooks } from '../harness/provider-books.js';
import type { TestPlayer } from '../harness/payments.js';
import type { Operator, Wish } from './environment/operator.js';
import type { ScenarioContext } from './scenario.js';

export type Kind = 'deposit' | 'withdrawal';

/** Created, charged, paid. @returns its id */
async function completeDeposit(operator: Operator, wish: Wish = {}): Promise<string> {
  const { id } = await operator.deposit(wish);
  await operator.reaches(`/v1/deposits/${id}`, ['pending']);
  await operator.pay(id);
  await operator.reaches(`/v1/deposits/${id}`, ['paid', 'under_review']);
  return id;
}

/** Created and approved; sending may fail later. */
async function approvedWithdrawal(operator: Operator, wish: Wish & { readonly player: TestPlayer }): Promise<string> {
  const { id } = await operator.withdrawal(wish);
  if ((await operator.reaches(`/v1/withdrawals/${id}`, ['under_review', 'approved', 'processing'])) === 'under_review')
    await operator.steer(id, 'approve');
  return id;
}

/** Creates players with a balance, in parallel. */
function fundedPlayers(operator: Operator, count: number): Promise<TestPlayer[]> {
  return Promise.all(Array.from({ length: count }, () => operator.fundedPlayer()));
}

/**
 * Prepares `count` deposits and `count` withdrawals to run at once. The first half is created now, the other half
 * when the returned function is called. Withdrawals stop at approved; the bank settles them at the end.
 * @returns starts them, and resolves when they are done
 */
export async function prepareTraffic(operator: Operator, count: number): Promise<() => Promise<void>> {
  const early = Math.ceil(count / 2);
  const players = await fundedPlayers(operator, count);
  const [deposits, withdrawals] = await Promise.all([
    Promise.all(Array.from({ length: early }, () => operator.deposit())),
    Promise.all(players.slice(0, early).map((player) => operator.withdrawal({ player }))),
  ]);
  return async () => {
    await Promise.all([
      ...deposits.map(({ id }) => operator.pay(id)),
      ...withdrawals.map(({ id }) => operator.steer(id, 'approve')),
      ...players.slice(early).map((player) => approvedWithdrawal(operator, { player })),
      ...Array.from({ length: count - early }, () => completeDeposit(operator)),
    ]);
  };
}

/**
 * Does `work` while rounds of `count` deposits and withdrawals run. Throws when a payment or `work` fails, or when a
 * request was not served.
 * @returns the number of rounds
 */
export async function underSteadyLoad(operator: Operator, count: number, work: () => Promise<void>): Promise<number> {
  let isOver = false;
  let rounds = 0;
  const load = async () => {
    while (!isOver) {
      await (
        await prepareTraffic(operator, count)
      )();
      rounds += 1;
    }
  };
  const loading = load().then(
    () => null,
    (error: unknown) => error,
  );
  try {
    await work();
  } finally {
    isOver = true;
  }
  assert.equal(await loading, null);
  assert.deepEqual(operator.unserved, []);
  return rounds;
}

/** Approved withdrawals that hold the permission to send. */
const MAY_HAVE_LEFT = `
  SELECT id FROM withdrawal JOIN payout_send ON withdrawal_id = id WHERE status = 'approved' AND state = 'claimed'`;
/** By then a running activity has ended. */
const SEND_LASTS_MS = 16_000;

/**
 * A withdrawal's only send can be lost with the worker that was about to make it: the provider never sees it. The
 * withdrawal then stays approved until two people write it off, after a day at the earliest. Call this when everything
 * is healed.
 */
export async function leaveLostSends({ environment, staysOpen }: ScenarioContext): Promise<void> {
  for (const deadline = Date.now() + SEND_LASTS_MS; ; await sleep(500)) {
    const { rows } = await environment.database.query<{ id: string }>(MAY_HAVE_LEFT);
    if (rows.length === 0) return;
    const seen = new Set((await readBooks(environment.simulator.url)).payouts.map(({ reference }) => reference));
    const lost = rows.filter(({ id }) => !seen.has(id.slice('wdr_'.length)));
    if (lost.length === 0) return;
    // A running attempt may still arrive.
    if (Date.now() < deadline) continue;
    for (const { id } of lost) staysOpen(id);
    return;
  }
}
