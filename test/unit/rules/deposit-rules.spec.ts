// The rules of a deposit's creation, of its payment and of a dispatch around their thresholds, with their order.
import assert from 'node:assert/strict';
import { DEPOSIT_RULES, type DepositFacts, PAYMENT_RULES, type PaymentFacts } from '../../../domain/rules/deposit-rules.js';
import { DISPATCH_RULES, type DispatchFacts } from '../../../domain/rules/dispatch-rules.js';
import { evaluateDeposit, evaluateDispatch, evaluatePayment } from '../../../domain/rules/engine.js';
import type { Thresholds } from '../../../domain/rules/thresholds.js';
import { depositFacts, dispatchFacts, paymentFacts, thresholds } from './facts.js';

const accept = { kind: 'accept' };
const refuse = (code: string, ...reasons: string[]) => ({ kind: 'refuse', code, reasons });

const DEPOSIT_CASES: readonly [title: string, facts: Partial<DepositFacts>, limits: Partial<Thresholds>, outcome: object][] = [
  ['an ordinary deposit', {}, {}, accept],
  ['a player of first use', { document: 'first_use' }, {}, accept],
  ['5000 with minimum 4999', {}, { depositMinMinor: '4999' }, accept],
  ['5000 with minimum 5000', {}, { depositMinMinor: '5000' }, accept],
  ['5000 with minimum 5001', {}, { depositMinMinor: '5001' }, refuse('amount_below_minimum', 'AMOUNT_BELOW_MINIMUM')],
  ['5000 with maximum 5001', {}, { depositMaxMinor: '5001' }, accept],
  ['5000 with maximum 5000', {}, { depositMaxMinor: '5000' }, accept],
  ['5000 with maximum 4999', {}, { depositMaxMinor: '4999' }, refuse('amount_above_maximum', 'AMOUNT_ABOVE_MAXIMUM')],
  ['limits of withdrawals do not matter', {}, { withdrawalMinMinor: '5001', withdrawalMaxMinor: '4999' }, accept],
  ['another document', { document: 'changed' }, {}, refuse('document_mismatch', 'PLAYER_DOCUMENT_CHANGED')],
  ['a blocked player', { playerBlocked: true }, {}, refuse('player_blocked', 'PLAYER_BLOCKED')],
  ['a blocked document', { documentBlocked: true }, {}, refuse('player_blocked', 'PLAYER_BLOCKED')],
  [
    'everything at once: the first of the table answers',
    { document: 'changed', playerBlocked: true },
    { depositMinMinor: '5001' },
    refuse('amount_below_minimum', 'AMOUNT_BELOW_MINIMUM', 'PLAYER_DOCUMENT_CHANGED', 'PLAYER_BLOCKED'),
  ],
];

const credit = { kind: 'credit' };
const review = (...reasons: string[]) => ({ kind: 'review', reasons });
const EXPIRY = '2026-11-21T15:30:00.000Z';
const EXPIRY_PLUS_1_MS = '2026-11-21T15:30:00.001Z';
const EXPIRY_MINUS_1_MS = '2026-11-21T15:29:59.999Z';

const PAYMENT_CASES: readonly [title: string, facts: Partial<PaymentFacts>, limits: Partial<Thresholds>, outcome: object][] = [
  ['the exact amount, in time, from the player', {}, {}, credit],
  ['another payer', { payer: 'mismatch' }, {}, review('PAYER_MISMATCH')],
  ['another payer where the rule set does not mind', { payer: 'mismatch' }, { requirePayerMatchesPlayer: false }, credit],
  ['an unknown payer', { payer: 'unknown' }, {}, review('PAYER_UNKNOWN')],
  ['an unknown payer where the rule set does not mind', { payer: 'unknown' }, { requirePayerMatchesPlayer: false }, credit],
  ['a blocked payer', { payer: 'mismatch', payerBlocked: true }, {}, review('PAYER_MISMATCH', 'PAYER_BLOCKED')],
  ['a blocked payer where the rule set does not mind who pays', { payer: 'mismatch', payerBlocked: true }, { requirePayerMatchesPlayer: false }, review('PAYER_BLOCKED')],
  ['a player blocked since creation', { playerBlocked: true }, {}, review('PAYER_BLOCKED')],
  ['one unit too little', { paidAmountMinor: '4999' }, {}, review('AMOUNT_MISMATCH')],
  ['one unit too much', { paidAmountMinor: '5001' }, {}, review('AMOUNT_MISMATCH')],
  ['confirmed 1 ms before expiry', { at: EXPIRY_MINUS_1_MS }, {}, credit],
  ['confirmed at expiry', { at: EXPIRY }, {}, credit],
  ['confirmed 1 ms after expiry', { at: EXPIRY_PLUS_1_MS }, {}, review('PAID_AFTER_EXPIRY')],
  ['paid 1 ms after expiry by the clock of the provider', { paidAt: EXPIRY_PLUS_1_MS }, {}, review('PAID_AFTER_EXPIRY')],
  ['paid at expiry by the clock of the provider', { paidAt: EXPIRY }, {}, credit],
  [
    'everything at once',
    { payer: 'mismatch', payerBlocked: true, paidAmountMinor: '1', at: EXPIRY_PLUS_1_MS },
    {},
    review('PAYER_MISMATCH', 'PAYER_BLOCKED', 'AMOUNT_MISMATCH', 'PAID_AFTER_EXPIRY'),
  ],
];

