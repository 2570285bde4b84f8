// How a withdrawal comes into each of its states, and through which doors each of its triggers arrives.
import {
  WITHDRAWAL_STATUSES,
  WITHDRAWAL_TRANSITIONS,
  WITHDRAWAL_TRIGGERS,
  withdrawalAllows,
  type WithdrawalStatus,
  type WithdrawalTrigger,
} from '../../../domain/payments/withdrawal.js';
import type { KeyOwnerLookup, Payout } from '../../../providers/port.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { ACTION_MS } from '../harness/payment.js';
import { fundedOperation, type Stage } from '../harness/stage.js';
import { ProvedWithdrawal, type WithdrawalSettings } from '../harness/withdrawal.js';
import { type Cell, type Door, doorOf, type Residue } from './cells.js';
import { UNREACHABLE_WITHDRAWAL_CELLS } from '../../../tools/docs/unreachable-cells.js';

type WithdrawalDoor = Door<WithdrawalStatus>;

/** What a withdrawal must be asked for with, so that it can come into the state. */
const SETTINGS: Partial<Record<WithdrawalStatus, WithdrawalSettings>> = {
  requested: { inDirectory: true },
  under_review: { reviewRequested: true },
  rejected: { reviewRequested: true },
  cancelled: { reviewRequested: true },
};

/** A legitimate way into each state. */
const ROUTES: Record<WithdrawalStatus, (withdrawal: ProvedWithdrawal) => Promise<unknown>> = {
  requested: (withdrawal) => {
    withdrawal.key.holder = 'unavailable';
    return withdrawal.create();
  },
  under_review: (withdrawal) => withdrawal.create(),
  // Held before its send: the operation is suspended.
  approved: async (withdrawal) => {
    await withdrawal.create();
    await eventually(
      async () => (await withdrawal.read())?.alerts.includes('OPERATION_SUSPENDED') ?? false,
      'it is held',
      ACTION_MS,
    );
  },
  processing: sent,
  paid: (withdrawal) => ended(withdrawal, { status: 'paid' }),
  rejected: (withdrawal) => withdrawal.create().then(() => withdrawal.review('refuse')),
  failed: (withdrawal) => ended(withdrawal, { status: 'failed', failureCode: 'AC03' }),
  cancelled: (withdrawal) => withdrawal.create().then(() => withdrawal.cancel()),
  returned: (withdrawal) => ended(withdrawal, { status: 'paid', returns: returnedInFull(withdrawal) }),
};

function returnedInFull({ order }: ProvedWithdrawal): Payout['returns'] {
  return [{ reference: 'D1', at: new Date().toISOString(), code: null, amountMinor: order.amountMinor }];
}

async function sent(withdrawal: ProvedWithdrawal): Promise<void> {
  withdrawal.ruling.dispatch.operationSuspended = false;
  await withdrawal.create();
  await withdrawal.reaches('processing');
  // Its workflow knows it, too: before, there is nothing to look up.
  await withdrawal.workflowReaches('processing');
}

async function ended(withdrawal: ProvedWithdrawal, change: Partial<Payout>): Promise<void> {
  await sent(withdrawal);
  withdrawal.providerSays(change);
  await withdrawal.refresh();
}

async function withdrawalIn(stage: Stage, state: WithdrawalStatus): Promise<ProvedWithdrawal> {
  const withdrawal = await newWithdrawal(stage, SETTINGS[state]);
  await ROUTES[state](withdrawal);
  return withdrawal;
}

/** Once approved it stays so: the operation is suspended. */
async function newWithdrawal(stage: Stage, settings?: WithdrawalSettings): Promise<ProvedWithdrawal> {
  const withdrawal = new ProvedWithdrawal(stage, await fundedOperation(stage), settings);
  withdrawal.ruling.dispatch.operationSuspended = true;
  return withdrawal;
}

/** Waits until a question is at its closed gate, and continues before its answer. */
async function atGate(gate: { readonly queue: number }): Promise<void> {
  await eventually(() => gate.queue > 0, 'the question is asked', ACTION_MS);
}

/** The directory's answer. After a cancel it comes late; in the other later states the creation is repeated instead. */
function directory(name: string, holder: KeyOwnerLookup['kind'], isReviewed = false): WithdrawalDoor {
  return doorOf(`directory: ${name}`, false, asked, async (withdrawal, state) => {
    withdrawal.key.holder = holder;
    withdrawal.ruling.withdrawal.playerOnReviewList = isReviewed;
    withdrawal.key.gate.open();
    await withdrawal.create();
    if (state === 'requested') await withdrawal.leaves('requested');
    if (state === 'cancelled') await withdrawal.ended();
  });
}

async function asked(stage: Stage, state: WithdrawalStatus): Promise<ProvedWithdrawal> {
  if (state !== 'cancelled' && state !== 'requested') return withdrawalIn(stage, state);
  const withdrawal = await withdrawalIn(stage, 'requested');
  withdrawal.key.gate.close();
  await atGate(withdrawal.key.gate);
  if (state === 'cancelled') await withdrawal.cancel();
  return withdrawal;
}

function requested(name: string, fire: (withdrawal: ProvedWithdrawal) => Promise<string>): WithdrawalDoor {
  return doorOf(name, true, withdrawalIn, fire);
}

/**
 * The check before the send. After a cancel its answer comes late; elsewhere the gateway is given a reason to look
 * again.
 */
