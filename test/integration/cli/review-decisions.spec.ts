// `gateway review approve|refuse|return` through the real workflows and the real database.
import assert from 'node:assert/strict';
import { Client } from '@temporalio/client';
import { DATA_CONVERTER } from '../../../platform/temporal/connection.js';
import { decideDeposit, decideWithdrawal } from '../../../staff/acts/payments.js';
import type { ActServices, UpdateTimeouts } from '../../../staff/acts/workflow-updates.js';
import { reached } from '../../../cli/unreached.js';
import { WITHDRAWAL_WORKFLOW } from '../../../contract/temporal/payment.js';
import type { ReturnResult } from '../../../domain/payments/deposit-acts.js';
import type { Database } from '../../../store/database.js';
import { renewSignInCode } from '../../../store/staff/roster.js';
import type { TimeSkippingTemporal } from '../../support/temporal.js';
import { claimed, heldDeposit, heldWithdrawal, reopen, startPaymentWorkers } from './payment-workers.js';
import { insertDeposit, insertPlayer, insertWithdrawal } from './payments.js';
import { createTestGateway, openDatabase, runWith, type TestGateway } from './support.js';

describe('gateway review: decisions', function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let temporal: TimeSkippingTemporal;
  let database: Database;
  let operationId: string;
  let isSent: boolean;
  let returnResult: ReturnResult;

  before(async () => {
    // The address is known only once the server runs.
    const address: { TEMPORAL_ADDRESS?: string; TEMPORAL_NAMESPACE: string } = { TEMPORAL_NAMESPACE: 'default' };
    gateway = await createTestGateway(address);
    database = openDatabase(gateway.ownerUrl);
    const send = { kind: 'send', reasons: [], ruleSetVersion: 1 } as const;
    const wait = { kind: 'wait', for: 'operation_suspended', until: null, ruleSetVersion: 1 } as const;
    temporal = await startPaymentWorkers(database, {
      charges: { returnPayment: async () => returnResult },
      calls: { preparePayout: () => async () => ({ kind: 'unknown', reason: 'timeout' }) },
      rules: { decideDispatch: async () => ({ verdict: isSent ? send : wait, record: null }) },
    });
    gateway.environment['TEMPORAL_ADDRESS'] = temporal.environment.address;
    operationId = (await gateway.operation())['operation_id'];
    await insertPlayer(gateway, operationId);
    await insertDeposit(gateway, operationId, { status: 'paid', amount: '100000', movements: ['deposit_credited'] });
  });
  after(async () => {
    await temporal.close();
    await database.$disconnect();
    await gateway.close();
  });

  beforeEach(() => {
    isSent = false;
  });

  const desk = () => ({ gateway, temporal, operationId });
  const deposit = (reasons: readonly string[], paidAmount?: string) => heldDeposit(desk(), reasons, paidAmount);
  const withdrawal = (reasons: readonly string[]) => heldWithdrawal(desk(), reasons);
  const services = (client: Client, timeouts: UpdateTimeouts): ActServices => ({
    database,
    withTemporal: (work) => work(client),
    timeouts,
  });
  const statusOf = async (table: 'deposit' | 'withdrawal', id: string) =>
    (await gateway.rows(`SELECT status FROM ${table} WHERE id = $1`, id))[0]?.['status'];

  describe('break-glass, in production', () => {
    const BREAK = ['staff', 'break-glass', '--ticket', 'INC-4711', '--reason', 'the panel is down'];
    const audited = () =>
      gateway.rows(
        `SELECT person, action, subject, detail::jsonb->>'ticket' AS ticket, detail::jsonb->>'act' AS act
         FROM audit_entry WHERE action LIKE 'staff.break%' ORDER BY sequence`,
      );
    before(() => gateway.rows(`UPDATE operation SET environment = 'production'`));
    after(() => gateway.rows(`UPDATE operation SET environment = 'sandbox'`));

    it('one person decides payments for an hour; every admin is alerted, and each act has the ticket', async () => {
      const ben = await gateway.signedIn('ben');
      const id = await deposit(['PAYER_UNKNOWN']);
      const approve = ['review', 'approve', id, '--reason', 'statement checked'];
      await ben.fails(1, /a passkey signs it, in the panel.*break-glass/, ...approve);
      const { handle, minutes } = await ben.json(...BREAK);
      assert.deepEqual([handle, minutes, (await ben.json('staff', 'whoami'))['means']], ['ben', 60, 'break_glass']);
      assert.equal((await ben.json(...approve))['status'], 'paid');
      const [begun, ...acts] = await audited();
      assert.deepEqual([begun?.['person'], begun?.['ticket']], ['ben', 'INC-4711']);
      assert.deepEqual(acts, [
        { person: 'ben', action: 'staff.break_glass_act', subject: id, ticket: 'INC-4711', act: 'deposit.approve' },
      ]);
      const alerts = await gateway.rows(`SELECT detail FROM alert WHERE kind = 'BREAK_GLASS'`);
      assert.deepEqual(alerts, [{ detail: 'ben broke the glass, ticket INC-4711' }]);

      await gateway.rows(
        `UPDATE staff_session SET created_at = now() - interval '61 minutes' WHERE staff_handle = 'ben'`,
      );
      await ben.fails(1, /the session has ended/, ...approve);
    });

    it('a sign-in at another command line ends nothing, and has nothing of it', async () => {
      const dan = await gateway.signedIn('dan');
      await dan.json(...BREAK);
      const code = (await renewSignInCode(database, 'dan', 'eva'))?.code ?? '';
      const otherFile = gateway.file('');
      const elsewhere = (...argv: string[]) =>
        runWith({ ...gateway.environment, GATEWAY_SESSION_FILE: otherFile }, argv);
      assert.equal((await elsewhere('staff', 'login', code)).exitCode, 0);
      const id = await deposit(['PAYER_UNKNOWN']);
      const approve = ['review', 'approve', id, '--reason', 'statement checked'];
      assert.match((await elsewhere(...approve)).stderr, /a passkey signs it, in the panel/);
      assert.equal((await dan.json('staff', 'whoami'))['means'], 'break_glass');
      assert.equal((await dan.json(...approve))['status'], 'paid');
    });

    it('it is never the second person', async () => {
      const [ana, eva] = [await gateway.signedIn('ana'), await gateway.signedIn('eva')];
      const id = await withdrawal(['DUAL_APPROVAL_REQUIRED']);
      for (const person of [ana, eva]) await person.json(...BREAK);
      const approve = ['review', 'approve', id, '--reason', 'known player'];
      assert.equal((await ana.json(...approve))['status'], 'under_review');
      await eva.fails(1, /a break-glass session is never the second person/, ...approve);
      assert.equal(await statusOf('withdrawal', id), 'under_review');
    });

    it('break-glass is for people who may decide payments, and needs a ticket', async () => {
      const cleo = await gateway.signedIn('cleo');
      await cleo.fails(2, /--ticket/, 'staff', 'break-glass', '--reason', 'x');
      await cleo.fails(2, /--ticket: must be the id of an incident/, ...BREAK.with(3, 'no ticket at all'));
      await gateway.rows(`DELETE FROM staff_role WHERE staff_handle = 'cleo' AND role IN ('reviewer', 'approver')`);
      await cleo.fails(1, /cleo: has no role that may do this \(staff\.break_glass\)/, ...BREAK);
    });
  });

  it('approve: a deposit is paid and the money released', async () => {
    const id = await deposit(['PAYER_UNKNOWN']);
    const answer = await gateway.json('review', 'approve', id, '--as', 'ana', '--reason', 'statement checked');
    assert.deepEqual(answer, {
      id,
      status: 'paid',
      version: 4,
      amount: { amount: '5000', currency: 'BRL' },
      decided_by: ['ana'],
    });
    assert.equal(await statusOf('deposit', id), 'paid');
    assert.equal((await gateway.json('ledger', 'verify'))['ok'], true);
    await gateway.fails(1, /is paid; only what is under_review/, 'review', 'approve', id, '--as', 'ben');
  });

  it('return: a deposit goes back to its payer', async () => {
    returnResult = { kind: 'done', amountMinor: 4000n, at: new Date().toISOString() };
    const id = await deposit(['AMOUNT_MISMATCH'], '4000');
    const answer = await gateway.json('review', 'return', id, '--as', 'ana');
    assert.deepEqual([answer['status'], answer['decided_by']], ['returned', ['ana']]);
    assert.equal((await gateway.json('ledger', 'verify'))['ok'], true);
  });

  it('return: one line when the provider refuses it', async () => {
    returnResult = { kind: 'refused', code: 'no_funds' };
    const id = await deposit(['PAYER_MISMATCH']);
    await gateway.fails(1, /the provider refused the return/, `review return ${id} --as ana --reason`, 'another payer');
    assert.equal(await statusOf('deposit', id), 'under_review');
    // The next decision is its own act.
    returnResult = { kind: 'done', amountMinor: 5000n, at: new Date().toISOString() };
    await gateway.json('review', 'return', id, '--as', 'ben');
    const entries = await gateway.rows(
      `SELECT person, action, detail::jsonb->>'reason' AS reason, detail::jsonb ? 'act_id' AS is_act
       FROM audit_entry WHERE subject = $1 ORDER BY sequence`,
      id,
    );
    assert.deepEqual(entries.map(Object.values), [
      ['ana', 'deposit.return_requested', 'another payer', true],
      ['provider:simulator', 'deposit.return_refused', 'another payer', false],
      ['ben', 'deposit.return_requested', '', true],
      ['ben', 'deposit.return', '', false],
    ]);
  });

  it('refuse: a withdrawal is rejected and its reservation released', async () => {
    const id = await withdrawal(['FIRST_WITHDRAWAL']);
    const answer = await gateway.json('review', 'refuse', id, '--as', 'ana');
    assert.deepEqual(
      [answer['id'], answer['status'], answer['decided_by'], answer['approvals_missing']],
      [id, 'rejected', ['ana'], false],
    );
    assert.equal((await gateway.json('ledger', 'verify'))['ok'], true);
  });

  it('approve: dual approval takes two different people, in any spelling', async () => {
    const id = await withdrawal(['DUAL_APPROVAL_REQUIRED']);
    const first = await gateway.json('review', 'approve', id, '--as', 'ana');
    assert.deepEqual([first['status'], first['approvals_missing']], ['under_review', true]);
    for (const same of ['ana', 'Ana'])
      await gateway.fails(1, /ana has decided already; another person must/, 'review', 'approve', id, '--as', same);
    const second = await gateway.json('review', 'approve', id, '--as', 'ben');
    assert.deepEqual([second['status'], second['decided_by']], ['approved', ['ana', 'ben']]);
  });

  it('conclude: two people end a lost send after a day; its money is released, and both acts are in the audit trail', async () => {
    isSent = true;
    const id = await withdrawal(['FIRST_WITHDRAWAL']);
    const conclude = ['review', 'conclude', id, '--evidence', 'ticket 4711', '--as'];
    await gateway.json('review', 'approve', id, '--as', 'ana');
    await temporal.sleep(3_600_000);
    await gateway.fails(1, /look-ups without a trace so far; it can be concluded from \d{4}-/, ...conclude, 'ana');
    await temporal.sleep(86_400_000);
    const first = await gateway.json(...conclude, 'ana', '--reason', 'never arrived');
    assert.deepEqual([first['status'], first['version'], first['confirmation_missing']], ['approved', 2, true]);
    await gateway.fails(1, /ana has asked for it already/, ...conclude, 'Ana');
    await gateway.fails(1, /names other evidence/, 'review', 'conclude', id, '--evidence', 'ticket 1', '--as', 'ben');
    const second = await gateway.json(...conclude, 'ben');
    assert.deepEqual(second, {
      id,
      status: 'failed',
      version: 4,
      failure_code: 'psp_never_accepted',
      concluded_by: ['ana', 'ben'],
    });
    await gateway.fails(1, /is failed; only a send that was lost/, ...conclude, 'eva');

    const entries = await gateway.rows(
      `SELECT person, action, detail::jsonb->>'evidence' AS evidence, detail::jsonb->>'reason' AS reason
       FROM audit_entry WHERE subject = $1 AND action LIKE '%conclusion' ORDER BY sequence`,
      id,
    );
    assert.deepEqual(entries.map(Object.values), [
      ['ana', 'withdrawal.request_conclusion', 'ticket 4711', 'never arrived'],
      ['ben', 'withdrawal.confirm_conclusion', 'ticket 4711', ''],
    ]);
    assert.equal((await gateway.json('ledger', 'verify'))['ok'], true);
    assert.equal((await gateway.json('audit', 'verify'))['ok'], true);
  });

  it('return: an outcome that takes long is under way, not lost', async () => {
    const id = await deposit(['PAYER_MISMATCH']);
    returnResult = { kind: 'pending' };
    const client = new Client({ dataConverter: DATA_CONVERTER, connection: temporal.environment.connection });
    const order = { id, decision: 'return', reason: '' } as const;
    const brief = services(client, { acceptMs: 10_000, outcomeMs: 300 });
    const outcome = await decideDeposit(brief, await claimed(database, 'ana'), order);
    assert.deepEqual(outcome, { kind: 'under_way' });
    await gateway.fails(1, /the provider refused the return, or one is under way/, `review return ${id} --as ben`);
    await gateway.fails(1, /it is being returned/, 'review', 'approve', id, '--as', 'ben');
    returnResult = { kind: 'done', amountMinor: 5000n, at: new Date().toISOString() };
    await temporal.sleep(60_000);
    assert.equal(await statusOf('deposit', id), 'returned');
  });

  it('approve: without a worker one line says that the decision may still count', async () => {
    const id = await insertWithdrawal(gateway, operationId, {
      status: 'under_review',
      movements: ['withdrawal_reserved'],
    });
    await reopen(desk(), WITHDRAWAL_WORKFLOW, id, 'nobody');
    const client = new Client({ dataConverter: DATA_CONVERTER, connection: temporal.environment.connection });
    const order = { id, decision: 'approve', reason: '' } as const;
    const brief = services(client, { acceptMs: 500, outcomeMs: 500 });
    const outcome = await decideWithdrawal(brief, await claimed(database, 'ana'), order);
    assert.throws(() => reached(id, outcome), /no worker accepted the decision in time.*may still count/);
  });

  it('approve: one line when the workflow is not running', async () => {
    const id = await insertDeposit(gateway, operationId, { status: 'under_review', movements: ['deposit_held'] });
    await gateway.fails(1, /its workflow is not running/, 'review', 'approve', id, '--as', 'ana');
  });

  it('approve: one line that names the address when Temporal is down', async () => {
    const id = await deposit(['PAYER_UNKNOWN']);
    const address = gateway.environment['TEMPORAL_ADDRESS'];
    gateway.environment['TEMPORAL_ADDRESS'] = '127.0.0.1:1';
    try {
      await gateway.fails(1, /Temporal at 127\.0\.0\.1:1 does not answer/, 'review', 'approve', id, '--as', 'ana');
    } finally {
      gateway.environment['TEMPORAL_ADDRESS'] = address;
    }
  });
});
