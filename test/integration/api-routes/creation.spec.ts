// POST /deposits and POST /withdrawals: what reaches the workflow, and how its outcomes are answered.
import assert from 'node:assert/strict';
import type { DepositOrder, WithdrawalOrder } from '../../../contract/temporal/payment.js';
import type { CallerOperation } from '../../../contract/http/route.js';
import { newId } from '../../../domain/identifiers.js';
import { writeJson } from '../../../domain/money.js';
import { DEPOSIT_REFUSALS, WITHDRAWAL_REFUSALS } from '../../../domain/rules/verdicts.js';
import { checkOrder, openDepositRequest, openWithdrawalRequest } from '../../../store/sealing/orders.js';
import { changed, DEPOSIT, WITHDRAWAL } from '../../unit/http-schemas/bodies.js';
import { depositSnapshotOf, withdrawalSnapshotOf } from '../../unit/http-schemas/snapshots.js';
import { NO_ANSWER, updateFailure } from './support/fake-temporal.js';
import { Harness } from './support/harness.js';

describe('creations (routes over Postgres)', () => {
  let harness: Harness;
  let operation: CallerOperation;

  before(async () => {
    harness = await Harness.create();
  });
  after(() => harness.close());
  beforeEach(async () => {
    harness.temporal.reset();
    operation = await harness.operation();
  });

  const createDeposit = (body: unknown = DEPOSIT, objectId = newId('deposit')) =>
    harness.call('createDeposit', { operation, body, objectId });
  const createWithdrawal = (body: unknown = WITHDRAWAL, objectId = newId('withdrawal')) =>
    harness.call('createWithdrawal', { operation, body, objectId });

  describe('POST /deposits', () => {
    it('starts the workflow by update-with-start, findable in Temporal, with personal data sealed', async () => {
      const id = newId('deposit');
      harness.temporal.script('creation', () => ({
        kind: 'created',
        snapshot: depositSnapshotOf({ id, operationId: operation.id }),
      }));
      const body = {
        ...DEPOSIT,
        player: { ...DEPOSIT.player, name: 'Maria da Silva' },
        metadata: { note: 'n1' },
        expires_in_seconds: 600,
      };
      const answer = await createDeposit(body, id);
      assert.equal(answer.status, 201);
      const [start] = harness.temporal.starts;
      const { order } = start?.input as { order: DepositOrder };
      const { sealedRequest, proof: _, ...open } = order;
      assert.equal(checkOrder(harness.sealer, 'deposit', order, Date.now()), 'proven');
      assert.deepEqual(open, {
        id,
        operationId: operation.id,
        operationName: 'acme',
        environment: 'sandbox',
        provider: 'simulator',
        externalId: 'order-1',
        playerRef: 'player-1',
        amountMinor: 5000n,
        currency: 'BRL',
        expiresInSeconds: 600,
      });
      assert.deepEqual(openDepositRequest(harness.sealer, order), {
        amount: { amount: '5000', currency: 'BRL' },
        player: body.player,
        metadata: { note: 'n1' },
      });
      assert.ok(
        !writeJson(start).includes('Maria') && !writeJson(start).includes('52998224725'),
        'personal data in the start',
      );
      assert.deepEqual(
        { ...start, input: undefined },
        {
          workflowType: 'deposit',
          workflowId: id,
          taskQueue: 'payments',
          input: undefined,
          reusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
          conflictPolicy: 'USE_EXISTING',
          staticSummary: 'deposit R$ 50,00 · op acme',
          searchAttributes: {
            OperationId: operation.id,
            ExternalId: 'order-1',
            PaymentKind: 'deposit',
            PaymentStatus: 'pending',
            WaitingFor: 'payment',
            AmountMinor: 5000,
            Summary: 'R$ 50,00 · acme',
          },
        },
      );
      assert.equal(harness.temporal.messages[0]?.updateId, 'creation');
      assert.equal(harness.temporal.deadlines.length, 1, 'the wait has a deadline');
    });

    it('an amount beyond 2^53 is shown as the largest searchable number and kept exact in the order', async () => {
      harness.temporal.script('creation', () => ({ kind: 'created', snapshot: depositSnapshotOf({}) }));
      await createDeposit(changed(DEPOSIT, 'amount.amount', '9'.repeat(38)));
      const [start] = harness.temporal.starts;
      assert.equal(start?.searchAttributes['AmountMinor'], Number.MAX_SAFE_INTEGER);
      assert.equal((start?.input as { order: DepositOrder }).order.amountMinor, BigInt('9'.repeat(38)));
    });

    for (const [status, expected] of [
      ['pending', 201],
      ['failed', 201],
      ['created', 202],
    ] as const) {
      it(`${status} → ${expected}`, async () => {
        harness.temporal.script('creation', () => ({ kind: 'created', snapshot: depositSnapshotOf({ status }) }));
        const answer = await createDeposit();
        assert.equal(answer.status, expected);
        assert.equal(answer.body['status'], status);
      });
    }

    for (const code of DEPOSIT_REFUSALS) {
      it(`refused: ${code}`, async () => {
        harness.temporal.script('creation', () => ({ kind: 'refused', code }));
        assert.equal((await createDeposit()).code, code);
      });
    }

    it('duplicate external_id → 409 with the existing deposit as it is now', async () => {
      const existing = await harness.insertDeposit(operation, { status: 'created', version: 1 });
      harness.temporal.script('creation', () => ({ kind: 'duplicate', existingId: existing.id }));
      harness.temporal.script('deposit', () => ({ ...existing, status: 'pending', version: 2 }));
      const answer = await createDeposit(changed(DEPOSIT, 'external_id', existing.externalId));
      assert.equal(answer.code, 'duplicate_external_id');
      const found = answer.problem?.existing as { id: string; version: number };
      assert.deepEqual([found.id, found.version], [existing.id, 2]);
    });

    it('a used external_id answers before the refusals of the rules (check 7) and before 503 (check 8)', async () => {
      const { externalId } = await harness.insertDeposit(operation, { status: 'paid' });
      const used = changed(DEPOSIT, 'external_id', externalId);
      harness.temporal.script('creation', () => ({ kind: 'refused', code: 'amount_below_minimum' }));
      assert.equal((await createDeposit(used)).code, 'duplicate_external_id');
      assert.equal((await createDeposit()).code, 'amount_below_minimum');
      harness.temporal.isDown = true;
      assert.equal((await createDeposit(used)).code, 'duplicate_external_id');
    });

    it('the workflow names the deposit itself as the duplicate → the deposit, not 409', async () => {
      const own = await harness.insertDeposit(operation, {});
      harness.temporal.script('creation', () => ({ kind: 'duplicate', existingId: own.id }));
      const answer = await createDeposit(changed(DEPOSIT, 'external_id', own.externalId), own.id);
      assert.deepEqual([answer.status, answer.body['id']], [201, own.id]);
    });

    for (const [title, failure] of [
      ['the rules or the database are down', updateFailure('CreationUnavailable')],
      ['no worker answers before the deadline', NO_ANSWER],
    ] as const) {
      it(`${title} → 503 with Retry-After`, async () => {
        harness.temporal.script('creation', () => {
          throw failure;
        });
        const { problem } = await createDeposit();
        assert.deepEqual([problem?.code, problem?.retryAfterSeconds], ['service_unavailable', 2]);
      });
    }

    it('an earlier run of the same request could not be decided → another update starts a new one', async () => {
      const id = newId('deposit');
      harness.temporal.script('creation', ({ updateId }) => {
        // As Temporal does it: the known update is answered from the history of the run that failed.
        if (updateId === 'creation') throw updateFailure('CreationUnavailable');
        return { kind: 'created', snapshot: depositSnapshotOf({ id }) };
      });
      assert.equal((await createDeposit(DEPOSIT, id)).status, 201);
      assert.deepEqual(
        harness.temporal.starts.map(({ workflowId, reusePolicy }) => [workflowId, reusePolicy]),
        [
          [id, 'ALLOW_DUPLICATE_FAILED_ONLY'],
          [id, 'ALLOW_DUPLICATE_FAILED_ONLY'],
        ],
      );
      // The failed run may have refused the order: with the same proof, the new one would be taken for a copy.
      const [one, other] = harness.temporal.starts.map(({ input }) => (input as { order: DepositOrder }).order);
      assert.ok(one && other && one.proof !== other.proof);
      assert.deepEqual({ ...other, proof: one.proof }, one);
      assert.equal(checkOrder(harness.sealer, 'deposit', other, Date.now()), 'proven');
    });

    it('Temporal is down → 503', async () => {
      harness.temporal.isDown = true;
      assert.equal((await createDeposit()).code, 'service_unavailable');
    });

    it('no answer in time although the deposit was made → 202', async () => {
      const made = await harness.insertDeposit(operation, { status: 'created', version: 1 });
      const answer = await createDeposit(changed(DEPOSIT, 'external_id', made.externalId), made.id);
      assert.deepEqual([answer.status, answer.body['id']], [202, made.id]);
    });

    it('repeated while the first answer was `created`: the deposit as it is now', async () => {
      const made = await harness.insertDeposit(operation, { status: 'created', version: 1 });
      const repeat = () => createDeposit(changed(DEPOSIT, 'external_id', made.externalId), made.id);
      harness.temporal.script('creation', () => ({ kind: 'created', snapshot: made }));
      const early = await repeat();
      assert.deepEqual([early.status, early.body['status'], early.body['version']], [202, 'created', 1]);
      await harness.database.deposit.update({
        where: { id: made.id },
        data: { status: 'pending', version: 2, copyPaste: 'pix' },
      });
      const late = await repeat();
      assert.deepEqual([late.status, late.body['status'], late.body['version']], [201, 'pending', 2]);
    });

    it('a bug in the workflow is a fault, not an answer', async () => {
      harness.temporal.script('creation', () => {
        throw updateFailure('TypeError');
      });
      await assert.rejects(createDeposit());
    });

    it('a repeat after the workflow has ended → the first outcome', async () => {
      const id = newId('deposit');
      harness.temporal.ended.set(
        id,
        new Map([['creation', { kind: 'created', snapshot: depositSnapshotOf({ id, status: 'failed' }) }]]),
      );
      const answer = await createDeposit(DEPOSIT, id);
      assert.deepEqual([answer.status, answer.body['status']], [201, 'failed']);
    });

    it('a repeat after a refusal has ended → the refusal again', async () => {
      const id = newId('deposit');
      harness.temporal.ended.set(id, new Map([['creation', { kind: 'refused', code: 'player_blocked' }]]));
      assert.equal((await createDeposit(DEPOSIT, id)).code, 'player_blocked');
    });

    it('a repeat after another run has refused it and ended → the refusal again', async () => {
      const id = newId('deposit');
      harness.temporal.ended.set(id, new Map());
      harness.temporal.results.set(id, { kind: 'refused', code: 'player_blocked' });
      assert.equal((await createDeposit(DEPOSIT, id)).code, 'player_blocked');
    });

    it('ended and its history gone → the row; without a row 503', async () => {
      const made = await harness.insertDeposit(operation, { status: 'expired', version: 3 });
      harness.temporal.ended.set(made.id, new Map());
      const answer = await createDeposit(DEPOSIT, made.id);
      assert.deepEqual([answer.status, answer.body['status']], [201, 'expired']);
      const other = newId('deposit');
      harness.temporal.ended.set(other, new Map());
      assert.equal((await createDeposit(DEPOSIT, other)).code, 'service_unavailable');
    });

    it('checks that refuse start no workflow', async () => {
      for (const body of [
        changed(DEPOSIT, 'method', 'card'),
        changed(DEPOSIT, 'player.document.number', '12345678900'),
        changed(DEPOSIT, 'amount.currency', 'USD'),
        changed(DEPOSIT, 'player.email', 'x'),
      ]) {
        assert.notEqual((await createDeposit(body)).code, undefined);
      }
      assert.deepEqual(harness.temporal.starts, []);
    });

    it('a used external_id answers before checks 6 and 6b, and after 3 and 4', async () => {
      const { externalId } = await harness.insertDeposit(operation, { status: 'paid' });
      const used = changed(DEPOSIT, 'external_id', externalId);
      assert.equal((await createDeposit(changed(used, 'amount.currency', 'USD'))).code, 'duplicate_external_id');
      assert.equal((await createDeposit(changed(used, 'player.email', 'x'))).code, 'duplicate_external_id');
      assert.equal((await createDeposit(changed(used, 'method', 'card'))).code, 'method_not_enabled');
      assert.equal(
        (await createDeposit(changed(used, 'player.document.number', '12345678900'))).code,
        'document_invalid',
      );
    });

    it('a repeat that a later check would refuse by now is answered with the deposit that it made', async () => {
      const own = await harness.insertDeposit(operation, {});
      const repeated = changed(changed(DEPOSIT, 'external_id', own.externalId), 'amount.currency', 'USD');
      const answer = await createDeposit(repeated, own.id);
      assert.deepEqual([answer.status, (answer.body as { id: string }).id], [201, own.id]);
      assert.equal((await createDeposit(repeated)).code, 'duplicate_external_id');
    });

    it('another operation’s external_id is free', async () => {
      const other = await harness.operation();
      const { externalId } = await harness.insertDeposit(other, {});
      assert.equal(
        (await createDeposit(changed(changed(DEPOSIT, 'external_id', externalId), 'amount.currency', 'USD'))).code,
        'currency_not_enabled',
      );
    });

    it('what is required depends on the operation’s provider', async () => {
      operation = await harness.operation({ provider: 'b' });
      assert.deepEqual((await createDeposit()).errors, ['player.name required_by_operation']);
    });
  });

  describe('POST /withdrawals', () => {
    it('starts the workflow with everything it decides by', async () => {
      const id = newId('withdrawal');
      harness.temporal.script('creation', () => ({ kind: 'created', snapshot: withdrawalSnapshotOf({ id }) }));
      const body = {
        ...WITHDRAWAL,
        review_requested: true,
        review_reasons: ['vip', 'new device', 'vip'],
        player_context: { net_gaming_result: '0' },
        metadata: { a: 'b' },
      };
      const answer = await createWithdrawal(body, id);
      assert.deepEqual([answer.status, answer.body['id']], [201, id]);
      const [start] = harness.temporal.starts;
      const { order } = start?.input as { order: WithdrawalOrder };
      const { sealedRequest, proof: _, ...open } = order;
      assert.equal(checkOrder(harness.sealer, 'withdrawal', order, Date.now()), 'proven');
      assert.deepEqual(open, {
        id,
        operationId: operation.id,
        operationName: 'acme',
        environment: 'sandbox',
        provider: 'simulator',
        externalId: 'payout-1',
        playerRef: 'player-1',
        amountMinor: 3000n,
        currency: 'BRL',
        reviewRequested: true,
        operatorReasons: 2,
        hasPlayerIp: true,
        destinationType: 'cpf',
      });
      assert.deepEqual(openWithdrawalRequest(harness.sealer, order), {
        amount: { amount: '3000', currency: 'BRL' },
        player: body.player,
        destination: body.destination,
        review_reasons: ['vip', 'new device', 'vip'],
        player_context: { net_gaming_result: '0' },
        metadata: { a: 'b' },
      });
      assert.deepEqual(
        [start?.workflowType, start?.reusePolicy, start?.staticSummary],
        ['withdrawal', 'ALLOW_DUPLICATE_FAILED_ONLY', 'withdrawal R$ 30,00 · op acme'],
      );
      // What it is a moment later, if the rules let it: its own process corrects anything else.
      assert.equal(start?.searchAttributes['PaymentStatus'], 'processing');
    });

    it('seals the key as the directory spells it, so that every later step uses one spelling', async () => {
      const id = newId('withdrawal');
      harness.temporal.script('creation', () => ({ kind: 'created', snapshot: withdrawalSnapshotOf({ id }) }));
      const pix = { key_type: 'email', key: 'Maria@Player.TEST' };
      const answer = await createWithdrawal({ ...WITHDRAWAL, destination: { pix } }, id);
      assert.equal(answer.status, 201);
      const { order } = harness.temporal.starts[0]?.input as { order: WithdrawalOrder };
      const { destination } = openWithdrawalRequest(harness.sealer, order);
      assert.deepEqual(destination, { pix: { key_type: 'email', key: 'maria@player.test' } });
    });

    for (const status of ['approved', 'under_review', 'requested'] as const) {
      it(`${status} → 201`, async () => {
        harness.temporal.script('creation', () => ({ kind: 'created', snapshot: withdrawalSnapshotOf({ status }) }));
        const answer = await createWithdrawal();
        assert.deepEqual([answer.status, answer.body['status']], [201, status]);
      });
    }

    for (const code of WITHDRAWAL_REFUSALS) {
      it(`refused: ${code}`, async () => {
        harness.temporal.script('creation', () => ({ kind: 'refused', code }));
        assert.equal((await createWithdrawal()).code, code);
      });
    }

    it('without player.ip the workflow knows', async () => {
      harness.temporal.script('creation', () => ({ kind: 'created', snapshot: withdrawalSnapshotOf({}) }));
      const { ip: _ip, ...player } = WITHDRAWAL.player;
      await createWithdrawal({ ...WITHDRAWAL, player });
      assert.equal((harness.temporal.starts[0]?.input as { order: WithdrawalOrder }).order.hasPlayerIp, false);
    });

    it('duplicate external_id → 409 with the existing withdrawal', async () => {
      const existing = await harness.insertWithdrawal(operation, { status: 'paid', version: 4 });
      harness.temporal.script('creation', () => ({ kind: 'duplicate', existingId: existing.id }));
      const answer = await createWithdrawal(changed(WITHDRAWAL, 'external_id', existing.externalId));
      assert.deepEqual(
        [answer.code, (answer.problem?.existing as { id: string }).id],
        ['duplicate_external_id', existing.id],
      );
    });

    it('a deposit’s external_id is free for a withdrawal', async () => {
      const { externalId } = await harness.insertDeposit(operation, {});
      const body = changed(changed(WITHDRAWAL, 'external_id', externalId), 'amount.currency', 'USD');
      assert.equal((await createWithdrawal(body)).code, 'currency_not_enabled');
    });
  });
});
