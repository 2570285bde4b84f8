// A case as a file: what its pages show, masked as there, for whoever reads cases; and the audit trail says who has it.
import assert from 'node:assert/strict';
import { insertPlayer, insertWithdrawal, PERSONAL } from '../cli/payments.js';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

describe('panel: a case as a file', () => {
  let world: PanelWorld;
  let operationId: string;
  let id: string;
  let rita: Person;

  before(async () => {
    world = await createPanelWorld();
    operationId = (await world.gateway.operation())['operation_id'];
    await insertPlayer(world.gateway, operationId);
    id = await insertWithdrawal(world.gateway, operationId, { status: 'under_review', reasons: ['FIRST_WITHDRAWAL'] });
    rita = await world.person('rita', ['reviewer']);
  });
  after(() => world.close());

  const downloads = () =>
    world.gateway.rows(
      `SELECT person, operation_id, subject FROM audit_entry WHERE action = 'case.download' ORDER BY sequence`,
    );

  it('has what the case and the payment show, no personal data in the clear, and an entry of the audit trail', async () => {
    await rita.post(`/cases/${id}/work`, { act: 'note', text: 'the bank was called' });
    const [{ body: shown }, { body: payment }] = [await rita.get(`/cases/${id}`), await rita.get(`/payments/${id}`)];
    const { status, headers, text } = await rita.get(`/cases/${id}/export`);
    assert.equal(status, 200);
    assert.match(String(headers['content-disposition']), new RegExp(`^attachment; filename="case-${id}.json"`));
    assert.match(String(headers['content-type']), /^application\/json/);
    const file = JSON.parse(text) as Record<string, unknown>;
    assert.deepEqual(file['case'], shown);
    assert.deepEqual(file['payment'], payment);
    assert.equal(file['exported_by'], 'rita');
    assert.ok(Math.abs(Date.parse(String(file['exported_at'])) - Date.now()) < 20_000);
    for (const secret of Object.values(PERSONAL)) assert.ok(!text.includes(secret), secret);
    assert.deepEqual(await downloads(), [{ person: 'rita', operation_id: operationId, subject: id }]);
  });

  it('→ 404 of another operation, 403 for who reads no cases; neither is a download', async () => {
    const other = (await world.gateway.operation())['operation_id'];
    const far = await world.person('far', [{ role: 'reviewer', operationId: other }]);
    const ada = await world.person('ada', ['admin']);
    const before = await downloads();
    assert.equal((await far.get(`/cases/${id}/export`)).body['code'], 'not_found');
    assert.equal((await ada.get(`/cases/${id}/export`)).body['code'], 'not_permitted');
    assert.deepEqual(await downloads(), before);
  });

  it('a person who saves one after the other is stopped', async () => {
    const paulo = await world.person('paulo', ['reviewer']);
    const codes = [];
    for (let count = 0; count < 11; count += 1) codes.push((await paulo.get(`/cases/${id}/export`)).status);
    assert.deepEqual(codes, [...Array.from({ length: 10 }, () => 200), 429]);
  });
});
