// How a deposit comes into each of its states, and through which doors each of its triggers arrives.
import {
  DEPOSIT_STATUSES,
  DEPOSIT_TRANSITIONS,
  DEPOSIT_TRIGGERS,
  depositAllows,
  type DepositStatus,
  type DepositTrigger,
  LATE_PAYMENT_STATUSES,
} from '../../../domain/payments/deposit.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { ProvedDeposit } from '../harness/deposit.js';
import { ACTION_MS } from '../harness/payment.js';
import { fundedOperation, type Stage } from '../harness/stage.js';
import { type Cell, type Door, doorOf, type Residue } from './cells.js';
import { UNREACHABLE_DEPOSIT_CELLS } from '../../../tools/docs/unreachable-cells.js';

type DepositDoor = Door<DepositStatus>;

/** A legitimate way into each state. */
const ROUTES: Record<DepositStatus, (deposit: ProvedDeposit) => Promise<unknown>> = {
  created: async (deposit) => {
    deposit.charge.isSilent = true;
    // Answered after its budget; nobody waits for it here.
    void deposit.isCreated().catch(() => undefined);
    await deposit.reaches('created');
  },
  pending: (deposit) => deposit.isPending(),
  under_review: (deposit) => paid(deposit, 'unknown'),
  paid: (deposit) => paid(deposit, 'player'),
  expired: (deposit) => deposit.isPending().then(() => deposit.expire()),
  cancelled: (deposit) => deposit.isPending().then(() => deposit.cancel()),
  failed: async (deposit) => {
    await deposit.isPending();
    deposit.charge.status = 'removed';
    await deposit.refresh();
  },
  returned: (deposit) => paid(deposit, 'unknown').then(() => deposit.review('return')),
  refunded: (deposit) => reversed(deposit, 'refund'),
  chargeback: (deposit) => reversed(deposit, 'chargeback'),
};

async function paid(deposit: ProvedDeposit, payer: 'player' | 'unknown'): Promise<void> {
  await deposit.isPending();
  await deposit.payAtProvider(payer);
  await deposit.refresh();
}

async function reversed(deposit: ProvedDeposit, kind: 'refund' | 'chargeback'): Promise<void> {
  await paid(deposit, 'player');
  deposit.reverseAtProvider(kind);
  await deposit.refresh();
}

async function depositIn(stage: Stage, state: DepositStatus): Promise<ProvedDeposit> {
  const deposit = new ProvedDeposit(stage, await fundedOperation(stage));
  await ROUTES[state](deposit);
  return deposit;
}

/** A callback, twice, and a look that comes after both. */
async function announced(deposit: ProvedDeposit, state: DepositStatus): Promise<void> {
  await deposit.notice();
  await deposit.notice();
  // Before there is a charge nothing can be asked, and who asks waits.
  await (state === 'created' ? deposit.barrier() : deposit.refresh());
}

function reported(
  name: string,
  report: (deposit: ProvedDeposit) => unknown,
  prepare: typeof depositIn = depositIn,
): DepositDoor {
  return doorOf(`callback: ${name}`, false, prepare, async (deposit, state) => {
    await report(deposit);
    await announced(deposit, state);
  });
}

function requested(name: string, fire: (deposit: ProvedDeposit) => Promise<string>): DepositDoor {
  return doorOf(name, true, depositIn, fire);
}

/**
 * The provider's answer to the charge request; in later states the creation is repeated, as an api does after a crash.
 */
function answered(name: string, answer: (deposit: ProvedDeposit) => void): DepositDoor {
  return doorOf(`charge: ${name}`, false, depositIn, async (deposit, state) => {
    answer(deposit);
    deposit.charge.isSilent = false;
    await deposit.isCreated();
    if (state === 'created')
      await eventually(async () => (await deposit.status()) !== 'created', 'the charge is answered', ACTION_MS);
  });
}

/** A reversal hangs on a payment: where the deposit ended without one, it came late. */
async function depositWithPayment(stage: Stage, state: DepositStatus): Promise<ProvedDeposit> {
  const deposit = await depositIn(stage, state);
  if (state === 'created') await deposit.payAtProvider();
  if (!(LATE_PAYMENT_STATUSES as readonly DepositStatus[]).includes(state)) return deposit;
  await deposit.payAtProvider();
  await deposit.refresh();
  return deposit;
}

