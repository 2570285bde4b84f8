// The rules of a deposit's creation, of its payment and of a dispatch around their thresholds, with their order.
import assert from 'node:assert/strict';
import {
  DEPOSIT_RULES,
  type DepositFacts,
  type DepositHistory,
  PAYMENT_RULES,
  type PaymentFacts,
} from '../../../domain/rules/deposit-rules.js';
import { DISPATCH_RULES, type DispatchFacts } from '../../../domain/rules/dispatch-rules.js';
import { ENGINE_DEFAULTS, type Thresholds } from '../../../domain/rules/thresholds.js';
import { evaluateDeposit, evaluateDispatch, evaluatePayment } from '../../../domain/rules/engine.js';
import { AT, depositFacts, dispatchFacts, engine, paymentFacts, thresholds } from './facts.js';

const accept = { kind: 'accept' };
const refuse = (code: string, ...reasons: string[]) => ({ kind: 'refuse', code, reasons });

const NO_LIMITS = { reviewMinor: null, reviewCount: null, maxMinor: null, maxCount: null };
const limitsOf = (window: 'day' | 'd7' | 'd30', limits: { maxMinor?: bigint; maxCount?: number }) =>
  engine({ depositWindows: { ...ENGINE_DEFAULTS.depositWindows, [window]: { ...NO_LIMITS, ...limits } } });
const history = (changes: Partial<DepositHistory>): Partial<DepositFacts> => {
  const none = { amountMinor: 0n, count: 0 };
  return { history: { recent: [], windows: { d7: none, d30: none }, unpaidAt: [], ...changes } };
};
const sum = (window: 'd7' | 'd30', amountMinor: bigint, count: number) =>
  history({
    windows: {
      d7: { amountMinor: 0n, count: 0 },
      d30: { amountMinor: 0n, count: 0 },
      [window]: { amountMinor, count },
    },
  });
const onDay = (amountMinor: bigint) =>
  history({
    recent: [
      { at: AT, amountMinor },
      { at: '2026-11-21T02:59:59.999Z', amountMinor: 90000n },
    ],
  });
const unpaid = (...minutesAgo: number[]) =>
  history({ unpaidAt: minutesAgo.map((minutes) => new Date(Date.parse(AT) - minutes * 60_000).toISOString()) });
const UNPAID = engine({ depositUnpaid: { windowMinutes: 30, maxCount: 3 } });
const exceeded = refuse('velocity_exceeded', 'DEPOSIT_WINDOW_EXCEEDED');

/** The deposit is of 5000. */
const HISTORY_CASES: readonly [
  title: string,
  facts: Partial<DepositFacts>,
  limits: Partial<Thresholds>,
  outcome: object,
][] = [
  ['the day exactly', onDay(3000n), limitsOf('day', { maxMinor: 8000n }), accept],
  ['the day one above', onDay(3001n), limitsOf('day', { maxMinor: 8000n }), exceeded],
  ['the second of two today', onDay(1n), limitsOf('day', { maxCount: 2 }), accept],
  ['the second of one today', onDay(1n), limitsOf('day', { maxCount: 1 }), exceeded],
  ...(['d7', 'd30'] as const).flatMap((window): [string, Partial<DepositFacts>, Partial<Thresholds>, object][] => [
    [`${window} exactly`, sum(window, 3000n, 1), limitsOf(window, { maxMinor: 8000n }), accept],
    [`${window} one above`, sum(window, 3001n, 1), limitsOf(window, { maxMinor: 8000n }), exceeded],
    [`${window} as many`, sum(window, 1n, 2), limitsOf(window, { maxCount: 3 }), accept],
    [`${window} one more`, sum(window, 1n, 3), limitsOf(window, { maxCount: 3 }), exceeded],
  ]),
  ['no window', sum('d30', 900000n, 900), {}, accept],
  ['one unpaid less', unpaid(1), UNPAID, accept],
  ['as many unpaid', unpaid(1, 2), UNPAID, accept],
  ['one unpaid more', unpaid(1, 2, 3), UNPAID, refuse('velocity_exceeded', 'DEPOSIT_VELOCITY_UNPAID')],
  ['unpaid at the edge of the window', unpaid(1, 2, 30), UNPAID, accept],
  ['many unpaid without a limit', unpaid(1, 1, 1, 1, 1), {}, accept],
];

