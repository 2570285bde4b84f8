// The documented rule set: defaults, strictness, one clear error per bad field.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalJson } from '../../../domain/rules/canonical-json.js';
import { automaticRemainingMinor, multiplierLimitMinor } from '../../../domain/rules/automatic-limits.js';
import { displayedOperatorReasons } from '../../../domain/rules/operator-reasons.js';
import {
  defaultRuleSet,
  parseRuleSet,
  parseRuleSetDraft,
  RuleSetError,
  ruleSetSchema,
  servedRuleSet,
} from '../../../domain/rules/rule-set.js';
import { thresholdsOf } from '../../../domain/rules/thresholds.js';

const DOCUMENTED_DEFAULTS = {
  auto_multiplier: '1',
  first_withdrawal_manual: true,
  pix_key_change_cooldown_hours: 24,
  require_payer_matches_player: true,
  auto_hours: null,
};

describe('rule set', () => {
  it('fills in the documented defaults', () => {
    assert.deepEqual(parseRuleSet({ version: 3, currencies: { BRL: {} } }), {
      version: 3,
      timezone: 'America/Sao_Paulo',
      currencies: { BRL: DOCUMENTED_DEFAULTS },
    });
    assert.deepEqual(defaultRuleSet(1).currencies['BRL'], DOCUMENTED_DEFAULTS);
  });

  it('fills in the documented defaults of bank transfers and FX', () => {
    const rules = parseRuleSet({ version: 1, currencies: { BRL: {} }, bank_transfers: {}, fx: {} });
    assert.deepEqual(rules.bank_transfers, {
      swift_auto_enabled: false,
      beneficiary_change_cooldown_hours: 72,
      deposit_partial_accept_allowed: false,
      deposit_excess_policy: 'review',
      unmatched_return_after_business_days: 10,
    });
    assert.deepEqual(rules.fx, {
      enabled: false,
      quote_ttl_seconds: 900,
      requote_tolerance_bps: 50,
      risk_bearer: 'beneficiary',
    });
  });

  it('names a malformed amount also where it is one of a pair of limits', () => {
    for (const limits of [
      { deposit_min: 'x', deposit_max: '5' },
      { withdrawal_min: '1', withdrawal_max: '1.5' },
      { deposit_min: '', deposit_max: '' },
    ]) {
      const [first] = ruleSetSchema.safeParse({ version: 1, currencies: { BRL: limits } }).error?.issues ?? [];
      assert.match(first?.message ?? '', /must be a string of minor units/);
    }
  });

  it('takes every documented field', () => {
    const full = {
      version: 7,
      timezone: 'Europe/Lisbon',
      currencies: {
        BRL: {
          auto_multiplier: '1.5',
          deposit_min: '100',
          deposit_max: '1000000',
          withdrawal_min: '100',
          withdrawal_max: '500000',
          auto_max_per_withdrawal: '50000',
          auto_max_per_day: '100000',
          dual_approval_above: '200000',
          max_withdrawals_per_day: 3,
          first_withdrawal_manual: false,
          pix_key_change_cooldown_hours: 0,
          require_payer_matches_player: false,
          auto_hours: { from: '22:00', to: '06:00' },
        },
      },
      bank_transfers: {
        method_limits: {
          USD: {
            wire: {
              deposit_min: '1',
              deposit_max: '2',
              withdrawal_min: '1',
              withdrawal_max: '2',
              auto_max_per_withdrawal: null,
            },
          },
        },
        swift_auto_enabled: true,
        default_charge_bearer: 'SHA',
        allowed_charge_bearers: ['OUR', 'SHA'],
        beneficiary_change_cooldown_hours: 1,
        screening_required_above: { USD: '100' },
        blocked_countries: ['KP'],
        deposit_partial_accept_allowed: true,
        deposit_excess_policy: 'return_excess',
        unmatched_return_after_business_days: 60,
      },
      fx: {
        enabled: true,
        max_spread_bps: 100,
        quote_ttl_seconds: 30,
        requote_tolerance_bps: 0,
        risk_bearer: 'operator',
      },
    };
    assert.deepEqual(parseRuleSet(full), full);
    // What was parsed parses again to the same: stored and served rule sets stay valid.
    assert.deepEqual(
      parseRuleSet(JSON.parse(JSON.stringify(servedRuleSet({ version: 7, rules: parseRuleSet(full) })))),
      full,
    );
  });

  const brl = (rules: object) => ({ version: 1, currencies: { BRL: rules } });
  for (const [document, message] of [
    [null, /^rules: /],
    [{ currencies: { BRL: {} } }, /^version: /],
    [{ version: 1 }, /^currencies: /],
    [{ version: 1, currencies: { brl: {} } }, /^currencies\.brl: /],
    [{ version: 1, currencies: { BRL: {} }, extra: 1 }, /^extra: unknown field$/],
    [brl({ multiplier: '1' }), /^currencies\.BRL\.multiplier: unknown field$/],
    [brl({ auto_multiplier: '1,5' }), /^currencies\.BRL\.auto_multiplier: must be a decimal string/],
    [brl({ deposit_min: 100 }), /^currencies\.BRL\.deposit_min: must be text$/],
    [brl({ deposit_min: '1.00' }), /^currencies\.BRL\.deposit_min: must be a string of minor units/],
    [brl({ deposit_min: '2', deposit_max: '1' }), /^currencies\.BRL\.deposit_max: must not be below deposit_min$/],
    [
      brl({ max_withdrawals_per_day: 1.5 }),
      /^currencies\.BRL\.max_withdrawals_per_day: must be a whole number from 0 to 1000000$/,
    ],
    [brl({ first_withdrawal_manual: 'yes' }), /^currencies\.BRL\.first_withdrawal_manual: must be true or false$/],
    [
      brl({ auto_hours: { from: '8:00', to: '20:00' } }),
      /^currencies\.BRL\.auto_hours\.from: must be a local time HH:MM, for example 08:00$/,
    ],
    [brl({ auto_hours: { from: '08:00' } }), /^currencies\.BRL\.auto_hours\.to: is required$/],
    [
      { ...brl({}), bank_transfers: { method_limits: { USD: { ach: {} } } } },
      /^bank_transfers\.method_limits\.USD\.ach: unknown field$/,
    ],
  ] as const) {
    it(`refuses ${JSON.stringify(document)} by its field`, () => {
      assert.throws(
        () => parseRuleSet(document),
        (error) =>
          error instanceof RuleSetError && message.test(error.message) && error.message.startsWith(error.field),
      );
    });
  }

  it('never repeats a value in an error', () => {
    assert.throws(
      () => parseRuleSet(brl({ deposit_min: 'secret-52998224725' })),
      (error) => error instanceof Error && !error.message.includes('52998224725'),
    );
    assert.throws(
      () => parseRuleSet({ ...brl({}), timezone: 'secret-52998224725' }),
      (error) => error instanceof Error && !error.message.includes('52998224725'),
    );
  });

  for (const document of [null, 'rules', 7, [{ currencies: { BRL: {} } }]])
    it(`a draft is an object, not ${JSON.stringify(document)}`, () =>
      assert.throws(() => parseRuleSetDraft(document), { name: 'RuleSetError', field: 'rules' }));

  it('a draft may leave its version out, not misspell it', () => {
    assert.deepEqual(parseRuleSetDraft({ currencies: { BRL: {} } }), defaultRuleSet(1));
    assert.throws(
      () => parseRuleSetDraft({ version: '2', currencies: { BRL: {} } }),
      /^RuleSetError: version: must be a whole number from 1 to 2147483647$/,
    );
  });

  it('a currency that is not named has automatic withdrawals off', () => {
    assert.equal(thresholdsOf(defaultRuleSet(1), 'USD').autoMultiplier, '0');
    assert.equal(thresholdsOf(defaultRuleSet(1), 'constructor').autoMultiplier, '0');
    assert.equal(thresholdsOf(defaultRuleSet(1), 'BRL').autoMultiplier, '1');
  });
});

