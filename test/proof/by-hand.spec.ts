// An attacker who reaches Temporal, with every right there and none in the database, schedules every activity by hand,
// signals, updates and resets: no payout leaves, nothing is credited, no time and no result is believed. Temporal and
// PostgreSQL are real.
import assert from 'node:assert/strict';
import { NativeConnection, Worker, bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { join } from 'node:path';
import { PROVIDER_QUEUES, TASK_QUEUES } from '../../contract/temporal/workers.js';
import { newId } from '../../domain/identifiers.js';
import { defaultRuleSet } from '../../domain/rules/rule-set.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { checkLedger } from '../../store/ledger/check.js';
import { insertRuleChange } from '../../store/rules/rule-changes.js';
import { insertRuleSet } from '../../store/rules/rule-sets.js';
import { eventually } from '../../lab/harness/eventually.js';
import { testServers } from '../../lab/harness/stack.js';
import { startRealTemporal } from '../support/temporal.js';
import type { ForgedCall, scheduleByHand } from './by-hand/attacker.js';
import { ABOUT_ONE, type ActivityName, CRAFTS, inHours, LIE, STOPS, type Victims } from './by-hand/crafts.js';
import { ProvedDeposit } from './harness/deposit.js';
import { ACTION_MS } from './harness/payment.js';
import { fundedOperation, useStage } from './harness/stage.js';
import { ProvedWithdrawal } from './harness/withdrawal.js';

const QUEUES = {
  payments: TASK_QUEUES.payments,
  providers: PROVIDER_QUEUES.simulator,
  rules: TASK_QUEUES.rules,
  webhooks: TASK_QUEUES.webhooks,
} as const;
const CALLS_AT_A_TIME = 8;
const CLOCKS_DIFFER_MS = 60_000;

describe('an attacker who reaches Temporal', function () {
  this.timeout(4 * ACTION_MS);
  const stage = useStage({ start: startRealTemporal });
  let attacker: { readonly worker: Worker; readonly ended: Promise<void>; readonly connection: NativeConnection };
  let pending: ProvedDeposit;
  let reviewed: ProvedDeposit;
  let paid: ProvedDeposit;
  let held: ProvedWithdrawal;
  let waiting: ProvedWithdrawal;
  let sent: ProvedWithdrawal;
  let victims: Victims;

  before(async () => {
    const connection = await NativeConnection.connect({ address: testServers().temporalAddress });
    const workflowBundle = await bundleWorkflowCode({
      workflowsPath: join(projectRoot(), 'test/proof/by-hand/attacker.ts'),
      logger: new DefaultLogger('ERROR'),
    });
    const { namespace } = stage().temporal.client.options;
    const worker = await Worker.create({ connection, namespace, taskQueue: 'his-own', workflowBundle });
    attacker = { worker, ended: worker.run(), connection };
    victims = await arranged();
  });
  after(async () => {
    attacker?.worker.shutdown();
    await attacker?.ended;
    await attacker?.connection.close();
  });

  /** Payments in every state in which money could move, and what else he finds. */
  async function arranged(): Promise<Victims> {
    const operationId = await fundedOperation(stage());
    const { database } = stage();
    const deposit = () => new ProvedDeposit(stage(), operationId);
    const withdrawal = (reviewRequested = false) => new ProvedWithdrawal(stage(), operationId, { reviewRequested });
    [pending, reviewed, paid] = [deposit(), deposit(), deposit()];
    [held, waiting, sent] = [withdrawal(true), withdrawal(), withdrawal()];
    const closed = { from: inHours(6).slice(11, 16), to: inHours(7).slice(11, 16) };
    Object.assign(waiting.ruling.thresholds, { autoHours: closed, timezone: 'UTC' });
    for (const payment of [pending, reviewed, paid, held, waiting, sent])
      assert.equal((await payment.create()).kind, 'answer');
    await reviewed.payAtProvider('other');
    await reviewed.notice();
    await reviewed.reaches('under_review');
    await paid.payAtProvider();
    await paid.notice();
    await paid.reaches('paid');
    await sent.reaches('processing');
    const rules = defaultRuleSet(1);
    await insertRuleSet(database, { operationId, rules, createdBy: 'test' });
    const changeId = newId('ruleChange');
    const proposal = { baseVersion: 1, rules, engine: null, justification: 'x', requestedBy: 'key_test_1' };
    await insertRuleChange(database, { id: changeId, operationId, ...proposal });
    await database.providerCallback.create({
      data: { provider: 'simulator', digest: Buffer.from(changeId), bodySealed: Buffer.from('evidence') },
    });
    const event = await database.event.findFirstOrThrow({ where: { objectId: sent.id } });
    return {
      operationId,
      deposits: [pending, reviewed, paid],
      withdrawals: [held, waiting, sent],
      deposit: deposit(),
      withdrawal: withdrawal(),
      changeId,
      eventId: event.id,
    };
  }

  /** Every activity that a worker serves, with the queue that serves it; what only stops payments comes last. */
  function served(): readonly { readonly name: ActivityName; readonly taskQueue: string }[] {
    const all = Object.entries(stage().activities).flatMap(([queue, activities]) =>
      Object.keys(activities).map((name) => ({
        name: name as ActivityName,
        taskQueue: QUEUES[queue as keyof typeof QUEUES],
      })),
    );
    return [...all.filter(({ name }) => !STOPS.includes(name)), ...all.filter(({ name }) => STOPS.includes(name))];
  }

  /** He schedules these, a few workflows at a time. */
  async function byHand(calls: readonly ForgedCall[]): Promise<unknown[]> {
    const { client } = stage().temporal;
    const parts = Array.from({ length: Math.min(CALLS_AT_A_TIME, calls.length) }, (_, part) =>
      calls.filter((_call, index) => index % CALLS_AT_A_TIME === part),
    );
    const answers = await Promise.all(
      parts.map((part) =>
        client.execute<typeof scheduleByHand>('scheduleByHand', {
          workflowId: newId('event'),
          taskQueue: 'his-own',
          args: [part],
        }),
      ),
    );
    return answers.flat();
  }

  /** Money that moved, and what was sent. */
  async function money() {
    const { database } = stage();
    const movements = await database.ledgerEntry.findMany({
      where: { operationId: victims.operationId, movement: { notIn: ['withdrawal_reserved', 'withdrawal_released'] } },
      orderBy: { id: 'asc' },
    });
    return {
      movements: movements.map(
        (entry) => `${entry.objectId} ${entry.step} ${entry.movement} ${entry.account} ${entry.amountMinor}`,
      ),
      sends: victims.withdrawals.map(({ payout }) => payout.sends),
      returns: victims.deposits.map(({ charge }) => charge.returns.size),
      statuses: await Promise.all([reviewed, paid, waiting, held, sent].map((payment) => payment.status())),
    };
  }

  async function assertUntouched(before: Awaited<ReturnType<typeof money>>): Promise<void> {
    assert.deepEqual(await money(), before);
    assert.deepEqual((await checkLedger(stage().database, victims.operationId)).problems, []);
  }

  const intrusions = async () => {
    const kind = { in: ['STEP_FORGED', 'UNPROVEN_ORDER'] };
    const rows = await stage().database.alert.findMany({ where: { kind }, select: { objectId: true, detail: true } });
    return rows;
  };

  it('has a line here for every activity', () => {
    assert.deepEqual(
      served().filter(({ name }) => !Object.hasOwn(CRAFTS, name)),
      [],
    );
  });

  it('schedules every activity by hand: no money moves, and no time or result is believed', async () => {
    const { database } = stage();
    const before = await money();
    const begunMs = Date.now();
    const calls = served()
      .filter(({ name }) => !STOPS.includes(name))
      .flatMap(({ name, taskQueue }) => CRAFTS[name](victims).map((input) => ({ taskQueue, name, input })));
    await byHand(calls);
    await assertUntouched(before);
    assert.deepEqual(before.sends, [0, 0, 1]);
    assert.equal(await pending.status(), 'pending', 'it has not expired');
    await assertPresent(begunMs);
    assert.equal(await database.providerCallback.count({ where: { digest: Buffer.from(victims.changeId) } }), 1);
    const change = await database.ruleChangeRequest.findUniqueOrThrow({ where: { id: victims.changeId } });
    assert.deepEqual([change.status, change.decisions], ['pending_approval', []]);
    assert.ok(JSON.stringify(change.proof).includes(new Date().toISOString().slice(0, 10)), 'a report of these days');
    const alerts = await database.alert.findMany();
    assert.deepEqual(
      alerts.filter(
        ({ detail, occasion, kind }) => `${detail}${occasion}`.includes('52998') || kind === 'LEDGER_DIFFERS',
      ),
      [],
      'nobody reads his words',
    );
  });

  /** Nothing is of another time than since `begunMs`: no row, window, frozen day or check. */
  async function assertPresent(begunMs: number): Promise<void> {
    const { database } = stage();
    const { operationId } = victims;
    const [latest] = await database.$queryRaw<{ at: Date; hour: string; day: string | null; checked: Date | null }[]>`
      SELECT greatest(
          (SELECT max(greatest(created_at, updated_at)) FROM deposit),
          (SELECT max(greatest(created_at, updated_at)) FROM withdrawal),
          (SELECT max(created_at) FROM ledger_entry), (SELECT max(created_at) FROM event),
          (SELECT max(created_at) FROM alert), (SELECT max(resolved_at) FROM alert)
        ) AS at,
        (SELECT hour FROM automatic_use WHERE operation_id = ${operationId}) AS hour,
        (SELECT max(date)::text FROM reconciliation_day) AS day,
        (SELECT max(greatest(ran_at, succeeded_at)) FROM self_check) AS checked`;
    const [{ latestMs, now }] = [{ latestMs: Date.now() + CLOCKS_DIFFER_MS, now: new Date().toISOString() }];
    assert.ok(latest !== undefined && latest.at.getTime() < latestMs, `rows of ${latest?.at.toISOString()}`);
    assert.ok(latest.hour <= now.slice(0, 13), `automatic use of ${latest.hour}`);
    assert.ok(latest.day === null || latest.day < now.slice(0, 10), `a day of ${latest.day} is frozen`);
    assert.ok((latest.checked?.getTime() ?? 0) < latestMs, 'checks');
    const stored = await database.withdrawal.findUniqueOrThrow({ where: { id: victims.withdrawal.id } });
    const createdMs = stored.createdAt.getTime();
    const isPresent = createdMs > begunMs - CLOCKS_DIFFER_MS && createdMs < latestMs;
    assert.ok(isPresent, `decided by the present windows: ${stored.createdAt.toISOString()}`);
  }

  it('a sweep of an account reads what it says it read: its mark passes over nothing', async () => {
    // One after another: calls at once may all read the first page, and then no mark moves.
    for (const input of CRAFTS.sweepPage(victims))
      await byHand([{ taskQueue: QUEUES.providers, name: 'sweepPage', input }]);
    const { listings } = stage().port;
    assert.ok(listings.length > 1, 'the account was asked');
    const [begun, ended] = [new Set<string>(), new Set<string>()];
    for (const { from, to, cursor } of listings) {
      assert.ok(Date.parse(to) < Date.now() && Date.parse(to) - Date.parse(from) < 3_600_000, `${from} to ${to}`);
      assert.ok(cursor === null || begun.has(to), 'the first page was read before the last');
      (cursor === null ? begun : ended).add(to);
    }
    const [mark, ...others] = await stage().database.accountSweep.findMany();
    assert.ok(mark?.through != null && others.length === 0);
    assert.ok(ended.has(mark.through.toISOString()), 'it stands at the end of what was read');
  });

  it('a claimed check that was never made counts nothing', async () => {
    const { database } = stage();
    await database.selfCheck.deleteMany();
    const progress = ['', 'e30', 'eyJzdGFydGVkQXQiOiIyMDI2In0.test.AAAA', null].map((text) => ({ progress: text }));
    const answers = await byHand(
      (['verifyLedger', 'checkOpenPage'] as const).flatMap((name) =>
        progress.slice(0, 3).map((input) => ({ taskQueue: TASK_QUEUES.payments, name, input })),
      ),
    );
    assert.deepEqual(answers, Array(6).fill({ failed: 'ForgedStep' }));
    assert.equal(await database.selfCheck.count(), 0);
  });

  it('an order that the gateway never gave raises an alert', async () => {
    const { deposits, withdrawals, changeId } = victims;
    const ids = { deposit: deposits[0]?.id, withdrawal: withdrawals[0]?.id, change: changeId };
    const calls = served()
      .filter(({ name }) => ABOUT_ONE[name] !== undefined)
      .map(({ name, taskQueue }) => {
        // A payment that exists, in an operation that does not have it.
        const id = ids[ABOUT_ONE[name]!];
        const of = { id, changeId: id, operationId: newId('operation'), seenVersion: 1, actId: newId('staffAct') };
        const said = { provider: 'simulator', rules: 'asked', decision: 'approve', eventId: newId('event') };
        return { taskQueue, name, input: { ...of, ...said, condition: 'cash_box_short', code: null } };
      });
    await byHand(calls);
    const alerted = new Set((await intrusions()).map(({ objectId }) => objectId));
    assert.deepEqual(
      calls.filter(({ input }) => !alerted.has(input.operationId)).map(({ name, taskQueue }) => `${taskQueue} ${name}`),
      [],
    );
  });

  it('an act that nobody stored, or an expiry before its time, raises an alert', async () => {
    const { operationId } = victims;
    const acts = { id: held.id, operationId, seenVersion: 1, actId: newId('staffAct') };
    for (const [name, input] of [
      ['approveWithdrawal', acts],
      ['expireDeposit', { id: pending.id, operationId, seenVersion: 1 }],
    ] as const) {
      await stage().database.alert.deleteMany();
      await byHand([{ taskQueue: TASK_QUEUES.payments, name, input }]);
      const [alert, ...others] = await intrusions();
      assert.ok(alert !== undefined && alert.detail.startsWith(`${name} was called `), alert?.detail);
      assert.deepEqual([alert.objectId, others], [operationId, []]);
    }
  });

  it('signals and updates of running payments: no money moves', async () => {
    const before = await money();
    const { client } = stage().temporal;
    const lies = { actId: newId('staffAct'), decision: 'approve', status: 'paid', endToEndId: 'E1', detail: LIE };
    for (const { id } of [...victims.deposits, ...victims.withdrawals]) {
      const handle = client.getHandle(id);
      if ((await handle.describe()).status.name !== 'RUNNING') continue;
      for (const signal of ['chargeNotice', 'payoutNotice', 'checkAgain', 'paid']) await handle.signal(signal, lies);
      await Promise.all(
        ['creation', 'review', 'cancelByStaff', 'writeOff', 'refresh', 'decide', 'recompute', 'paid'].map((update) =>
          handle.executeUpdate(update, { args: [lies] }).catch(() => undefined),
        ),
      );
    }
    await assertUntouched(before);
  });

  it('a payment that is reset to any of its events is neither sent nor credited again', async () => {
    const before = await money();
    for (const payment of [paid, reviewed, held, waiting, sent]) {
      const runs = await resets(payment);
      assert.ok(runs.size > 2, `${payment.id} ran again`);
      await assertUntouched(before);
    }
  });

  /** Runs it again from its first, a middle and its last completed task. Answers the ids of its runs. */
  async function resets(payment: ProvedDeposit | ProvedWithdrawal): Promise<Set<string>> {
    const { client } = stage().temporal;
    const handle = client.getHandle(payment.id);
    const current = async () => (await handle.describe()).runId;
    const runs = new Set([await current()]);
    const { events } = await handle.fetchHistory();
    const tasks = (events ?? []).filter((event) => event.workflowTaskCompletedEventAttributes);
    for (const task of new Set([tasks[0], tasks[tasks.length >> 1], tasks.at(-1)])) {
      await client.workflowService.resetWorkflowExecution({
        namespace: client.options.namespace,
        // Each time the run that was there first: a later one has other events.
        workflowExecution: { workflowId: payment.id, runId: [...runs][0]! },
        workflowTaskFinishEventId: task?.eventId ?? null,
        requestId: newId('event'),
        reason: 'again',
      });
      runs.add(await current());
      await payment.barrier();
      // Following a payout continues until it is paid.
      const isQuiet = async () => {
        const { pendingActivities } = (await handle.describe()).raw;
        return (pendingActivities ?? []).every(({ activityType }) => activityType?.name === 'followPayout');
      };
      await eventually(isQuiet, `${payment.id} has gone on`, ACTION_MS);
    }
    return runs;
  }

  it('can stop a payment, and do nothing worse', async () => {
    const before = await money();
    const calls = served()
      .filter(({ name }) => STOPS.includes(name))
      .flatMap(({ name, taskQueue }) => CRAFTS[name](victims).map((input) => ({ taskQueue, name, input })));
    await byHand(calls);
    const { statuses, ...after } = await money();
    const { statuses: _, ...untouched } = before;
    assert.deepEqual(after, untouched);
    assert.deepEqual(statuses, ['under_review', 'paid', 'cancelled', 'cancelled', 'processing']);
    assert.ok(['cancelled', 'expired'].includes((await pending.status()) ?? ''));
    assert.deepEqual((await checkLedger(stage().database, victims.operationId)).problems, []);
  });
});
