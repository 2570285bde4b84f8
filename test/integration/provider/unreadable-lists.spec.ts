// What an account's lists have and cannot be read: an alert for each, once, that outlives the sweep; the rest of the
// page is applied, and the mark moves.
import assert from 'node:assert/strict';
import pino from 'pino';
import type { SweepDependencies } from '../../../activities/account-sweep/page.js';
import { createSweepActivities } from '../../../activities/account-sweep/sweep-page.js';
import type { SweptPart } from '../../../domain/receipts.js';
import { createDatabase, type Database } from '../../../store/database.js';
import { createTestDatabase, type TestDatabase } from '../../../lab/harness/database.js';

const [ONE, OTHER] = ['1', '2'].map((digit) => `E${digit.repeat(31)}`) as [string, string];
const AT = '2026-03-05T13:00:00.000Z';
/** What is younger is left to callbacks. */
const TWO_MINUTES_AGO = '2026-03-05T12:58:00.000Z';

describe('what an account’s lists have and cannot be read', () => {
  let test: TestDatabase;
  let database: Database;
  let unread: readonly string[];
  const list = async () => ({ kind: 'page', items: [], unreadable: unread.length, unread, next: null });
  before(async () => {
    test = await createTestDatabase();
    database = createDatabase({ url: test.url, poolSize: 1, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 });
  });
  after(async () => {
    await database.$disconnect();
    await test.drop();
  });
  beforeEach(async () => {
    await database.alert.deleteMany();
    await database.accountSweep.deleteMany();
  });

  const sweep = (part: SweptPart) => {
    const lists: readonly SweptPart[] = [part];
    const provider = {
      lists,
      listReceived: list,
      listPayouts: list,
      listDisputes: list,
      readBalance: async () => ({}),
    };
    const dependencies = { database, providers: () => provider, logger: pino({ level: 'silent' }) };
    const activities = createSweepActivities(dependencies as unknown as SweepDependencies);
    return activities.sweepPage({ provider: 'a', part, at: AT, begins: true });
  };
  const alerts = async () =>
    (await database.alert.findMany({ where: { kind: 'LISTING_UNREADABLE' }, orderBy: { objectId: 'asc' } })).map(
      ({ objectId }) => objectId,
    );

  for (const part of ['payments', 'returns', 'payouts', 'disputes'] as const)
    it(`${part}: each is its own alert, counted, and the sweep continues`, async () => {
      unread = [ONE, OTHER, ONE];
      const page = await sweep(part);
      assert.ok(page.kind === 'page' && page.found.unreadable === 3 && page.through !== null);
      assert.deepEqual(await alerts(), [`a:${ONE}`, `a:${OTHER}`]);
      const mark = await database.accountSweep.findFirst({ where: { part } });
      assert.equal(mark?.through?.toISOString(), part === 'disputes' ? AT : TWO_MINUTES_AGO);
    });

  it('lists overlap: it is reported once, also by another list and after a person has resolved it', async () => {
    unread = [ONE];
    await sweep('payments');
    await sweep('payouts');
    await database.alert.updateMany({ data: { resolvedAt: new Date() } });
    await sweep('payments');
    assert.deepEqual(await alerts(), [`a:${ONE}`]);
    unread = [ONE, OTHER];
    await sweep('payments');
    assert.deepEqual(await alerts(), [`a:${ONE}`, `a:${OTHER}`]);
  });
});
