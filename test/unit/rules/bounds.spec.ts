// Every threshold at its bounds, as documents that are taken and documents that are refused; and where each one goes.
import assert from 'node:assert/strict';
import { engineRulesSchema, vipTierOf } from '../../../domain/rules/engine-rules.js';
import { engineThresholdsOf, thresholdsOf } from '../../../domain/rules/thresholds.js';
import { isWithinHours } from '../../../domain/rules/local-time.js';
import { isMultiplierOff } from '../../../domain/rules/automatic-limits.js';
import { defaultRuleSet, parseRuleSet, ruleSetSchema, servedRuleSet } from '../../../domain/rules/rule-set.js';

const brl = (rules: object) => ({ version: 1, currencies: { BRL: rules } });
const fx = (rules: object) => ({ ...brl({}), fx: rules });
const bank = (rules: object) => ({ ...brl({}), bank_transfers: rules });
const hours = (from: string, to: string) => brl({ auto_hours: { from, to } });
const country = (code: string) => bank({ blocked_countries: [code] });

describe('bounds of a rule set', () => {
  for (const [taken, refused] of [
    [
      { ...brl({}), version: 1 },
      { ...brl({}), version: 0 },
    ],
    [
      { ...brl({}), version: 2_147_483_647 },
      { ...brl({}), version: 2_147_483_648 },
    ],
    [brl({ auto_multiplier: '9999.9999' }), brl({ auto_multiplier: '10000' })],
    [brl({ auto_multiplier: '0.5' }), brl({ auto_multiplier: '00.5' })],
    [brl({ auto_multiplier: '1' }), brl({ auto_multiplier: '1.' })],
    [brl({ auto_multiplier: '1.1234' }), brl({ auto_multiplier: '1.12345' })],
    [brl({ auto_multiplier: '2' }), brl({ auto_multiplier: 'x2' })],
    [brl({ deposit_min: '9'.repeat(38) }), brl({ deposit_min: '9'.repeat(39) })],
    [brl({ deposit_min: '5', deposit_max: '5' }), brl({ deposit_min: '6', deposit_max: '5' })],
    [brl({ withdrawal_min: '5', withdrawal_max: '5' }), brl({ withdrawal_min: '10', withdrawal_max: '9' })],
    [brl({ max_withdrawals_per_day: 0 }), brl({ max_withdrawals_per_day: -1 })],
    [brl({ max_withdrawals_per_day: 1_000_000 }), brl({ max_withdrawals_per_day: 1_000_001 })],
    [brl({ pix_key_change_cooldown_hours: 0 }), brl({ pix_key_change_cooldown_hours: -1 })],
    [brl({ pix_key_change_cooldown_hours: 8_760 }), brl({ pix_key_change_cooldown_hours: 8_761 })],
    [hours('00:00', '23:59'), hours('00:00', '24:00')],
    [hours('19:59', '20:00'), hours('19:60', '20:00')],
    [hours('08:00', '07:59'), hours('8:00', '07:59')],
    [hours('08:00', '18:00'), hours('08:00', '18:00:00')],
    [hours('08:00', '18:01'), hours('x08:00', '18:01')],
    [fx({ max_spread_bps: 10_000 }), fx({ max_spread_bps: 10_001 })],
    [fx({ max_spread_bps: 0 }), fx({ max_spread_bps: -1 })],
    [fx({ quote_ttl_seconds: 30 }), fx({ quote_ttl_seconds: 29 })],
    [fx({ quote_ttl_seconds: 86_400 }), fx({ quote_ttl_seconds: 86_401 })],
    [fx({ requote_tolerance_bps: 10_000 }), fx({ requote_tolerance_bps: 10_001 })],
    [fx({ requote_tolerance_bps: 0 }), fx({ requote_tolerance_bps: -1 })],
    [fx({ risk_bearer: 'operator' }), fx({ risk_bearer: 'nobody' })],
    [fx({ risk_bearer: 'service' }), fx({ risk_bearer: '' })],
    [bank({ beneficiary_change_cooldown_hours: 8_760 }), bank({ beneficiary_change_cooldown_hours: 8_761 })],
    [bank({ beneficiary_change_cooldown_hours: 0 }), bank({ beneficiary_change_cooldown_hours: -1 })],
    [bank({ unmatched_return_after_business_days: 1 }), bank({ unmatched_return_after_business_days: 0 })],
    [bank({ unmatched_return_after_business_days: 60 }), bank({ unmatched_return_after_business_days: 61 })],
    [
      bank({ allowed_charge_bearers: ['OUR', 'SHA', 'BEN'] }),
      bank({ allowed_charge_bearers: ['OUR', 'SHA', 'BEN', 'OUR'] }),
    ],
    [bank({ default_charge_bearer: 'SHA' }), bank({ default_charge_bearer: 'sha' })],
    [bank({ deposit_excess_policy: 'return_excess' }), bank({ deposit_excess_policy: 'keep' })],
    [bank({ screening_required_above: { USD: '1' } }), bank({ screening_required_above: { usd: '1' } })],
    [bank({ screening_required_above: { 'USDT.TRON': '1' } }), bank({ screening_required_above: { 'USDT.': '1' } })],
    [bank({ screening_required_above: null }), bank({ screening_required_above: { USD: null } })],
    [
      bank({ method_limits: { USD: { wire: { auto_max_per_withdrawal: null } } } }),
      bank({ method_limits: { USD: { wire: { deposit_max: null } } } }),
    ],
    [country('BR'), country('BRA')],
    [country('US'), country('xUS')],
    [
      { ...brl({}), timezone: 'UTC' },
      { ...brl({}), timezone: '+03:00' },
    ],
  ] as const) {
    it(`takes ${JSON.stringify(taken)}, not ${JSON.stringify(refused)}`, () => {
      assert.equal(ruleSetSchema.safeParse(taken).success, true);
      assert.equal(ruleSetSchema.safeParse(refused).success, false);
    });
  }

  it('names the reason of every custom refusal', () => {
    const reasonOf = (document: unknown) => {
      const [issue] = ruleSetSchema.safeParse(document).error?.issues ?? [];
      return [issue?.path.join('.'), issue?.code === 'custom' ? issue.params?.['reason'] : issue?.code, issue?.message];
    };
    assert.deepEqual(reasonOf(hours('08:00', '08:00')), [
      'currencies.BRL.auto_hours.to',
      'range',
      'must differ from `from`',
    ]);
    assert.deepEqual(reasonOf({ ...brl({}), timezone: 'Mars/Olympus' }), [
      'timezone',
      'format',
      'must be an IANA time zone such as "America/Sao_Paulo"',
    ]);
    assert.deepEqual(reasonOf({ version: 1, currencies: {} }), [
      'currencies',
      'required',
      'must name at least one currency',
    ]);
    assert.deepEqual(reasonOf({ version: 1, currencies: { BRL: {}, USD: {} } }), [
      'currencies.USD',
      'enum',
      'is not an enabled currency (BRL)',
    ]);
    assert.deepEqual(reasonOf(brl({ withdrawal_min: '2', withdrawal_max: '1' })), [
      'currencies.BRL.withdrawal_max',
      'range',
      'must not be below withdrawal_min',
    ]);
    assert.deepEqual(reasonOf(brl({ deposit_min: '1.5' })).slice(0, 2), ['currencies.BRL.deposit_min', 'format']);
  });

  it('is served with the version that it was stored under', () =>
    assert.deepEqual(servedRuleSet({ version: 7, rules: defaultRuleSet(1) }), { ...defaultRuleSet(1), version: 7 }));

  it('every threshold goes to its rule', () => {
    const rules = parseRuleSet({
      version: 1,
      timezone: 'UTC',
      currencies: {
        BRL: {
          auto_multiplier: '2',
          deposit_min: '1',
          deposit_max: '2',
          withdrawal_min: '3',
          withdrawal_max: '4',
          auto_max_per_withdrawal: '5',
          auto_max_per_day: '6',
          dual_approval_above: '7',
          max_withdrawals_per_day: 8,
          first_withdrawal_manual: false,
          pix_key_change_cooldown_hours: 9,
          require_payer_matches_player: false,
          auto_hours: { from: '10:00', to: '11:00' },
        },
      },
    });
    assert.deepEqual(thresholdsOf(rules, 'BRL'), {
      timezone: 'UTC',
      autoMultiplier: '2',
      depositMinMinor: 1n,
      depositMaxMinor: 2n,
      withdrawalMinMinor: 3n,
      withdrawalMaxMinor: 4n,
      autoMaxPerWithdrawalMinor: 5n,
      autoMaxPerDayMinor: 6n,
      dualApprovalAboveMinor: 7n,
      maxWithdrawalsPerDay: 8,
      firstWithdrawalManual: false,
      pixKeyChangeCooldownHours: 9,
      requirePayerMatchesPlayer: false,
      autoHours: { from: '10:00', to: '11:00' },
    });
  });
});

