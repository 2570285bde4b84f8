// Each rule of a withdrawal around its threshold, and how the codes of several hits come together.
import assert from 'node:assert/strict';
import { evaluateWithdrawal } from '../../../domain/rules/engine.js';
import type { Thresholds } from '../../../domain/rules/thresholds.js';
import { WITHDRAWAL_RULES, type WithdrawalFacts } from '../../../domain/rules/withdrawal-rules.js';
import { thresholds, withdrawalFacts } from './facts.js';
import { CASES } from './withdrawal-cases.js';

function resultOf(code: string, facts: Partial<WithdrawalFacts>, limits: Partial<Thresholds>) {
  const { reports, outcome } = evaluateWithdrawal('creation', withdrawalFacts(facts), thresholds(limits));
  const report = reports.find((candidate) => candidate.code === code);
  assert.ok(report !== undefined, `no rule ${code}`);
  return { result: report.result, outcome };
}

describe('withdrawal rules', () => {
  it('lets the ordinary withdrawal of a known player pass', () => {
    const { outcome, reports } = evaluateWithdrawal('creation', withdrawalFacts(), thresholds());
    assert.deepEqual(outcome, { kind: 'automatic', reasons: [], keyCheckNeeded: false });
    assert.equal(reports.length, WITHDRAWAL_RULES.length);
  });

  for (const [title, code, expected, facts, limits] of CASES) {
    it(`${code}: ${title} → ${expected}`, () => {
      const { result, outcome } = resultOf(code, facts, limits);
      assert.equal(result, expected);
      assert.equal(outcome.kind === 'automatic' ? false : outcome.reasons.includes(code), expected === 'hit');
    });
  }

  it('has a case that hits and one that passes for every rule', () => {
    for (const { code } of WITHDRAWAL_RULES) {
      const results = CASES.filter(([, caseCode]) => caseCode === code).map(([, , expected]) => expected);
      assert.ok(results.includes('hit') && results.includes('pass'), `${code} is not tested on both sides`);
    }
  });
});

describe('the key check', () => {
  const directory = { keyHolder: 'in_directory', keyOwner: 'not_asked' } as const;

  for (const [title, stage, facts, needed] of [
    ['where only the directory knows the holder', 'creation', directory, true],
    ['also when people will look anyway', 'creation', { ...directory, reviewRequested: true }, true],
    ['not with a key that the directory cannot hold', 'creation', { ...directory, keyWellFormed: false }, false],
    ['not once refused', 'creation', { ...directory, playerBlocked: true }, undefined],
    ['not again after match', 'dict', { ...directory, keyOwner: 'match' }, false],
    ['not again after no_such_key', 'dict', { ...directory, keyOwner: 'no_such_key' }, false],
    ['not again after unavailable', 'dict', { ...directory, keyOwner: 'unavailable' }, false],
  ] as const) {
    it(`is asked for ${title}`, () => {
      const { outcome } = evaluateWithdrawal(stage, withdrawalFacts(facts), thresholds());
      assert.equal(outcome.kind === 'refuse' ? undefined : outcome.keyCheckNeeded, needed);
    });
  }
});

describe('the stage dict', () => {
  const settledAtCreation = [
    'AMOUNT_BELOW_MINIMUM',
    'AMOUNT_ABOVE_MAXIMUM',
    'DOCUMENT_INVALID',
    'PLAYER_DOCUMENT_CHANGED',
    'VELOCITY_HARD_LIMIT',
    'WINDOW_HARD_LIMIT',
    'INSUFFICIENT_OPERATION_BALANCE',
  ];

  it('does not ask again what creation settled', () => {
    const { reports } = evaluateWithdrawal('dict', withdrawalFacts(), thresholds());
    assert.deepEqual(
      WITHDRAWAL_RULES.map(({ code }) => code).filter((code) => !reports.some((report) => report.code === code)),
      settledAtCreation,
    );
  });

  for (const [facts, code, reason] of [
    [{ keyOwner: 'mismatch' }, 'document_mismatch', 'DOCUMENT_MISMATCH'],
    [{ playerBlocked: true }, 'player_blocked', 'PLAYER_BLOCKED'],
    [{ destinationBlocked: true }, 'destination_blocked', 'DESTINATION_BLOCKED'],
  ] as const) {
    it(`still refuses for ${reason}`, () => {
      assert.deepEqual(evaluateWithdrawal('dict', withdrawalFacts(facts), thresholds()).outcome, {
        kind: 'refuse',
        code,
        reasons: [reason],
      });
    });
  }
});

describe('the stage review', () => {
  it('asks every rule: nobody asked them before', () => {
    const { reports } = evaluateWithdrawal('review', withdrawalFacts(), thresholds());
    assert.deepEqual(
      reports.map(({ code }) => code),
      WITHDRAWAL_RULES.map(({ code }) => code),
    );
  });

  it('refuses what the creation would have refused', () => {
    const facts = withdrawalFacts({ document: 'changed' });
    const { outcome } = evaluateWithdrawal('review', facts, thresholds());
    assert.deepEqual(outcome, { kind: 'refuse', code: 'document_mismatch', reasons: ['PLAYER_DOCUMENT_CHANGED'] });
  });
});
