// What support is given, found on the real processes: from the trace id of a request to the reason, from the id of a
// return to the deposit.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createGatewayClient } from '../../../../client/index.js';
import { newDeposit, newPlayer, newWithdrawal, once } from '../../../../lab/harness/payments.js';
import type { Stack } from '../../../../lab/harness/stack.js';
import type { OpenStack } from './open-stack.js';

interface Hit {
  readonly type: string;
  readonly id: string;
  readonly status?: string;
  readonly found_by: readonly string[];
  readonly reasons?: readonly string[];
  readonly waits_for?: { readonly for: string; readonly source: string; readonly problem: string | null };
  readonly workflow?: { readonly says: string | null };
  readonly request?: { readonly response_status: number };
}

export const findTests = (openStack: OpenStack) =>
  describe('gateway find, on the real processes', function () {
    this.timeout(60_000);
    let stack: Stack;
    before(async () => {
      stack = await openStack();
    });
    after(() => stack.close());

    const clientUnder = (traceId: string) =>
      createGatewayClient({
        baseUrl: stack.baseUrl,
        keyId: stack.operation.key_id,
        secret: stack.operation.secret,
        traceId: () => traceId,
      });
    const find = async (text: string) => (await stack.gateway('find', text))['hits'] as readonly Hit[];
    const newTraceId = () => randomBytes(16).toString('hex');

    it('from the trace id of a withdrawal to why it waits', async () => {
      const player = newPlayer();
      const [payTrace, withdrawalTrace] = [newTraceId(), newTraceId()];
      const deposit = (await stack.client.createDeposit(newDeposit('10000', player), once())).body;
      await clientUnder(payTrace).sandbox.payDeposit(deposit.id, once());
      const withdrawal = (await clientUnder(withdrawalTrace).createWithdrawal(newWithdrawal(player), once())).body;
      const [hit, ...others] = await find(withdrawalTrace);
      assert.deepEqual(
        [hit?.id, hit?.status, hit?.found_by, hit?.reasons, hit?.request?.response_status, others],
        [withdrawal.id, 'under_review', ['trace_id'], ['FIRST_WITHDRAWAL'], 201, []],
      );
      assert.deepEqual(
        [hit?.waits_for?.for, hit?.waits_for?.source, hit?.waits_for?.problem],
        ['review', 'workflow', null],
      );
      assert.match(hit?.workflow?.says ?? '', /FIRST_WITHDRAWAL/);
      const { decisions } = (await stack.gateway(
        'decision',
        'show',
        withdrawal.external_id,
        '--operation',
        stack.operation.operation_id,
      )) as { decisions: { why: { code: string }[] }[] };
      assert.deepEqual(
        decisions[0]?.why.map(({ code }) => code),
        ['FIRST_WITHDRAWAL'],
      );
      assert.deepEqual(
        (await find(payTrace)).map(({ id, request }) => [id, request?.response_status]),
        [[deposit.id, 200]],
        'an action leads to the payment that it acted on',
      );
    });
  });
