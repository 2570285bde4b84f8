// Reads and decisions touch as few pages of a large database as of a small one, whichever plan Postgres comes to. Pages
// are counted by Postgres itself, so a busy machine changes nothing here. `npm run bench -- reads decisions` has the
// figures.
import assert from 'node:assert/strict';
import { type BenchApi, startApi } from '../../../lab/bench/api.js';
import { DECISIONS } from '../../../lab/bench/database/decisions.js';
import { nodeName, plansOf, type StatementPlan, wholeReads } from '../../../lab/bench/database/plans.js';
import { readsOf } from '../../../lab/bench/database/reads.js';
import { createWorld, type World } from '../../../lab/bench/database/world.js';
import { lastClosedDay } from '../../../domain/reconciliation.js';
import { LOOKS_PER_TURN, objectsToLookAfter } from '../../../store/payments/open-objects.js';
import { readDay } from '../../../store/reconciliation/days.js';
import { storingRules } from '../../../lab/harness/storing-rules.js';
import { createTestDatabase, type TestDatabase } from '../../../lab/harness/database.js';

const PLAYER = { ref: 'measured', document: '52998224725', payments: 60 };
const SIZES = { few: 1_000, many: 10_000 };
/** A tree that is a level higher, and rows that lie further apart. */
const MOST_GROWTH = 1.5;
const MOST_MORE_PAGES = 25;

type Size = keyof typeof SIZES;
type PlansBySize = Record<Size, readonly StatementPlan[]>;

