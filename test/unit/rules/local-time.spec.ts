// Local days and opening hours, checked against a slow and obvious reading of the same clocks.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  isTimeZone,
  isWithinHours,
  localDate,
  type LocalHours,
  nextOpening,
} from '../../../domain/rules/local-time.js';

const MINUTE_MS = 60_000;
const ZONES = [
  'America/Sao_Paulo',
  'UTC',
  'America/New_York',
  'Europe/Lisbon',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Havana',
  'Africa/Cairo',
];

/** Local `HH:MM` by another route than the code under test. */
function clock(instant: Date, zone: string): string {
  return instant.toLocaleTimeString('de-DE', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
}

function isOpen(instant: Date, zone: string, { from, to }: LocalHours): boolean {
  const time = clock(instant, zone);
  return from < to ? from <= time && time < to : from <= time || time < to;
}

function slowNextOpening(at: Date, zone: string, hours: LocalHours): Date {
  if (isOpen(at, zone, hours)) return at;
  let minute = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
  do minute += MINUTE_MS;
  while (!isOpen(new Date(minute), zone, hours));
  return new Date(minute);
}

const timeOfDay = fc
  .integer({ min: 0, max: 1_439 })
  .map((minute) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`);
const hours = fc.record({ from: timeOfDay, to: timeOfDay }).filter(({ from, to }) => from !== to);
// Around the clock changes of 2026 in the zones above and the last two of São Paulo, where the mistakes are.
const CHANGES = [
  '2026-03-08T07:00:00Z',
  '2026-11-01T06:00:00Z',
  '2026-03-29T01:00:00Z',
  '2026-10-25T01:00:00Z',
  '2026-04-04T15:00:00Z',
  '2026-10-03T15:30:00Z',
  '2026-03-08T05:00:00Z',
  '2026-04-23T22:00:00Z',
  '2018-11-04T03:00:00Z',
  '2019-02-17T02:00:00Z',
];
const instant = fc.oneof(
  fc
    .tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -36 * 3_600_000, max: 6 * 3_600_000 }))
    .map(([change, offset]) => new Date(Date.parse(change) + offset)),
  fc.date({ min: new Date('2026-01-01T00:00:00Z'), max: new Date('2027-12-31T00:00:00Z'), noInvalidDate: true }),
);

describe('local time', () => {
  it('next opening is the first open minute, whatever the clocks do', () => {
    fc.assert(
      fc.property(instant, fc.constantFrom(...ZONES), hours, (at, zone, window) => {
        assert.equal(isWithinHours(at, zone, window), isOpen(at, zone, window));
        assert.equal(nextOpening(at, zone, window).toISOString(), slowNextOpening(at, zone, window).toISOString());
      }),
      { numRuns: 150 },
    );
    // The slow reference looks at every minute.
  }).timeout(120_000);

  for (const [title, at, zone, window, expected] of [
    [
      'a window that begins in the skipped hour opens after it',
      '2026-03-08T06:00:00Z',
      'America/New_York',
      { from: '02:10', to: '05:00' },
      '2026-03-08T07:00:00.000Z',
    ],
    [
      'a window in the repeated hour opens twice',
      '2026-11-01T05:50:00Z',
      'America/New_York',
      { from: '01:30', to: '01:45' },
      '2026-11-01T06:30:00.000Z',
    ],
    [
      'São Paulo: a window over the midnight that was skipped is open right after it',
      '2018-11-04T03:00:00Z',
      'America/Sao_Paulo',
      { from: '23:00', to: '02:00' },
      '2018-11-04T03:00:00.000Z',
    ],
    [
      'seconds are cut: the window opens on the minute',
      '2026-11-21T14:59:59.999Z',
      'America/Sao_Paulo',
      { from: '12:00', to: '13:00' },
      '2026-11-21T15:00:00.000Z',
    ],
    [
      'twelve hours ahead is ahead',
      '2026-11-21T03:00:00.000Z',
      'America/Sao_Paulo',
      { from: '12:00', to: '13:00' },
      '2026-11-21T15:00:00.000Z',
    ],
    [
      'open already: now',
      '2026-11-21T15:00:00.123Z',
      'America/Sao_Paulo',
      { from: '12:00', to: '13:00' },
      '2026-11-21T15:00:00.123Z',
    ],
  ] as const) {
    it(title, () => assert.equal(nextOpening(new Date(at), zone, window).toISOString(), expected));
  }

  it('a day is the day of the zone', () => {
    assert.equal(localDate(new Date('2026-11-21T02:59:59.999Z'), 'America/Sao_Paulo'), '2026-11-20');
    assert.equal(localDate(new Date('2026-11-21T03:00:00.000Z'), 'America/Sao_Paulo'), '2026-11-21');
    assert.equal(localDate(new Date('2026-11-21T02:59:59.999Z'), 'UTC'), '2026-11-21');
  });

  it('knows zones by name only', () => {
    for (const zone of ZONES) assert.equal(isTimeZone(zone), true, zone);
    for (const zone of ['', '+03:00', '-03', 'Mars/Olympus', 'America/São_Paulo', ' UTC'])
      assert.equal(isTimeZone(zone), false, zone);
  });
});
