// What players cost that an operation invents: nothing of what others need, and a row or two that a known player has
// already. Their number is bounded by the operation's POSTs.
import { newRecord } from '../../../domain/payments/deposit-record.js';
import assert from 'node:assert/strict';
import { newId } from '../../../domain/identifiers.js';
import { createDatabase, type Database } from '../../../store/database.js';
import { insertDeposit } from '../../../store/payments/deposit/insert.js';
import { rowsOf } from '../../../store/statements.js';
import { Prisma } from '../../../prisma/generated/client.js';
import { within } from '../../../lab/harness/eventually.js';
import { createdDeposit, depositOrder, pendingDeposit, useStore } from './fixtures.js';

const PLAYERS = 20;
const SOON_MS = 2_000;
const ONE_CONNECTION = { poolSize: 1, connectTimeoutMs: 10_000, statementTimeoutMs: 30_000 };
/** What a row of a player may take: a sealed document, a hash, a reference. */
const ROW_BYTES = 1_024;

describe('players that an operation invents', () => {
  const fixture = useStore();
  let otherId: string;
  beforeEach(async () => {
    otherId = newId('operation');
    const { database } = fixture;
    await database.operation.create({
      data: { id: otherId, name: 'other', environment: 'sandbox', provider: 'simulator' },
    });
    await database.operationCounter.create({ data: { operationId: otherId } });
  });

  const orderOf = (operationId: string, playerRef: string) =>
    depositOrder({ sealer: fixture.sealer, operationId }, { playerRef });

  const insert = (database: Database, order: ReturnType<typeof orderOf>) =>
    insertDeposit(database, fixture.sealer, {
      order,
      record: newRecord(createdDeposit(order)),
      playerRevision: null,
      decision: null,
      environment: 'sandbox',
    });

  it('while they are stored, another operation’s players wait for none of their locks', async () => {
    // Its only connection has an open transaction.
    const open = createDatabase({ url: fixture.testDatabase.url, ...ONE_CONNECTION });
    try {
      await rowsOf(open, Prisma.sql`BEGIN`);
      for (let number = 0; number < PLAYERS; number += 1)
        await insert(open, orderOf(fixture.operationId, `invented-${number}`));
      for (const playerRef of ['invented-0', 'honest']) {
        const inserted = insert(fixture.database, orderOf(otherId, playerRef));
        assert.equal((await within(SOON_MS, inserted, playerRef)).kind, 'inserted');
      }
      assert.equal(await fixture.database.deposit.count({ where: { operationId: fixture.operationId } }), 0);
      await rowsOf(open, Prisma.sql`COMMIT`);
    } finally {
      await open.$disconnect();
    }
  });

  it('a deposit of a new player leaves one row of the player and one of sums more than a known player’s', async () => {
    const deposits = async (operationId: string, playerOf: (number: number) => string) => {
      const before = await rowCounts();
      for (let number = 0; number < PLAYERS; number += 1)
        await pendingDeposit(fixture.database, fixture.sealer, orderOf(operationId, playerOf(number)));
      const after = await rowCounts();
      return new Map([...after].map(([table, count]) => [table, count - (before.get(table) ?? 0)]));
    };
    const ofKnown = await deposits(otherId, () => 'one');
    const ofNew = await deposits(fixture.operationId, (number) => `invented-${number}`);
    const more = [...ofNew].map(([table, count]) => [table, count - (ofKnown.get(table) ?? 0)] as const);
    assert.deepEqual(
      more.filter(([, count]) => count !== 0),
      [
        ['player', PLAYERS - 1],
        ['player_sum', PLAYERS - 1],
      ],
    );
    for (const table of ['player', 'player_sum']) {
      const [row] = await rowsOf<{ bytes: number }>(
        fixture.database,
        Prisma.sql`SELECT max(pg_column_size(one.*)) AS bytes FROM ${Prisma.raw(table)} AS one`,
      );
      assert.ok(row !== undefined && row.bytes > 0 && row.bytes < ROW_BYTES, `${table}: ${row?.bytes} bytes`);
    }
  });

  async function rowCounts(): Promise<Map<string, number>> {
    const tables = await rowsOf<{ name: string }>(
      fixture.database,
      Prisma.sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
    );
    const counts = new Map<string, number>();
    for (const { name } of tables) {
      const counted = Prisma.sql`SELECT count(*)::int AS number FROM ${Prisma.raw(`"${name}"`)}`;
      const [row] = await rowsOf<{ number: number }>(fixture.database, counted);
      counts.set(name, row?.number ?? 0);
    }
    return counts;
  }
});