describe('bounds of the engine’s own configuration', () => {
  const own = (rules: object) => ({ currencies: { BRL: rules } });
  const aml = (rules: object) => own({ aml: rules });
  const structuring = (rules: object) => aml({ structuring: { reporting_threshold: '1', ...rules } });
  const turnaround = (rules: object) => aml({ rapid_turnaround: { within_minutes: 1, ...rules } });
  const tier = (name: string) => ({ vip_players: { p: name }, ...own({ vip_tiers: { [name]: {} } }) });
  const player = (ref: string) => ({ vip_players: { [ref]: 'gold' }, ...own({ vip_tiers: { gold: {} } }) });
  const code = (reason: string) => ({ dual_approval_reasons: [reason] });

  for (const [taken, refused] of [
    [own({ velocity: { window_minutes: 1 } }), own({ velocity: { window_minutes: 0 } })],
    [own({ velocity: { window_minutes: 1_440 } }), own({ velocity: { window_minutes: 1_441 } })],
    [own({ max_destinations_30d: 0 }), own({ max_destinations_30d: -1 })],
    [own({ max_destinations_30d: 1_000_000 }), own({ max_destinations_30d: 1_000_001 })],
    [structuring({ margin_percent: 1 }), structuring({ margin_percent: 0 })],
    [structuring({ margin_percent: 50 }), structuring({ margin_percent: 51 })],
    [structuring({ min_count: 2 }), structuring({ min_count: 1 })],
    [structuring({ min_count: 1_000 }), structuring({ min_count: 1_001 })],
    [structuring({ window_days: 1 }), structuring({ window_days: 0 })],
    [structuring({ window_days: 30 }), structuring({ window_days: 31 })],
    [turnaround({ within_minutes: 43_200 }), turnaround({ within_minutes: 43_201 })],
    [turnaround({}), turnaround({ within_minutes: 0 })],
    [turnaround({ similarity_percent: 0 }), turnaround({ similarity_percent: -1 })],
    [turnaround({ similarity_percent: 50 }), turnaround({ similarity_percent: 51 })],
    [turnaround({ min_count: 1 }), turnaround({ min_count: 0 })],
    [turnaround({ min_count: 100 }), turnaround({ min_count: 101 })],
    [aml({ shared_payer_players: 2 }), aml({ shared_payer_players: 1 })],
    [aml({ max_payers_30d: 1 }), aml({ max_payers_30d: 0 })],
    [aml({ max_payers_30d: 1_000 }), aml({ max_payers_30d: 1_001 })],
    [tier('a'.repeat(32)), tier('a'.repeat(33))],
    [tier('gold_1'), tier('Gold')],
    [tier('gold'), tier('gold ')],
    [player('a'.repeat(64)), player('a'.repeat(65))],
    [player('A.b_c:d-1'), player('a b')],
    [player('a'), player(' a')],
    [code('ABC'), code('AB')],
    [code('A'.repeat(64)), code('A'.repeat(65))],
    [code('A_1'), code('a_1')],
    [code('A12'), code('xA12')],
    [
      { dual_approval_reasons: Array.from({ length: 50 }, (_, index) => `A${index + 10}`) },
      { dual_approval_reasons: Array.from({ length: 51 }, (_, index) => `A${index + 10}`) },
    ],
    [{ currencies: { 'USDT.TRON': {} } }, { currencies: { usd: {} } }],
    [own({ operation_auto_cap: { per_hour: '0' } }), own({ operation_auto_cap: { per_hour: '0.5' } })],
  ] as const) {
    it(`takes ${JSON.stringify(taken).slice(0, 90)}, not ${JSON.stringify(refused).slice(0, 90)}`, () => {
      assert.equal(engineRulesSchema.safeParse(taken).success, true);
      assert.equal(engineRulesSchema.safeParse(refused).success, false);
    });
  }

  it('each setting that holds for every currency is enough to be stored', () => {
    for (const [engine, expected] of [
      [{ auto_suspended: true }, [true, 'wait', []]],
      [{ auto_suspended: false }, [false, 'wait', []]],
      [{ auto_hours_policy: 'review' }, [false, 'review', []]],
      [{ dual_approval_reasons: ['IP_LISTED'] }, [false, 'wait', ['IP_LISTED']]],
    ] as const) {
      const thresholds = engineThresholdsOf(engineRulesSchema.parse(engine), 'BRL');
      assert.deepEqual(
        [thresholds?.autoSuspended, thresholds?.autoHoursPolicy, thresholds?.dualApprovalReasons],
        expected,
      );
    }
    for (const engine of [{}, { dual_approval_reasons: [] }, { vip_players: {} }])
      assert.equal(engineThresholdsOf(engine, 'BRL'), undefined);
  });

  it('a name that objects inherit is nobody’s', () => {
    assert.equal(vipTierOf({}, 'p'), null);
    assert.equal(engineThresholdsOf({ currencies: {} }, 'constructor'), undefined);
  });
});

describe('bounds of values', () => {
  for (const [at, isOpen] of [
    ['2026-11-21T07:59:59.999Z', false],
    ['2026-11-21T08:00:00.000Z', true],
    ['2026-11-21T19:59:59.999Z', true],
    ['2026-11-21T20:00:00.000Z', false],
  ] as const) {
    it(`08:00 to 20:00 is ${isOpen ? 'open' : 'closed'} at ${at}, and the night the other way round`, () => {
      assert.equal(isWithinHours(new Date(at), 'UTC', { from: '08:00', to: '20:00' }), isOpen);
      assert.equal(isWithinHours(new Date(at), 'UTC', { from: '20:00', to: '08:00' }), !isOpen);
    });
  }

  for (const [multiplier, isOff] of [
    ['0', true],
    ['0.', true],
    ['0.000', true],
    ['0.01', false],
    ['00', false],
    ['10', false],
    ['1.0', false],
  ] as const) {
    it(`a multiplier of ${multiplier} ${isOff ? 'turns automatic withdrawals off' : 'does not'}`, () =>
      assert.equal(isMultiplierOff(multiplier), isOff));
  }
});
