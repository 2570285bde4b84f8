// An attacker who reaches Temporal, with every right there and none in the database, makes no payment: crafted orders
// and reopened inventions store nothing, charge nothing, send nothing, and raise an alert. About 10 s.
import assert from 'node:assert/strict';
import {
  DEPOSIT_WORKFLOW,
  type DepositOrder,
  WITHDRAWAL_WORKFLOW,
  type WithdrawalOrder,
} from '../../contract/temporal/payment.js';
import { EXPIRED_ORDER, UNPROVEN_ORDER } from '../../contract/temporal/payment-steps.js';
import { TASK_QUEUES } from '../../contract/temporal/workers.js';
import { newId } from '../../domain/identifiers.js';
import {
  openDepositRequest,
  openWithdrawalRequest,
  ORDER_LASTS_MS,
  sealedDepositOrder,
  sealedWithdrawalOrder,
} from '../../store/sealing/orders.js';
import { eventually } from '../../lab/harness/eventually.js';
import { ProvedDeposit } from './harness/deposit.js';
import { ACTION_MS } from './harness/payment.js';
import { fundedOperation, onModel, useStage } from './harness/stage.js';
import { ProvedWithdrawal } from './harness/withdrawal.js';

type Order = DepositOrder | WithdrawalOrder;
type Craft = (order: Order, other: Order) => unknown;

/** What an attacker hands over, made from an order that the api made (and that he read) and from a victim's. */
const CRAFTS: Readonly<Record<string, Craft>> = {
  'another amount': (order) => ({ ...order, amountMinor: '9900000' }),
  'another player': (order) => ({ ...order, playerRef: 'player-9' }),
  'another environment': (order) => ({ ...order, environment: 'production' }),
  'another provider': (order) => ({ ...order, provider: 'a' }),
  'an invented id': (order) => ({ ...order, id: `${order.id.slice(0, 4)}${newId('deposit').slice(4)}` }),
  'a victim’s operation': (order, other) => ({ ...order, operationId: other.operationId }),
  'an invented operation': (order) => ({ ...order, operationId: newId('operation') }),
  'another operation’s sealed request': (order, other) => ({ ...order, sealedRequest: other.sealedRequest }),
  'another order’s proof': (order, other) => ({ ...order, proof: other.proof }),
  'another time in its proof': (order) => ({ ...order, proof: order.proof.replace(/^[^.]+/, '999999999') }),
  'a proof cut short': (order) => ({ ...order, proof: order.proof.slice(0, -2) }),
  'a proof of nothing': (order) => ({ ...order, proof: '' }),
  'no proof': ({ proof: _, ...order }) => order,
  'a field more': (order) => ({ ...order, isTrusted: true }),
  'no order': () => null,
};

