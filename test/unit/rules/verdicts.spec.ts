// An answer of the rules engine that nobody can act on is RULES_INVALID_RESPONSE: every shape that is taken, and every
// broken one.
import assert from 'node:assert/strict';
import {
  isDepositVerdict,
  isDispatchVerdict,
  isPaymentVerdict,
  isWithdrawalVerdict,
} from '../../../domain/rules/verdicts.js';

const NO_OBJECTS = [null, undefined, 'accept', 7, [], {}];

const refusal = { kind: 'refuse', code: 'player_blocked', reasons: ['PLAYER_BLOCKED'], ruleSetVersion: 3 };

function check(
  isVerdict: (value: unknown) => boolean,
  taken: readonly (readonly [title: string, value: object])[],
  broken: readonly (readonly [title: string, value: object])[],
): void {
  for (const [title, value] of taken) it(`takes ${title}`, () => assert.equal(isVerdict(value), true));
  for (const [title, value] of broken) it(`refuses ${title}`, () => assert.equal(isVerdict(value), false));
  it('refuses what is no verdict at all', () => {
    for (const value of NO_OBJECTS) assert.equal(isVerdict(value), false, String(value));
  });
}

describe('verdict on a deposit', () => {
  const accepted = { kind: 'accept', ruleSetVersion: 3 };
  check(
    isDepositVerdict,
    [
      ['accept', accepted],
      ['accept with the player’s revision', { ...accepted, playerRevision: '7' }],
      ['refuse', refusal],
      ['refuse without reasons', { ...refusal, reasons: [] }],
    ],
    [
      ['another kind', { ...accepted, kind: 'automatic' }],
      ['a rule set version that is no whole number', { ...accepted, ruleSetVersion: 1.5 }],
      ['no rule set version', { kind: 'accept' }],
      ['a revision that is no text', { ...accepted, playerRevision: 7 }],
      ['a refusal without its code', { ...refusal, code: undefined }],
      ['a refusal without a list of reasons', { ...refusal, reasons: 'PLAYER_BLOCKED' }],
      ['a refusal with a reason that is no text', { ...refusal, reasons: ['PLAYER_BLOCKED', 7] }],
    ],
  );
});

describe('verdict on a payment', () => {
  check(
    isPaymentVerdict,
    [
      ['credit', { kind: 'credit', ruleSetVersion: 3 }],
      ['review', { kind: 'review', reasons: ['PAYER_MISMATCH'], ruleSetVersion: 3 }],
    ],
    [
      ['another kind', { kind: 'accept', ruleSetVersion: 3 }],
      ['credit without a version', { kind: 'credit' }],
      ['review without a reason', { kind: 'review', reasons: [], ruleSetVersion: 3 }],
      ['review without a list', { kind: 'review', ruleSetVersion: 3 }],
      ['review with a reason that is no text', { kind: 'review', reasons: [null], ruleSetVersion: 3 }],
    ],
  );
});

describe('verdict on a withdrawal', () => {
  const automatic = {
    kind: 'automatic',
    reasons: [],
    ruleSetVersion: 3,
    keyCheckNeeded: false,
    playerRevision: '7',
  };
  const review = { ...automatic, kind: 'review', reasons: ['FIRST_WITHDRAWAL'], keyCheckNeeded: true };
  check(
    isWithdrawalVerdict,
    [
      ['automatic', automatic],
      ['review', review],
      ['refuse', refusal],
    ],
    [
      ['another kind', { ...automatic, kind: 'accept' }],
      ['automatic with a reason', { ...automatic, reasons: ['FIRST_WITHDRAWAL'] }],
      ['automatic without a list of reasons', { ...automatic, reasons: undefined }],
      ['review without a reason', { ...review, reasons: [] }],
      ['a version that is text', { ...review, ruleSetVersion: '3' }],
      ['no word on the key check', { ...review, keyCheckNeeded: undefined }],
      ['no revision of the player', { ...review, playerRevision: undefined }],
      ['a revision that is a number', { ...automatic, playerRevision: 7 }],
      ['a refusal without its code', { ...refusal, code: null }],
      ['a refusal without a reason', { ...refusal, reasons: [] }],
    ],
  );
});

describe('verdict at dispatch', () => {
  const wait = { kind: 'wait', until: null, ruleSetVersion: 3 };
  const forHours = { ...wait, for: 'automatic_hours' };
  check(
    isDispatchVerdict,
    [
      ['send', { kind: 'send', ruleSetVersion: 3 }],
      ['blocked', { kind: 'blocked', ruleSetVersion: 3 }],
      ['wait for the cash box', { ...wait, for: 'cash_box' }],
      ['wait for a suspended operation', { ...wait, for: 'operation_suspended' }],
      ['wait for a paused provider', { ...wait, for: 'provider_paused' }],
      ['wait for hours', { ...forHours, until: '2026-11-22T11:00:00.000Z' }],
    ],
    [
      ['another kind', { kind: 'credit', ruleSetVersion: 3 }],
      ['send without a version', { kind: 'send' }],
      ['wait for nothing', wait],
      ['wait for something else', { ...wait, for: 'weather' }],
      ['hours without their time', forHours],
      ['hours with a time that is none', { ...forHours, until: 'tomorrow' }],
      ['hours with a number', { ...forHours, until: 1_767_225_603_000 }],
      ['hours with null', { ...forHours, until: null }],
    ],
  );
});
