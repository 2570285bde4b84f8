// What counts against the operation's automatic cap: clock hours in UTC, days in the rule set's time zone.
import assert from 'node:assert/strict';
import { automaticUseAt, usedIn } from '../../../domain/rules/automatic-limits.js';
import { ENGINE_DEFAULTS } from '../../../domain/rules/thresholds.js';
import { thresholds } from './facts.js';

describe('automatic use', () => {
  const limits = (perHourMinor: bigint | null, perDayMinor: bigint | null) =>
    thresholds({
      timezone: 'America/Sao_Paulo',
      engine: { ...ENGINE_DEFAULTS, operationAutoCap: { perHourMinor, perDayMinor } },
    });

  for (const [at, hour, day] of [
    ['2026-11-22T02:59:59.999Z', '2026-11-22T02', '2026-11-21'],
    ['2026-11-22T03:00:00.000Z', '2026-11-22T03', '2026-11-22'],
  ] as const) {
    it(`${at} counts in hour ${hour} and day ${day}`, () =>
      assert.deepEqual(automaticUseAt(at, limits(1000n, 5000n)), {
        hour,
        day,
        perHourMinor: 1000n,
        perDayMinor: 5000n,
      }));
  }

  it('has no cap where the operation set none', () => {
    const { perHourMinor, perDayMinor } = automaticUseAt('2026-11-22T12:00:00.000Z', thresholds({}));
    assert.deepEqual([perHourMinor, perDayMinor], [null, null]);
  });

  const use = { hour: '2026-11-22T12', day: '2026-11-22', perHourMinor: null, perDayMinor: null };
  const stored = { hour: '2026-11-22T12', hourMinor: 300n, day: '2026-11-22', dayMinor: 700n };
  for (const [title, counter, hourMinor, dayMinor] of [
    ['nothing was paid out yet', null, 0n, 0n],
    ['the same hour and day', stored, 300n, 700n],
    ['an earlier hour of the same day', { ...stored, hour: '2026-11-22T11' }, 0n, 700n],
    ['the day before', { ...stored, hour: '2026-11-21T23', day: '2026-11-21' }, 0n, 0n],
    ['ahead of a slow clock', { ...stored, hour: '2026-11-22T13', day: '2026-11-23' }, 300n, 700n],
  ] as const) {
    it(`${title}: ${hourMinor} in the hour, ${dayMinor} in the day`, () =>
      assert.deepEqual(usedIn(counter, use), { hourMinor, dayMinor }));
  }
});
