// The clock of a worker is PostgreSQL's, whatever its machine's clock shows. About 1 s.
import assert from 'node:assert/strict';
import { createDatabase, type Database } from '../../../store/database.js';
import { DatabaseClock } from '../../../store/database-clock.js';
import { eventually } from '../../../tools/harness/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../../tools/harness/database.js';

const NEAR_MS = 5_000;

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

  /** A monotonic clock that the test moves, and a database that counts its statements and can be down. */
  function watched() {
    const state = { monotonicMs: 0, statements: 0, isDown: false };
    const counting = {
      $queryRaw: ((...args: Parameters<Database['$queryRaw']>) => {
        state.statements += 1;
        return state.isDown ? Promise.reject(new Error('down')) : database.$queryRaw(...args);
      }) as Database['$queryRaw'],
    };
    return { state, clock: new DatabaseClock(counting, () => state.monotonicMs) };
  }
  const assertNear = (foundMs: number, expectedMs: number) =>
    assert.ok(Math.abs(foundMs - expectedMs) < NEAR_MS, `${foundMs} is not near ${expectedMs}`);

  it("tells PostgreSQL's time, and by how much a machine's own clock is ahead", async () => {
    const { clock } = watched();
    assert.equal(clock.aheadMs(), null);
    assertNear(await clock.nowMs(), Date.now());
    assertNear(clock.aheadMs(Date.now() + 301_000) ?? 0, 301_000);
    assertNear(clock.aheadMs(Date.now() - 301_000) ?? 0, -301_000);
  });

  it('asks once for all, and again after ten minutes, while it counts on', async () => {
    const { state, clock } = watched();
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
    const { state, clock } = watched();
    state.isDown = true;
    await assert.rejects(async () => clock.nowMs(), /down/);
    state.isDown = false;
    const first = await clock.nowMs();
    state.isDown = true;
    state.monotonicMs += 700_000;
    assert.equal(clock.nowMs(), first + 700_000);
  });

  it('uses no answer that took longer than five seconds', async () => {
    const state = { monotonicMs: 0 };
    const slow = {
      $queryRaw: (async (...args: Parameters<Database['$queryRaw']>) => {
        state.monotonicMs += 5_001;
        return database.$queryRaw(...args);
      }) as Database['$queryRaw'],
    };
    await assert.rejects(async () => new DatabaseClock(slow, () => state.monotonicMs).nowMs(), /took too long/);
  });
});
