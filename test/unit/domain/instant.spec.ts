// Moments as RFC 3339 writes them: what is read, and what is refused.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isCalendarDay, readInstant } from '../../../domain/instant.js';

const READ: Readonly<Record<string, string>> = {
  '2026-11-21T12:00:00Z': '2026-11-21T12:00:00.000Z',
  '2026-11-21t12:00:00z': '2026-11-21T12:00:00.000Z',
  '2026-11-21T09:00:00-03:00': '2026-11-21T12:00:00.000Z',
  '2026-11-21T00:00:00+14:00': '2026-11-20T10:00:00.000Z',
  '2026-11-21T12:00:00-00:00': '2026-11-21T12:00:00.000Z',
  '2026-11-21T12:00:00.5Z': '2026-11-21T12:00:00.500Z',
  '2026-11-21T12:00:00.12Z': '2026-11-21T12:00:00.120Z',
  [`2026-11-21T12:00:00.${'9'.repeat(40)}Z`]: '2026-11-21T12:00:00.999Z',
  '2024-02-29T00:00:00Z': '2024-02-29T00:00:00.000Z',
  // The example of RFC 3339, in both zones.
  '1990-12-31T23:59:60Z': '1991-01-01T00:00:00.000Z',
  '1990-12-31T15:59:60-08:00': '1991-01-01T00:00:00.000Z',
  '2016-12-31T23:59:60.25Z': '2017-01-01T00:00:00.250Z',
  '0001-01-01T00:00:00Z': '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z': '9999-12-31T23:59:59.999Z',
};

const REFUSED = [
  '',
  'yesterday',
  '2026-11-21',
  '2026-11-21T12:00Z',
  '2026-11-21T12:00:00',
  '2026-11-21 12:00:00Z',
  '2026-11-21T12:00:00.Z',
  '2026-11-21T12:00:00,5Z',
  '2026-11-21T12:00:00+0300',
  '2026-11-21T12:00:00+24:00',
  '2026-11-21T12:00:00+03:60',
  '2026-11-21T24:00:00Z',
  '2026-11-21T12:60:00Z',
  '2026-11-21T12:00:61Z',
  // Leap seconds where there can be none.
  '2026-11-21T12:00:60Z',
  '2026-11-21T23:59:60Z',
  '1990-12-31T23:59:60-08:00',
  '2026-02-30T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-10T00:00:00Z',
  '2026-11-00T00:00:00Z',
  '+002026-11-21T12:00:00Z',
  ' 2026-11-21T12:00:00Z',
  '2026-11-21T12:00:00Z\n',
  '0000-12-31T23:59:59Z',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '9999-12-31T23:59:60Z',
];

describe('instants', () => {
  for (const [text, read] of Object.entries(READ))
    it(`${text.slice(0, 40)} is ${read}`, () => assert.equal(readInstant(text)?.toISOString(), read));
  for (const text of REFUSED) it(`${JSON.stringify(text)} is refused`, () => assert.equal(readInstant(text), null));

  it('reads every moment in every zone', () => {
    const [min, max] = [new Date('0001-01-02T00:00:00Z'), new Date('9999-12-30T00:00:00Z')];
    const offsets = fc.integer({ min: -1_439, max: 1_439 });
    fc.assert(
      fc.property(fc.date({ min, max, noInvalidDate: true }), offsets, (moment, offset) => {
        const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
          String(part).padStart(2, '0'),
        );
        const text = `${local}${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
        assert.equal(readInstant(text)?.getTime(), moment.getTime(), text);
      }),
    );
  });

  it('knows which days exist', () => {
    for (const day of ['2026-11-30', '2024-02-29', '0001-01-01']) assert.ok(isCalendarDay(day), day);
    for (const day of ['2026-02-30', '2026-11-31', '2023-02-29', '0000-12-31', '2026-1-1', '2026-11-30T', ''])
      assert.ok(!isCalendarDay(day), day);
  });
});
