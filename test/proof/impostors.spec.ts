// Somebody who reaches Temporal answers in the place of the gateway's workflows and workers: what the api says stays
// what the books say, or that it does not know. Temporal and PostgreSQL are real.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker, type WorkflowBundle } from '@temporalio/worker';
import * as deposits from '../../api/routes/deposits.js';
import { depositHandlers } from '../../api/routes/deposits.js';
import * as withdrawals from '../../api/routes/withdrawals.js';
import type { ApiDependencies } from '../../api/routes/handler.js';
import { TASK_QUEUES } from '../../contract/temporal/workers.js';
import type { DepositSnapshot } from '../../domain/payments/deposit.js';
import { depositQuery } from '../../contract/temporal/payment.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { type DepositColumns, DEPOSITS } from '../../store/payments/deposit/read.js';
import { WITHDRAWALS } from '../../store/payments/withdrawal/read.js';
import { testServers } from '../../lab/harness/stack.js';
import { startRealTemporal } from '../support/temporal.js';
import { HIS_CODE, type Lies } from './by-hand/impostor.js';
import { ProvedDeposit } from './harness/deposit.js';
import { ACTION_MS } from './harness/payment.js';
import { fundedOperation, useStage } from './harness/stage.js';
import { ProvedWithdrawal } from './harness/withdrawal.js';

const HIS_QUEUE = 'his-own';
/** Of so many orders, a rogue worker gets some. */
const ORDERS = 8;

