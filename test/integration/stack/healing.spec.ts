// The gateway checks itself: payments whose workflow somebody ended are reopened, and damage to ledger, audit trail and
// decisions is found. Each raises an alert and shows in the metrics.
import assert from 'node:assert/strict';
import type { Client } from '@temporalio/client';
import pg from 'pg';
import { request } from 'undici';
import { OPEN_CHECK_SCHEDULE, VERIFICATION_SCHEDULE } from '../../../contract/temporal/scheduled-work.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { newDeposit, newPlayer, newWithdrawal, once } from '../../../lab/harness/payments.js';
import { type Stack, startStack } from '../../../lab/harness/stack.js';

describe('the gateway checks itself', function () {
  this.timeout(120_000);
  let stack: Stack;
  let temporal: Client;
  let database: pg.Client;

  before(async () => {
    stack = await startStack();
    temporal = stack.temporal.client;
    database = new pg.Client({ connectionString: stack.databaseUrl });
    await database.connect();
    // Damage is done as somebody with all rights would do it: without triggers.
    await database.query("SET session_replication_role = 'replica'");
  });
  after(async () => {
    await database.end();
    await stack.close();
  });

  it('reopens open payments without a workflow, with an alert and a metric each; they continue', async () => {
    const player = newPlayer();
    const [pending, untouched] = await Promise.all([created('5000'), created('5000')]);
    // The gauges take the first of a state for its oldest.
    const young = await created('5000');
    const funds = await created('100000', player);
    await stack.client.sandbox.payDeposit(funds, once());
    await stack.receiver.waitFor(funds, 'deposit.paid');
    const withdrawal = (await stack.client.createWithdrawal(newWithdrawal(player), once())).body.id;
    for (const [table, id] of [
      ['deposit', pending],
      ['deposit', untouched],
      ['withdrawal', withdrawal],
    ] as const)
      await database.query(`UPDATE ${table} SET created_at = created_at - interval '10 minutes' WHERE id = $1`, [id]);
    const lost = [pending, withdrawal];
    for (const id of [...lost, young]) await temporal.workflow.getHandle(id).terminate('by hand');
    const runBefore = (await temporal.workflow.getHandle(untouched).describe()).runId;

    assert.deepEqual(await run(OPEN_CHECK_SCHEDULE), { compared: 3, reopened: 2, failed: 0 });

    for (const id of lost) assert.equal((await temporal.workflow.getHandle(id).describe()).status.name, 'RUNNING');
    assert.deepEqual((await alerts('WORKFLOW_REOPENED')).map(({ object_id: id }) => id).sort(), [...lost].sort());
    assert.equal((await temporal.workflow.getHandle(untouched).describe()).runId, runBefore, 'its workflow ran');
    const youngs = await temporal.workflow.getHandle(young).describe();
    assert.equal(youngs.status.name, 'TERMINATED', 'its workflow and its row may be a step apart');
    const metrics = await exposition();
    assert.match(metrics, /^gateway_workflows_reopened_total\{kind="deposit"\} 1$/m);
    assert.match(metrics, /^gateway_workflows_reopened_total\{kind="withdrawal"\} 1$/m);

    assert.deepEqual(await run(OPEN_CHECK_SCHEDULE), { compared: 3, reopened: 0, failed: 0 }, 'nothing is left to do');
    await stack.client.sandbox.payDeposit(pending, once());
    await stack.receiver.waitFor(pending, 'deposit.paid');
    await stack.gateway('review', 'approve', withdrawal, '--as', 'ana', '--reason', 'fine');
    await stack.receiver.waitFor(withdrawal, 'withdrawal.processing');
  });

  describe('deliveries', () => {
    const copiesOf = (eventId: string) => stack.receiver.events.filter(({ id }) => id === eventId).length;
    const arrives = (eventId: string, copies: number) =>
      eventually(() => copiesOf(eventId) === copies, `copy ${copies} arrives`);
    const eventOf = async (id: string) =>
      (await database.query<{ id: string }>('SELECT id FROM event WHERE object_id = $1', [id])).rows[0]?.id ?? '';
    const inOutbox = async (eventId: string) =>
      (await database.query<{ attempts: number }>('SELECT attempts FROM event_outbox WHERE event_id = $1', [eventId]))
        .rows;
    const over = (eventId: string) => eventually(async () => (await inOutbox(eventId)).length === 0, 'it is over');
    /** As if the time had come from which any process takes it. */
    const isDue = (eventId: string) =>
      database.query('UPDATE event_outbox SET due_at = now() WHERE event_id = $1', [eventId]);
    /** An event whose first attempt was refused, so that its delivery workflow has it. */
    async function refused(): Promise<string> {
      stack.receiver.answerWith(500);
      const eventId = await eventOf(await created('5000'));
      await eventually(async () => (await stateOf(eventId)) === 'RUNNING', 'its delivery workflow');
      stack.receiver.answerWith(200);
      return eventId;
    }
    const stateOf = (id: string) =>
      temporal.workflow
        .getHandle(id)
        .describe()
        .then(
          ({ status }) => status.name,
          () => 'NONE',
        );
    /** A run of somebody else under the event's id, which never ends. */
    const squat = (eventId: string, operationId = 'op_other') =>
      temporal.workflow.start('webhookDelivery', {
        ...{ workflowId: eventId, taskQueue: 'of-nobody' },
        args: [{ eventId, operationId, attemptsMade: 1 }],
      });

    it('a delivery whose workflow was ended continues; so does one under whose id somebody else’s run is', async () => {
      const ended = await refused();
      await temporal.workflow.getHandle(ended).terminate('by hand');
      const squatted = await refused();
      await temporal.workflow.getHandle(squatted).terminate('by hand');
      await squat(squatted);
      for (const eventId of [ended, squatted]) {
        assert.deepEqual(await inOutbox(eventId), [{ attempts: 1 }]);
        await isDue(eventId);
        await arrives(eventId, 2);
        await over(eventId);
      }
      await temporal.workflow.getHandle(squatted).terminate('the test ends');
    });

    it('a forged delivery, of another operation’s event, ends at its first step and sends nothing', async () => {
      const eventId = await eventOf(await created('5000'));
      await over(eventId);
      const forgery = await temporal.workflow.start('webhookDelivery', {
        ...{ workflowId: `forged-${eventId}`, taskQueue: 'webhooks' },
        args: [{ eventId, operationId: 'op_other', attemptsMade: 9 + 1 }],
      });
      await assert.rejects(forgery.result(), /Workflow execution failed/);
      assert.equal(copiesOf(eventId), 1);
      assert.deepEqual(
        (await alerts('STEP_FORGED')).map(({ resolved_at: resolved }) => resolved),
        [null],
      );
    });
  });

  it('shows the age of open payments, the last success of each check, and the longest history', async () => {
    await run(VERIFICATION_SCHEDULE);
    const values = await eventually(async () => {
      const found = readGauges(await exposition());
      // Each gauge is read again at its own pace.
      const isOld = (found.get('gateway_open_oldest_seconds{kind="deposit",state="pending"}') ?? 0) > 600;
      return isOld && found.has('gateway_check_last_success_timestamp_seconds{check="decisions"}') && found;
    }, 'the gauges are read again');
    for (const check of ['open_workflows', 'workflow_progress', 'ledger', 'audit', 'audit_seals', 'decisions']) {
      const at = values.get(`gateway_check_last_success_timestamp_seconds{check="${check}"}`) ?? 0;
      assert.ok(Math.abs(Date.now() / 1_000 - at) < 120, `${check}: ${at}`);
      assert.equal(values.get(`gateway_check_problems{check="${check}"}`), 0, check);
    }
    const age = values.get('gateway_open_oldest_seconds{kind="deposit",state="pending"}') ?? 0;
    assert.ok(age > 600 && age < 900, String(age));
    assert.ok((values.get('gateway_open_history_events') ?? 0) > 5);
  });

  it('a ledger that does not hold → LEDGER_DIFFERS, an account below zero → ACCOUNT_OVERDRAWN, until they are right', async () => {
    const { operation_id: operation } = stack.operation;
    const change = (by: number) =>
      database.query(
        `UPDATE ledger_account SET balance_minor = balance_minor + $2 WHERE operation_id = $1 AND account = 'available'`,
        [operation, by],
      );
    const correct = (direction: 'up' | 'down') =>
      stack.gateway(
        ...['cash', 'correct', '--operation', operation, '999999999', '--direction', direction],
        ...['--document', 'letter 1', '--reason', 'a test'],
      );
    await correct('down');
    await change(1);
    assert.equal((await run<{ ledger: number }>(VERIFICATION_SCHEDULE)).ledger, 1);
    assert.deepEqual(
      (await alerts('LEDGER_DIFFERS')).map(({ object_id: id, resolved_at: resolved }) => [id, resolved]),
      [[operation, null]],
    );
    const [overdrawn] = await alerts('ACCOUNT_OVERDRAWN');
    assert.deepEqual([overdrawn?.object_id, overdrawn?.resolved_at], [operation, null]);
    await change(-1);
    await correct('up');
    assert.equal((await run<{ ledger: number }>(VERIFICATION_SCHEDULE)).ledger, 0);
    for (const kind of ['LEDGER_DIFFERS', 'ACCOUNT_OVERDRAWN'] as const)
      assert.notEqual((await alerts(kind))[0]?.resolved_at, null);
  });

  it('an audit entry removed from the end → AUDIT_CHAIN_BROKEN within seconds, and every night', async () => {
    const newest = async (table: string) =>
      (await database.query<{ sequence: string }>(`SELECT max(sequence) AS sequence FROM ${table}`)).rows[0]?.sequence;
    await eventually(async () => (await newest('audit_entry')) === (await newest('audit_seal')), 'the trail is sealed');
    await database.query('DELETE FROM audit_entry WHERE sequence = (SELECT max(sequence) FROM audit_entry)');
    const [found] = await eventually(async () => {
      const raised = await alerts('AUDIT_CHAIN_BROKEN');
      return raised.length > 0 && raised;
    }, 'whoever seals finds it');
    assert.deepEqual([found?.operation_id, found?.resolved_at], [null, null]);
    assert.match(String(found?.detail), /^1 problems, first sealed_entry_missing at entry \d+ \(seal \d+\)$/);
    assert.equal((await run<{ audit: number }>(VERIFICATION_SCHEDULE)).audit, 1);
    await eventually(async () => {
      const values = readGauges(await exposition());
      return ['audit', 'audit_seals'].every((check) => values.get(`gateway_check_problems{check="${check}"}`) === 1);
    }, 'both checks show it');
  });

  it('a decision whose facts were changed → DECISION_NOT_REPRODUCED', async () => {
    const { rows } = await database.query<{ object_id: string }>(
      `UPDATE decision SET outcome = '{"kind": "automatic", "reasons": []}'
       WHERE id = (SELECT max(id) FROM decision WHERE object_id LIKE 'wdr_%' AND stage = 'creation')
       RETURNING object_id`,
    );
    await database.query(`UPDATE decision SET digest = repeat('0', 64) WHERE object_id = $1 AND stage = 'creation'`, [
      rows[0]?.object_id,
    ]);
    assert.equal((await run<{ decisions: number }>(VERIFICATION_SCHEDULE)).decisions, 1);
    assert.deepEqual(
      (await alerts('DECISION_NOT_REPRODUCED')).map(({ object_id: id }) => id),
      [rows[0]?.object_id],
    );
  });

  async function created(amount: string, player = newPlayer()): Promise<string> {
    const { id } = (await stack.client.createDeposit(newDeposit(amount, player), once())).body;
    await stack.receiver.waitFor(id, 'deposit.pending');
    return id;
  }

  /** Has the schedule run its workflow now. */
  async function run<Result>(schedule: string): Promise<Result> {
    const handle = temporal.schedule.getHandle(schedule);
    const known = (await handle.describe()).info.recentActions.length;
    await handle.trigger();
    const actions = await eventually(async () => {
      const { recentActions } = (await handle.describe()).info;
      return recentActions.length > known && recentActions;
    }, `${schedule} runs`);
    const { workflow } = actions.at(-1)?.action ?? assert.fail('no run');
    return temporal.workflow.getHandle(workflow.workflowId, workflow.firstExecutionRunId).result() as Promise<Result>;
  }

  async function alerts(kind: string) {
    const { rows } = await database.query<{
      object_id: string;
      operation_id: string | null;
      detail: string;
      resolved_at: Date | null;
    }>('SELECT object_id, operation_id, detail, resolved_at FROM alert WHERE kind = $1', [kind]);
    return rows;
  }

  async function exposition(): Promise<string> {
    const { body } = await request(`${stack.workerHealthUrl}/metrics`);
    return body.text();
  }

  function readGauges(text: string): ReadonlyMap<string, number> {
    const lines = text.split('\n').filter((line) => /^gateway_(open|check)_/.test(line));
    return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
  }
});
