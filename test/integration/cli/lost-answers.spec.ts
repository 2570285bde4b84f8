// Decisions whose answer is lost because the connection to Temporal breaks: what the person is told follows from the
// books, through the real workflows and the real database.
import assert from 'node:assert/strict';
import type { Client } from '@temporalio/client';
import { reached } from '../../../cli/unreached.js';
import { DEPOSIT_WORKFLOW, WITHDRAWAL_WORKFLOW } from '../../../contract/temporal/payment.js';
import { TASK_QUEUES } from '../../../contract/temporal/workers.js';
import { cancelPayment, decideDeposit, decideWithdrawal, writeOffPayout } from '../../../staff/acts/payments.js';
import type { ActServices } from '../../../staff/acts/workflow-updates.js';
import { createDatabase, type Database } from '../../../store/database.js';
import type { Actor } from '../../../store/staff/acts.js';
import { ensureClaimedPerson } from '../../../store/staff/people.js';
import type { ReturnResult } from '../../../domain/payments/deposit-acts.js';
import { losingAnswers, losingQuestions, lyingAnswers } from '../../support/lost-answers.js';
import type { TimeSkippingTemporal } from '../../support/temporal.js';
import { startPaymentWorkers } from './payment-workers.js';
import { insertDeposit, insertWithdrawal } from './payments.js';
import { createTestGateway, type TestGateway } from './support.js';

const TIMEOUTS = { acceptMs: 20_000, outcomeMs: 5_000 };