const DEPOSIT_CASES: readonly [
  title: string,
  facts: Partial<DepositFacts>,
  limits: Partial<Thresholds>,
  outcome: object,
][] = [
  ['an ordinary deposit', {}, {}, accept],
  ['a player of first use', { document: 'first_use' }, {}, accept],
  ['5000 with minimum 4999', {}, { depositMinMinor: 4999n }, accept],
  ['5000 with minimum 5000', {}, { depositMinMinor: 5000n }, accept],
  ['5000 with minimum 5001', {}, { depositMinMinor: 5001n }, refuse('amount_below_minimum', 'AMOUNT_BELOW_MINIMUM')],
  ['5000 with maximum 5001', {}, { depositMaxMinor: 5001n }, accept],
  ['5000 with maximum 5000', {}, { depositMaxMinor: 5000n }, accept],
  ['5000 with maximum 4999', {}, { depositMaxMinor: 4999n }, refuse('amount_above_maximum', 'AMOUNT_ABOVE_MAXIMUM')],
  ['limits of withdrawals do not matter', {}, { withdrawalMinMinor: 5001n, withdrawalMaxMinor: 4999n }, accept],
  ['another document', { document: 'changed' }, {}, refuse('document_mismatch', 'PLAYER_DOCUMENT_CHANGED')],
  ['a blocked player', { playerBlocked: true }, {}, refuse('player_blocked', 'PLAYER_BLOCKED')],
  ['a blocked document', { documentBlocked: true }, {}, refuse('player_blocked', 'PLAYER_BLOCKED')],
  ...HISTORY_CASES,
  [
    'everything at once: the first of the table answers',
    { document: 'changed', playerBlocked: true },
    { depositMinMinor: 5001n },
    refuse('amount_below_minimum', 'AMOUNT_BELOW_MINIMUM', 'PLAYER_DOCUMENT_CHANGED', 'PLAYER_BLOCKED'),
  ],
];

const credit = { kind: 'credit' };
const review = (...reasons: string[]) => ({ kind: 'review', reasons });
const EXPIRY = '2026-11-21T15:30:00.000Z';
const EXPIRY_PLUS_1_MS = '2026-11-21T15:30:00.001Z';

const PAYMENT_CASES: readonly [
  title: string,
  facts: Partial<PaymentFacts>,
  limits: Partial<Thresholds>,
  outcome: object,
][] = [
  ['the exact amount, in time, from the player', {}, {}, credit],
  ['another payer', { payer: 'mismatch' }, {}, review('PAYER_MISMATCH')],
  [
    'another payer where the rule set does not mind',
    { payer: 'mismatch' },
    { requirePayerMatchesPlayer: false },
    credit,
  ],
  ['an unknown payer', { payer: 'unknown' }, {}, review('PAYER_UNKNOWN')],
  [
    'an unknown payer where the rule set does not mind',
    { payer: 'unknown' },
    { requirePayerMatchesPlayer: false },
    credit,
  ],
  ['a blocked payer', { payer: 'mismatch', payerBlocked: true }, {}, review('PAYER_MISMATCH', 'PAYER_BLOCKED')],
  [
    'a blocked payer where the rule set does not mind who pays',
    { payer: 'mismatch', payerBlocked: true },
    { requirePayerMatchesPlayer: false },
    review('PAYER_BLOCKED'),
  ],
  ['a player blocked since creation', { playerBlocked: true }, {}, review('PAYER_BLOCKED')],
  ['one unit too little', { paidAmountMinor: 4999n }, {}, review('AMOUNT_MISMATCH')],
  ['one unit too much', { paidAmountMinor: 5001n }, {}, review('AMOUNT_MISMATCH')],
  ['paid at expiry', { paidAt: EXPIRY }, {}, credit],
  ['paid 1 ms after expiry', { paidAt: EXPIRY_PLUS_1_MS }, {}, review('PAID_AFTER_EXPIRY')],
  ['paid in time, seen after expiry', { at: EXPIRY_PLUS_1_MS }, {}, credit],
  [
    'everything at once',
    { payer: 'mismatch', payerBlocked: true, paidAmountMinor: 1n, paidAt: EXPIRY_PLUS_1_MS },
    {},
    review('PAYER_MISMATCH', 'PAYER_BLOCKED', 'AMOUNT_MISMATCH', 'PAID_AFTER_EXPIRY'),
  ],
];

