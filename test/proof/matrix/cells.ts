// The state matrix as cells to execute: every state × every trigger, and what the tables say each leaves behind.
import assert from 'node:assert/strict';
import type { LedgerMovement } from '../../../domain/ledger.js';
import { toBigInt } from '../../../store/database.js';
import { type StoredPayment, entriesOf, replayed, type Subject } from '../harness/stored-payment.js';
import type { Stage } from '../harness/stage.js';

interface Transition {
  readonly to: string;
  readonly event: string;
  readonly moves: LedgerMovement | null;
}

/**
 * What a trigger may write if it does not change the state: notes in these columns, money nobody may credit, an
 * alert.
 */
export interface Residue {
  readonly columns?: readonly string[];
  readonly moves?: LedgerMovement;
  readonly alert?: string;
}

interface Payment extends Subject {
  read(): Promise<StoredPayment | null>;
}

/** How a trigger reaches a payment. */
export interface Door<Status extends string> {
  readonly name: string;
  /** Whether it requests the trigger, so that a refusal is answered; the others are facts that are looked up. */
  readonly isRequest: boolean;
  /** Brings a new payment into the state, and answers how to fire the trigger at it. */
  readonly open: (stage: Stage, state: Status) => Promise<Opened>;
}

interface Opened {
  readonly payment: Payment;
  /** Resolves when the workflow has processed the trigger; for a request with its answer. */
  readonly fire: () => Promise<string | void>;
}

/** A door from its two steps. */
export function doorOf<One extends Payment, Status extends string>(
  name: string,
  isRequest: boolean,
  prepare: (stage: Stage, state: Status) => Promise<One>,
  fire: (payment: One, state: Status) => Promise<string | void>,
): Door<Status> {
  const open = async (stage: Stage, state: Status): Promise<Opened> => {
    const payment = await prepare(stage, state);
    return { payment, fire: () => fire(payment, state) };
  };
  return { name, isRequest, open };
}

export interface Cell {
  readonly state: string;
  readonly trigger: string;
  readonly door: { readonly name: string; readonly isRequest: boolean };
  readonly open: (stage: Stage) => Promise<Opened>;
  readonly transition: Transition;
  readonly isAllowed: boolean;
  readonly residue: Residue;
  /** A request that is repeated in its own result is answered like the first one. */
  readonly isRepetition: boolean;
}

export function titleOf({ state, trigger, door, transition, isAllowed }: Cell): string {
  return `${state} × ${trigger} (${door.name}): ${isAllowed ? `→ ${transition.to}` : 'changes nothing'}`;
}

/** Executes one cell: prepare, fire, compare everything Postgres holds before and after. */
export async function executeCell(stage: Stage, cell: Cell): Promise<void> {
  const { payment, fire } = await cell.open(stage);
  const before = await storedOf(payment);
  assert.equal(before.row.status, cell.state, 'the payment is in the state of the cell');
  const answer = await fire();
  judge(cell, before, await storedOf(payment), answer);
}

export async function storedOf(payment: Payment): Promise<StoredPayment> {
  const stored = await payment.read();
  assert.ok(stored !== null, 'the payment is stored');
  return stored;
}

/** Compares two moments by the tables. */
export function judge(
  cell: Cell,
  before: StoredPayment,
  after: StoredPayment,
  answer: string | void = undefined,
): void {
  if (cell.isAllowed) judgeTransition(cell, before, after);
  else judgeRefusal(cell, before, after);
  assert.deepEqual(
    after.balances,
    { ...zeros(after.balances), ...replayed(after.entries) },
    'every balance is the sum of its entries',
  );
  if (!cell.door.isRequest) return;
  // Either the workflow refuses, or there is none any more. The api and the command answer both by the row: a
  // repetition like the first request, anything else with invalid_state_transition.
  const refused = ['invalid_state', 'closed'];
  const expected = cell.isAllowed ? ['done'] : cell.isRepetition ? ['done', ...refused] : refused;
  assert.ok(expected.includes(answer ?? ''), `the answer is one of ${expected.join(', ')}: ${answer}`);
}

function judgeTransition({ transition }: Cell, before: StoredPayment, after: StoredPayment): void {
  const { id, status, version } = after.row;
  assert.deepEqual({ status, version }, { status: transition.to, version: before.row.version + 1 });
  assert.deepEqual(after.events, [...before.events, `${transition.event}@${version}`]);
  const { moves } = transition;
  // A return's step names its part, which the provider chose.
  const added = after.entries.slice(before.entries.length);
  const step = added[0]?.step.startsWith('returned:') === true ? added[0].step : String(version);
  const moved = moves === null ? [] : entriesOf(moves, amountMoved(after), { objectId: id, step });
  assert.deepEqual(after.entries, [...before.entries, ...moved]);
}

/** A deposit moves what was paid, a withdrawal its whole amount. */
function amountMoved({ row }: StoredPayment): bigint {
  return toBigInt('paidAmountMinor' in row && row.paidAmountMinor !== null ? row.paidAmountMinor : row.amountMinor);
}

function judgeRefusal({ residue }: Cell, before: StoredPayment, after: StoredPayment): void {
  const noted = Object.fromEntries((residue.columns ?? []).map((column) => [column, null]));
  assert.deepEqual({ ...after.row, ...noted }, { ...before.row, ...noted }, 'the row is as it was');
  assert.deepEqual(after.events, before.events, 'no event');
  const added = after.entries.slice(before.entries.length).map(({ movement }) => movement);
  assert.deepEqual(after.entries.slice(0, before.entries.length), before.entries);
  assert.deepEqual(added, residue.moves === undefined ? [] : [residue.moves, residue.moves], 'no money moves');
  const alerts =
    residue.alert === undefined || before.alerts.includes(residue.alert)
      ? before.alerts
      : [...before.alerts, residue.alert].sort();
  assert.deepEqual(after.alerts, alerts);
}

function zeros(balances: Readonly<Record<string, bigint>>): Record<string, bigint> {
  return Object.fromEntries(Object.keys(balances).map((account) => [account, 0n]));
}

/** Runs tasks, so many at a time; each result is there to be awaited by itself. */
export class Pool {
  private readonly waiting: (() => void)[] = [];
  private free: number;

  constructor(size: number) {
    this.free = size;
  }

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.free === 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.free -= 1;
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}
