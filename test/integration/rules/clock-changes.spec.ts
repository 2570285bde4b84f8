// Days and windows over changes of the clocks, from rows: local days of 23 and 25 hours, and rolling windows that do
// not care.
import assert from 'node:assert/strict';
import { localDate } from '../../../domain/rules/local-time.js';
import { World } from './world.js';

const minutes = (instant: string, count: number) => new Date(Date.parse(instant) + count * 60_000).toISOString();
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
      await world.withdrawal({ createdAt: moved(first, -1) });
      assert.deepEqual([await reasonsAt(first), await reasonsAt(last)], [[], []], 'the day before');
      await world.withdrawal({ createdAt: first });
      assert.deepEqual(await reasonsAt(last), ['WINDOW_DAY_AMOUNT_EXCEEDED', 'WINDOW_DAY_COUNT_EXCEEDED']);
      assert.deepEqual(await reasonsAt(moved(last, 1)), [], 'the day after');
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

  // Asked for two minutes before midnight, decided two minutes after: its key was looked up, or the rules were away.
  for (const [zone, created, decided] of [
    ['America/Sao_Paulo', '2026-11-22T02:58:00.000Z', '2026-11-22T03:02:00.000Z'],
    ['America/Sao_Paulo', '2018-11-04T02:58:00.000Z', '2018-11-04T03:02:00.000Z'],
    ['Europe/Lisbon', '2026-10-25T23:58:00.000Z', '2026-10-26T00:02:00.000Z'],
    ['Asia/Kathmandu', '2026-11-21T18:13:00.000Z', '2026-11-21T18:17:00.000Z'],
    ['Pacific/Kiritimati', '2026-11-21T09:58:00.000Z', '2026-11-21T10:02:00.000Z'],
  ] as const) {
    it(`${zone}, ${created}: a withdrawal decided after midnight counts on the day of its request, and on no other`, async () => {
      const [earlier, later] = [minutes(created, -60), minutes(decided, 60)];
      await world.knownPlayer();
      await world.setRules({ ...EASY, max_withdrawals_per_day: 1, auto_max_per_day: '9999' }, { timezone: zone });
      await world.withdrawal({ createdAt: earlier });
      const id = await world.withdrawal({ createdAt: created, status: 'requested' });
      const own = async () =>
        (
          await world.rules.decideWithdrawal({
            order: world.withdrawalOrder({ id }),
            at: decided,
            keyOwner: 'match',
            stage: 'dict',
          })
        ).reasons;
      assert.deepEqual(await own(), ['WINDOW_DAY_AMOUNT_EXCEEDED', 'WINDOW_DAY_COUNT_EXCEEDED'], 'its own decision');
      assert.deepEqual(await reasonsAt(later), [], 'a later one of the next day');
      await world.withdrawal({ createdAt: minutes(decided, 1) });
      await world.database.withdrawal.updateMany({ where: { createdAt: earlier }, data: { status: 'rejected' } });
      assert.deepEqual(await own(), [], 'those of the next day do not count with it');
    });

    it(`${zone}, ${created}: nor does it use another day of the operation’s cap`, async () => {
      await world.openBooks();
      await world.deposit({ amountMinor: 100000n });
      const cap = { operation_auto_cap: { per_day: '9999' } };
      await world.setEngine({ currencies: { BRL: cap } }, EASY, { timezone: zone });
      assert.equal(await world.create(world.withdrawalOrder(), minutes(created, -60)), 'approved');
      const id = await world.withdrawal({ createdAt: created, status: 'requested' });
      const order = world.withdrawalOrder({ id });
      const ask = () => world.rules.decideWithdrawal({ order, at: decided, keyOwner: 'match', stage: 'dict' });
      assert.deepEqual((await ask()).reasons, ['OPERATION_AUTO_CAP_EXCEEDED']);
      await world.setEngine({}, EASY, { timezone: zone });
      const verdict = await ask();
      assert.ok(verdict.kind === 'automatic');
      assert.equal(verdict.automaticUse?.day, localDate(new Date(created), zone));
      assert.equal(verdict.automaticUse?.hour, created.slice(0, 13));
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
