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

    async function page(workflowId: string) {
      const handle = client.workflow.getHandle(workflowId);
      const described = await handle.describe();
      const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
      const attributes = Object.fromEntries(
        described.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
      );
      return {
        summary: await described.staticSummary(),
        details: await described.staticDetails(),
        current: metadata.currentDetails ?? '',
        attributes,
      };
    }

    it('a pending deposit: what it is, what it waits for, since when and until when', async () => {
      const request = newDeposit();
      const { id, expires_at } = (await stack.client.createDeposit(request, once())).body;
      const shown = await page(id);
      assert.equal(shown.summary, 'deposit R$ 50,00 · op acme');
      assert.ok(shown.details?.includes(request.external_id));
      const expiry = new Date(Date.parse(expires_at) + 120_000).toISOString();
      assert.match(
        shown.current,
        new RegExp(String.raw`^\*\*pending\*\* · waits for \*\*payment\*\* since \S+ · next: expires at ${expiry}$`),
      );
      assert.deepEqual(
        [
          shown.attributes['PaymentKind'],
          shown.attributes['PaymentStatus'],
          shown.attributes['WaitingFor'],
          shown.attributes['AmountMinor'],
        ],
        ['deposit', 'pending', 'payment', 5000],
      );
      assert.deepEqual(
        [shown.attributes['OperationId'], shown.attributes['ExternalId']],
        [stack.operation.operation_id, request.external_id],
      );
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

    it('a withdrawal under review: who must do what, and why', async () => {
      const player = newPlayer();
      const funding = (await stack.client.createDeposit(newDeposit('10000', player), once())).body;
      await stack.client.sandbox.payDeposit(funding.id, once());
      const asked = { review_requested: true, review_reasons: ['Zuleica asked', 'large win'] };
      const { id } = (await stack.client.createWithdrawal({ ...newWithdrawal(player), ...asked }, once())).body;
      const shown = await page(id);
      const reasons = ['FIRST_WITHDRAWAL', 'OPERATOR_REVIEW_REQUESTED'];
      const next = `1 approval or a refusal \\(${reasons.join(', ')}; OP: 2, see gateway review show ${id}\\)`;
      assert.match(
        shown.current,
        new RegExp(`^\\*\\*under_review\\*\\* · waits for \\*\\*review\\*\\* since \\S+ · next: ${next}$`),
      );
      assert.deepEqual([shown.attributes['WaitingFor'], shown.attributes['ReviewReasons']], ['review', reasons]);
      const amount = shown.summary?.replace(/^withdrawal | · op acme$/g, '');
      assert.equal(shown.attributes['Summary'], `${amount} · acme · ${reasons.join(', ')}, OP: 2`);
      const found = client.workflow.list({
        query: `WaitingFor = "review" AND ExecutionStatus = "Running" AND OperationId = "${stack.operation.operation_id}"`,
      });
      const ids = await eventually(async () => {
        const listed: string[] = [];
        for await (const { workflowId } of found) listed.push(workflowId);
        return listed.length > 0 ? listed : null;
      }, 'it is listed');
      assert.deepEqual(ids, [id]);
    });

    for (const view of VIEWS) {
      it(`the server understands the view "${view.name}", also of one operation`, async () => {
        for (const { query } of [view, ofOperation(view, stack.operation.operation_id)]) {
          await client.workflow.count(query);
        }
      });
    }

    it('an ended deposit: nothing is awaited', async () => {
      const { id } = (await stack.client.createDeposit(newDeposit(), once())).body;
      await stack.client.cancelDeposit(id, once());
      const described = await eventually(async () => {
        const description = await client.workflow.getHandle(id).describe();
        return description.status.name === 'COMPLETED' ? description : null;
      }, 'it has ended');
      const attributes = Object.fromEntries(
        described.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
      );
      assert.deepEqual([attributes['PaymentStatus'], attributes['WaitingFor']], ['cancelled', 'nothing']);
    });

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