const send = { kind: 'send' };
const blocked = { kind: 'blocked' };
const wait = (reason: string, until: string | null = null) => ({ kind: 'wait', for: reason, until });
// 15:00 UTC is noon in São Paulo.
const closed = { autoHours: { from: '13:00', to: '14:00' } };

const DISPATCH_CASES: readonly [
  title: string,
  facts: Partial<DispatchFacts>,
  limits: Partial<Thresholds>,
  outcome: object,
][] = [
  ['nothing in the way', {}, {}, send],
  ['within the hours', {}, { autoHours: { from: '12:00', to: '12:01' } }, send],
  [
    'a minute before the hours',
    {},
    { autoHours: { from: '12:01', to: '13:00' } },
    wait('automatic_hours', '2026-11-21T15:01:00.000Z'),
  ],
  [
    'at the end of the hours',
    {},
    { autoHours: { from: '08:00', to: '12:00' } },
    wait('automatic_hours', '2026-11-22T11:00:00.000Z'),
  ],
  ['in hours over midnight', { at: '2026-11-21T03:30:00.000Z' }, { autoHours: { from: '22:00', to: '06:00' } }, send],
  [
    'out of hours over midnight',
    {},
    { autoHours: { from: '22:00', to: '06:00' } },
    wait('automatic_hours', '2026-11-22T01:00:00.000Z'),
  ],
  ['an empty cash box: this one is reserved', { availableMinor: 0n }, {}, send],
  ['a cash box below zero', { availableMinor: -1n }, {}, wait('cash_box')],
  ['a suspended operation', { operationSuspended: true }, {}, wait('operation_suspended')],
  ['a paused provider', { providerPaused: true }, {}, wait('provider_paused')],
  ['decided automatically, which is stopped by now', { automaticStopped: true }, {}, wait('operation_suspended')],
  ['a blocked player', { playerBlocked: true }, {}, blocked],
  ['a blocked document', { documentBlocked: true }, {}, blocked],
  ['a blocked key', { destinationBlocked: true }, {}, blocked],
  [
    'a block ends the waiting for anything else',
    { destinationBlocked: true, operationSuspended: true, availableMinor: -1n },
    closed,
    blocked,
  ],
  [
    'suspension before hours before cash box',
    { operationSuspended: true, availableMinor: -1n },
    closed,
    wait('operation_suspended'),
  ],
  ['hours before cash box', { availableMinor: -1n }, closed, wait('automatic_hours', '2026-11-21T16:00:00.000Z')],
];

describe('deposit rules', () => {
  for (const [title, facts, limits, outcome] of DEPOSIT_CASES) {
    it(`${title} → ${Object.values(outcome).join(' ')}`, () => {
      const evaluated = evaluateDeposit(depositFacts(facts), thresholds(limits));
      assert.deepEqual(evaluated.outcome, outcome);
      assert.deepEqual(
        evaluated.reports.map(({ code }) => code),
        DEPOSIT_RULES.map(({ code }) => code),
      );
    });
  }
});

describe('payment rules', () => {
  for (const [title, facts, limits, outcome] of PAYMENT_CASES) {
    it(`${title} → ${Object.values(outcome).join(' ')}`, () => {
      const evaluated = evaluatePayment(paymentFacts(facts), thresholds(limits));
      assert.deepEqual(evaluated.outcome, outcome);
      assert.deepEqual(
        evaluated.reports.map(({ code }) => code),
        PAYMENT_RULES.map(({ code }) => code),
      );
    });
  }
});

describe('dispatch rules', () => {
  for (const [title, facts, limits, outcome] of DISPATCH_CASES) {
    it(`${title} → ${Object.values(outcome).join(' ')}`, () => {
      const evaluated = evaluateDispatch(dispatchFacts(facts), thresholds(limits));
      assert.deepEqual(evaluated.outcome, outcome);
      assert.deepEqual(
        evaluated.reports.map(({ code }) => code),
        DISPATCH_RULES.map(({ code }) => code),
      );
    });
  }
});
