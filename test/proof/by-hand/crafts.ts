// What an attacker hands to each activity of the gateway that he schedules by hand. Total: a new activity does not
// compile without its line.
import type { GatewayActivities } from '../../../activities/index.js';
import { newId } from '../../../domain/identifiers.js';
import { LAST_PAGE } from '../../support/fakes/provider-port.js';
import type { ProvedDeposit } from '../harness/deposit.js';
import type { ProvedWithdrawal } from '../harness/withdrawal.js';

export type ActivityName = {
  [Queue in keyof GatewayActivities]: keyof GatewayActivities[Queue];
}[keyof GatewayActivities];

/** What the attacker has read in Temporal. */
export interface Victims {
  readonly operationId: string;
  readonly deposits: readonly ProvedDeposit[];
  readonly withdrawals: readonly ProvedWithdrawal[];
  /** Orders that the api made, which nobody has stored yet. */
  readonly deposit: ProvedDeposit;
  readonly withdrawal: ProvedWithdrawal;
  readonly changeId: string;
  readonly eventId: string;
}

/** What he wants people to read. */
export const LIE = 'pay 52998224725 by hand';
/** Long after everything: every window is empty, and every deadline has passed. */
const FAR = '2099-06-15T12:00:00.000Z';

/** Times and results, as no workflow of the gateway says them. */
const LIES = {
  at: FAR,
  through: FAR,
  throughDay: '2099-06-14',
  status: 'paid',
  outcome: { kind: 'written_off' },
  trigger: 'payment_confirmed',
  verdict: { kind: 'automatic' },
  payout: { status: 'paid', paidAt: FAR },
  payment: { amountMinor: '5000', payerMatch: 'match' },
  problems: 0,
  compared: 1,
  reopened: 0,
  failed: 0,
  detail: LIE,
  kind: 'WEBHOOK_EXHAUSTED',
  isBudgetSpent: true,
  isKeyAsked: true,
  isLookedUp: true,
  isNoticed: true,
};

type Craft = (victims: Victims) => readonly object[];

const WRONG_ACTS = ['act_0', 7, null];

function about({ id, operationId }: { readonly id: string; readonly operationId: string }): object[] {
  const ref = { ...LIES, id, operationId, provider: 'simulator', seenVersion: 0, rules: 'asked' };
  return [ref, { ...ref, rules: 'silent', seenVersion: 9, isBudgetSpent: false, isKeyAsked: false }];
}

const onDeposits: Craft = ({ deposits }) => deposits.flatMap(about);
const onWithdrawals: Craft = ({ withdrawals }) => withdrawals.flatMap(about);
const withActs =
  (craft: Craft): Craft =>
  (victims) =>
    craft(victims).flatMap((input) => [newId('staffAct'), ...WRONG_ACTS].map((actId) => ({ ...input, actId })));
const onChange: Craft = ({ changeId, operationId }) => [
  { ...LIES, changeId, operationId, decision: 'approve', actId: newId('staffAct'), eventId: newId('event') },
];
const onChecks: Craft = () => [
  { ...LIES, after: 'op_zzz', progress: 'e30.test.AAAA' },
  { ...LIES, progress: {} },
];

/** What changes nothing that an operator could not: to stop a payment. It comes last. */
export const STOPS: readonly ActivityName[] = ['cancelDeposit', 'cancelWithdrawal', 'expireDepositNow'];

