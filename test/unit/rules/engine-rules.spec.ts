// The engine's own configuration: off unless it is set, refused where it cannot be meant, absent from thresholds that
// never had one.
import assert from 'node:assert/strict';
import { engineRulesSchema, vipTierOf } from '../../../domain/rules/engine-rules.js';
import { engineThresholdsOf } from '../../../domain/rules/thresholds.js';
import { ENGINE_DEFAULTS, thresholdsOf } from '../../../domain/rules/thresholds.js';
import { defaultRuleSet } from '../../../domain/rules/rule-set.js';

const parse = (document: unknown) => engineRulesSchema.safeParse(document);

describe('the engine’s own configuration', () => {
  it('leaves thresholds as they were where it says nothing: earlier digests still hold', () => {
    const rules = defaultRuleSet(1);
    assert.equal('engine' in thresholdsOf(rules, 'BRL'), false);
    assert.equal('engine' in thresholdsOf(rules, 'BRL', {}), false);
    assert.equal('engine' in thresholdsOf(rules, 'BRL', { currencies: { USD: {} } }), false);
  });

  it('is off in everything that it leaves out', () => {
    assert.deepEqual(engineThresholdsOf({ currencies: { BRL: {} } }, 'BRL'), ENGINE_DEFAULTS);
  });

  it('takes every threshold to its rule', () => {
    const parsed = engineRulesSchema.parse({
      auto_suspended: true,
      auto_hours_policy: 'review',
      dual_approval_reasons: ['PIX_KEY_CHANGED'],
      vip_players: { 'player-1': 'gold' },
      currencies: {
        BRL: {
          windows: {
            day: { max_amount: '1', max_count: 2 },
            '7d': { review_amount: '3', review_count: 4, max_amount: '5', max_count: 6 },
            '30d': { review_amount: '7' },
          },
          velocity: { window_minutes: 8, review_above: 9, refuse_above: 10 },
          max_destinations_30d: 11,
          operation_auto_cap: { per_hour: '12', per_day: '13' },
          vip_tiers: { gold: { max_per_withdrawal: '14', max_per_day: '15' } },
          aml: {
            structuring: { reporting_threshold: '16' },
            rapid_turnaround: { within_minutes: 17 },
            no_play: false,
            shared_payer_players: 18,
            max_payers_30d: 19,
          },
          deposits: {
            windows: { day: { max_amount: '20' }, '7d': { max_count: 21 } },
            unpaid: { window_minutes: 22, max_count: 23 },
          },
        },
      },
    });
    const none = { reviewMinor: null, reviewCount: null, maxMinor: null, maxCount: null };
    assert.deepEqual(engineThresholdsOf(parsed, 'BRL'), {
      autoSuspended: true,
      autoHoursPolicy: 'review',
      dualApprovalReasons: ['PIX_KEY_CHANGED'],
      windows: {
        day: { ...none, maxMinor: 1n, maxCount: 2 },
        d7: { reviewMinor: 3n, reviewCount: 4, maxMinor: 5n, maxCount: 6 },
        d30: { ...none, reviewMinor: 7n },
      },
      velocity: { windowMinutes: 8, reviewAbove: 9, refuseAbove: 10 },
      maxDestinations30d: 11,
      operationAutoCap: { perHourMinor: 12n, perDayMinor: 13n },
      vipTiers: { gold: { maxPerWithdrawalMinor: 14n, maxPerDayMinor: 15n } },
      structuring: { thresholdMinor: 16n, marginPercent: 10, minCount: 3, windowDays: 7 },
      rapidTurnaround: { withinMinutes: 17, similarityPercent: 10, minCount: 2, windowDays: 30 },
      noPlayReview: false,
      sharedPayerPlayers: 18,
      maxPayers30d: 19,
      depositWindows: { day: { ...none, maxMinor: 20n }, d7: { ...none, maxCount: 21 }, d30: none },
      depositUnpaid: { windowMinutes: 22, maxCount: 23 },
    });
    assert.equal(vipTierOf(parsed, 'player-1'), 'gold');
    assert.equal(vipTierOf(parsed, 'player-2'), null);
    assert.equal(vipTierOf(parsed, 'constructor'), null);
  });

  it('refuses an unknown field, a tier that no currency has, a number for an amount, a policy that does not exist', () => {
    for (const document of [
      { auto_suspend: true },
      { vip_players: { 'player-1': 'gold' }, currencies: { BRL: {} } },
      { currencies: { BRL: { operation_auto_cap: { per_day: 5 } } } },
      { auto_hours_policy: 'refuse' },
    ])
      assert.equal(parse(document).success, false, JSON.stringify(document));
    const [issue] = parse({ vip_players: { p: 'gold' } }).error?.issues ?? [];
    assert.deepEqual(issue?.path, ['vip_players', 'p']);
    assert.deepEqual(issue?.code === 'custom' && issue.params, { reason: 'unknown' });
  });
});