/** The doors of each trigger. The timer's is in the matrix's second part: it moves everybody's clock. */
const DEPOSIT_DOORS: Record<DepositTrigger, readonly DepositDoor[]> = {
  charge_created: [answered('made', () => undefined)],
  charge_refused: [
    answered('refused', (deposit) => {
      deposit.charge.refusal = 'psp_rejected';
    }),
  ],
  payment_matched: [reported('the player pays', (deposit) => deposit.payAtProvider('player'))],
  payment_in_doubt: [
    reported('somebody else pays', (deposit) => deposit.payAtProvider('other')),
    reported('another amount', (deposit) => deposit.payAtProvider('player', 4999n)),
  ],
  expiry: [requested('update', (deposit) => deposit.expire())],
  cancel: [requested('update', (deposit) => deposit.cancel())],
  charge_removed: [
    reported('the charge is gone', (deposit) => {
      deposit.charge.status = 'removed';
    }),
  ],
  approve: [requested('update', (deposit) => deposit.review('approve'))],
  return: [requested('update', (deposit) => deposit.review('return'))],
  refund: [reported('refunded', (deposit) => deposit.reverseAtProvider('refund'), depositWithPayment)],
  chargeback: [reported('charged back', (deposit) => deposit.reverseAtProvider('chargeback'), depositWithPayment)],
};

/** What every write of a row changes. */
const WRITTEN = ['revision', 'updatedAt'];

/** What the rules for money at the wrong time leave behind (docs/state-matrix.md). */
function residueOf(state: DepositStatus, trigger: DepositTrigger): Residue {
  const isLate = (LATE_PAYMENT_STATUSES as readonly DepositStatus[]).includes(state);
  if (trigger === 'payment_matched' || trigger === 'payment_in_doubt') {
    if (state === 'created') return {};
    const payment = ['paidAmountMinor', 'paidAt', 'payerSealed', 'payerDocumentHash', 'endToEndId', 'latePayment'];
    return isLate
      ? { columns: [...payment, ...WRITTEN], moves: 'late_payment_received', alert: 'LATE_PAYMENT' }
      : { columns: ['extraPayments', ...WRITTEN], moves: 'late_payment_received', alert: 'EXTRA_PAYMENT' };
  }
  const isReversal = trigger === 'refund' || trigger === 'chargeback';
  // The whole went back once already, so another return is more than the payment.
  const isReversed = state === 'returned' || state === 'refunded' || state === 'chargeback';
  if (isReversal && isReversed) return { alert: 'REVERSAL_ABOVE_PAYMENT' };
  const returned = ['returnedParts', 'returnedMinor', ...WRITTEN];
  return isReversal && isLate ? { columns: returned, moves: 'suspense_reversed', alert: 'REVERSAL_OUTSIDE_PAID' } : {};
}

/** A payment that went back while it was in doubt is returned, no matter who sent it back. */
function takenFor(state: DepositStatus, trigger: DepositTrigger): DepositTrigger {
  const isReversal = trigger === 'refund' || trigger === 'chargeback';
  return isReversal && state === 'under_review' ? 'return' : trigger;
}

function cellOf(state: DepositStatus, trigger: DepositTrigger, door: DepositDoor): Cell {
  const taken = takenFor(state, trigger);
  const transition = DEPOSIT_TRANSITIONS[taken];
  const isRepetition = trigger === 'cancel' && state === transition.to;
  const open = (stage: Stage) => door.open(stage, state);
  return {
    state,
    trigger,
    door,
    open,
    transition,
    isAllowed: depositAllows(taken, state),
    residue: residueOf(state, trigger),
    isRepetition,
  };
}

/** Every state × every trigger × every door of it, except what is named unreachable. */
export const DEPOSIT_CELLS: readonly Cell[] = DEPOSIT_STATUSES.flatMap((state) =>
  DEPOSIT_TRIGGERS.filter((trigger) => UNREACHABLE_DEPOSIT_CELLS[trigger]?.[state] === undefined).flatMap((trigger) =>
    DEPOSIT_DOORS[trigger].map((door) => cellOf(state, trigger, door)),
  ),
);

/** Every state when its time is over. Opening these moves the clock for all of them. */
export const DEPOSIT_TIMER_CELLS: readonly Cell[] = DEPOSIT_STATUSES.map((state) =>
  // A charge without an answer for so long raises an alert; it does not expire.
  ({
    ...cellOf(
      state,
      'expiry',
      doorOf('timer', false, depositIn, () => Promise.resolve()),
    ),
    residue: state === 'created' ? { alert: 'CHARGE_UNANSWERED' } : {},
  }),
);