const send = { kind: 'send' };
const blocked = { kind: 'blocked' };
const wait = (reason: string, until: string | null = null) => ({ kind: 'wait', for: reason, until });
// 15:00 UTC is noon in São Paulo.
const closed = { autoHours: { from: '13:00', to: '14:00' } };

const DISPATCH_CASES: readonly [title: string, facts: Partial<DispatchFacts>, limits: Partial<Thresholds>, outcome: object][] = [
  ['nothing in the way', {}, {}, send],
  ['within the hours', {}, { autoHours: { from: '12:00', to: '12:01' } }, send],
  ['a minute before the hours', {}, { autoHours: { from: '12:01', to: '13:00' } }, wait('automatic_hours', '2026-11-21T15:01:00.000Z')],
  ['at the end of the hours', {}, { autoHours: { from: '08:00', to: '12:00' } }, wait('automatic_hours', '2026-11-22T11:00:00.000Z')],
  ['in hours over midnight', { at: '2026-11-21T03:30:00.000Z' }, { autoHours: { from: '22:00', to: '06:00' } }, send],
  ['out of hours over midnight', {}, { autoHours: { from: '22:00', to: '06:00' } }, wait('automatic_hours', '2026-11-22T01:00:00.000Z')],
  ['an empty cash box: this one is reserved', { availableMinor: '0' }, {}, send],
  ['a cash box below zero', { availableMinor: '-1' }, {}, wait('cash_box')],
  ['a suspended operation', { operationSuspended: true }, {}, wait('operation_suspended')],
  ['a blocked player', { playerBlocked: true }, {}, blocked],
  ['a blocked document', { documentBlocked: true }, {}, blocked],
  ['a blocked key', { destinationBlocked: true }, {}, blocked],
  ['a block ends the waiting for anything else', { destinationBlocked: true, operationSuspended: true, availableMinor: '-1' }, closed, blocked],
  ['suspension before hours before cash box', { operationSuspended: true, availableMinor: '-1' }, closed, wait('operation_suspended')],
  ['hours before cash box', { availableMinor: '-1' }, closed, wait('automatic_hours', '2026-11-21T16:00:00.000Z')],
];

describe('deposit rules', () => {
  for (const [title, facts, limits, outcome] of DEPOSIT_CASES) {
    it(`${title} → ${Object.values(outcome).join(' ')}`, () => {
      const evaluated = evaluateDeposit(depositFacts(facts), thresholds(limits));
      assert.deepEqual(evaluated.outcome, outcome);
      assert.deepEqual(evaluated.reports.map(({ code }) => code), DEPOSIT_RULES.map(({ code }) => code));
    });
  }
});

describe('payment rules', () => {
  for (const [title, facts, limits, outcome] of PAYMENT_CASES) {
    it(`${title} → ${Object.values(outcome).join(' ')}`, () => {
      const evaluated = evaluatePayment(paymentFacts(facts), thresholds(limits));
      assert.deepEqual(evaluated.outcome, outcome);
      assert.deepEqual(evaluated.reports.map(({ code }) => code), PAYMENT_RULES.map(({ code }) => code));
    });
  }
});

describe('dispatch rules', () => {
  for (const [title, facts, limits, outcome] of DISPATCH_CASES) {
    it(`${title} → ${Object.values(outcome).join(' ')}`, () => {
      const evaluated = evaluateDispatch(dispatchFacts(facts), thresholds(limits));
      assert.deepEqual(evaluated.outcome, outcome);
      assert.deepEqual(evaluated.reports.map(({ code }) => code), DISPATCH_RULES.map(({ code }) => code));
    });
  }
});
