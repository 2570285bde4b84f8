// L: once everything is healed, whatever was under way comes to its end. Payers pay, desks decide and banks settle what waits for them.
import { setTimeout as sleep } from 'node:timers/promises';
import { CLOSED_DEPOSIT_STATUSES } from '../../domain/deposit.js';
import { CLOSED_WITHDRAWAL_STATUSES } from '../../domain/withdrawal.js';
import type { Operator } from '../field/operator.js';
import type { Invariant, Played } from './invariant.js';

/** From healing, or from the last act of a person or a bank that it waited for. */
const SETTLES_WITHIN_MS = 60_000;
const POLL_MS = 400;

interface OpenPayment {
  readonly kind: 'deposit' | 'withdrawal';
  readonly id: string;
  readonly operation_id: string;
  readonly status: string;
}

const OPEN = `
  SELECT 'deposit' AS kind, id, operation_id, status FROM deposit WHERE NOT status = ANY($1)
  UNION ALL SELECT 'withdrawal', id, operation_id, status FROM withdrawal WHERE NOT status = ANY($2)`;

export const settlement: Invariant = {
  letter: 'L',
  holds: 'every object that is not final settles within 60 s of healing, once whoever it waits for has acted',
  async check(played) {
    const acted = new Set<string>();
    let open: OpenPayment[] = [];
    for (let deadline = Date.now() + SETTLES_WITHIN_MS; Date.now() < deadline; await sleep(POLL_MS)) {
      open = await openPayments(played);
      if (open.length === 0) return [];
      const awaited = open.filter(({ id, status }) => !acted.has(`${id} ${status}`) && AWAITED[status] !== undefined);
      await Promise.all(awaited.map((payment) => act(played, payment)));
      for (const { id, status } of awaited) acted.add(`${id} ${status}`);
      if (awaited.length > 0) deadline = Date.now() + SETTLES_WITHIN_MS;
    }
    return Promise.all(open.map((payment) => stuck(played, payment)));
  },
};

/** Said once: it stays open through the scenarios that follow, and is none of theirs. */
const reported = new Set<string>();

async function stuck({ field }: Played, { id, status }: OpenPayment): Promise<string> {
  reported.add(id);
  const { rows } = await field.database.query<{ kind: string }>('SELECT DISTINCT kind FROM alert WHERE object_id = $1', [id]);
  return `${id} is still ${status} (alerts: ${rows.map(({ kind }) => kind).join(', ') || 'none'})`;
}

async function openPayments({ field, openByDesign }: Played): Promise<OpenPayment[]> {
  const { rows } = await field.database.query<OpenPayment>(OPEN, [CLOSED_DEPOSIT_STATUSES, CLOSED_WITHDRAWAL_STATUSES]);
  return rows.filter(({ id }) => !openByDesign.has(id) && !reported.has(id));
}

/** What each state waits for from outside. The others go on by themselves. */
const AWAITED: Readonly<Record<string, (operator: Operator, payment: OpenPayment, field: Played['field']) => Promise<unknown>>> = {
  pending: (operator, { id }) => operator.pay(id),
  under_review: (operator, { kind, id }, field) => (kind === 'withdrawal' ? operator.steer(id, 'approve') : field.gateway('review', 'approve', id, '--as', 'ana', '--reason', 'looked at by hand')),
  // Sent, or about to be: the bank pays it, and says so.
  approved: (operator, { id }) => operator.steer(id, 'pay'),
  processing: (operator, { id }) => operator.steer(id, 'pay'),
};

async function act({ field }: Played, payment: OpenPayment): Promise<void> {
  const operator = field.operators.find(({ operation }) => operation.operation_id === payment.operation_id);
  if (operator === undefined) return;
  // Somebody may have been quicker: what counts is that it ends.
  await AWAITED[payment.status]?.(operator, payment, field).catch(() => undefined);
}
