// A whole gateway, used by the operator's tool: a payment is driven to an event, the event comes to this machine with a
// signature, the log says why a call was refused, and a sample day has every end.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createGatewayClient,
  readReconciliationDay,
  reconciliationDigest,
  reconciliationTotals,
  verifyWebhook,
} from '../../../../client/index.js';
import { readCredentials } from '../../../../client/tool/credentials.js';
import { listen } from '../../../../client/tool/listen.js';
import { redeliver, showDeliveries, showRequests } from '../../../../client/tool/logs.js';
import { trigger } from '../../../../client/tool/trigger.js';
import { eventually } from '../../../../lab/harness/eventually.js';
import { type Receiver, startReceiver } from '../../../../lab/harness/receiver.js';
import type { Stack } from '../../../../lab/harness/stack.js';
import { ensureSampleDay } from '../../../../sandbox/sample-day.js';
import type { OpenStack } from './open-stack.js';

export const toolTests = (openStack: OpenStack) =>
  describe('the operator’s tool', function () {
    this.timeout(60_000);
    let stack: Stack;
    let machine: Receiver;
    const ended = new AbortController();
    const printed: (Record<string, unknown> & { line: string })[] = [];
    const context = () => ({
      gateway: stack.client,
      print: (value: object, line: string) => void printed.push({ ...value, line }),
      signal: ended.signal,
    });
    before(async () => {
      stack = await openStack();
      machine = await startReceiver();
    });
    after(async () => {
      await machine.close();
      await stack.close();
    });
    beforeEach(() => void printed.splice(0));

    it('listen, trigger, deliveries, redeliver', async () => {
      const listening = listen(context(), new URL(machine.url));
      await eventually(() => printed.length === 1, 'the tool listens');
      await trigger(context(), ['deposit.paid']);
      const paid = printed.find(({ line }) => line.includes(' of dep_'))!;
      await machine.waitFor(String(paid['object_id']), 'deposit.paid');
      assert.deepEqual(machine.typesOf(String(paid['object_id'])), ['deposit.pending', 'deposit.paid']);
      ended.abort();
      await listening;

      // Its registered URL gets everything as before.
      await stack.receiver.waitFor(String(paid['object_id']), 'deposit.paid');
      printed.splice(0);
      await eventually(async () => {
        printed.splice(0);
        await showDeliveries(context(), { eventId: String(paid['event_id']), limit: 5 });
        return printed.length === 1;
      }, 'its delivery is logged');
      assert.match(printed[0]!.line, /deposit\.paid .* attempt 1: 200$/);

      machine.answerWith(500);
      assert.equal(await redeliver(context(), String(paid['event_id']), new URL(machine.url)), false);
      machine.answerWith(200);
      assert.equal(await redeliver(context(), String(paid['event_id']), new URL(machine.url)), true);
      const verified = verifyWebhook(
        { headers: machine.headers.at(-1)!, rawBody: Buffer.from(machine.bodies.at(-1)!) },
        { secrets: [stack.operation.webhook_secret], nowSeconds: Math.floor(Date.now() / 1_000) },
      );
      assert.ok(verified.ok && verified.event.id === paid['event_id']);
    });

    it('requests: why a call was refused, by its trace id', async () => {
      const { key_id: keyId } = stack.operation;
      const wrong = createGatewayClient({ baseUrl: stack.baseUrl, keyId, secret: 'another', maxAttempts: 1 });
      const refusal = await wrong.ping().catch((error: { traceId: string }) => error);
      await wrong.close();
      const traceId = (refusal as { traceId: string }).traceId;
      await eventually(async () => {
        printed.splice(0);
        await showRequests(context(), { traceId, onlyRefused: true, limit: 5 });
        return printed.length === 1;
      }, 'the call is logged');
      const { line, ...logged } = printed[0]!;
      assert.deepEqual([logged['status'], logged['code'], logged['signed']], [401, 'invalid_signature', false]);
      assert.match(line, /signature {10}is not the key’s/);
    });

    it('sample-day: every end in a closed day of an operation of its own, once', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'sample-day-'));
      try {
        const places = { file: join(folder, 'day.json'), baseUrl: stack.baseUrl, databaseUrl: stack.databaseUrl };
        const gateway = async (args: string[]) => {
          return { code: 0, stdout: JSON.stringify(await stack.gateway(...args)), stderr: '' };
        };
        const lines: string[] = [];
        const date = await ensureSampleDay(places, gateway, (line) => lines.push(line));
        const client = createGatewayClient({ ...readCredentials(places.file, {}), maxAttempts: 3 });
        const day = await readReconciliationDay(client, { date, currency: 'BRL' });
        const deposits = (await client.listDeposits({ limit: 200 })).body.data;
        const withdrawals = (await client.listWithdrawals({ limit: 200 })).body.data;
        await client.close();

        const ends = (payments: readonly { readonly status: string }[]) =>
          [...new Set(payments.map(({ status }) => status))].sort();
        assert.deepEqual(ends(deposits), [
          ...['cancelled', 'chargeback', 'expired', 'failed', 'paid', 'refunded', 'returned'],
        ]);
        assert.deepEqual(ends(withdrawals), ['cancelled', 'failed', 'paid', 'rejected', 'returned']);
        assert.equal(reconciliationDigest(day.items), day.digest);
        assert.deepEqual(reconciliationTotals(day.items, 'BRL'), day.totals);
        assert.match(lines.at(-1)!, new RegExp(`${date} is closed: ${day.items.length} items`));

        const before = lines.length;
        assert.equal(await ensureSampleDay(places, gateway, (line) => lines.push(line)), date);
        assert.equal(lines.length, before, 'the day of the first call is kept');
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
