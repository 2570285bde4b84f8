// Decided at the same time: exactly as many pass a limit as fit, of one player, of several, in deposits and
// withdrawals.
import assert from 'node:assert/strict';
import { type AutomaticUse, automaticUseAt } from '../../../domain/rules/automatic-limits.js';
import type { Thresholds } from '../../../domain/rules/thresholds.js';
import type { WithdrawalChange } from '../../../domain/payments/withdrawal-record.js';
import { type WithdrawalRow, readWithdrawal } from '../../../store/payments/withdrawal/read.js';
import { storeWithdrawalChange } from '../../../store/payments/withdrawal/transition.js';
import { AT, sealer, World } from './world.js';

/** One of each player. */
const CPFS = [
  '12345671050',
  '12345671130',
  '12345671211',
  '12345671300',
  '12345671483',
  '12345671564',
  '12345671645',
  '12345671726',
];
const EASY = { first_withdrawal_manual: false, auto_multiplier: '1000' };
const CAP_REACHED = 'under_review OPERATION_AUTO_CAP_EXCEEDED';
const times = (count: number, result: string) => Array.from({ length: count }, () => result);

describe('decisions at the same time', () => {
  let world: World;
  before(async () => (world = await World.create()));
  after(() => world.destroy());

  /** Eight withdrawals at once, each of another player. */
  const ofEightPlayers = (amountMinor = 5000n) =>
    Promise.all(
      CPFS.map((number, index) =>
        world.create(
          world.withdrawalOrder({
            ref: `player-${index + 1}`,
            document: { type: 'CPF', number },
            key: { type: 'cpf', value: number },
            amountMinor,
          }),
        ),
      ),
    );

  describe('withdrawals', () => {
    it('of eight of a new player only those within X times the deposits are automatic', async () => {
      await world.anew({ first_withdrawal_manual: false });
      await world.openBooks();
      // Two fit; the player row itself does not exist yet.
      await world.deposit({ amountMinor: 10999n });
      const results = await Promise.all(CPFS.map(() => world.create(world.withdrawalOrder({ amountMinor: 5000n }))));
      assert.deepEqual(results.sort(), [...times(2, 'approved'), ...times(6, 'under_review AUTO_MULTIPLIER_EXCEEDED')]);
    });
  });

  describe('deposits', () => {
    it('of eight of a new player only three fit under the sum of the day', async () => {
      await world.anew();
      await world.setEngine({ currencies: { BRL: { deposits: { windows: { day: { max_amount: '15999' } } } } } });
      const results = await Promise.all(CPFS.map(() => world.createDeposit(world.depositOrder())));
      const exceeded = 'velocity_exceeded DEPOSIT_WINDOW_EXCEEDED';
      assert.deepEqual(results.sort(), [...times(3, 'inserted'), ...times(5, exceeded)]);
      assert.equal(await world.database.deposit.count({ where: { operationId: world.operationId } }), 3);
    });

    it('together with withdrawals of the same player: both limits hold', async () => {
      await world.anew(EASY);
      await world.openBooks();
      await world.deposit({ amountMinor: 100000n });
      const windows = { '7d': { max_count: 2 } };
      await world.setEngine(
        { currencies: { BRL: { windows, deposits: { windows: { '7d': { max_count: 2 } } } } } },
        EASY,
      );
      const results = await Promise.all(
        CPFS.slice(4).flatMap(() => [world.create(world.withdrawalOrder()), world.createDeposit(world.depositOrder())]),
      );
      assert.deepEqual(results.sort(), [
        ...times(2, 'approved'),
        ...times(2, 'inserted'),
        ...times(2, 'velocity_exceeded'),
        ...times(2, 'velocity_exceeded DEPOSIT_WINDOW_EXCEEDED'),
      ]);
    });
  });

  describe('the operation’s automatic cap', () => {
    const perHour = (per_hour: string) =>
      world.setEngine({ currencies: { BRL: { operation_auto_cap: { per_hour } } } }, EASY);
    const usedThisHour = async () =>
      (await world.database.automaticUse.findFirst({ where: { operationId: world.operationId } }))?.hourMinor.toFixed(
        0,
      );
    beforeEach(async () => {
      await world.anew(EASY);
      await world.openBooks();
      for (let player = 1; player <= 8; player += 1)
        await world.deposit({ ref: `player-${player}`, amountMinor: 100000n });
    });

    const read = (id: string) => readWithdrawal(world.database, { id, operationId: world.operationId });
    const automatically = (automaticUse: AutomaticUse) =>
      ({ trigger: 'decided_automatic', judgement: 'passed', automaticUse }) as const;
    const store = (held: WithdrawalRow, change: WithdrawalChange) =>
      storeWithdrawalChange(
        { database: world.database, sealer: sealer },
        { row: held, change, at: AT, decision: null },
      );

    it('of eight players at once only as many go out automatically as fit', async () => {
      await perHour('15999');
      assert.deepEqual((await ofEightPlayers()).sort(), [...times(3, 'approved'), ...times(5, CAP_REACHED)]);
      assert.equal(await usedThisHour(), '15000');
    });

    it('is compared again for what comes out of `requested`, at the same time as others are created', async () => {
      await perHour('15999');
      const waiting = await Promise.all(
        CPFS.slice(0, 4).map(async (_number, index) =>
          read(await world.withdrawal({ ref: `player-${index + 1}`, status: 'requested' })),
        ),
      );
      // All four were decided before any of them is stored.
      const change = automatically(automaticUseAt(AT, await thresholdsInForce()));
      const [stored, created] = await Promise.all([
        Promise.all(waiting.map(async (row) => ((await store(row, change)) === null ? 'refused' : 'stored'))),
        Promise.all(CPFS.slice(4).map((number, index) => create(index + 5, number))),
      ]);
      const passed = [...stored, ...created].filter((result) => result === 'stored' || result === 'approved');
      assert.equal(passed.length, 3, [...stored, ...created].join());
      assert.equal(await usedThisHour(), '15000');
      const rows = await world.database.withdrawal.findMany({
        where: { id: { in: waiting.map(({ record }) => record.snapshot.id) } },
      });
      assert.equal(
        rows.filter(({ status, version }) => status === 'approved' && version === 2).length,
        stored.filter((result) => result === 'stored').length,
      );
      assert.equal(
        rows.filter(({ status, version }) => status === 'requested' && version === 1).length,
        stored.filter((result) => result === 'refused').length,
      );
    });

    it('counts what comes out of `requested` once however often that is stored', async () => {
      await perHour('9999');
      const id = await world.withdrawal({ status: 'requested' });
      const held = await read(id);
      const change = automatically(automaticUseAt(AT, await thresholdsInForce()));
      assert.notEqual(await store(held, change), null);
      assert.equal(await store(held, change), null);
      const { status, version } = (await read(id)).record.snapshot;
      assert.deepEqual([status, version], ['approved', 2]);
      assert.equal(await usedThisHour(), '5000');
      assert.equal(await world.create(world.withdrawalOrder()), CAP_REACHED);
    });

    it('counts the hour and the day, and starts over in the next', async () => {
      await world.setEngine(
        { currencies: { BRL: { operation_auto_cap: { per_hour: '10000', per_day: '15000' } } } },
        EASY,
      );
      const go = (at = AT) => world.create(world.withdrawalOrder(), at);
      assert.deepEqual([await go(), await go()], ['approved', 'approved']);
      assert.equal(await go(), CAP_REACHED);
      const nextHour = '2026-11-21T16:00:00.000Z';
      assert.equal(await go(nextHour), 'approved');
      assert.equal(await go(nextHour), CAP_REACHED, 'the day');
      assert.equal(await go('2026-11-22T03:00:00.000Z'), 'approved', 'the next local day');
    });

    const create = (player: number, number: string) =>
      world.create(
        world.withdrawalOrder({
          ref: `player-${player}`,
          document: { type: 'CPF', number },
          key: { type: 'cpf', value: number },
        }),
      );

    /** The thresholds as a decision stores them. */
    async function thresholdsInForce(): Promise<Thresholds> {
      const order = world.withdrawalOrder({ ref: 'nobody' });
      await world.rules.decideWithdrawal({ order, at: AT, keyOwner: 'not_asked', stage: 'creation' });
      const row = await world.database.decision.findFirstOrThrow({ where: { objectId: order.id } });
      return row.thresholds as unknown as Thresholds;
    }
  });
});
