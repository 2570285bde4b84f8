// L (liveness): once everything is healed, every open payment ends. Payers pay, staff decide and banks settle what
// waits.
import { setTimeout as sleep } from 'node:timers/promises';
import { CLOSED_DEPOSIT_STATUSES } from '../../../domain/payments/deposit.js';
import { CLOSED_WITHDRAWAL_STATUSES } from '../../../domain/payments/withdrawal.js';
import type { Operator } from '../environment/operator.js';
import type { Invariant, ScenarioRun } from './invariant.js';

/** From healing, or from the last act of a person or a bank that it waited for. */
const SETTLES_WITHIN_MS = 60_000;
const POLL_MS = 400;
/** A command that could not be run on a busy machine is run again. */
const MOST_TRIES = 3;
/** Staff's commands are processes: hundreds at once would load the machine. */
const MOST_AT_ONCE = 10;

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
  holds:
    'every open object becomes final within 60 s of the end of the faults, once people, payers and banks have acted',
  async check(played) {
    const acts = new Map<string, number>();
    let open: OpenPayment[] = [];
    for (let deadline = Date.now() + SETTLES_WITHIN_MS; Date.now() < deadline; await sleep(POLL_MS)) {
      open = await openPayments(played);
      if (open.length === 0) return [];
      const triesOf = ({ id, status }: OpenPayment) => acts.get(`${id} ${status}`) ?? 0;
      const awaited = open
        .filter((payment) => triesOf(payment) < MOST_TRIES && AWAITED[payment.status] !== undefined)
        .slice(0, MOST_AT_ONCE);
      const done = await Promise.all(awaited.map((payment) => act(played, payment)));
      awaited.forEach((payment, index) =>
        acts.set(`${payment.id} ${payment.status}`, done[index] === true ? MOST_TRIES : triesOf(payment) + 1),
      );
      if (awaited.length > 0) deadline = Date.now() + SETTLES_WITHIN_MS;
    }
    return Promise.all(open.map((payment) => stuck(played, payment)));
  },
};

/** Said once. */
async function stuck({ environment }: ScenarioRun, { id, status }: OpenPayment): Promise<string> {
  environment.leftOpen.add(id);
  const { rows } = await environment.database.query<{ kind: string }>(
    'SELECT DISTINCT kind FROM alert WHERE object_id = $1',
    [id],
  );
  return `${id} is still ${status} (alerts: ${rows.map(({ kind }) => kind).join(', ') || 'none'})`;
}

async function openPayments({ environment }: ScenarioRun): Promise<OpenPayment[]> {
  const { rows } = await environment.database.query<OpenPayment>(OPEN, [
    CLOSED_DEPOSIT_STATUSES,
    CLOSED_WITHDRAWAL_STATUSES,
  ]);
  return rows.filter(({ id }) => !environment.leftOpen.has(id));
}

/** What each state waits for from outside. The others go on by themselves. */
const AWAITED: Readonly<
  Record<
    string,
    (operator: Operator, payment: OpenPayment, environment: ScenarioRun['environment']) => Promise<unknown>
  >
> = {
  pending: (operator, { id }) => operator.pay(id),
  under_review: (operator, { kind, id }, environment) =>
    kind === 'withdrawal'
      ? operator.steer(id, 'approve')
      : environment.gateway('review', 'approve', id, '--as', 'ana', '--reason', 'looked at by hand'),
  // Sent, or about to be: the bank pays it and reports it.
  approved: (operator, { id }) => operator.steer(id, 'pay'),
  processing: (operator, { id }) => operator.steer(id, 'pay'),
};

/** @returns whether it could act. Somebody may have been quicker: what counts is that it ends. */
async function act({ environment }: ScenarioRun, payment: OpenPayment): Promise<boolean> {
  const operator = environment.operators.find(({ operation }) => operation.operation_id === payment.operation_id);
  const action = AWAITED[payment.status];
  if (operator === undefined || action === undefined) return true;
  return action(operator, payment, environment).then(
    () => true,
    () => false,
  );
}
