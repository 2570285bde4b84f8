// Clocks of providers: when their times count, and what counts instead.
import assert from 'node:assert/strict';
import { checkedMoment, checkedTerm, differenceOf } from '../../../domain/provider-clock.js';

const SINCE = '2026-11-27T12:00:00.000Z';
const AT = '2026-11-27T12:10:00.000Z';
const span = { since: SINCE, at: AT };

describe('a provider’s time of a payment', () => {
  for (const [title, stated, at, drifts] of [
    ['within what is known', '2026-11-27T12:05:00.000Z', '2026-11-27T12:05:00.000Z', false],
    ['a moment ahead: never of the future', '2026-11-27T12:12:00.000Z', AT, false],
    ['a moment before it was asked for', '2026-11-27T11:58:00.000Z', SINCE, false],
    ['minutes ahead', '2026-11-27T12:12:00.001Z', AT, true],
    ['three hours ahead', '2026-11-27T15:05:00.000Z', AT, true],
    ['local time as UTC', '2026-11-27T09:05:00.000Z', AT, true],
    ['minutes before it was asked for', '2026-11-27T11:57:59.999Z', AT, true],
  ] as const)
    it(title, () => assert.deepEqual(checkedMoment(stated, span), { at, drifts }));
});

describe('the term of a charge', () => {
  const TERM = { ...span, termSeconds: 1_800 };
  const AGREED = '2026-11-27T12:40:00.000Z';
  const runs = (expiresAt: string, drifts: boolean) => ({ kind: 'runs', expiresAt, drifts });
  for (const [title, createdAt, expiresAt, expected] of [
    ['by the provider’s clock', AT, AGREED, runs(AGREED, false)],
    ['the provider’s own, if it differs', AT, '2026-11-27T13:10:00.000Z', runs('2026-11-27T13:10:00.000Z', false)],
    ['of an earlier request', SINCE, '2026-11-27T12:30:00.000Z', runs('2026-11-27T12:30:00.000Z', false)],
    ['born expired: local time as UTC', '2026-11-27T09:10:00.000Z', '2026-11-27T09:40:00.000Z', runs(AGREED, true)],
    ['hours ahead', '2026-11-27T15:10:00.000Z', '2026-11-27T15:40:00.000Z', runs(AGREED, true)],
    [
      'short, by a clock that is a little behind',
      '2026-11-27T12:08:30.000Z',
      '2026-11-27T12:09:30.000Z',
      runs(AGREED, true),
    ],
    ['of an earlier request, and over', SINCE, '2026-11-27T12:05:00.000Z', { kind: 'over' }],
    ['an end alone', null, AGREED, runs(AGREED, false)],
    ['an end alone, hours behind', null, '2026-11-27T09:40:00.000Z', runs(AGREED, true)],
  ] as const)
    it(title, () => assert.deepEqual(checkedTerm({ createdAt, expiresAt }, TERM), expected));
});

it('the difference is told in whole minutes', () => {
  assert.deepEqual(differenceOf('2026-11-27T09:10:20.000Z', AT), { minutes: 180, side: 'behind' });
  assert.deepEqual(differenceOf('2026-11-27T12:13:00.000Z', AT), { minutes: 3, side: 'ahead of' });
});
