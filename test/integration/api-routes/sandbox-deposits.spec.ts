// The sandbox actions on deposits, over Postgres and a scripted Temporal.
import assert from 'node:assert/strict';
import type { CallerOperation } from '../../../contract/http/route.js';
import type { RouteName } from '../../../contract/http/routes.js';
import { DEPOSIT_STATUSES, type DepositStatus } from '../../../domain/payments/deposit.js';
import { chargeReferenceOf } from '../../../domain/identifiers.js';
import { NO_ANSWER } from './support/fake-temporal.js';
import { Harness } from './support/harness.js';
import { moveDeposit } from './support/move-deposit.js';

describe('sandbox deposits (routes over Postgres)', () => {
  let harness: Harness;
  let operation: CallerOperation;

  before(async () => {
    harness = await Harness.create();
  });
  after(() => harness.close());
  beforeEach(async () => {
    harness.temporal.reset();
    harness.steering.reset();
    operation = await harness.operation();
  });

  const act = (name: RouteName, id: string, body?: unknown, params: Record<string, string> = {}) =>
    harness.call(name, { operation, params: { id, ...params }, body });
  const moves = (update: string, status: DepositStatus) => moveDeposit(harness, update, status);

  it('pay: the exact amount by the player, then the deposit looks', async () => {
    const deposit = await harness.insertDeposit(operation, {});
    moves('refresh', 'paid');
    const answer = await act('sandboxPayDeposit', deposit.id);
    assert.deepEqual([answer.status, answer.body['status']], [200, 'paid']);
    assert.deepEqual(harness.steering.calls, [`pay simulator ${chargeReferenceOf(deposit.id)} exact player`]);
    const [start] = harness.temporal.starts;
    assert.deepEqual(
      [start?.workflowId, start?.input, start?.reusePolicy, start?.conflictPolicy],
      [deposit.id, { kind: 'reopen', id: deposit.id, operationId: operation.id }, 'ALLOW_DUPLICATE', 'USE_EXISTING'],
    );
  });

  it('pay: another amount, another payer', async () => {
    const deposit = await harness.insertDeposit(operation, {});
    moves('refresh', 'under_review');
    assert.equal(
      (
        await act('sandboxPayDeposit', deposit.id, {
          payer_document: { type: 'PASSPORT', number: 'X1', country: 'PT' },
        })
      ).code,
      'document_invalid',
    );
    await act('sandboxPayDeposit', deposit.id, {
      paid_amount: { amount: '1', currency: 'BRL' },
      payer_document: { type: 'CPF', number: '11144477735', country: 'BR' },
    });
    const other = await harness.insertDeposit(operation, {});
    moves('refresh', 'under_review');
    await act('sandboxPayDeposit', other.id, {
      payer_document: { type: 'CNPJ', number: '12ABC34501DE35', country: 'BR' },
    });
    assert.deepEqual(harness.steering.calls, [
      `pay simulator ${chargeReferenceOf(deposit.id)} 1 11144477735`,
      `pay simulator ${chargeReferenceOf(other.id)} exact 12ABC34501DE35`,
    ]);
  });

  it('pay: another currency', async () => {
    const deposit = await harness.insertDeposit(operation, {});
    assert.deepEqual(
      (await act('sandboxPayDeposit', deposit.id, { paid_amount: { amount: '1', currency: 'USD' } })).errors,
      ['paid_amount.currency currency_mismatch'],
    );
    assert.deepEqual(harness.steering.calls, []);
  });

  for (const status of DEPOSIT_STATUSES) {
    const isPayable = (['pending', 'expired', 'cancelled', 'failed'] as readonly string[]).includes(status);
    it(`pay from ${status} → ${isPayable ? 200 : 409}`, async () => {
      const deposit = await harness.insertDeposit(operation, { status });
      harness.temporal.script('refresh', () => ({ status }));
      const answer = await act('sandboxPayDeposit', deposit.id);
      assert.equal(answer.code ?? answer.status, isPayable ? 200 : 'invalid_state_transition');
    });
  }

  it('pay: nobody can pay a charge that the provider refused, nor one twice; a silent simulator is 503', async () => {
    const deposit = await harness.insertDeposit(operation, { status: 'failed' });
    for (const [answer, expected] of [
      [{ kind: 'not_found' }, 'invalid_state_transition'],
      [{ kind: 'refused', reason: 'paid' }, 'invalid_state_transition'],
      [{ kind: 'unavailable', reason: 'down' }, 'service_unavailable'],
    ] as const) {
      harness.steering.answer = () => answer;
      assert.equal((await act('sandboxPayDeposit', deposit.id)).code, expected);
    }
  });

  it('pay: what was paid stands although no worker answers', async () => {
    const deposit = await harness.insertDeposit(operation, {});
    harness.temporal.script('refresh', () => {
      throw NO_ANSWER;
    });
    const answer = await act('sandboxPayDeposit', deposit.id);
    assert.deepEqual([answer.status, answer.body['status']], [200, 'pending']);
  });

  it('expire: from pending; 409 from any other state; 503 without a worker', async () => {
    const deposit = await harness.insertDeposit(operation, {});
    assert.equal((await act('sandboxExpireDeposit', deposit.id)).code, 'service_unavailable');
    moves('expire', 'expired');
    assert.equal((await act('sandboxExpireDeposit', deposit.id)).body['status'], 'expired');
    harness.temporal.script('expire', () => ({ kind: 'invalid_state' }));
    for (const status of DEPOSIT_STATUSES.filter((one) => one !== 'pending')) {
      const other = await harness.insertDeposit(operation, { status });
      assert.equal((await act('sandboxExpireDeposit', other.id)).code, 'invalid_state_transition', status);
    }
  });

  for (const [route, kind, status] of [
    ['sandboxRefundDeposit', 'refund', 'refunded'],
    ['sandboxChargeBackDeposit', 'chargeback', 'chargeback'],
  ] as const) {
    it(`${kind}: paid → ${status}, waiting for a reversal that is pending at the provider`, async () => {
      const deposit = await harness.insertDeposit(operation, { status: 'paid' });
      let asked = 0;
      harness.temporal.script('refresh', async () => {
        asked += 1;
        if (asked < 3) return { status: 'paid' };
        await harness.setDeposit(deposit.id, { status, version: 4 });
        return { status };
      });
      const answer = await act(route, deposit.id, {});
      assert.deepEqual([answer.status, answer.body['status'], asked], [200, status, 3]);
      assert.deepEqual(harness.steering.calls, [`${kind} simulator ${chargeReferenceOf(deposit.id)}`]);
    });

    for (const from of DEPOSIT_STATUSES.filter((one) => one !== 'paid')) {
      it(`${kind} from ${from} → 409`, async () => {
        const deposit = await harness.insertDeposit(operation, { status: from });
        assert.equal((await act(route, deposit.id)).code, 'invalid_state_transition');
        assert.deepEqual(harness.steering.calls, []);
      });
    }
  }

  it('partial reversal: a part of what was paid goes back; the deposit is as it is', async () => {
    const paid = await harness.insertDeposit(operation, { status: 'paid' });
    const part = (currency: string) => ({ kind: 'chargeback', amount: { amount: '100', currency } });
    const answer = await act('sandboxReverseDepositInPart', paid.id, part('BRL'));
    assert.deepEqual([answer.status, answer.body['status']], [200, 'paid']);
    assert.deepEqual(harness.steering.calls, [`chargeback simulator ${chargeReferenceOf(paid.id)} 100`]);
    assert.deepEqual((await act('sandboxReverseDepositInPart', paid.id, part('USD'))).errors, [
      'amount.currency currency_mismatch',
    ]);
    harness.steering.answer = () => ({ kind: 'refused', reason: 'exceeds_payment' });
    assert.equal((await act('sandboxReverseDepositInPart', paid.id, part('BRL'))).code, 'invalid_state_transition');
    const pending = await harness.insertDeposit(operation, {});
    assert.equal((await act('sandboxReverseDepositInPart', pending.id, part('BRL'))).code, 'invalid_state_transition');
  });

  it('approve: a payment that cannot be credited is 409 with the deposit; without a worker 503', async () => {
    const deposit = await harness.insertDeposit(operation, { status: 'under_review' });
    const approve = () => act('sandboxReviewDeposit', deposit.id, undefined, { decision: 'approve' });
    harness.temporal.script('review', () => ({ kind: 'invalid_state' }));
    const refused = await approve();
    assert.equal(refused.code, 'invalid_state_transition');
    assert.match(String(refused.problem?.detail), /can only be returned/);
    assert.equal((refused.problem?.existing as { id: string }).id, deposit.id);
    harness.temporal.script('review', () => {
      throw NO_ANSWER;
    });
    assert.equal((await approve()).code, 'service_unavailable');
  });

  it('another operation’s deposit: 404 on every action', async () => {
    const foreign = await harness.insertDeposit(await harness.operation(), {});
    for (const route of [
      'sandboxPayDeposit',
      'sandboxExpireDeposit',
      'sandboxRefundDeposit',
      'sandboxChargeBackDeposit',
    ] as const)
      assert.equal((await act(route, foreign.id)).code, 'not_found');
  });
});
