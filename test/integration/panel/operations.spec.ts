// Operations in the panel: a short list of all, and one with what is configured for it, newest first and not cut
// unsaid.
import assert from 'node:assert/strict';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

describe('panel: operations', function () {
  this.timeout(60_000);
  let world: PanelWorld;
  let operationId: string;
  let person: Person;

  before(async () => {
    world = await createPanelWorld();
    operationId = (await world.gateway.operation())['operation_id'];
    person = await world.person('sofia', ['support']);
  });
  after(() => world.close());

  const one = async () => (await person.get(`/operations/${operationId}`)).body;

  it('the list has what filters need: name, state and time zone, in two statements with the session’s', async () => {
    await world.gateway.rows(
      `INSERT INTO rule_set_version (operation_id, version, rules, created_by)
       SELECT operation_id, 2, rules || '{"version": 2, "timezone": "America/Manaus"}', 'test' FROM rule_set_version
       WHERE operation_id = $1`,
      operationId,
    );
    await person.get('/operations');
    world.statements.length = 0;
    const { items, more } = (await person.get('/operations')).body;
    assert.deepEqual(items, [
      {
        id: operationId,
        name: 'Acme',
        environment: 'sandbox',
        status: 'active',
        time_zone: 'America/Manaus',
        is_failing: false,
      },
    ]);
    assert.equal(more, false);
    assert.ok(world.statements.length <= 3, world.statements.join('\n'));
    assert.equal((await one())['time_zone'], 'America/Manaus');
  });

  it('shows the newest of many keys, and says that there are older ones', async () => {
    assert.equal((await one())['has_older'], false);
    await world.gateway.rows(
      `INSERT INTO api_key (key_id, operation_id, environment, secret_sealed, scopes, created_at, revoked_at)
       SELECT 'key_test_' || lpad(n::text, 24, '0'), $1, 'sandbox', '\\x00', '{read}', now() - n * interval '1 day',
         now() FROM generate_series(1, 150) AS n`,
      operationId,
    );
    const { keys, has_older: hasOlder } = await one();
    assert.deepEqual([keys.length, hasOlder], [100, true]);
    assert.equal(keys[0]['rotation'], 'fresh', 'the key that works is among them');
    assert.equal(keys[1]['key_id'], `key_test_${'1'.padStart(24, '0')}`);
  });

  it('a certificate has the date from which to renew it: after 60 of 90 days', async () => {
    await world.gateway.rows(
      `INSERT INTO client_certificate (serial, operation_id, authority, fingerprint, not_before, not_after, issued_by)
       VALUES (repeat('0', 32), $1, 'a', 'f', '2026-01-01T00:00:00Z', '2026-04-01T00:00:00Z', 'test')`,
      operationId,
    );
    const [certificate] = (await one())['certificates'];
    assert.deepEqual(
      [certificate['not_after'], certificate['renew_from']],
      ['2026-04-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
    );
  });
});
