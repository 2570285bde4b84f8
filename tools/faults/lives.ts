// Whole payments as a campaign plays them: created, paid or approved and sent, while something goes wrong.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBooks } from '../harness/provider-books.js';
import type { TestPlayer } from '../harness/payments.js';
import type { Operator, Wish } from './field/operator.js';
import type { Stage } from './scenario.js';

export type Kind = 'deposit' | 'withdrawal';

/** Created, charged, paid. @returns its id */
export async function liveDeposit(operator: Operator, wish: Wish = {}): Promise<string> {
  const { id } = await operator.deposit(wish);
  await operator.reaches(`/v1/deposits/${id}`, ['pending']);
  await operator.pay(id);
  await operator.reaches(`/v1/deposits/${id}`, ['paid', 'under_review']);
  return id;
}

/** Asked for, approved, sent, paid. @returns its id */
export async function liveWithdrawal(
  operator: Operator,
  wish: Wish & { readonly player: TestPlayer },
): Promise<string> {
  const id = await approvedWithdrawal(operator, wish);
  const target = `/v1/withdrawals/${id}`;
  await operator.reaches(target, ['processing'], SENT_WITHIN_MS);
  await operator.steer(id, 'pay');
  await operator.reaches(target, ['paid']);
  return id;
}

/** A send that nobody answered for is given up after 15 s, and then looked up after 2, 5, 10 and 30 s. */
const SENT_WITHIN_MS = 120_000;

/** Asked for and approved; whether it can be sent is seen later. */
async function approvedWithdrawal(operator: Operator, wish: Wish & { readonly player: TestPlayer }): Promise<string> {
  const { id } = await operator.withdrawal(wish);
  if ((await operator.reaches(`/v1/withdrawals/${id}`, ['under_review', 'approved', 'processing'])) === 'under_review')
    await operator.steer(id, 'approve');
  return id;
}

/** Players with money of their own, made at once. */
export function fundedPlayers(operator: Operator, count: number): Promise<TestPlayer[]> {
  return Promise.all(Array.from({ length: count }, () => operator.fundedPlayer()));
}

/**
 * Payments of both kinds, so many of each, all at once: the first half are there already, the others begin when they are let go. The withdrawals
 * are left where they were approved; the bank settles them at the end.
 * @returns lets them go, and waits for them
 */
export async function prepareTraffic(operator: Operator, count: number): Promise<() => Promise<void>> {
  const early = Math.ceil(count / 2);
  const players = await fundedPlayers(operator, count);
  const [deposits, withdrawals] = await Promise.all([
    Promise.all(players.slice(0, early).map(() => operator.deposit())),
    Promise.all(players.slice(0, early).map((player) => operator.withdrawal({ player }))),
  ]);
  return async () => {
    await Promise.all([
      ...deposits.map(({ id }) => operator.pay(id)),
      ...withdrawals.map(({ id }) => operator.steer(id, 'approve')),
      ...players.slice(early).map((player) => approvedWithdrawal(operator, { player })),
      ...players.slice(early).map(() => liveDeposit(operator)),
    ]);
  };
}

/**
 * Does `work` while payments of both kinds go on, so many at once and one round after the other. Throws when one of them, or `work`, fails, and when
 * a request was not served meanwhile.
 * @returns how many rounds there were
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

/** Approved, with the permission to send taken, and nothing tells that it was not used. */
const MAY_HAVE_LEFT = `
  SELECT id FROM withdrawal JOIN payout_send ON withdrawal_id = id WHERE status = 'approved' AND NOT EXISTS (
    SELECT 1 FROM alert WHERE object_id = withdrawal.id AND resolved_at IS NULL AND kind IN ('DISPATCH_CHECK_UNAVAILABLE', 'PROVIDER_UNREACHABLE'))`;
/** An activity that was under way has ended, one way or the other. */
const SEND_LASTS_MS = 16_000;

/**
 * The one send of a withdrawal may be lost for good with the worker that was to make it: the provider has never seen it, and nobody knows. It then
 * stays approved until two people end it, a day later at the soonest. Called when everything is healed.
 */
export async function leaveLostSends({ field, staysOpen }: Stage): Promise<void> {
  for (const deadline = Date.now() + SEND_LASTS_MS; ; await sleep(500)) {
    const { rows } = await field.database.query<{ id: string }>(MAY_HAVE_LEFT);
    if (rows.length === 0) return;
    const seen = new Set((await readBooks(field.simulator.url)).payouts.map(({ reference }) => reference));
    const lost = rows.filter(({ id }) => !seen.has(id.slice('wdr_'.length)));
    if (lost.length === 0) return;
    // An attempt that is under way may yet arrive.
    if (Date.now() < deadline) continue;
    for (const { id } of lost) staysOpen(id);
    return;
  }
}
