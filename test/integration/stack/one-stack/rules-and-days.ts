// A whole gateway: an operator proposes other rules and two people approve them; a closed day is verified from outside.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Stack } from '../../../../lab/harness/stack.js';
import type { OpenStack } from './open-stack.js';
import { eventually } from '../../../../lab/harness/eventually.js';

export const rulesAndDaysTests = (openStack: OpenStack) =>
  describe('rules and days, end to end', function () {
    this.timeout(90_000);
    let stack: Stack;
    before(async () => {
      stack = await openStack();
    });
    after(() => stack.close());

    /** The digest of a change's report, once the worker has computed it. */
    async function digestOf(id: string): Promise<string> {
      return String(
        await eventually(
          async () => (await stack.gateway('rules', 'changes', 'show', id))['digest'],
          `a report of ${id}`,
        ),
      );
    }

    it('a proposed change takes effect after two approvals: new version, new ETag, rules.updated delivered', async () => {
      const { headers } = await stack.client.rules();
      const ifMatch = String(headers['etag']);
      const proposed = { version: 1, currencies: { BRL: { auto_multiplier: '4' } } };
      const key = { idempotencyKey: randomUUID(), ifMatch };
      const { status, body: change } = await stack.client.requestRuleChange(
        { rules: proposed, justification: 'campaign' },
        key,
      );
      assert.deepEqual([status, change.status], [202, 'pending_approval']);

      const digest = await digestOf(change.id);
      const refused = stack.gateway(
        'rules',
        'changes',
        'approve',
        change.id,
        '--as',
        'ana',
        '--digest',
        'f'.repeat(64),
      );
      await assert.rejects(refused, /the digest is not that of its report/);
      await stack.gateway('rules', 'changes', 'approve', change.id, '--as', 'ana', '--digest', digest);
      assert.equal((await stack.client.rules()).body.version, 1, 'one approval is not enough');
      const approved = await stack.gateway('rules', 'changes', 'approve', change.id, '--as', 'ben', '--digest', digest);
      assert.deepEqual([approved['status'], approved['applied_version']], ['approved', 2]);

      const now = await stack.client.rules();
      assert.deepEqual([now.body.version, now.body.currencies['BRL']?.['auto_multiplier']], [2, '4']);
      assert.notEqual(now.headers['etag'], ifMatch);

      const { body: events } = await stack.client.listEvents({ object_id: stack.operation.operation_id });
      assert.deepEqual(
        events.data.map(({ type, object_version, data }) => [type, object_version, data.object]),
        [['rules.updated', 2, now.body]],
      );
      await stack.receiver.waitFor(stack.operation.operation_id, 'rules.updated', 20_000);
    });

    it('a closed day verifies from outside', async () => {
      const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
      const database = new pg.Client({ connectionString: stack.databaseUrl });
      await database.connect();
      await database.query(
        `INSERT INTO ledger_entry (operation_id, provider, object_id, step, movement, currency, account, amount_minor,
         created_at)
       SELECT $1, 'simulator', 'dep_' || md5(n::text), '3', 'deposit_credited', 'BRL', 'available', n, $2::timestamptz
       FROM generate_series(1, 250) AS n`,
        [stack.operation.operation_id, `${day}T12:00:00Z`],
      );
      await database.end();
      const { operation_id: operationId, key_id: keyId, secret, webhook_secret: webhookSecret } = stack.operation;
      const verified = await stack.gateway(
        'reconcile',
        'verify',
        '--date',
        day,
        '--operation',
        operationId,
        '--key-id',
        keyId,
        '--secret',
        secret,
        '--webhook-secret',
        webhookSecret,
        '--base-url',
        stack.baseUrl,
      );
      assert.deepEqual([verified['ok'], verified['pages'], verified['items']], [true, 2, 250]);
    });
  });
