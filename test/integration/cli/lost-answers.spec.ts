// Decisions whose answer is lost because the connection to Temporal breaks: what the person is told follows from the
// books, through the real workflows and the real database.
import assert from 'node:assert/strict';
import type { Client } from '@temporalio/client';
import { reached } from '../../../cli/unreached.js';
import { WITHDRAWAL_WORKFLOW } from '../../../contract/temporal/payment.js';
import { cancelPayment, decideDeposit, decideWithdrawal, writeOffPayout } from '../../../staff/acts/payments.js';
import type { ActServices } from '../../../staff/acts/workflow-updates.js';
import type { Database } from '../../../store/database.js';
import type { ReturnResult } from '../../../domain/payments/deposit-acts.js';
import { losingAnswers, losingQuestions, lyingAnswers } from '../../support/lost-answers.js';
import type { TimeSkippingTemporal } from '../../support/temporal.js';
import { claimed, heldDeposit, heldWithdrawal, reopen, startPaymentWorkers } from './payment-workers.js';
import { insertDeposit, insertWithdrawal } from './payments.js';
import { createTestGateway, openDatabase, type TestGateway } from './support.js';

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
    database = openDatabase(gateway.ownerUrl);
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

  const desk = () => ({ gateway, temporal, operationId });
  const withdrawal = (reasons: readonly string[]) => heldWithdrawal(desk(), reasons);
  const services = (client: Client): ActServices => ({
    database,
    withTemporal: (work) => work(client),
    timeouts: TIMEOUTS,
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
      decideWithdrawal(services(afterwards()), await claimed(database, name), {
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
    const id = await heldDeposit(desk(), ['PAYER_MISMATCH']);
    const returning = async (name: string) =>
      decideDeposit(services(afterwards()), await claimed(database, name), { id, decision: 'return', reason: '' });
    assert.deepEqual(await returning('ana'), { kind: 'under_way' });
    assert.equal(await lastAct(id), 'done');
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
    await reopen(desk(), WITHDRAWAL_WORKFLOW, id);
    const order = { id, evidence: 'ticket 9', reason: '' };
    const asked = await writeOffPayout(services(afterwards()), await claimed(database, 'ana'), order);
    assert.ok(asked.kind === 'requested', asked.kind);
    assert.equal(asked.snapshot.writeOffs?.[0]?.person, 'ana');
    assert.ok(Date.parse(asked.lapsesAt) > Date.now());
  });

  it('before anything reached the workflow: nothing changed, and the act never counts', async () => {
    const id = await withdrawal(['FIRST_WITHDRAWAL']);
    const client = losingQuestions(temporal.environment.connection);
    const order = { id, decision: 'approve', reason: '' } as const;
    const outcome = await decideWithdrawal(services(client), await claimed(database, 'ana'), order);
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
      const outcome = await decideWithdrawal(services(lie), await claimed(database, 'ana'), order);
      assert.deepEqual(outcome, { kind: 'unreached', reason: 'failed', failure: 'NotInBooks' });
      assert.equal(await lastAct(id), 'refused');
    }
    const refused = lyingAnswers(temporal.environment.connection, {
      kind: 'invalid_state',
      withdrawal: { status: 'paid' },
    });
    const outcome = await decideWithdrawal(services(refused), await claimed(database, 'ana'), order);
    assert.ok(outcome.kind === 'invalid_state');
    assert.equal(outcome.snapshot.status, 'under_review', 'the payment is what its row says');
  });

  it('falsely answered as refused: it was done, and the payment is what its row says', async () => {
    const id = await withdrawal(['FIRST_WITHDRAWAL']);
    const lie = { kind: 'invalid_state', snapshot: { status: 'rejected', version: 2 } };
    const client = lyingAnswers(temporal.environment.connection, lie, isDone);
    const order = { id, decision: 'approve', reason: '' } as const;
    const outcome = await decideWithdrawal(services(client), await claimed(database, 'ana'), order);
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
    const outcome = await decideWithdrawal(asking, await claimed(database, 'ana'), order);
    assert.deepEqual(outcome, { kind: 'unreached', reason: 'books_silent', failure: 'Error' });
    assert.throws(() => reached(id, outcome), /the database does not say whether it was done/);
    const cancel = { kind: 'withdrawal', id, reason: '', seenVersion: 1 } as const;
    assert.deepEqual(await cancelPayment(asking, await claimed(database, 'ana'), cancel), outcome);
  });
});
