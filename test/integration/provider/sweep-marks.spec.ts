// The position of a sweep of an account is what is stored: its steps continue from there, for any input, and
// its mark moves to the end of what was read, never back. Also of a list that is refused from its first sweep on.
import assert from 'node:assert/strict';
import pino from 'pino';
import type { SweepDependencies } from '../../../activities/account-sweep/page.js';
import { createSweepActivities } from '../../../activities/account-sweep/sweep-page.js';
import { exposition } from '../../../platform/telemetry/instruments.js';
import type { ListQuery, ReceivedList } from '../../../providers/port.js';
import { createDatabase, type Database } from '../../../store/database.js';
import { createTestDatabase, type TestDatabase } from '../../../lab/harness/database.js';
import { storedGauges } from '../../../worker/gauges.js';

const NOON = Date.parse('2026-03-05T12:00:00.000Z');
const FOUND = { read: 0, missed: 0, unallocated: 0, unreadable: 0 };
const clock = (minutes: number) => new Date(NOON + minutes * 60_000).toISOString();

describe('where a sweep stands', () => {
  let test: TestDatabase;
  let database: Database;
  let owner: Database;
  let asked: ListQuery[];
  let answers: (query: ListQuery) => ReceivedList;
  before(async () => {
    test = await createTestDatabase();
    const limits = { poolSize: 1, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 };
    database = createDatabase({ url: test.urlOfRole('gateway_payments'), ...limits });
    owner = createDatabase({ url: test.url, ...limits });
  });
  after(async () => {
    await Promise.all([database.$disconnect(), owner.$disconnect()]);
    await test.drop();
  });
  beforeEach(async () => {
    await owner.accountSweep.deleteMany();
    await owner.deposit.deleteMany();
    asked = [];
    answers = pages(3);
  });

  /** Cursors are "1", "2" and so on. */
  function pages(count: number): typeof answers {
    return ({ cursor }) => {
      const next = Number(cursor ?? 0) + 1;
      return { kind: 'page', items: [], unreadable: 0, next: next < count ? String(next) : null };
    };
  }

  /** One step, at so many minutes past noon. `said`: what else somebody puts into its input. */
  const step = (minutes: number, begins: boolean, said: object = {}) => {
    const listReceived = async (query: ListQuery) => {
      asked.push(query);
      return answers(query);
    };
    const dependencies = {
      database,
      providers: () => ({ lists: ['payments'], listReceived }),
      logger: pino({ level: 'silent' }),
    };
    const { sweepPage } = createSweepActivities(dependencies as unknown as SweepDependencies);
    return sweepPage({ ...said, provider: 'a', part: 'payments', at: clock(minutes), begins });
  };
  const sweep = async (minutes: number) => {
    let page = await step(minutes, true);
    while (page.kind === 'page' && page.through === null) page = await step(minutes, false);
    return page;
  };
  const stored = () =>
    database.accountSweep.findUniqueOrThrow({ where: { provider_part: { provider: 'a', part: 'payments' } } });
  const mark = async () => (await stored()).through?.toISOString() ?? null;
  const spans = () => asked.map(({ from, to, cursor }) => [from, to, cursor]);

  it('the pages of a sweep follow each other over one span, and the mark moves after the last', async () => {
    assert.deepEqual(await step(0, true), { kind: 'page', through: null, found: FOUND });
    assert.equal(await mark(), null);
    await step(1, false);
    assert.equal(await mark(), null);
    assert.deepEqual(await step(2, false), { kind: 'page', through: clock(-2), found: FOUND });
    const [from, to] = [clock(-17), clock(-2)];
    assert.deepEqual(spans(), [
      [from, to, null],
      [from, to, '1'],
      [from, to, '2'],
    ]);
    assert.equal(await mark(), clock(-2));
    const { readingFrom, readingTo, cursor } = await stored();
    assert.deepEqual([readingFrom, readingTo, cursor], [null, null, null]);
  });

  it('the first sweep begins with the first charge of the account, however much later it comes', async () => {
    const at = new Date(NOON - 3 * 3_600_000);
    const common = { externalId: 'one', status: 'cancelled', version: 2, amountMinor: 1, currency: 'BRL' } as const;
    const times = { createdAt: at, updatedAt: at, expiresAt: at };
    const of = { operationId: 'op_1', method: 'pix', playerRef: 'player-1', requestSealed: new Uint8Array(1) };
    await owner.deposit.create({ data: { ...common, ...times, ...of, id: 'dep_1', provider: 'a' } });
    await sweep(0);
    assert.deepEqual(spans()[0], [clock(-3 * 60 - 17), clock(-2), null]);
    asked = [];
    await sweep(5);
    assert.deepEqual(spans()[0], [clock(-17), clock(3), null]);
  });

  it('a span or a cursor in the input of a step count for nothing', async () => {
    await sweep(0);
    asked = [];
    const lies = { span: { from: clock(600), to: clock(600) }, cursor: '2', through: clock(600) };
    for (const begins of [false, true, false, false]) await step(5, begins, lies);
    assert.deepEqual(
      asked.map(({ cursor }) => cursor),
      [null, null, '1', '2'],
    );
    assert.ok(
      asked.every(({ from, to }) => from === clock(-17) && to === clock(3)),
      JSON.stringify(asked),
    );
    assert.equal(await mark(), clock(3));
  });

  it('the mark never moves back: also by a step that had to wait, of an older span', async () => {
    await sweep(0);
    await step(5, true);
    await step(5, false);
    const place = await stored();
    await sweep(30);
    assert.equal(await mark(), clock(28));
    const { cursor, readingFrom, readingTo } = place;
    await owner.accountSweep.updateMany({ data: { cursor, readingFrom, readingTo } });
    assert.deepEqual(await step(6, false), { kind: 'page', through: clock(3), found: FOUND });
    assert.equal(await mark(), clock(28));
    assert.equal((await stored()).sweptAt?.toISOString(), clock(30));
  });

  describe('a list that is refused from its first sweep on', () => {
    beforeEach(() => {
      answers = () => ({ kind: 'refused', reason: 'list_http_403' });
    });

    it('has a time from which its alert rule counts, and the first sweep that works begins there', async () => {
      assert.deepEqual(await sweep(0), { kind: 'refused', reason: 'list_http_403' });
      await sweep(300);
      const seconds = async () => {
        const text = await exposition('worker', storedGauges(database, Date.now))();
        return /^gateway_account_sweep_timestamp_seconds\{provider="a",part="payments"\} (\S+)$/m.exec(text)?.[1];
      };
      assert.equal(await seconds(), String(NOON / 1_000));
      answers = pages(1);
      asked = [];
      await sweep(305);
      assert.deepEqual(spans(), [[clock(-17), clock(303), null]]);
      assert.equal(await seconds(), String(NOON / 1_000 + 305 * 60));
    });
  });

  it('a list that the account does not have leaves nothing behind', async () => {
    const dependencies = { database, providers: () => ({ lists: ['returns'] }) } as unknown as SweepDependencies;
    const { sweepPage } = createSweepActivities(dependencies);
    const answer = await sweepPage({ provider: 'a', part: 'payments', at: clock(0), begins: true });
    assert.deepEqual(answer, { kind: 'refused', reason: 'not_listed' });
    assert.equal(await database.accountSweep.count(), 0);
  });
});
