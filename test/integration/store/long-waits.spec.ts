// Payments that have waited long for somebody outside: each stage is alerted once, and the alert ends with the wait.
// And those whose workflows make no progress.
import assert from 'node:assert/strict';
import { pino } from 'pino';
import type { RunProgress } from '../../../contract/temporal/scheduled-work.js';
import { type CheckedWait, OUTSIDE_WAITS } from '../../../domain/payments/outside-waits.js';
import { isStillOpen, objectsToLookAfter, openPages, type Pages } from '../../../store/payments/open-objects.js';
import { alertLongWaits } from '../../../store/payments/outside-waits.js';
import {
  claimPayoutSend,
  clearPayoutSend,
  noteUnfinishedLookUp,
} from '../../../store/payments/withdrawal/payout-sends.js';
import { checkProgress } from '../../../worker/progress-check.js';
import { depositOrder, pendingDeposit, useStore } from './fixtures.js';
import { fund, inserted, read, store } from './withdrawal-fixtures.js';

const LASTING: Readonly<Record<CheckedWait, string>> = {
  charge: 'no conclusive answer to the charge request',
  return: 'its return is not finished',
  payout_unknown: 'the outcome of its send is unknown',
  processing: 'the provider reports it as processing',
};
const SINCE = '2026-11-20T12:00:00.000Z';
const passed = (seconds: number) => new Date(Date.parse(SINCE) + seconds * 1_000).toISOString();
const [HOUR, TEN_DAYS] = [3_600, 864_000];

describe('store: long waits', () => {
  const fixture = useStore('once');
  before(async () => {
    await fund(fixture, 1_000_000);
  });
  afterEach(() => production('sandbox'));

  /** A payment in each wait, which began at SINCE. Answers its id. */
  const ARRANGE: Readonly<Record<CheckedWait, () => Promise<string>>> = {
    charge: async () => {
      const {
        record: { snapshot },
      } = await pendingDeposit(fixture.database, fixture.sealer, depositOrder(fixture));
      await fixture.database.$executeRaw`
        UPDATE deposit SET status = 'created', created_at = ${SINCE}::timestamptz WHERE id = ${snapshot.id}`;
      return snapshot.id;
    },
    return: async () => {
      const {
        record: { snapshot },
      } = await pendingDeposit(fixture.database, fixture.sealer, depositOrder(fixture));
      await fixture.database.$executeRaw`
        UPDATE deposit SET status = 'under_review', return_request = jsonb_build_object('at', ${SINCE}::text)
        WHERE id = ${snapshot.id}`;
      return snapshot.id;
    },
    payout_unknown: () => claimed(),
    processing: async () => {
      const id = await claimed();
      const { operationId } = fixture;
      const held = await read(fixture, { record: { snapshot: { id, operationId } } } as never);
      await store(fixture, held, { trigger: 'provider_replied', isSendKnown: true });
      return id;
    },
  };

  async function claimed(): Promise<string> {
    const held = await inserted(fixture);
    assert.ok(await clearPayoutSend(fixture.database, held, null));
    const cleared = await read(fixture, held);
    await claimPayoutSend(fixture.database, fixture.sealer, cleared, { attempt: 'one', environment: 'sandbox' });
    const { id } = held.record.snapshot;
    await fixture.database.payoutSend.update({ where: { withdrawalId: id }, data: { claimedAt: new Date(SINCE) } });
    return id;
  }

  const check = (wait: CheckedWait, seconds: number) =>
    alertLongWaits(fixture.database, { operationId: fixture.operationId, wait, at: passed(seconds) });
  const production = (environment: 'production' | 'sandbox') =>
    fixture.database.operation.updateMany({ data: { environment } });

  for (const wait of Object.keys(ARRANGE) as CheckedWait[])
    it(`${wait}: alerted at each stage, once, and at the latest one alone if the others were missed`, async () => {
      const id = await ARRANGE[wait]();
      const { stages, kind } = OUTSIDE_WAITS[wait].checked;
      const text = LASTING[wait];
      await production('production');
      const first = stages[0].seconds;
      assert.deepEqual(await check(wait, first - 1), []);
      for (const { seconds, after: words } of stages) {
        const raised = { objectId: id, detail: `${id}: ${text} for over ${words}` };
        assert.deepEqual(await check(wait, seconds), [raised]);
        assert.deepEqual(await check(wait, seconds + 60), [], 'once');
      }
      await production('sandbox');
      const missed = await ARRANGE[wait]();
      await production('production');
      const found = await check(wait, TEN_DAYS);
      assert.deepEqual(found, [{ objectId: missed, detail: `${missed}: ${text} for over ten days` }]);
      assert.equal(await fixture.database.alert.count({ where: { objectId: id, kind } }), stages.length);
    });

  it('a closed deposit is open, and alerted, while an item of it goes back', async () => {
    const id = await ARRANGE.return();
    const { database, operationId } = fixture;
    const object = { kind: 'deposit', id, operationId, status: 'paid' } as const;
    const openOnes = async () => {
      const found: string[] = [];
      for await (const page of openPages(database, operationId, new Date(), 100))
        found.push(...page.map((one) => one.id));
      return [found.includes(id), await isStillOpen(database, object)];
    };
    await database.deposit.update({ where: { id }, data: { status: 'paid' } });
    assert.deepEqual(await openOnes(), [true, true]);
    const alerted = (await check('return', HOUR)).map(({ objectId }) => objectId);
    assert.ok(alerted.includes(id));
    await database.$executeRaw`UPDATE deposit SET return_request = NULL WHERE id = ${id}`;
    assert.deepEqual(await openOnes(), [false, false]);
  });

  it('the provider’s result ends the alert; a last look is in the row', async () => {
    const id = await ARRANGE.processing();
    await production('production');
    const alerted = (await check('processing', HOUR)).map(({ objectId }) => objectId);
    assert.ok(alerted.includes(id));
    await production('sandbox');
    const held = await read(fixture, { record: { snapshot: { id, operationId: fixture.operationId } } } as never);
    assert.ok(await noteUnfinishedLookUp(fixture.database, held));
    assert.equal(await noteUnfinishedLookUp(fixture.database, held), false, 'the row has changed');
    const noted = await read(fixture, held);
    const { traceless, claimedAt } = noted.record.send ?? {};
    assert.ok(Math.abs(Date.parse(noted.readAt) - Date.parse(traceless?.lastAt ?? '')) < 5_000);
    assert.equal(claimedAt, SINCE);
    await store(fixture, noted, { trigger: 'payout_settled', fields: { paidAt: SINCE } });
    assert.equal(await fixture.database.alert.count({ where: { objectId: id, resolvedAt: null } }), 0);
  });
});

