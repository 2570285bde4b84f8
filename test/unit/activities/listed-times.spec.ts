// Times in the lists of an account: none of the future is kept, and a clock that is minutes ahead is an alert.
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { listedPage, type SweepDependencies } from '../../../activities/account-sweep/page.js';

const AT = '2026-11-27T12:00:00.000Z';
const AHEAD = '2026-11-27T15:00:00.000Z';
const EARLIER = '2026-11-27T09:00:00.000Z';

describe('times in lists', () => {
  async function listed(...items: object[]) {
    let inserted = 0;
    const database = { $executeRaw: async () => ++inserted };
    const dependencies = { database, logger: pino({ level: 'silent' }) } as unknown as SweepDependencies;
    const page = { kind: 'page', items, unreadable: 0, next: null } as const;
    const list = await listedPage(dependencies, { provider: 'a', at: AT }, Promise.resolve(page));
    return [list.kind === 'page' ? list.items : [], inserted];
  }

  for (const field of ['receivedAt', 'sentAt', 'returnedAt', 'openedAt'])
    it(`${field} of the future is now, with one alert for a page`, async () => {
      const [one, other] = [
        { id: 1, [field]: AHEAD },
        { id: 2, [field]: AHEAD },
      ];
      assert.deepEqual(await listed(one, other, { id: 3, [field]: EARLIER }), [
        [
          { id: 1, [field]: AT },
          { id: 2, [field]: AT },
          { id: 3, [field]: EARLIER },
        ],
        1,
      ]);
    });

  it('a moment ahead is an ordinary difference, and a deadline may be of the future', async () => {
    const dueAt = '2026-12-04T12:00:00.000Z';
    assert.deepEqual(await listed({ openedAt: '2026-11-27T12:01:00.000Z', dueAt }), [[{ openedAt: AT, dueAt }], 0]);
    assert.deepEqual(await listed({ openedAt: EARLIER, dueAt }), [[{ openedAt: EARLIER, dueAt }], 0]);
  });
});