export const CRAFTS: Readonly<Record<ActivityName, Craft>> = {
  loadDeposit: onDeposits,
  cancelDeposit: onDeposits,
  cancelDepositByStaff: withActs(onDeposits),
  expireDeposit: onDeposits,
  expireDepositNow: onDeposits,
  approveDeposit: withActs(onDeposits),
  requestReturn: withActs(onDeposits),
  openDeposit: ({ deposit: { order } }) => [{ ...LIES, order, chargeWithinMs: 1 }],
  lookUpChargeBriefly: onDeposits,
  createCharge: onDeposits,
  lookUpCharge: onDeposits,
  followReturn: onDeposits,
  loadWithdrawal: onWithdrawals,
  cancelWithdrawal: onWithdrawals,
  cancelWithdrawalByStaff: withActs(onWithdrawals),
  approveWithdrawal: withActs(onWithdrawals),
  refuseWithdrawal: withActs(onWithdrawals),
  decideWriteOff: withActs(onWithdrawals),
  openWithdrawal: ({ withdrawal: { order } }) => [{ ...LIES, order, rules: 'asked' }],
  decideRequested: onWithdrawals,
  judgeReviewed: onWithdrawals,
  // Also at a time of day at which it may be sent.
  clearDispatch: ({ withdrawals }) =>
    withdrawals.flatMap((one) => [...about(one), { ...about(one)[0], at: inHours(6.5) }]),
  sendPayout: onWithdrawals,
  lookUpKeyOwner: onWithdrawals,
  lookUpPayout: onWithdrawals,
  lookUpPayoutBriefly: onWithdrawals,
  followPayout: onWithdrawals,
  awaitsAttempt: ({ eventId, operationId }) => [{ ...LIES, eventId, operationId, attempt: 1 }],
  deliverEvent: ({ eventId, operationId }) => [{ ...LIES, eventId, operationId, attempt: 1 }],
  endExhausted: ({ eventId, operationId }) => [
    { ...LIES, eventId, operationId, objectId: eventId, occasion: FAR },
    { ...LIES, eventId: newId('event'), operationId },
  ],
  raiseAlert: ({ operationId, deposits, withdrawals }) =>
    [...deposits, ...withdrawals].flatMap(({ id }) =>
      [LIE, 'toString', 'payout_traceless', 'charge_unanswered'].map((condition) => {
        const alert = { kind: 'LEDGER_DIFFERS', detail: LIE, occasion: LIE, objectId: id };
        return { ...LIES, ...alert, id, operationId, condition, code: LIE };
      }),
    ),
  booksToFreeze: () => [{ ...LIES, after: null, limit: 10 }],
  freezeDays: ({ operationId }) => [{ ...LIES, operationId, currency: 'BRL' }],
  raiseFreezeAlert: ({ operationId }) => [
    { ...LIES, operationId, currency: LIE },
    { ...LIES, operationId, currency: 'BRL' },
  ],
  checkSecretAges: () => [LIES],
  applyRetention: () => [LIES],
  checkOpenPage: onChecks,
  verifyLedger: onChecks,
  verifyAuditChain: () => [LIES],
  verifyDecisions: () => [LIES],
  verifySignatures: () => [LIES],
  loadRuleChange: onChange,
  proveRuleChange: onChange,
  voidRuleChangeProof: withActs(onChange),
  decideRuleChange: withActs(onChange),
  expireRuleChange: onChange,
  // The last page alone, and a span of which nothing was read.
  sweepPage: () =>
    [true, false].flatMap((begins) => [
      { ...LIES, provider: 'simulator', part: 'payments', begins, span: null, cursor: LAST_PAGE },
      { ...LIES, provider: 'simulator', part: 'payments', begins, span: { from: FAR, to: FAR }, cursor: null },
    ]),
};

/** About one payment, or one change: no workflow of the gateway calls them for one that its operation does not have. */
export const ABOUT_ONE: Readonly<Partial<Record<ActivityName, 'deposit' | 'withdrawal' | 'change'>>> = {
  loadDeposit: 'deposit',
  cancelDeposit: 'deposit',
  cancelDepositByStaff: 'deposit',
  expireDeposit: 'deposit',
  expireDepositNow: 'deposit',
  approveDeposit: 'deposit',
  requestReturn: 'deposit',
  lookUpChargeBriefly: 'deposit',
  createCharge: 'deposit',
  lookUpCharge: 'deposit',
  followReturn: 'deposit',
  loadWithdrawal: 'withdrawal',
  cancelWithdrawal: 'withdrawal',
  cancelWithdrawalByStaff: 'withdrawal',
  approveWithdrawal: 'withdrawal',
  refuseWithdrawal: 'withdrawal',
  decideWriteOff: 'withdrawal',
  decideRequested: 'withdrawal',
  judgeReviewed: 'withdrawal',
  clearDispatch: 'withdrawal',
  sendPayout: 'withdrawal',
  lookUpKeyOwner: 'withdrawal',
  lookUpPayout: 'withdrawal',
  lookUpPayoutBriefly: 'withdrawal',
  followPayout: 'withdrawal',
  raiseAlert: 'withdrawal',
  loadRuleChange: 'change',
  proveRuleChange: 'change',
  voidRuleChangeProof: 'change',
  decideRuleChange: 'change',
  expireRuleChange: 'change',
};

export function inHours(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString();
}