describe('gateway review: a connection that breaks', function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let temporal: TimeSkippingTemporal;
  let database: Database;
  let operationId: string;
  let returnResult: ReturnResult = { kind: 'pending' };

  before(async () => {
    gateway = await createTestGateway();
    const pool = { poolSize: 4, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 };
    database = createDatabase({ url: gateway.ownerUrl, ...pool });
    const wait = { kind: 'wait', for: 'operation_suspended', until: null, ruleSetVersion: 1 } as const;
    temporal = await startPaymentWorkers(database, {
      charges: { returnPayment: async () => returnResult },
      rules: { decideDispatch: async () => ({ verdict: wait, record: null }) },
    });
    operationId = (await gateway.operation())['operation_id'];
    await insertDeposit(gateway, operationId, { status: 'paid', amount: '100000', movements: ['deposit_credited'] });
  });
  after(async () => {
    await temporal.close();
    await database.$disconnect();
    await gateway.close();
  });

  const start = (workflow: string, id: string, more: object) =>
    temporal.client.start(workflow, {
      workflowId: id,
      taskQueue: TASK_QUEUES.payments,
      args: [{ kind: 'reopen', operationId, ...more }],
    });
  const deposit = async (reasons: readonly string[]) => {
    const movements = ['deposit_held'] as const;
    const id = await insertDeposit(gateway, operationId, { status: 'under_review', reasons, movements });
    await gateway.rows(`UPDATE deposit SET end_to_end_id = 'E' || id, paid_at = now() WHERE id = $1`, id);
    await start(DEPOSIT_WORKFLOW, id, { id });
    return id;
  };
  const withdrawal = async (reasons: readonly string[]) => {
    const movements = ['withdrawal_reserved'] as const;
    const id = await insertWithdrawal(gateway, operationId, { status: 'under_review', reasons, movements });
    await start(WITHDRAWAL_WORKFLOW, id, { id });
    return id;
  };
  const services = (client: Client): ActServices => ({
    database,
    withTemporal: (work) => work(client),
    timeouts: TIMEOUTS,
  });
  const claimed = async (name: string): Promise<Actor> => ({
    handle: await ensureClaimedPerson(database, name),
    means: 'claim',
    sessionId: null,
  });
  const isDone = async (actId: string) =>
    (await gateway.rows('SELECT outcome FROM staff_act WHERE id = $1', actId))[0]?.['outcome'] === 'done';
  const afterwards = () => losingAnswers(temporal.environment.connection, isDone);
  const lastAct = async (id: string) =>
    (
      await gateway.rows('SELECT outcome FROM staff_act WHERE subject_id = $1 ORDER BY created_at DESC LIMIT 1', id)
    )[0]?.['outcome'];

  it('after the decision was stored: the answer is what the books say', async () => {
    const id = await withdrawal(['DUAL_APPROVAL_REQUIRED']);
    const approve = async (name: string) =>
      decideWithdrawal(services(afterwards()), await claimed(name), {
        id,
        decision: 'approve',
        reason: '',
      });
    const first = await approve('ana');
    assert.ok(first.kind === 'done', first.kind);
    assert.deepEqual(
      [first.snapshot.status, first.snapshot.decision.decidedBy.map(({ person }) => person)],
      ['under_review', ['ana']],
    );
    const second = await approve('ben');
    assert.ok(second.kind === 'done', second.kind);
    assert.equal(second.snapshot.status, 'approved');
    assert.equal(await lastAct(id), 'done');
  });

  it('after a return was stored: it is under way until the provider has made it', async () => {
    const id = await deposit(['PAYER_MISMATCH']);
    const returning = async (name: string) =>
      decideDeposit(services(afterwards()), await claimed(name), { id, decision: 'return', reason: '' });
    assert.deepEqual(await returning('ana'), { kind: 'under_way' });
    assert.equal(await lastAct(id), 'done');
  });

  it('after a return was stored and refused by the provider: it is under review again', async () => {
    const id = await deposit(['PAYER_MISMATCH']);
    const isRefused = async (actId: string) =>
      (await isDone(actId)) &&
      (await gateway.rows('SELECT 1 FROM deposit WHERE id = $1 AND return_request IS NULL', id)).length > 0;
    const client = losingAnswers(temporal.environment.connection, isRefused);
    returnResult = { kind: 'refused', code: 'no_funds' };
    const answer = await decideDeposit(services(client), await claimed('ana'), { id, decision: 'return', reason: '' });
    assert.equal(answer.kind, 'invalid_state');
  });

  it('after a write-off was asked for: it waits for a second person', async () => {
    const movements = ['withdrawal_reserved'] as const;
    const id = await insertWithdrawal(gateway, operationId, { status: 'approved', movements });
    await gateway.rows(
      `INSERT INTO payout_send (withdrawal_id, reference, state, cleared_at, attempt, claimed_at, traceless_look_ups,
         traceless_since, traceless_last_at)
       VALUES ($1, $2, 'claimed', now() - interval '30 hours', 'attempt', now() - interval '30 hours', 12,
         now() - interval '26 hours', now())`,
      ...[id, `P${id.slice(-30)}`],
    );
    await start(WITHDRAWAL_WORKFLOW, id, { id });
    const order = { id, evidence: 'ticket 9', reason: '' };
    const asked = await writeOffPayout(services(afterwards()), await claimed('ana'), order);
    assert.ok(asked.kind === 'requested', asked.kind);
    assert.equal(asked.snapshot.writeOffs?.[0]?.person, 'ana');
    assert.ok(Date.parse(asked.lapsesAt) > Date.now());
  });

  it('after a cancel was stored: it is cancelled', async () => {
    const order = {
      kind: 'withdrawal',
      id: await withdrawal(['FIRST_WITHDRAWAL']),
      reason: '',
      seenVersion: 1,
    } as const;
    const cancelled = await cancelPayment(services(afterwards()), await claimed('ana'), order);
    assert.ok(cancelled.kind === 'done', cancelled.kind);
    assert.equal(cancelled.snapshot.status, 'cancelled');
  });

  it('before anything reached the workflow: nothing changed, and the act never counts', async () => {
    const id = await withdrawal(['FIRST_WITHDRAWAL']);
    const client = losingQuestions(temporal.environment.connection);
    const order = { id, decision: 'approve', reason: '' } as const;
    const outcome = await decideWithdrawal(services(client), await claimed('ana'), order);
    assert.deepEqual(outcome, { kind: 'unreached', reason: 'temporal_refused', failure: 'ServiceError' });
    assert.equal(await lastAct(id), 'refused');
  });

  it('an answer that the books contradict is none: what was not done stays so', async () => {
    const id = await withdrawal(['FIRST_WITHDRAWAL']);
    const order = { id, decision: 'approve', reason: '' } as const;
    for (const kind of ['done', 'returning', 'written_off', 'anything']) {
      const lie = lyingAnswers(temporal.environment.connection, {
        kind,
        withdrawal: { status: 'approved', version: 9 },
      });
      const outcome = await decideWithdrawal(services(lie), await claimed('ana'), order);
      assert.deepEqual(outcome, { kind: 'unreached', reason: 'failed', failure: 'NotInBooks' });
      assert.equal(await lastAct(id), 'refused');
    }
    const refused = lyingAnswers(temporal.environment.connection, {
      kind: 'invalid_state',
      withdrawal: { status: 'paid' },
    });
    const outcome = await decideWithdrawal(services(refused), await claimed('ana'), order);
    assert.ok(outcome.kind === 'invalid_state');
    assert.equal(outcome.snapshot.status, 'under_review', 'the payment is what its row says');
  });

  it('falsely answered as refused: it was done, and the payment is what its row says', async () => {
    const id = await withdrawal(['FIRST_WITHDRAWAL']);
    const lie = { kind: 'invalid_state', snapshot: { status: 'rejected', version: 2 } };
    const client = lyingAnswers(temporal.environment.connection, lie, isDone);
    const order = { id, decision: 'approve', reason: '' } as const;
    const outcome = await decideWithdrawal(services(client), await claimed('ana'), order);
    assert.ok(outcome.kind === 'done', outcome.kind);
    assert.equal(outcome.snapshot.status, 'approved');
  });

  it('with a database that does not answer then: the outcome is unknown', async () => {
    const id = await withdrawal(['FIRST_WITHDRAWAL']);
    const silent = new Proxy(database, {
      get: (whole, name) =>
        name === 'staffAct'
          ? { ...whole.staffAct, updateMany: () => Promise.reject(new Error('connection refused')) }
          : (Reflect.get(whole, name) as unknown),
    });
    const order = { id, decision: 'approve', reason: '' } as const;
    const asking = { ...services(losingQuestions(temporal.environment.connection)), database: silent };
    const outcome = await decideWithdrawal(asking, await claimed('ana'), order);
    assert.deepEqual(outcome, { kind: 'unreached', reason: 'books_silent', failure: 'Error' });
    assert.throws(() => reached(id, outcome), /the database does not say whether it was done/);
    const cancel = { kind: 'withdrawal', id, reason: '', seenVersion: 1 } as const;
    assert.deepEqual(await cancelPayment(asking, await claimed('ana'), cancel), outcome);
  });
});
