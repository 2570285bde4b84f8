// Changed thresholds of the engine: every threshold has a place, and what the configuration cannot hold is named.
import assert from 'node:assert/strict';
import { changedEngine, type EngineRules } from '../../../domain/rules/engine-rules.js';
import { engineThresholdsOf } from '../../../domain/rules/thresholds.js';
import { ENGINE_DEFAULTS } from '../../../domain/rules/thresholds.js';
import { ENGINE_SETTINGS, engineSettingOf, type SettingKind } from '../../../domain/rules/engine-settings.js';
import { RuleSetError } from '../../../domain/rules/rule-set.js';

/** Another value than the default of every threshold, which every schema takes. */
const OTHER: Record<SettingKind, string | number | boolean | string[]> = {
  amount: '700',
  number: 5,
  choice: false,
  policy: 'review',
  codes: ['NEW_CONTEXT'],
};
const valueOf = (name: string) => (name === 'autoSuspended' ? true : OTHER[engineSettingOf(name)?.kind ?? 'amount']);
const all = Object.fromEntries(Object.keys(ENGINE_SETTINGS).map((name) => [name, valueOf(name)]));

function flat(values: object, before = ''): Map<string, unknown> {
  return new Map(
    Object.entries(values).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? [...flat(value, `${before}${name}.`)]
        : [[`${before}${name}`, value] as const],
    ),
  );
}

describe('changed thresholds of the engine', () => {
  it('sets every threshold at the place that decides', () => {
    const set = flat(engineThresholdsOf(changedEngine({}, 'BRL', all), 'BRL') ?? {});
    // The review thresholds of the day are the rule set's, and deposits are not reviewed by windows.
    const absent = /^(windows\.day|depositWindows\.\w+)\.review(Minor|Count)$/;
    const names = [...set.keys()].filter((name) => !absent.test(name));
    assert.deepEqual(names.sort(), Object.keys(ENGINE_SETTINGS).sort());
    // People write amounts as text; rules compare numbers.
    const decides = (name: string) => {
      const value = set.get(name);
      return typeof value === 'bigint' ? String(value) : value;
    };
    for (const name of names) assert.deepEqual(decides(name), valueOf(name), name);
  });

  it('null turns each off again, and leaves no empty branch', () => {
    const none = Object.fromEntries(Object.keys(all).map((name) => [name, null]));
    assert.deepEqual(changedEngine(changedEngine({}, 'BRL', all), 'BRL', none), {});
  });

  it('a rule without the value that it needs is off, whatever else it had', () => {
    const before = changedEngine({}, 'BRL', { 'velocity.windowMinutes': 10, 'velocity.reviewAbove': 2 });
    assert.deepEqual(changedEngine(before, 'BRL', { 'velocity.windowMinutes': null }), {});
    assert.throws(
      () => changedEngine(before, 'BRL', { 'velocity.windowMinutes': null, 'velocity.reviewAbove': 3 }),
      (error) => error instanceof RuleSetError && error.field === 'engine.currencies.BRL.velocity.window_minutes',
    );
  });

  it('keeps what it does not change, and the given configuration', () => {
    const before: EngineRules = {
      vip_players: { 'player-1': 'gold' },
      currencies: { BRL: { vip_tiers: { gold: { max_per_day: '5' } }, max_destinations_30d: 3 } },
    };
    const copy = structuredClone(before);
    const after = changedEngine(before, 'BRL', { 'vipTiers.gold.maxPerDayMinor': '9' });
    assert.deepEqual(after.currencies?.['BRL'], { vip_tiers: { gold: { max_per_day: '9' } }, max_destinations_30d: 3 });
    assert.deepEqual([after.vip_players, before], [copy.vip_players, copy]);
    assert.deepEqual(engineThresholdsOf(changedEngine({}, 'BRL', {}), 'BRL') ?? ENGINE_DEFAULTS, ENGINE_DEFAULTS);
  });

  for (const [name, value, field] of [
    ['nothing', 1, 'engine.nothing'],
    ['constructor', 1, 'engine.constructor'],
    ['vipTiers.gold.other', '1', 'engine.vipTiers.gold.other'],
    ['vipTiers.__proto__.maxPerDayMinor.more', '1', 'engine.vipTiers.__proto__.maxPerDayMinor.more'],
    ['velocity.reviewAbove', 2, 'engine.currencies.BRL.velocity.window_minutes'],
    ['maxPayers30d', 'many', 'engine.currencies.BRL.aml.max_payers_30d'],
    ['operationAutoCap.perHourMinor', '-1', 'engine.currencies.BRL.operation_auto_cap.per_hour'],
  ] as const)
    it(`→ refused: ${name}`, () => {
      assert.throws(
        () => changedEngine({}, 'BRL', { [name]: value }),
        (error) => error instanceof RuleSetError && error.field === field,
      );
    });
});