function dispatchCheck(
  name: string,
  answer: (withdrawal: ProvedWithdrawal, state: WithdrawalStatus) => void,
): WithdrawalDoor {
  return doorOf(`dispatch: ${name}`, false, checked, async (withdrawal, state) => {
    answer(withdrawal, state);
    withdrawal.ruling.dispatchGate.open();
    await (state === 'approved' ? withdrawal.leaves('approved') : announced(withdrawal));
  });
}

async function checked(stage: Stage, state: WithdrawalStatus): Promise<ProvedWithdrawal> {
  if (state !== 'cancelled' && state !== 'approved') return withdrawalIn(stage, state);
  const withdrawal = await newWithdrawal(stage);
  withdrawal.ruling.dispatchGate.close();
  await withdrawal.create();
  await atGate(withdrawal.ruling.dispatchGate);
  if (state === 'cancelled') await withdrawal.cancel();
  return withdrawal;
}

/** A callback, twice, and a look that comes after both. */
async function announced(withdrawal: ProvedWithdrawal): Promise<void> {
  await withdrawal.notice();
  await withdrawal.notice();
  await withdrawal.refresh();
}

function reported(
  name: string,
  change: (state: WithdrawalStatus, withdrawal: ProvedWithdrawal) => Partial<Payout>,
): WithdrawalDoor {
  return doorOf(`callback: ${name}`, false, withdrawalIn, async (withdrawal, state) => {
    withdrawal.providerSays(change(state, withdrawal));
    await announced(withdrawal);
  });
}

/** The check passes, the send leaves, and the provider replies; where nothing can be sent, a callback says as much. */
function firstReply(withdrawal: ProvedWithdrawal, state: WithdrawalStatus): void {
  if (state === 'approved') withdrawal.ruling.dispatch.operationSuspended = false;
  else withdrawal.providerSays({ status: 'processing', returns: [] });
}

/** The doors of each trigger. */
const WITHDRAWAL_DOORS: Record<WithdrawalTrigger, readonly WithdrawalDoor[]> = {
  decided_automatic: [directory('the player’s own key', 'match')],
  decided_manual: [directory('the player’s own key, to people', 'match', true)],
  blocked: [directory('somebody else’s key', 'mismatch')],
  approve: [requested('update', (withdrawal) => withdrawal.review('approve'))],
  refuse: [requested('update', (withdrawal) => withdrawal.review('refuse'))],
  cancel: [requested('update', (withdrawal) => withdrawal.cancel())],
  blocked_at_dispatch: [
    dispatchCheck('the player is on the block list', (withdrawal) => {
      withdrawal.ruling.dispatch.playerBlocked = true;
    }),
  ],
  provider_replied: [dispatchCheck('sent, and the provider replies', firstReply)],
  payout_settled: [reported('settled', () => ({ status: 'paid', failureCode: null }))],
  payout_failed: [reported('failed', () => ({ status: 'failed', failureCode: 'AC03' }))],
  // A return without a settlement is a return of nothing.
  payout_returned: [
    reported('returned', (state, withdrawal) => ({
      status: state === 'processing' ? 'processing' : 'paid',
      returns: returnedInFull(withdrawal),
    })),
  ],
};

const SAYS_ALIVE: readonly WithdrawalTrigger[] = ['provider_replied', 'payout_settled', 'payout_returned'];

/** A provider that contradicts what is final is reported, and nothing else. */
function residueOf(state: WithdrawalStatus, trigger: WithdrawalTrigger): Residue {
  const isOver = state === 'failed' || state === 'rejected' || state === 'cancelled';
  const contradicts =
    (isOver && SAYS_ALIVE.includes(trigger)) ||
    ((state === 'paid' || state === 'returned') && trigger === 'payout_failed');
  return contradicts ? { alert: 'PAYOUT_CONTRADICTION' } : {};
}

function cellOf(state: WithdrawalStatus, trigger: WithdrawalTrigger, door: WithdrawalDoor): Cell {
  const transition = WITHDRAWAL_TRANSITIONS[trigger];
  const isRepetition = trigger === 'cancel' && state === transition.to;
  const open = (stage: Stage) => door.open(stage, state);
  return {
    state,
    trigger,
    door,
    open,
    transition,
    isAllowed: withdrawalAllows(trigger, state),
    residue: residueOf(state, trigger),
    isRepetition,
  };
}

/** Once the send has left, or may have, the table's cancel from `approved` is refused. */
const CANCEL_AFTER_SEND: Cell = {
  ...cellOf(
    'approved',
    'cancel',
    doorOf('update, after the send has left', true, sentForNobodyKnows, (withdrawal) => withdrawal.cancel()),
  ),
  isAllowed: false,
};

async function sentForNobodyKnows(stage: Stage): Promise<ProvedWithdrawal> {
  const withdrawal = await newWithdrawal(stage);
  withdrawal.ruling.dispatch.operationSuspended = false;
  withdrawal.payout.fates.push('lost');
  await withdrawal.create();
  await eventually(() => withdrawal.payout.sends === 1, 'the send has left', ACTION_MS);
  return withdrawal;
}

/** Every state × every trigger × every door of it, except what is named unreachable. */
export const WITHDRAWAL_CELLS: readonly Cell[] = [
  CANCEL_AFTER_SEND,
  ...WITHDRAWAL_STATUSES.flatMap((state) =>
    WITHDRAWAL_TRIGGERS.filter((trigger) => UNREACHABLE_WITHDRAWAL_CELLS[trigger]?.[state] === undefined).flatMap(
      (trigger) => WITHDRAWAL_DOORS[trigger].map((door) => cellOf(state, trigger, door)),
    ),
  ),
];
