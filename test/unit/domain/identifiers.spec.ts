// Identifiers (specification, "Identifiers"): opaque and prefixed; a path parameter is the prefix and letters or
// digits.
import assert from 'node:assert/strict';
import {
  chargeReferenceOf,
  depositIdOf,
  type IdKind,
  isId,
  isIdOfOurs,
  newId,
  payoutReferenceOf,
  withdrawalIdOf,
} from '../../../domain/identifiers.js';

const HEX = '0123456789abcdef0123456789abcdef';
const PREFIXES: readonly (readonly [IdKind, string])[] = [
  ['deposit', 'dep_'],
  ['withdrawal', 'wdr_'],
  ['event', 'evt_'],
  ['operation', 'op_'],
  ['alert', 'alr_'],
  ['ruleChange', 'chg_'],
  ['approvalRequest', 'apr_'],
];

describe('identifiers', () => {
  for (const [kind, prefix] of PREFIXES) {
    it(`a new ${kind}: ${prefix} and 32 hex characters`, () => {
      const id = newId(kind);
      assert.match(id, new RegExp(`^${prefix}[0-9a-f]{32}$`));
      assert.equal(isId(kind, id), true);
      assert.equal(isIdOfOurs(id), true);
      assert.notEqual(newId(kind), id);
    });
  }

  for (const [text, isTaken] of [
    ['dep_1', true],
    ['dep_AZaz09', true],
    [`dep_${'a'.repeat(96)}`, true],
    [`dep_${'a'.repeat(97)}`, false],
    ['dep_', false],
    ['dep_a-b', false],
    ['dep_-ab', false],
    ['dep_ab-', false],
    ['dep_a\n', false],
    [`wdr_${HEX}`, false],
    [`xdep_${HEX}`, false],
    [`DEP_${HEX}`, false],
    [HEX, false],
    ['', false],
  ] as const) {
    it(`${JSON.stringify(text)} ${isTaken ? 'can be' : 'is not'} a deposit’s`, () =>
      assert.equal(isId('deposit', text), isTaken));
  }

  for (const [text, isOurs] of [
    [`evt_${HEX}`, true],
    [`op_${HEX}`, true],
    [`evt_${HEX.toUpperCase()}`, false],
    [`evt_${HEX}0`, false],
    [`evt_0${HEX.slice(1)}x`, false],
    [`evt_${HEX.slice(1)}`, false],
    [`evt_x${HEX}`, false],
    [`xyz_${HEX}`, false],
    [HEX, false],
    ['', false],
  ] as const) {
    it(`${JSON.stringify(text)} is ${isOurs ? '' : 'not '}one that the gateway makes`, () =>
      assert.equal(isIdOfOurs(text), isOurs));
  }

  it('provider references are ids without their prefix', () => {
    assert.equal(chargeReferenceOf(`dep_${HEX}`), HEX);
    assert.equal(depositIdOf(HEX), `dep_${HEX}`);
    assert.equal(payoutReferenceOf(`wdr_${HEX}`), HEX);
    assert.equal(withdrawalIdOf(HEX), `wdr_${HEX}`);
  });
});
