// The clock of a worker: its machine's while that agrees with PostgreSQL's, otherwise PostgreSQL's. About 1 s.
import assert from 'node:assert/strict';
import { createDatabase, type Database } from '../../../store/database.js';
import { DatabaseClock } from '../../../store/database-clock.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../../lab/harness/database.js';

const NEAR_MS = 1_500;

describe("the database's clock", () => {
  let test: TestDatabase;
  let database: Database;
  before(async () => {
    test = await createTestDatabase();
    database = createDatabase({ url: test.url, poolSize: 2, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 });
  });
  after(async () => {
    await database.$disconnect();
    await test.drop();
  });

  /** A machine whose clock is off, a monotonic clock that the test moves, and a database that can be down. */
  function machine({ offMs = 0 }: { offMs?: number } = {}) {
    const state = { offMs, monotonicMs: 0, statements: 0, isDown: false, roundTripMs: 0 };
    const counting = {
      $queryRaw: (async (...args: Parameters<Database['$queryRaw']>) => {
        state.statements += 1;
        state.monotonicMs += state.roundTripMs;
        if (state.isDown) throw new Error('down');
        return database.$queryRaw(...args);
      }) as Database['$queryRaw'],
    };
    const ownMs = () => Date.now() + state.offMs;
    return { state, ownMs, clock: new DatabaseClock(counting, { ownMs, monotonicMs: () => state.monotonicMs }) };
  }
  const assertNear = (foundMs: number, expectedMs: number) =>
    assert.ok(Math.abs(foundMs - expectedMs) < NEAR_MS, `${foundMs} is not near ${expectedMs}`);

  for (const offMs of [301_000, -301_000, 2_000]) {
    it(`a machine's clock that is off by ${offMs} ms is not believed`, async () => {
      const { clock } = machine({ offMs });
      assert.equal(clock.aheadMs, null);
      assertNear(await clock.nowMs(), Date.now());
      assertNear(clock.aheadMs ?? 0, offMs);
    });
  }

  it('one that agrees is used as it is, so that two processes of a machine never disagree', async () => {
    const { clock, ownMs, state } = machine({ offMs: 300 });
    // The reading itself is off by up to two seconds.
    state.roundTripMs = 4_000;
    await clock.nowMs();
    const before = ownMs();
    const now = clock.nowMs() as number;
    assert.ok(before <= now && now <= ownMs(), `${now} is not the machine's ${before}`);
  });

  for (const offMs of [44_000, -44_000]) {
    it(`one that is set by ${offMs} ms while it is in use is not believed any more, from the next time on`, async () => {
      const { state, clock } = machine();
      assertNear(await clock.nowMs(), Date.now());
      state.offMs = offMs;
      assertNear(await clock.nowMs(), Date.now());
      assert.deepEqual([state.statements, Math.round((clock.aheadMs ?? 0) / 1_000)], [2, offMs / 1_000]);
      state.isDown = true;
      assertNear(await clock.nowMs(), Date.now());
    });
  }

  it('asks once for all, and again after ten minutes, while it counts on', async () => {
    const { state, clock } = machine({ offMs: 301_000 });
    const [first] = await Promise.all([clock.nowMs(), clock.nowMs(), clock.nowMs()]);
    assert.equal(state.statements, 1);
    state.monotonicMs += 599_000;
    assert.equal(clock.nowMs(), first + 599_000);
    assert.equal(state.statements, 1);
    state.monotonicMs += 2_000;
    assert.equal(clock.nowMs(), first + 601_000);
    assert.equal(state.statements, 2);
    // The new reading is of now: nothing has passed in real time.
    await eventually(() => Math.abs((clock.nowMs() as number) - first) < NEAR_MS, 'the new reading is in use');
  });

  it('has no time before PostgreSQL has answered once, and keeps the last one when it is away', async () => {
    const { state, clock } = machine({ offMs: 301_000 });
    state.isDown = true;
    await assert.rejects(async () => clock.nowMs(), /down/);
    state.isDown = false;
    const first = await clock.nowMs();
    state.isDown = true;
    state.monotonicMs += 700_000;
    assert.equal(clock.nowMs(), first + 700_000);
  });

  it('uses no answer that took longer than five seconds', async () => {
    const { state, clock } = machine();
    state.roundTripMs = 5_001;
    await assert.rejects(async () => clock.nowMs(), /took too long/);
  });
});
