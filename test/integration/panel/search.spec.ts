// The search of the panel: a person finds what they reach, however much else there is, and sees what it is
// about.
import assert from 'node:assert/strict';
import { newId } from '../../../domain/identifiers.js';
import { insertDeposit } from '../cli/payments.js';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

type Hit = Readonly<Record<string, unknown>>;

describe('panel: search', function () {
  this.timeout(60_000);
  let world: PanelWorld;
  let operationId: string;
  let near: Person;
  let sofia: Person;

  before(async () => {
    world = await createPanelWorld();
    operationId = (await world.gateway.operation())['operation_id'];
    near = await world.person('near', [{ role: 'support', operationId }]);
    sofia = await world.person('sofia', ['support']);
  });
  after(() => world.close());

  const search = async (person: Person, q: string) =>
    (await person.post('/search', { q })).body as { readonly hits: readonly Hit[]; readonly more: boolean };

  it('counts the limit only over operations that the person may see', async () => {
    const own = await insertDeposit(world.gateway, operationId, { status: 'paid' });
    await world.gateway.rows(
      `UPDATE deposit SET external_id = 'order-1', created_at = '2026-01-01' WHERE id = $1`,
      own,
    );
    await world.gateway.rows(
      `INSERT INTO player (operation_id, external_ref, document_hash, document_sealed, created_at)
       VALUES ($1, 'order-1', 'x', 'x', '2026-01-01')`,
      operationId,
    );
    await world.gateway.rows(
      `WITH other AS (
         INSERT INTO operation (id, name, environment, provider, created_at)
         SELECT 'op_' || lpad(n::text, 32, '0'), 'other ' || n, environment, provider, now()
         FROM operation, generate_series(1, 60) AS n WHERE id = $1 RETURNING id
       ), known AS (
         INSERT INTO player (operation_id, external_ref, document_hash, document_sealed)
         SELECT id, 'order-1', 'x', 'x' FROM other
       )
       INSERT INTO deposit (id, operation_id, external_id, status, version, amount_minor, currency, method, player_ref,
         provider, request_sealed, created_at, updated_at, expires_at)
       SELECT 'dep_' || md5(other.id), other.id, 'order-1', 'pending', 1, 100, 'BRL', 'pix', 'p', deposit.provider,
         '\\x00', now(), now(), now()
       FROM other, deposit WHERE deposit.id = $2`,
      operationId,
      own,
    );
    const { hits, more } = await search(near, 'order-1');
    assert.deepEqual(
      hits.map(({ type, id }) => [type, id]),
      [
        ['deposit', own],
        ['player', 'order-1'],
      ],
    );
    assert.equal(more, false);
    const everywhere = await search(sofia, 'order-1');
    assert.deepEqual([everywhere.hits.length, everywhere.more], [50, true]);
  });

  it('a hit that is no payment says what it is about', async () => {
    const [alert, change] = [newId('alert'), newId('ruleChange')];
    await world.gateway.rows(
      `INSERT INTO alert (id, operation_id, kind, object_id, detail, occasion, created_at)
       VALUES ($1, $2, 'RULE_CHANGE_PENDING', $3, 'd', 'x', now())`,
      alert,
      operationId,
      change,
    );
    const [hit] = (await search(near, alert)).hits;
    assert.deepEqual([hit?.['type'], hit?.['object_id']], ['alert', change]);
  });
});