describe('multiplier', () => {
  for (const [multiplier, settled, expected] of [
    ['0', 1_000n, 0n],
    ['1', 1_000n, 1_000n],
    ['1.5', 1_001n, 1_501n],
    ['0.1', 3n, 0n],
    ['2.9999', 10_000n, 29_999n],
    ['1.5', 10n ** 37n, 15n * 10n ** 36n],
  ] as const) {
    it(`${multiplier} × ${settled} = ${expected}, rounded down`, () =>
      assert.equal(multiplierLimitMinor(multiplier, settled), expected));
  }

  it('what remains is never below zero', () => {
    assert.equal(automaticRemainingMinor('1.5', 1_000n, 1_499n), 1n);
    assert.equal(automaticRemainingMinor('1.5', 1_000n, 1_500n), 0n);
    assert.equal(automaticRemainingMinor('1.5', 1_000n, 1_501n), 0n);
  });
});

describe('canonical JSON', () => {
  it('spells equal values equally, whatever the order of their members', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string(),
          fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null), fc.array(fc.integer())),
          { maxKeys: 8 },
        ),
        (record) => {
          const shuffled = Object.fromEntries(Object.entries(record).reverse());
          assert.equal(canonicalJson(record), canonicalJson(shuffled));
          assert.deepEqual(JSON.parse(canonicalJson(record)), JSON.parse(JSON.stringify(record)));
        },
      ),
    );
  });

  it('is the text of RFC 8785', () => {
    assert.equal(
      canonicalJson({ b: [1, true, null], a: { é: 'x', z: '"' }, c: undefined, '10': 1, '2': 2 }),
      '{"10":1,"2":2,"a":{"z":"\\"","é":"x"},"b":[1,true,null]}',
    );
    assert.throws(() => canonicalJson(Number.NaN), RangeError);
  });
});

describe("the operator's own reasons", () => {
  for (const [given, expected] of [
    [['large win'], ['OP:large win']],
    [
      ['b', 'a', 'b', '  ', ''],
      ['OP:b', 'OP:a'],
    ],
    [['line\r\nbreak'], ['OP:line break']],
    [['CPF 529.982.247-25 and 52998224725'], ['OP:CPF *** and ***']],
    [['CNPJ 11.222.333/0001-81'], ['OP:CNPJ ***']],
    [['write to player@example.test, please'], ['OP:write to *** please']],
    [['ticket 20261121000123'], ['OP:ticket 20261121000123']],
    [['x'.repeat(500)], [`OP:${'x'.repeat(200)}`]],
  ] as const) {
    it(`${JSON.stringify(given).slice(0, 60)} is shown as ${JSON.stringify(expected).slice(0, 60)}`, () =>
      assert.deepEqual(displayedOperatorReasons(given), expected));
  }

  it('are bounded', () =>
    assert.equal(displayedOperatorReasons(Array.from({ length: 100 }, (_, index) => `r${index}`)).length, 20));
});
