// The panel's list of disputed payments: newest first, in pages, of the operation alone, under the panel's own role.
import assert from 'node:assert/strict';
import { insertDeposit } from '../cli/payments.js';
import { createTestGateway, type TestGateway } from '../cli/support.js';
import { createPanelWorld, type PanelWorld, type Person, readAllPages } from './world.js';

describe('panel: disputed payments', function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let world: PanelWorld;
  let support: Person;
  let operationId: string;
  let depositId: string;
  before(async () => {
    gateway = await createTestGateway();
    world = await createPanelWorld({ gateway });
    operationId = (await gateway.operation())['operation_id'];
    support = await world.person('sofia', ['support']);
    depositId = await insertDeposit(gateway, operationId, { status: 'paid', amount: '5000' });
  });
  after(() => world.close());

  const readAll = () => readAllPages(support, `/operations/${operationId}/disputes`);
  const plant = (from: number, to: number, ofDeposit: string | null) =>
    gateway.rows(
      `INSERT INTO dispute (provider, dispute_id, end_to_end_id, deposit_id, operation_id, amount_minor, status, reason,
         opened_at, due_at, found_at, changed_at)
       SELECT 'simulator', 'case-' || lpad(n::text, 3, '0'), 'E' || n, $1::text,
         CASE WHEN $1::text IS NULL THEN NULL ELSE $2 END, 5000, 'open', 'scam',
         timestamptz '2026-01-01' + (n / 2) * interval '1 minute', timestamptz '2026-01-08', now(), now()
       FROM generate_series($3::int, $4::int) AS n`,
      ofDeposit,
      operationId,
      String(from),
      String(to),
    );

  it('none, then one with what the provider reports', async () => {
    assert.deepEqual(await readAll(), []);
    await plant(1, 1, depositId);
    assert.deepEqual(await readAll(), [
      {
        id: 'case-001',
        provider: 'simulator',
        status: 'open',
        reason: 'scam',
        deposit_id: depositId,
        amount: { amount: '5000', currency: 'BRL' },
        opened_at: '2026-01-01T00:00:00.000Z',
        due_at: '2026-01-08T00:00:00.000Z',
      },
    ]);
  });

  it('pages show each once, newest first, also those of one moment; a case of no deposit is nobody’s', async () => {
    await plant(2, 120, depositId);
    await plant(121, 130, null);
    assert.deepEqual(
      (await readAll()).map(({ id }) => id),
      Array.from({ length: 120 }, (_, index) => `case-${String(120 - index).padStart(3, '0')}`),
    );
  });

  it('a cursor that is not ours is refused', async () => {
    assert.equal((await support.get(`/operations/${operationId}/disputes?cursor=xx`)).status, 400);
  });
});