describe('store: the open payments that the check of progress looks at', () => {
  const fixture = useStore('once');
  const AT = new Date('2026-11-20T12:00:00.000Z');
  const ago = (seconds: number) => new Date(AT.getTime() - seconds * 1_000);

  async function pending(updatedAt: Date, expiresAt: Date): Promise<string> {
    const {
      record: { snapshot },
    } = await pendingDeposit(fixture.database, fixture.sealer, depositOrder(fixture));
    await fixture.database.deposit.update({ where: { id: snapshot.id }, data: { updatedAt, expiresAt } });
    return snapshot.id;
  }
  const MOST = { due: 1_000, moving: 1_000, waiting: 1_000, ordered: 1_000 };
  const lookedAt = async (pages: Pages = {}, most: Partial<typeof MOST> = {}) => {
    const found = await objectsToLookAfter(fixture.database, { since: ago(60), at: AT, pages }, { ...MOST, ...most });
    return { ids: found.objects.map(({ id }) => id), found };
  };

  it('first those that had something to do; the others take turns, and each has its own', async () => {
    const later = ago(-3_600);
    const changed = await pending(ago(150), later);
    const overdue = await pending(ago(3_000), ago(400));
    const almost = await pending(ago(3_000), ago(200));
    const young = await pending(ago(30), later);
    const waiting = await Promise.all(Array.from({ length: 20 }, () => pending(ago(3_000), later)));
    const [review] = waiting;
    await fixture.database.deposit.update({ where: { id: String(review) }, data: { status: 'under_review' } });

    const seen = new Map<string, number>();
    let pages: Pages = {};
    // Eleven pages of the twenty-three that only wait, and then the first again.
    for (let turn = 0; turn < 12; turn += 1) {
      const { ids, found } = await lookedAt(pages, { waiting: 2 });
      for (const id of [changed, overdue, review]) assert.ok(ids.includes(String(id)), 'in every turn');
      assert.ok(ids.length <= 5, 'two of the others');
      for (const id of ids) seen.set(id, (seen.get(id) ?? 0) + 1);
      pages = found.pages;
    }
    assert.deepEqual([...seen.keys()].sort(), [changed, overdue, almost, young, ...waiting].sort());
    assert.equal(seen.get(String(waiting[5])), 1);
  });

  it('includes a payment without a row while it may still be stored', async () => {
    const { database, operationId } = fixture;
    const stored = await pending(ago(3_000), ago(-3_600));
    const ordered = async (id: string, state: 'running' | 'released' | 'finished', createdAt: Date) => {
      await database.$executeRaw`
        INSERT INTO idempotency_key (operation_id, key, fingerprint, object_id, token, state, locked_at, created_at)
        VALUES (${operationId}, ${id}, '', ${id}, gen_random_uuid(), ${state}, now(), ${createdAt}::timestamptz)`;
      return id;
    };
    await ordered(stored, 'released', ago(200));
    await ordered('dep_refused', 'finished', ago(200));
    await ordered('dep_young', 'running', ago(100));
    await ordered('dep_old', 'released', ago(60 + 120 + 900));
    await ordered('rul_change', 'released', ago(200));
    const lost = [await ordered('dep_lost', 'running', ago(120)), await ordered('wdr_lost', 'released', ago(1_000))];
    const { found } = await lookedAt();
    assert.deepEqual(
      found.objects
        .filter(({ isStored }) => !isStored)
        .map(({ kind, id }) => [kind, id])
        .sort(),
      [
        ['deposit', lost[0]],
        ['withdrawal', lost[1]],
      ],
    );
    const some = (await lookedAt({}, { ordered: 1 })).found.objects;
    assert.equal(some.filter(({ isStored }) => !isStored).length, 1);
  });
});