describe('somebody who answers in Temporal', function () {
  this.timeout(4 * ACTION_MS);
  const stage = useStage({ start: startRealTemporal });
  let connection: NativeConnection;
  let workflowBundle: WorkflowBundle;
  let operationId: string;
  let rogue: { stop(): Promise<void> };

  before(async () => {
    connection = await NativeConnection.connect({ address: testServers().temporalAddress });
    const workflowsPath = join(projectRoot(), 'test/proof/by-hand/impostor.ts');
    workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
    rogue = await startRogue(HIS_QUEUE);
    operationId = await fundedOperation(stage());
  });
  after(async () => {
    await rogue?.stop();
    await connection?.close();
  });

  async function startRogue(taskQueue: string) {
    const { namespace } = stage().temporal.client.options;
    const worker = await Worker.create({ connection, namespace, taskQueue, workflowBundle });
    const ended = worker.run();
    return {
      stop: async () => {
        worker.shutdown();
        await ended;
      },
    };
  }

  const ofDeposits = () => ({ ...stage(), workflows: stage().deposits });
  const ofWithdrawals = () => ({ ...stage(), workflows: stage().withdrawals });
  const rowOf = async (id: string) => DEPOSITS.find(stage().database, operationId, id);
  const get = async (row: DepositColumns | null) => {
    assert.ok(row);
    return deposits.presentCurrent(ofDeposits(), row);
  };

  /** He ends the payment's workflow, and starts his own under its id. */
  async function impersonate(type: 'deposit' | 'withdrawal', workflowId: string, lies: Lies): Promise<void> {
    const { client } = stage().temporal;
    await client
      .getHandle(workflowId)
      .terminate()
      .catch(() => undefined);
    await client.start(type, { workflowId, taskQueue: HIS_QUEUE, args: [{ kind: 'lies', lies }] });
  }

  const LIES_NOTHING: Lies = { state: null, creation: null, cancel: null };

  describe('a workflow of his own under the id of a pending deposit', () => {
    let deposit: ProvedDeposit;
    let row: DepositColumns | null;
    let held: { readonly snapshot: DepositSnapshot; readonly proof: string | null } | null;
    beforeEach(async () => {
      deposit = new ProvedDeposit(stage(), operationId);
      await deposit.isPending();
      held = await stage().temporal.client.getHandle(deposit.id).query(depositQuery);
      row = await rowOf(deposit.id);
    });

    it('says that it is paid, with the true proof of an earlier state: GET says what the row says', async () => {
      const paid = { status: 'paid', version: 9, paidAmountMinor: '9900000' } as const;
      const state = { ...held, snapshot: { ...held?.snapshot, ...paid }, ...paid };
      await impersonate('deposit', deposit.id, { ...LIES_NOTHING, state });
      const { status, version, instructions } = await get(row);
      assert.deepEqual([status, version], ['pending', 2]);
      assert.ok(instructions?.pix.copy_paste);
    });

    it('says that it is cancelled: 503, and it is not', async () => {
      const cancelled = { ...held?.snapshot, status: 'cancelled', version: 3 };
      const cancel = { kind: 'done', snapshot: cancelled, proof: held?.proof };
      await impersonate('deposit', deposit.id, { ...LIES_NOTHING, cancel });
      const handlers = depositHandlers({ database: stage().database } as ApiDependencies, ofDeposits());
      const caller = { operation: { id: operationId } };
      const answer = await handlers.cancelDeposit({ caller, params: { id: deposit.id } } as never);
      assert.equal('code' in answer && answer.code, 'service_unavailable');
      assert.equal((await rowOf(deposit.id))?.status, 'pending');
    });
  });

  it('squats the id of an order, with a PIX code of his own: 503, and created once he has gone', async () => {
    const deposit = new ProvedDeposit(stage(), operationId);
    const other = new ProvedDeposit(stage(), operationId);
    await other.isPending();
    const { snapshot, proof } = (await stage().temporal.client.getHandle(other.id).query(depositQuery)) ?? {};
    const instructions = { copyPaste: HIS_CODE, qrCodePngBase64: null, expiresAt: snapshot?.expiresAt };
    const his = { ...snapshot, id: deposit.id, instructions };
    const creation = { kind: 'created', snapshot: his, proof };
    await impersonate('deposit', deposit.id, { ...LIES_NOTHING, creation });
    assert.equal(await deposits.createDeposit(ofDeposits(), deposit.order), 'unavailable');
    await stage().temporal.client.getHandle(deposit.id).terminate();
    const created = await deposits.createDeposit(ofDeposits(), deposit.order);
    assert.ok(typeof created !== 'string' && 'deposit' in created);
    assert.notEqual(created.deposit.instructions?.pix.copy_paste, HIS_CODE);
  });

  it('refuses an order in the api’s ear, with the true proof of another refusal: 503', async () => {
    const [refused, withdrawal] = [0, 1].map(() => new ProvedWithdrawal(stage(), operationId));
    assert.ok(refused && withdrawal);
    refused.ruling.withdrawal = { playerBlocked: true };
    const refusal = await stage().withdrawals.create(() => refused.order);
    assert.ok(refusal.kind === 'answer');
    await impersonate('withdrawal', withdrawal.id, { ...LIES_NOTHING, creation: refusal.value });
    assert.equal(await withdrawals.createWithdrawal(ofWithdrawals(), withdrawal.order), 'unavailable');
  });

  it('starts a copy of an order that was refused: no payment, and an alert', async () => {
    const [deposit, withdrawal] = [new ProvedDeposit(stage(), operationId), new ProvedWithdrawal(stage(), operationId)];
    deposit.ruling.deposit = { playerBlocked: true };
    withdrawal.ruling.withdrawal = { playerBlocked: true };
    const refusals = [
      await deposits.createDeposit(ofDeposits(), deposit.order),
      await withdrawals.createWithdrawal(ofWithdrawals(), withdrawal.order),
    ];
    assert.deepEqual(
      refusals.map((answer) => typeof answer !== 'string' && 'code' in answer && answer.code),
      ['player_blocked', 'player_blocked'],
    );
    // By now the rules would allow them.
    deposit.ruling.deposit = {};
    withdrawal.ruling.withdrawal = {};
    const start = (type: string, workflowId: string, order: object) =>
      stage().temporal.client.start(type, {
        workflowId,
        taskQueue: TASK_QUEUES.payments,
        args: [{ kind: 'create', order }],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      });
    for (const [type, { id, order }] of [['deposit', deposit] as const, ['withdrawal', withdrawal] as const])
      for (const workflowId of [id, `copy-of-${id}`])
        await assert.rejects((await start(type, workflowId, order)).result());
    assert.deepEqual([await rowOf(deposit.id), await withdrawal.status()], [null, null]);
    const [alert, ...others] = await stage().database.alert.findMany({ where: { kind: 'UNPROVEN_ORDER' } });
    assert.match(alert?.detail ?? '', /refused was ordered again/);
    assert.deepEqual(others, []);
  });

  it('polls the queue of payments: each order is created as the row says, or 503', async () => {
    const polling = await startRogue(TASK_QUEUES.payments);
    let unknown = 0;
    try {
      for (let order = 0; order < ORDERS; order += 1) {
        const [deposit, withdrawal] = [
          new ProvedDeposit(stage(), operationId),
          new ProvedWithdrawal(stage(), operationId),
        ];
        const created = await deposits.createDeposit(ofDeposits(), deposit.order);
        const row = await rowOf(deposit.id);
        if (created === 'unavailable') unknown += 1;
        else assert.equal('deposit' in created && created.deposit.instructions?.pix.copy_paste, row?.copyPaste);
        const sent = await withdrawals.createWithdrawal(ofWithdrawals(), withdrawal.order);
        const sentRow = await WITHDRAWALS.find(stage().database, operationId, withdrawal.id);
        if (sent === 'unavailable') unknown += 1;
        else assert.equal('withdrawal' in sent && sent.withdrawal.id, sentRow?.id);
      }
    } finally {
      await polling.stop();
    }
    assert.ok(unknown > 0 && unknown < 2 * ORDERS, `he got ${unknown} of ${2 * ORDERS} orders`);
  });
});
