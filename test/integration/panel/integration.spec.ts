// An operator's own people: they see their operation and nothing else, ask for what opens an access, and read what the
// gateway has seen of their integration.
import assert from 'node:assert/strict';
import { PANEL_ROUTES } from '../../../contract/panel/routes.js';
import { OPERATOR_ROLES } from '../../../domain/staff.js';
import { firstCounters } from './counters.js';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

type Json = Record<string, unknown>;

/** Everything else of the panel is for the gateway's staff. */
const THEIRS: Readonly<Record<(typeof OPERATOR_ROLES)[number], readonly string[]>> = {
  integrator: [
    'changeOperation',
    'readCalls',
    'readDeliveries',
    'readGoLive',
    'readOperation',
    'readOperations',
    'redeliverEvent',
    'redeliverRange',
    'revokeKey',
  ],
  operator_desk: ['answerQuestion', 'readQuestions'],
};

describe('panel: an operator’s own people', function () {
  this.timeout(60_000);
  let world: PanelWorld;
  let own: Record<string, string>;
  let other: Record<string, string>;
  let ines: Person;

  before(async () => {
    world = await createPanelWorld();
    [own, other] = [await world.gateway.operation(), await world.gateway.operation()];
    ines = await world.person('ines', [{ role: 'integrator', operationId: own['operation_id'] ?? '' }]);
  });
  after(() => world.close());

  const change = (body: object, id = own['operation_id']) => ines.post(`/operations/${id}/changes`, body);
  const called = (operation: Record<string, string>, trace: string, route: string, status: number) =>
    world.gateway.rows(
      `INSERT INTO request_log (operation_id, key_id, trace_id, received_at, is_signed, method, route, status, code,
         detail, errors, is_replayed, duration_ms, address, body_sha256, canonical_sha256)
       VALUES ($1, $2, $3, now(), true, 'GET', $4, $5, $6, 'a detail', '[]', false, 3, '203.0.113.7', 'b', 'c')`,
      ...[operation['operation_id'], operation['key_id'], trace, route, status, status < 400 ? null : 'not_found'],
    );
  const goLive = async () => {
    const { body } = await ines.get(`/operations/${own['operation_id']}/go-live`);
    const steps = body['steps'] as Json[];
    return { open: steps.filter(({ is_done: done }) => done === false).map(({ step }) => step), steps, body };
  };

  it('have these routes, and roles that nobody holds for every operation', async () => {
    for (const role of OPERATOR_ROLES) {
      const open = Object.entries(PANEL_ROUTES).filter(
        ([, { who }]) => typeof who !== 'string' && (who as readonly string[]).includes(role),
      );
      assert.deepEqual(open.map(([name]) => name).sort(), THEIRS[role]);
      const omni = world.member(`omni-${role.replace('_', '-')}`, [role]);
      await assert.rejects(omni, new RegExp(`staff_role_${role}_somewhere`));
    }
  });

  it('see their operation without the gateway’s books, and no other', async () => {
    const { items } = (await ines.get('/operations')).body as { items: Json[] };
    assert.deepEqual(
      items.map(({ id }) => id),
      [own['operation_id']],
    );
    const shown = (await ines.get(`/operations/${own['operation_id']}`)).body;
    assert.deepEqual(shown['balances'], []);
    assert.notDeepEqual(shown['keys'], []);
    for (const part of ['', '/calls', '/go-live', '/deliveries'])
      assert.equal((await ines.get(`/operations/${other['operation_id']}${part}`)).body['code'], 'not_found', part);
    const elsewhere = [
      await change({ kind: 'webhook', url: 'http://127.0.0.1:9/x' }, other['operation_id']),
      await ines.post(`/keys/${other['key_id']}/revocation`, undefined),
    ];
    for (const { body } of elsewhere) assert.equal(body['code'], 'not_found');
    // What waits for the gateway's people is not theirs to count.
    await world.gateway.rows(
      `INSERT INTO alert (id, kind, operation_id, object_id, detail, created_at)
       VALUES ('alr_theirs', 'LATE_PAYMENT', $1, 'dep_0', 'a late payment', now())`,
      own['operation_id'],
    );
    const { waiting, alerts, approvals } = await firstCounters(world, ines);
    assert.deepEqual([waiting, alerts, approvals], [0, 0, 0]);
  });

  it('read the log of their calls, by page and by what was refused', async () => {
    await called(own, 'trace-good', '/v1/ping', 200);
    await called(own, 'trace-bad', '/v1/deposits/{id}', 404);
    await called(other, 'trace-of-others', '/v1/ping', 200);
    const read = async (query: string) => {
      const { body } = await ines.get(`/operations/${own['operation_id']}/calls${query}`);
      return (body['items'] as Json[]).map(({ trace_id: trace }) => trace);
    };
    assert.deepEqual(await read(''), ['trace-bad', 'trace-good']);
    assert.deepEqual(await read('?refused=yes'), ['trace-bad']);
    assert.deepEqual(await read('?trace=trace-of-others'), []);
  });

  it('go live step by step, each with what shows it', async () => {
    assert.deepEqual((await goLive()).open, [
      ...['conformance', 'key_used', 'key_changed', 'networks', 'webhook_address', 'webhook_accepted', 'day_read'],
    ]);
    const id = own['operation_id'];
    assert.equal((await change({ kind: 'webhook', url: 'ftp://operator.example' })).body['code'], 'invalid');
    assert.equal((await change({ kind: 'webhook', url: 'https://operator.example/hooks' })).body['status'], 'done');
    assert.equal((await change({ kind: 'allowlist', networks: ['203.0.113.7'], seen: [] })).body['status'], 'done');
    const made = (await change({ kind: 'key', scopes: ['read'] })).body['key'] as Record<string, string>;
    assert.match(String(made['secret']), /^\S{30,}$/);
    await world.gateway.rows(`UPDATE api_key SET first_used_at = now() WHERE operation_id = $1`, id);
    await called(own, 'trace-day', '/v1/reconciliation', 200);
    await world.gateway.rows(
      `INSERT INTO webhook_delivery (operation_id, event_id, attempt, sent_at, response_status, duration_ms)
       VALUES ($1, 'evt_taken', 1, now(), 204, 5)`,
      id,
    );
    const { open, steps, body } = await goLive();
    assert.deepEqual([open, body['requests']], [['conformance'], []]);
    const evidence = Object.fromEntries(steps.map(({ step, evidence: shown }) => [step, shown]));
    assert.deepEqual(
      [evidence['networks'], evidence['webhook_accepted'], evidence['day_read']],
      ['203.0.113.7/32', 'evt_taken', 'trace-day'],
    );
    for (const action of ['webhook.set', 'allowlist.set', 'key.create']) {
      const [entry] = await world.gateway.rows(
        'SELECT person FROM audit_entry WHERE action = $1 AND operation_id = $2',
        ...[action, id],
      );
      assert.equal(entry?.['person'], 'ines', action);
    }
  });

  it('see the requests about access, and which are their own', async () => {
    const id = own['operation_id'];
    await world.gateway.rows(
      `INSERT INTO approval_request (id, operation_id, kind, payload, requested_by)
       VALUES ('apr_theirs', $1, 'key', '{"scopes":["read"]}', 'ines'), ('apr_cash', $1, 'cash_movement', '{}', 'paulo')`,
      id,
    );
    assert.deepEqual(
      ((await goLive()).body['requests'] as Json[]).map(({ id: request, is_yours: isYours }) => [request, isYours]),
      [['apr_theirs', true]],
    );
  });
});