describe('a Temporal client without the database', () => {
  const stage = useStage({ start: onModel });

  /** Starts the workflow as anybody may who reaches Temporal. Answers the failure type that its run ends with. */
  async function startedBy(workflow: string, input: unknown): Promise<string | undefined> {
    const { client } = stage().temporal;
    const workflowId = `crafted-${newId('event')}`;
    const handle = await client.start(workflow, { workflowId, taskQueue: TASK_QUEUES.payments, args: [input] });
    await assert.rejects(handle.result());
    const { events = [] } = await handle.fetchHistory();
    const failed = events?.at(-1)?.workflowExecutionFailedEventAttributes?.failure;
    return failed?.cause?.applicationFailureInfo?.type ?? failed?.applicationFailureInfo?.type ?? undefined;
  }

  /** Everything that the database and the provider hold of the operations, but for alerts. */
  async function traces(...operationIds: string[]) {
    const { database } = stage();
    const where = { operationId: { in: operationIds } };
    return {
      deposits: await database.deposit.count(),
      withdrawals: await database.withdrawal.count(),
      players: await database.player.count({ where }),
      decisions: await database.decision.count(),
      events: await database.event.count({ where }),
      entries: await database.ledgerEntry.count({ where }),
      sends: await database.payoutSend.count(),
    };
  }

  async function alerts() {
    const open = await stage().database.alert.findMany({ where: { kind: 'UNPROVEN_ORDER', resolvedAt: null } });
    return open.map(({ objectId, operationId }) => [objectId, operationId]);
  }

  for (const [workflow, payment] of [
    [DEPOSIT_WORKFLOW, (operationId: string) => new ProvedDeposit(stage(), operationId)],
    [WITHDRAWAL_WORKFLOW, (operationId: string) => new ProvedWithdrawal(stage(), operationId)],
  ] as const) {
    describe(workflow, () => {
      let own: ProvedDeposit | ProvedWithdrawal;
      let victim: ProvedDeposit | ProvedWithdrawal;
      let before: Awaited<ReturnType<typeof traces>>;
      beforeEach(async () => {
        own = payment(await fundedOperation(stage()));
        victim = payment(await fundedOperation(stage()));
        before = await traces(own.operationId, victim.operationId);
        await stage().database.alert.deleteMany();
      });

      async function assertNothing(): Promise<void> {
        assert.deepEqual(await traces(own.operationId, victim.operationId), before);
        for (const { id } of [own, victim]) {
          assert.equal(stage().port.charge(id).creations, 0, 'nothing was charged');
          assert.equal(stage().port.payout(id).sends, 0, 'nothing was sent');
        }
      }

      for (const [what, craft] of Object.entries(CRAFTS))
        it(`create with ${what}: nothing, and an alert`, async () => {
          const order = craft(own.order, victim.order);
          assert.equal(await startedBy(workflow, { kind: 'create', order }), UNPROVEN_ORDER);
          await assertNothing();
          const { operationId = 'no known id' } = (order ?? {}) as Partial<Order>;
          assert.deepEqual(await alerts(), [[operationId, null]]);
        }).timeout(ACTION_MS);

      it('an order of the other kind is no order', async () => {
        const other = workflow === DEPOSIT_WORKFLOW ? WITHDRAWAL_WORKFLOW : DEPOSIT_WORKFLOW;
        assert.equal(await startedBy(other, { kind: 'create', order: own.order }), UNPROVEN_ORDER);
        await assertNothing();
        assert.equal((await alerts()).length, 1);
      }).timeout(ACTION_MS);

      it('many attempts on one operation raise one alert', async () => {
        for (const amountMinor of ['1', '2', '3'])
          await startedBy(workflow, { kind: 'create', order: { ...own.order, amountMinor } });
        assert.equal((await alerts()).length, 1);
      }).timeout(ACTION_MS);

      it('an order that is too old, from a history, creates nothing', async () => {
        const order = madeAt(own, Date.now() - ORDER_LASTS_MS - 1_000);
        assert.equal(await startedBy(workflow, { kind: 'create', order }), EXPIRED_ORDER);
        await assertNothing();
      }).timeout(ACTION_MS);

      it('reopen an invention, or a victim’s payment in another operation: nothing, and an alert', async () => {
        await victim.create();
        const isSettled = async () => ['pending', 'processing'].includes((await victim.status()) ?? '');
        await eventually(isSettled, 'the victim’s payment waits for its provider', ACTION_MS);
        before = await traces(own.operationId, victim.operationId);
        for (const id of [newId('deposit'), victim.id]) {
          const input = { kind: 'reopen', id, operationId: own.operationId };
          assert.match((await startedBy(workflow, input)) ?? '', /Missing$/);
        }
        assert.deepEqual(await traces(own.operationId, victim.operationId), before);
        assert.deepEqual(await alerts(), [[own.operationId, null]]);
      }).timeout(ACTION_MS);

      it('the api’s own order is created, without an alert', async () => {
        assert.equal((await own.create()).kind, 'answer');
        const after = await traces(own.operationId);
        assert.equal(after.deposits + after.withdrawals, before.deposits + before.withdrawals + 1);
        assert.deepEqual(await alerts(), []);
      }).timeout(ACTION_MS);
    });
  }

  function madeAt(payment: ProvedDeposit | ProvedWithdrawal, nowMs: number): Order {
    const { sealer } = stage();
    return payment instanceof ProvedDeposit
      ? sealedDepositOrder(sealer, payment.order, openDepositRequest(sealer, payment.order), nowMs)
      : sealedWithdrawalOrder(sealer, payment.order, openWithdrawalRequest(sealer, payment.order), nowMs);
  }
});
