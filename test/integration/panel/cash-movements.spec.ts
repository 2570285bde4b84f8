// The panel's list of cash movements: newest first, in pages, under the panel's own role.
import assert from 'node:assert/strict';
import { createTestGateway, type TestGateway } from '../cli/support.js';
import { createPanelWorld, type PanelWorld, type Person, readAllPages } from './world.js';

describe('panel: cash movements', function () {
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

  const readAll = () => readAllPages(support, `/operations/${operationId}/cash-movements`);

  it('lists a movement that the command made, with its purpose', async () => {
    assert.deepEqual(await readAll(), []);
    const words = ['--document', 'slip 7', '--reason', 'weekly funding', '--as', 'ana'];
    const made = await gateway.json('cash', 'fund', '--operation', operationId, '500000', ...words);
    const [{ created_at: _, ...movement } = {}] = await readAll();
    assert.deepEqual(movement, {
      id: made['movement_id'],
      kind: 'funding',
      provider: 'simulator',
      to_provider: null,
      amount: { amount: '500000', currency: 'BRL' },
      document: 'slip 7',
      reason: 'weekly funding',
      requested_by: 'ana',
      approved_by: null,
    });
  });

  it('pages show each once, newest first, also those of one moment', async () => {
    await gateway.rows(
      `INSERT INTO cash_movement (id, operation_id, provider, kind, currency, amount_minor, document, reason, requested_by,
         created_at)
       SELECT 'csh_' || lpad(n::text, 32, '0'), $1, 'simulator', 'settlement', 'BRL', 1, 'slip ' || n, 'x', 'ana',
         timestamptz '2026-01-01' + (n / 2) * interval '1 minute'
       FROM generate_series(1, 120) AS n`,
      operationId,
    );
    const [, ...planted] = await readAll();
    assert.deepEqual(
      planted.map(({ document }) => document),
      Array.from({ length: 120 }, (_, index) => `slip ${120 - index}`),
    );
  });

  it('a cursor that is not ours is refused', async () => {
    assert.equal((await support.get(`/operations/${operationId}/cash-movements?cursor=xx`)).status, 400);
  });
});