describe('plans', () => {
  const databases: TestDatabase[] = [];
  const worlds = {} as Record<Size, World>;
  const busy = {} as Record<Size, World>;
  const apis: BenchApi[] = [];
  const end = new Date();

  before(async function () {
    this.timeout(120_000);
    for (const size of ['few', 'many'] as const) {
      const database = await createTestDatabase();
      databases.push(database);
      worlds[size] = await createWorld(database.url, {
        payments: SIZES[size],
        players: [PLAYER],
        end,
        days: 30,
        complete: true,
      });
      await readDay(
        worlds[size].observed.database,
        { operationId: worlds[size].operationId, currency: 'BRL' },
        lastClosedDay(end),
        end,
      );
      apis.push(await startApi(worlds[size]));
    }
  });

  after(async () => {
    for (const api of apis) await api.close();
    for (const world of [...Object.values(worlds), ...Object.values(busy)]) await world.close();
    for (const database of databases) await database.drop();
  });

  /** The plans of what `ask` asks of each world. */
  async function plans(ask: (world: World, size: Size) => Promise<unknown>): Promise<PlansBySize> {
    const of = async (size: Size) => {
      const { observed, client } = worlds[size];
      observed.forget();
      await ask(worlds[size], size);
      return plansOf(client, observed.statements);
    };
    return { few: await of('few'), many: await of('many') };
  }

  function assertAsFewPages({ few, many }: PlansBySize, mostMorePages = MOST_MORE_PAGES): void {
    assert.ok(many.length > 0, 'nothing was asked of Postgres');
    assert.deepEqual(many.flatMap(wholeReads).map(nodeName), [], 'reads a whole table');
    for (const plan of many) {
      const before = few.find(({ text, kind }) => text === plan.text && kind === plan.kind);
      assert.ok(before, 'asked another statement of the smaller database');
      const most = before.pages * MOST_GROWTH + mostMorePages;
      assert.ok(
        plan.pages <= most,
        `${before.pages} pages became ${plan.pages} (${plan.kind} plan: ${plan.nodes.map(nodeName).join(', ')}) ` +
          `of\n${plan.text}`,
      );
    }
  }

  it('every read touches as few pages of 20,000 payments as of 1,000', async function () {
    this.timeout(120_000);
    const reads = { few: await readsOf(worlds.few, PLAYER.ref), many: await readsOf(worlds.many, PLAYER.ref) };
    for (const [index, { name }] of reads.many.entries()) {
      const found = await plans(async (world, size) => {
        await world.client.query('DELETE FROM rate_bucket');
        const read = reads[size][index];
        assert.ok(read);
        await read.call((size === 'few' ? apis[0] : apis[1])?.client ?? assert.fail());
      });
      try {
        assertAsFewPages(found);
      } catch (error) {
        throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
      }
    }
  });

  describe('a busy player, fifty payments a day', () => {
    // The same month before the decision; one player has been here fifteen times as long.
    const players = { few: { ...PLAYER, payments: 2_000 }, many: { ...PLAYER, payments: 30_000 } };
    const days = { few: 40, many: 600 };
    before(async function () {
      this.timeout(240_000);
      for (const size of ['few', 'many'] as const) {
        const database = await createTestDatabase();
        databases.push(database);
        const history = { payments: players[size].payments * 1.2, players: [players[size]], end, days: days[size] };
        busy[size] = await createWorld(database.url, { ...history, complete: false });
      }
    });

    for (const name of ['withdrawal creation', 'deposit creation'] as const) {
      it(`${name} reads one row of sums, whatever came before`, async function () {
        this.timeout(120_000);
        const pagesOf = async (size: Size) => {
          const { observed, client, sealer } = busy[size];
          observed.forget();
          const rules = storingRules({ database: observed.database, sealer });
          await DECISIONS[name]?.(rules, busy[size], players[size], end.toISOString());
          const plans = await plansOf(client, observed.statements);
          return plans.reduce((sum, { pages }) => sum + pages, 0);
        };
        const [few, many] = [await pagesOf('few'), await pagesOf('many')];
        // Trees of ten times as many rows can be a level higher: a page for each probe.
        assert.ok(many <= few * 1.1 + MOST_MORE_PAGES, `${few} pages became ${many}`);
      });
    }
  });

  for (const [name, decide] of Object.entries(DECISIONS)) {
    it(`a decision (${name}) touches as few pages of 20,000 payments as of 1,000`, async () => {
      const at = end.toISOString();
      assertAsFewPages(
        await plans((world) =>
          decide(storingRules({ database: world.observed.database, sealer: world.sealer }), world, PLAYER, at),
        ),
      );
    });
  }

  it('the check of progress touches as few pages of 10,000 open deposits as of 500', async function () {
    this.timeout(120_000);
    for (const [size, open] of [
      ['few', 500],
      ['many', 10_000],
    ] as const) {
      const { client, operationId } = worlds[size];
      await client.query('BEGIN');
      await client.query("SET LOCAL session_replication_role = 'replica'");
      await client.query(
        `INSERT INTO deposit (id, operation_id, external_id, status, version, amount_minor, currency, method,
           player_ref, provider, request_sealed, review_reasons, created_at, updated_at, expires_at)
         SELECT 'dep_open' || number, $1, 'open' || number, 'pending', 1, 5000, 'BRL', 'pix', 'crowd', 'simulator',
           repeat('x', 400)::bytea, '{}', at, at, at + interval '30 minutes'
         FROM generate_series(1, $2::int) AS number, (SELECT $3::timestamptz - interval '10 minutes' AS at) AS long_ago`,
        [operationId, open, end.toISOString()],
      );
      // A key for each payment of thirty days.
      await client.query(
        `INSERT INTO idempotency_key (operation_id, key, fingerprint, object_id, token, state, locked_at, created_at)
         SELECT $1, 'key' || number, '', 'dep_' || number, gen_random_uuid(), 'finished', at, at
         FROM generate_series(1, $2::int) AS number,
           LATERAL (SELECT $3::timestamptz - number * interval '30 days' / $2::int AS at) AS created`,
        [operationId, SIZES[size], end.toISOString()],
      );
      await client.query('COMMIT');
      await client.query('VACUUM ANALYZE deposit, idempotency_key');
    }
    const since = new Date(end.getTime() - 60_000);
    const pages = { waitingDeposits: 0 };
    // Each of the rows that a turn looks at may be on a page of its own: they fill what earlier tests left free.
    assertAsFewPages(
      await plans(({ observed }) => objectsToLookAfter(observed.database, { since, at: end, pages })),
      LOOKS_PER_TURN.waiting,
    );
  });
});
