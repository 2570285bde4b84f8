// The sandbox switches of an operation (outage, webhook deliveries), and the answers where the sandbox is disabled.
import assert from 'node:assert/strict';
import type { CallerOperation } from '../../../contract/http/route.js';
import type { RouteName } from '../../../contract/http/routes.js';
import { deliveryPage } from '../../../contract/http/schemas/sandbox.js';
import { newId } from '../../../domain/identifiers.js';
import { Harness } from './support/harness.js';

describe('sandbox switches (routes over Postgres)', () => {
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
  it('outage: per operation, and back', async () => {
    const other = await harness.operation();
    for (const down of [true, false]) {
      const answer = await harness.call('sandboxSetOutage', { operation, body: { down } });
      assert.deepEqual([answer.status, answer.body], [200, { down }]);
      const rows = await harness.database.operation.findMany({
        where: { id: { in: [operation.id, other.id] }, outage: true },
      });
      assert.deepEqual(
        rows.map(({ id }) => id),
        down ? [operation.id] : [],
      );
    }
  });

  const insertEvent = async (tenant: CallerOperation) => {
    const id = newId('event');
    await harness.database.event.create({
      data: {
        id,
        operationId: tenant.id,
        sequence: 1,
        type: 'deposit.paid',
        objectId: id.replace('evt', 'dep'),
        objectVersion: 3,
        bodySealed: Buffer.from('sealed'),
        createdAt: new Date(),
      },
    });
    return id;
  };

  it('GET /sandbox/webhooks: newest first, by page, of this operation', async () => {
    const eventId = await insertEvent(operation);
    const foreign = await harness.operation();
    const log = (tenant: CallerOperation, event: string, attempt: number, responseStatus: number | null) =>
      harness.database.webhookDelivery.create({
        data: {
          operationId: tenant.id,
          eventId: event,
          attempt,
          sentAt: '2026-11-21T12:00:00Z',
          responseStatus,
          error: responseStatus === null ? 'timeout' : null,
          durationMs: 12,
          nextAttemptAt: responseStatus === 200 ? null : '2026-11-21T12:00:10Z',
        },
      });
    await log(operation, eventId, 1, null);
    await log(foreign, await insertEvent(foreign), 1, 200);
    await log(operation, eventId, 2, 500);
    await log(operation, eventId, 3, 200);
    const read = async (query: Record<string, string>) =>
      deliveryPage.parse((await harness.call('sandboxListWebhooks', { operation, query })).body);
    const first = await read({ limit: '2' });
    const rest = await read({ limit: '2', cursor: String(first.next_cursor) });
    assert.deepEqual(
      [...first.data, ...rest.data].map(({ attempt, response_status }) => [attempt, response_status]),
      [
        [3, 200],
        [2, 500],
        [1, null],
      ],
    );
    assert.deepEqual(rest, {
      data: [
        {
          event_id: eventId,
          type: 'deposit.paid',
          object_id: eventId.replace('evt', 'dep'),
          attempt: 1,
          sent_at: '2026-11-21T12:00:00.000Z',
          response_status: null,
          error: 'timeout',
          duration_ms: 12,
          next_attempt_at: '2026-11-21T12:00:10.000Z',
        },
      ],
      next_cursor: null,
    });
    for (const cursor of ['', 'x', 'MDA', Buffer.from('-1').toString('base64url')]) {
      assert.deepEqual(
        (await harness.call('sandboxListWebhooks', { operation, query: { cursor } })).errors,
        ['cursor format'],
        cursor,
      );
    }
  });

  it('redeliver: another attempt is due at once; another operation’s event → 404', async () => {
    const eventId = await insertEvent(operation);
    for (const route of ['sandboxRedeliverWebhook', 'redeliverWebhook'] as const) {
      const answer = await harness.call(route, { operation, body: { event_id: eventId } });
      assert.deepEqual([answer.status, answer.body], [200, { event_id: eventId, redelivery: 'scheduled' }]);
    }
    const due = await harness.database.eventOutbox.findMany({ where: { eventId } });
    assert.deepEqual(
      due.map(({ request, attempts }) => [request !== '', attempts]),
      [
        [true, 0],
        [true, 0],
      ],
    );
    const foreign = await insertEvent(await harness.operation());
    assert.equal(
      (await harness.call('sandboxRedeliverWebhook', { operation, body: { event_id: foreign } })).code,
      'not_found',
    );
  });

  it('the disabled surface answers as specified', async () => {
    assert.equal((await harness.call('createFxQuote', { operation, body: {} })).code, 'fx_not_enabled');
    assert.equal((await act('getFxQuote', 'fxq_1')).code, 'not_found');
    assert.deepEqual((await harness.call('listReceipts', { operation })).body, { data: [], next_cursor: null });
    assert.equal((await act('getReceipt', 'rcv_1')).code, 'not_found');
    assert.equal(
      (
        await harness.call('sandboxReceiveTransfer', {
          operation,
          body: { amount: { amount: '1', currency: 'BRL' }, rail: 'ted' },
        })
      ).code,
      'rail_not_enabled',
    );
  });
});