describe('the check of progress', () => {
  const fixture = useStore('once');
  const progresses = new Map<string, Partial<RunProgress>>();
  const RUN = { runId: 'run', historyEvents: 9, pendingAttempts: 0, failedTasks: 0, untakenSince: null };
  const progress = async (id: string) => ({ ...RUN, ...progresses.get(id) });
  const check = () => checkProgress({ database: fixture.database, progress, logger: pino({ level: 'silent' }) });
  const open = async () => {
    const rows = await fixture.database.alert.findMany({ where: { kind: 'WORKFLOW_FAILING', resolvedAt: null } });
    return rows.map(({ objectId }) => objectId).sort();
  };
  const turnIsDue = () => fixture.database.$executeRaw`UPDATE self_check SET ran_at = ran_at - interval '1 minute'`;

  it('alerts a task that was tried twice or that nobody took, not one that waits; ends it; a turn is made once', async () => {
    const payments = await Promise.all(
      Array.from({ length: 4 }, () => pendingDeposit(fixture.database, fixture.sealer, depositOrder(fixture))),
    );
    const [dying, untaken, once, waits] = payments.map(({ record: { snapshot } }) => snapshot.id) as [
      string,
      string,
      string,
      string,
    ];
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    progresses.set(dying, { failedTasks: 2 });
    progresses.set(untaken, { untakenSince: minutesAgo(4) });
    progresses.set(once, { failedTasks: 1 });
    progresses.set(waits, { pendingAttempts: 50, untakenSince: minutesAgo(1) });
    assert.equal(await check(), 4);
    assert.deepEqual(await open(), [dying, untaken].sort());
    assert.equal(await check(), null, 'its turn is made');

    progresses.set(dying, {});
    await turnIsDue();
    assert.equal(await check(), 4);
    assert.deepEqual(await open(), [untaken]);
  });

  it('an order without a row is alerted as one, its operation named, if its task was tried twice', async () => {
    const { database, operationId } = fixture;
    for (const id of ['dep_dying', 'dep_waits'])
      await database.$executeRaw`
        INSERT INTO idempotency_key (operation_id, key, fingerprint, object_id, token, state, locked_at, created_at)
        VALUES (${operationId}, ${id}, '', ${id}, gen_random_uuid(), 'released', now(), now() - interval '3 minutes')`;
    progresses.set('dep_dying', { failedTasks: 2 });
    await turnIsDue();
    await check();
    const [alert, ...others] = await database.alert.findMany({
      where: { objectId: { in: ['dep_dying', 'dep_waits'] } },
    });
    assert.deepEqual([alert?.objectId, alert?.operationId, others], ['dep_dying', operationId, []]);
    assert.match(alert?.detail ?? '', /^the workflow of this deposit, which is not stored yet, makes no progress: its/);
  });
});
