// Days and windows over changes of the clocks, from rows: local days of 23 and 25 hours, and rolling windows that do not care.
import assert from 'node:assert/strict';
import { World } from './world.js';

const EASY = { first_withdrawal_manual: false, auto_multiplier: '1000' };

describe('changes of the clocks', () => {
  let world: World;
  // The database's own time zone must not matter either.
  before(async () => (world = await World.create('Europe/Lisbon')));
  after(() => world.destroy());
  beforeEach(() => world.anew(EASY));

  const reasonsAt = async (at: string) => (await world.decide({}, 'not_asked', at)).reasons;

  for (const [zone, title, first, last] of [
    // In São Paulo the clocks went from 00:00 to 01:00 in spring and from 24:00 back to 23:00 in autumn, until 2019.
    [
      'America/Sao_Paulo',
      'a day of 23 hours without a midnight',
      '2018-11-04T03:00:00.000Z',
      '2018-11-05T01:59:59.999Z',
    ],
    [
      'America/Sao_Paulo',
      'a day of 25 hours with two last hours',
      '2019-02-16T02:00:00.000Z',
      '2019-02-17T02:59:59.999Z',
    ],
    ['America/Sao_Paulo', 'a day of 24 hours', '2026-11-21T03:00:00.000Z', '2026-11-22T02:59:59.999Z'],
    ['Europe/Lisbon', 'a day of 23 hours', '2026-03-29T00:00:00.000Z', '2026-03-29T22:59:59.999Z'],
    ['Europe/Lisbon', 'a day of 25 hours', '2026-10-24T23:00:00.000Z', '2026-10-25T23:59:59.999Z'],
  ] as const) {
    const moved = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString();
    const limits = { max_withdrawals_per_day: 1, auto_max_per_day: '9999' };

    it(`${zone}, ${title}: its first and its last millisecond are one day`, async () => {
      await world.knownPlayer();
      await world.setRules({ ...EASY, ...limits }, { timezone: zone });
      await world.withdrawal({ createdAt: first });
      assert.deepEqual(await reasonsAt(last), ['WINDOW_DAY_AMOUNT_EXCEEDED', 'WINDOW_DAY_COUNT_EXCEEDED']);
      assert.deepEqual(await reasonsAt(moved(last, 1)), [], 'the day after');
    });

    it(`${zone}, ${title}: the millisecond before it is the day before`, async () => {
      await world.knownPlayer();
      await world.setRules({ ...EASY, ...limits }, { timezone: zone });
      await world.withdrawal({ createdAt: moved(first, -1) });
      assert.deepEqual(await reasonsAt(first), []);
      assert.deepEqual(await reasonsAt(last), []);
    });

    it(`${zone}, ${title}: deposits and the operation’s cap count the same day`, async () => {
      await world.openBooks();
      await world.setEngine(
        {
          currencies: {
            BRL: { operation_auto_cap: { per_day: '9999' }, deposits: { windows: { day: { max_count: 1 } } } },
          },
        },
        EASY,
        { timezone: zone },
      );
      await world.deposit({ createdAt: first });
      const deposit = async (at: string) => (await world.rules.decideDeposit({ order: world.depositOrder(), at })).kind;
      assert.deepEqual([await deposit(last), await deposit(moved(last, 1))], ['refuse', 'accept']);
      assert.equal(await world.create(world.withdrawalOrder(), first), 'approved');
      assert.equal(await world.create(world.withdrawalOrder(), last), 'under_review OPERATION_AUTO_CAP_EXCEEDED');
      assert.equal(await world.create(world.withdrawalOrder(), moved(last, 1)), 'approved');
    });
  }

  for (const [window, days] of [
    ['7d', 7],
    ['30d', 30],
  ] as const) {
    it(`${window} is ${days} times 24 hours, also where the clocks changed in between`, async () => {
      await world.knownPlayer();
      await world.setEngine(
        {
          currencies: {
            BRL: { windows: { [window]: { max_count: 1 } }, deposits: { windows: { [window]: { max_count: 1 } } } },
          },
        },
        EASY,
        { timezone: 'Europe/Lisbon' },
      );
      // The clocks in Lisbon went back on 2026-10-25.
      const at = '2026-10-26T12:00:00.000Z';
      const start = new Date(Date.parse(at) - days * 86_400_000).toISOString();
      const just = new Date(Date.parse(start) + 1).toISOString();
      await world.database.withdrawal.updateMany({ data: { createdAt: start } });
      await world.deposit({ ref: 'player-2', createdAt: start });
      const depositAt = async () =>
        (await world.rules.decideDeposit({ order: world.depositOrder({ ref: 'player-2' }), at })).kind;
      assert.deepEqual([await reasonsAt(at), await depositAt()], [[], 'accept']);
      await world.database.withdrawal.updateMany({ data: { createdAt: just } });
      await world.database.deposit.updateMany({ where: { playerRef: 'player-2' }, data: { createdAt: just } });
      assert.deepEqual([await reasonsAt(at), await depositAt()], [['WINDOW_HARD_LIMIT'], 'refuse']);
    });
  }
});
