// Payments in a given state, and what is stored about them, for scenarios that begin there.
import type { Environment } from '../environment/environment.js';
import type { Operator, Wish } from '../environment/operator.js';
import { pays } from '../environment/provider.js';

export async function pendingDeposit(operator: Operator, wish: Wish = {}): Promise<string> {
  const { id } = await operator.deposit(wish);
  await operator.reaches(`/v1/deposits/${id}`, ['pending']);
  return id;
}

export async function paidDeposit(
  environment: Environment,
): Promise<{ readonly id: string; readonly endToEndId: string }> {
  const id = await pendingDeposit(environment.operator);
  const { end_to_end_id } = await pays(environment, id);
  await environment.operator.reaches(`/v1/deposits/${id}`, ['paid']);
  return { id, endToEndId: String(end_to_end_id) };
}

/** A withdrawal that waits for review, as every player's first does. */
export async function reviewedWithdrawal(operator: Operator, amountMinor = '1000'): Promise<string> {
  const player = await operator.fundedPlayer();
  const { id } = await operator.withdrawal({ player, amountMinor });
  await operator.reaches(`/v1/withdrawals/${id}`, ['under_review']);
  return id;
}

export async function processingWithdrawal(operator: Operator): Promise<string> {
  const id = await reviewedWithdrawal(operator);
  await operator.steer(id, 'approve');
  await operator.reaches(`/v1/withdrawals/${id}`, ['processing']);
  return id;
}

/** The types of an object's events, by version. */
export async function eventsOf({ database }: Environment, objectId: string): Promise<string[]> {
  return (
    await database.query<{ type: string }>('SELECT type FROM event WHERE object_id = $1 ORDER BY object_version', [
      objectId,
    ])
  ).rows.map(({ type }) => type);
}

/** The kinds of alerts about an object, or of all. */
export async function alertsOf({ database }: Environment, objectId?: string): Promise<Set<string>> {
  const { rows } = await database.query<{ kind: string }>(
    'SELECT kind FROM alert WHERE $1::text IS NULL OR object_id = $1',
    [objectId ?? null],
  );
  return new Set(rows.map(({ kind }) => kind));
}
