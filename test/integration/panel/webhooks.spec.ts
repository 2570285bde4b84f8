// Webhooks in the panel: the log of deliveries, and a span of time delivered again, under the panel's own role.
import assert from 'node:assert/strict';
import { newId } from '../../../domain/identifiers.js';
import { createTestGateway, type TestGateway } from '../cli/support.js';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

describe('panel: webhooks', function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let world: PanelWorld;
  let support: Person;
  let operationId: string;

  before(async () => {
    gateway = await createTestGateway();
    world = await createPanelWorld({ gateway });
    operationId = (await gateway.operation())['operation_id'];
    support = await world.person('sofia', ['support']);
  });
  after(() => world.close());

  /** Events of a second each from `from` on; @returns their sequences' first and last */
  const events = (prefix: string, from: string, count: number, sequence: number) =>
    gateway.rows(
      `INSERT INTO event (id, operation_id, sequence, type, object_id, object_version, body_sealed, created_at)
       SELECT 'evt_' || $2 || lpad(n::text, 20, '0'), $1, $5::bigint + n, 'deposit.paid', 'dep_' || $2 || n, 1, '\\x00',
         $3::timestamptz + n * interval '1 second'
       FROM generate_series(0, $4::int - 1) AS n`,
      operationId,
      prefix,
      from,
      count,
      sequence,
    );
  const attempt = (eventId: string, status: number | null, error: string | null = null) =>
    gateway.rows(
      `INSERT INTO webhook_delivery (operation_id, event_id, attempt, sent_at, response_status, error, duration_ms)
       VALUES ($1, $2, 1, now(), $3, $4, 12)`,
      operationId,
      eventId,
      status,
      error,
    );
  const log = (more = '') => support.get(`/operations/${operationId}/deliveries${more}`);
  const redeliver = (body: object) => support.post(`/operations/${operationId}/redeliveries`, body);

  it('the log: newest first, in pages; only what was not accepted', async () => {
    await events('1og', '2026-11-19T00:00:00Z', 3, 1);
    const [accepted, refused, silent] = [0, 1, 2].map((n) => `evt_1og${String(n).padStart(20, '0')}`) as [
      string,
      string,
      string,
    ];
    await attempt(refused, 500);
    await attempt(silent, null, 'econnrefused');
    for (let n = 0; n < 60; n += 1) await attempt(accepted, 200);
    const first = (await log()).body;
    assert.equal(first['items'].length, 50);
    const second = (await log(`?cursor=${first['next']}`)).body;
    assert.deepEqual([second['items'].length, second['next']], [12, null]);
    const ids = [...first['items'], ...second['items']].map(({ id }: { id: string }) => Number(id));
    assert.deepEqual(
      ids,
      ids.toSorted((one, other) => other - one),
    );
    const failed = (await log('?failed=yes')).body['items'] as Record<string, unknown>[];
    assert.deepEqual(
      failed.map((item) => [item['event_id'], item['type'], item['response_status'], item['error']]),
      [
        [silent, 'deposit.paid', null, 'econnrefused'],
        [refused, 'deposit.paid', 500, null],
      ],
    );
    assert.equal((await log('?cursor=nonsense')).status, 400);
  });

  /** The events that wait to be delivered again, oldest first; then they are delivered. */
  const onTheirWay = async (request: string) =>
    (
      await gateway.rows(
        `WITH taken AS (DELETE FROM event_outbox WHERE request LIKE $1 AND request <> '' RETURNING event_id, due_at)
         SELECT event_id FROM taken ORDER BY due_at`,
        request,
      )
    ).map(({ event_id: id }) => id as string);

  it('one event, also of no payment: on its way, audited; whoever may not, or reaches it not, is refused', async () => {
    const [id, other] = [newId('event'), (await gateway.operation())['operation_id']];
    await gateway.rows(
      `INSERT INTO event (id, operation_id, sequence, type, object_id, object_version, body_sealed, created_at)
       VALUES ($1, $2, 1000000, 'rules.updated', $2, 9, '\\x00', now())`,
      ...[id, operationId],
    );
    const one = (person: Person) => person.send(`/events/${id}/redeliveries`, { method: 'POST' });
    const elsewhere = await world.person('ines', [{ role: 'support', operationId: other }]);
    assert.equal((await one(elsewhere)).body['code'], 'not_found');
    const mixed = await world.person('igor', ['reviewer', { role: 'support', operationId: other }]);
    assert.equal((await one(mixed)).body['code'], 'not_found');
    assert.equal((await one(await world.person('rui', ['reviewer']))).body['code'], 'not_permitted');
    assert.deepEqual((await one(support)).body, { events: 1 });
    const entries = await gateway.rows('SELECT person, action FROM audit_entry WHERE subject = $1', id);
    assert.deepEqual(entries, [{ person: 'sofia', action: 'event.redeliver' }]);
    assert.deepEqual(await onTheirWay('%'), [id]);
  });

  it('refuses an empty span, a reversed one, and one with too many events', async () => {
    const span = { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z', selection: 'all' };
    assert.deepEqual((await redeliver(span)).body, { events: 0 });
    assert.equal((await redeliver({ ...span, from: span.to, to: span.from })).body['code'], 'invalid');
    await events('b', '2026-11-10T00:00:00Z', 10_001, 1_000);
    const many = { from: '2026-11-10T00:00:00Z', to: '2026-11-11T00:00:00Z', selection: 'all' };
    assert.equal((await redeliver(many)).body['code'], 'too_many_events');
  });
});
