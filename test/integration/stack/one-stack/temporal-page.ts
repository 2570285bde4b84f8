// What operations staff see of a payment in the Temporal UI , read from the described workflow; and what must
// never be there.
import assert from 'node:assert/strict';
import type { Client } from '@temporalio/client';
import pg from 'pg';
import { ofOperation, VIEWS } from '../../../../contract/temporal/ui-links.js';
import { eventually } from '../../../../lab/harness/eventually.js';
import { newDeposit, newPlayer, newWithdrawal, once } from '../../../../lab/harness/payments.js';
import type { Stack } from '../../../../lab/harness/stack.js';
import type { OpenStack } from './open-stack.js';

export const temporalPageTests = (openStack: OpenStack) =>
  describe('a payment’s page in the Temporal UI', () => {
    let stack: Stack;
    let client: Client;
    let sql: pg.Client;
    before(async function () {
      this.timeout(60_000);
      stack = await openStack();
      sql = new pg.Client({ connectionString: stack.databaseUrl });
      await sql.connect();
      client = stack.temporal.client;
    });
    after(async () => {
      await sql.end();
      await stack.close();
    });

    it('a paid deposit: its requests to the provider are kept for its page in the panel', async () => {
      const { id } = (await stack.client.createDeposit(newDeposit(), once())).body;
      await stack.client.sandbox.payDeposit(id, once());
      const kept = await eventually(async () => {
        const { rows } = await sql.query<{ request: string }>(
          `SELECT call || ' ' || path || ' ' || status AS request FROM provider_exchange WHERE payment_id = $1 ORDER BY id`,
          [id],
        );
        return rows.length > 1 ? rows : undefined;
      }, 'two requests');
      assert.deepEqual(
        kept.map(({ request }) => request),
        ['createCharge /simulator/cob/{…} 201', 'lookUpCharge /simulator/cob/{…} 200'],
      );
    });

    it('records no stack traces: they cost a third of a workflow thread (decision 0010)', async () => {
      const { id } = (await stack.client.createDeposit(newDeposit(), once())).body;
      await assert.rejects(client.workflow.getHandle(id).query('__stack_trace'), /stack traces are not enabled/);
    });

    for (const view of VIEWS) {
      it(`the server understands the view "${view.name}", also of one operation`, async () => {
        for (const { query } of [view, ofOperation(view, stack.operation.operation_id)]) {
          await client.workflow.count(query);
        }
      });
    }

    it('no personal data and no secret is in the history of a whole life', async () => {
      const player = newPlayer();
      const person = { ...player, name: 'Zuleica Quixadá', email: 'zuleica@quixada.test', device_id: 'device-quixada' };
      const deposit = (await stack.client.createDeposit(newDeposit('10000', person), once())).body;
      await stack.client.sandbox.payDeposit(deposit.id, once());
      const asked = { review_requested: true, review_reasons: ['Quixadá asked for it'] };
      const withdrawal = (await stack.client.createWithdrawal({ ...newWithdrawal(person), ...asked }, once())).body;
      await stack.client.sandbox.withdrawal(withdrawal.id, 'approve', once());
      await stack.client.sandbox.withdrawal(withdrawal.id, 'pay', once());
      await stack.receiver.waitFor(withdrawal.id, 'withdrawal.paid');
      for (const id of [deposit.id, withdrawal.id]) {
        const history = await client.workflow.getHandle(id).fetchHistory();
        const text = JSON.stringify(history, (_, value: unknown) =>
          value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
        );
        for (const secret of [
          player.document.number,
          'Quixad',
          'quixada',
          player.ip,
          stack.operation.secret,
          stack.operation.webhook_secret,
        ]) {
          assert.ok(
            !text.includes(secret),
            `the history of ${id} holds ${secret === player.ip ? 'the player’s address' : 'personal data or a secret'}`,
          );
        }
      }
    }).timeout(60_000);
  });
