// Block and review lists, changed in the panel: who may, what it says, and what takes two people.
import assert from 'node:assert/strict';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

describe('panel: changes of the lists', function () {
  this.timeout(60_000);
  let world: PanelWorld;
  let own: string;
  let marta: Person;
  let rita: Person;

  before(async () => {
    world = await createPanelWorld();
    own = (await world.gateway.operation())['operation_id'];
    marta = await world.person('marta', ['risk_manager']);
    rita = await world.person('rita', ['reviewer']);
  });
  after(() => world.close());

  const change = (body: object, person = marta) => person.post(`/lists/${own}/changes`, body);
  const blocked = (value: string, more = {}) => ({
    ...{ change: 'add', list: 'block', kind: 'player', value, reason: 'fraud ring', ...more },
  });
  const items = async () => (await marta.get(`/lists/${own}`)).body['items'] as Record<string, unknown>[];

  it('a risk manager adds a value for some days, with the reason and the owner; a second time nothing changes', async () => {
    const first = await change(blocked('player-7', { days: 30 }));
    assert.deepEqual([first.status, first.body], [200, { status: 'done', is_changed: true }]);
    const [entry] = await items();
    assert.deepEqual(
      [entry?.['list'], entry?.['kind'], entry?.['added_by'], entry?.['reason']],
      ['block', 'player', 'marta', 'fraud ring'],
    );
    const days = (Date.parse(String(entry?.['expires_at'])) - Date.now()) / 86_400_000;
    assert.ok(days > 29.9 && days <= 30, `${days} days`);
    assert.deepEqual((await change(blocked('player-7'))).body, { status: 'done', is_changed: false });
  });

  it('takes a value off again', async () => {
    const off = { change: 'remove', list: 'block', kind: 'player', value: 'player-7' };
    assert.deepEqual((await change(off)).body, { status: 'done', is_changed: true });
    assert.deepEqual((await change(off)).body, { status: 'done', is_changed: false });
    assert.deepEqual(await items(), []);
  });

  it('says which field cannot be used; a reason is needed, without personal data', async () => {
    const document = await change(blocked('123', { kind: 'document' }));
    assert.deepEqual([document.status, document.body['code']], [400, 'invalid']);
    assert.equal((document.body['issues'] as { path: string }[])[0]?.path, 'value');
    for (const reason of ['', 'it is 529.982.247-25'])
      assert.equal((await change(blocked('player-8', { reason }))).status, 400);
    assert.deepEqual(await items(), []);
  });

  it('is not for a reviewer, nor for another operation', async () => {
    assert.equal((await change(blocked('player-9'), rita)).status, 403);
    const elsewhere = await world.person('elsewhere', [
      { role: 'risk_manager', operationId: (await world.gateway.operation())['operation_id'] },
    ]);
    assert.equal((await change(blocked('player-9'), elsewhere)).body['code'], 'not_found');
  });

  it('is in the audit trail', async () => {
    const rows = await world.gateway.rows(
      `SELECT action, person FROM audit_entry WHERE operation_id = $1 AND action LIKE 'list.%' ORDER BY sequence`,
      own,
    );
    assert.deepEqual(
      rows.map(({ action, person }) => `${String(person)} ${String(action)}`),
      ['marta list.add', 'marta list.remove'],
    );
  });
});
