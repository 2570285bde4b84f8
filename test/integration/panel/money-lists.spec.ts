// What the panel lists of an operation's money, under its own role and by the same reads as the `gateway` command's:
// closed days with their exceptions, disputed payments and cash movements, newest first, in pages.
import assert from 'node:assert/strict';
import { insertDeposit } from '../cli/payments.js';
import { createTestGateway, type TestGateway } from '../cli/support.js';
import { createPanelWorld, type PanelWorld, type Person, readAllPages } from './world.js';

describe('panel: lists of money', function () {
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

  const readAll = (list: string) => readAllPages(support, `/operations/${operationId}/${list}`);

  const exceptions = async (day: string) =>
    (await support.get(`/operations/${operationId}/days/${day}/BRL/exceptions`)).body;
  const plantDays = (count: number) =>
    gateway.rows(
      `INSERT INTO reconciliation_day (operation_id, currency, date, item_count, carried_count, deposits_paid_minor,
         withdrawals_paid_minor, refunds_minor, chargebacks_minor, fees_minor, digest, through_entry_id, frozen_at)
       SELECT $1, 'BRL', date '2025-12-31' + n, n, 0, n * 100, n * 10, 3, 2, 1, repeat('ab', 32), 0,
         timestamptz '2026-01-01 01:00Z' + n * interval '1 day'
       FROM generate_series(1, $2::int) AS n`,
      operationId,
      String(count),
    );

  it('days: none, then each with its totals and digest, newest first, in pages', async () => {
    assert.deepEqual(await readAll('days'), []);
    await plantDays(70);
    const money = (amount: string) => ({ amount, currency: 'BRL' });
    const days = await readAll('days');
    assert.deepEqual(days[0], {
      day: '2026-03-11',
      currency: 'BRL',
      items: 70,
      carried_over: 0,
      deposits_paid: money('7000'),
      withdrawals_paid: money('700'),
      refunds: money('3'),
      chargebacks: money('2'),
      fees: money('1'),
      digest: 'ab'.repeat(32),
      frozen_at: '2026-03-12T01:00:00.000Z',
    });
    assert.deepEqual(
      days.map(({ items }) => items),
      Array.from({ length: 70 }, (_, index) => 70 - index),
    );
  });

  it('the exceptions of a day: what settled earlier and was stored later', async () => {
    for (const day of ['2026-02-31', 'today'])
      assert.equal((await support.get(`/operations/${operationId}/days/${day}/BRL/exceptions`)).status, 404, day);
    assert.deepEqual(await exceptions('2026-01-05'), { items: [], more: false });
    const late = await insertDeposit(gateway, operationId, { status: 'paid', amount: '5000' });
    const body = {
      object_id: late,
      external_id: 'x',
      amount: { amount: '5000', currency: 'BRL' },
      settled_at: '2026-01-04T12:00:00.000Z',
    };
    await gateway.rows(
      `INSERT INTO reconciliation_item (operation_id, currency, date, position, entry_id, body)
       VALUES ($1, 'BRL', date '2026-01-05', 1, 1, $2)`,
      operationId,
      JSON.stringify(body),
    );
    const { amount, settled_at: at } = body;
    assert.deepEqual(await exceptions('2026-01-05'), {
      items: [{ kind: 'carried_over', payment_id: late, amount, at }],
      more: false,
    });
    assert.deepEqual(await exceptions('2026-01-06'), { items: [], more: false });
  });

  let depositId: string;
  const plantDisputes = (from: number, to: number, ofDeposit: string | null) =>
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

  it('disputes: none, then one with what the provider reports', async () => {
    depositId = await insertDeposit(gateway, operationId, { status: 'paid', amount: '5000' });
    assert.deepEqual(await readAll('disputes'), []);
    await plantDisputes(1, 1, depositId);
    assert.deepEqual(await readAll('disputes'), [
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

  it('disputes: pages show each once, newest first, also those of one moment; a case of no deposit is nobody’s', async () => {
    await plantDisputes(2, 120, depositId);
    await plantDisputes(121, 130, null);
    assert.deepEqual(
      (await readAll('disputes')).map(({ id }) => id),
      Array.from({ length: 120 }, (_, index) => `case-${String(120 - index).padStart(3, '0')}`),
    );
  });

  it('cash movements: one that the command made, with its purpose', async () => {
    assert.deepEqual(await readAll('cash-movements'), []);
    const words = ['--document', 'slip 7', '--reason', 'weekly funding', '--as', 'ana'];
    const made = await gateway.json('cash', 'fund', '--operation', operationId, '500000', ...words);
    const [{ created_at: _, ...movement } = {}] = await readAll('cash-movements');
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

  it('cash movements: pages show each once, newest first, also those of one moment', async () => {
    await gateway.rows(
      `INSERT INTO cash_movement (id, operation_id, provider, kind, currency, amount_minor, document, reason, requested_by,
         created_at)
       SELECT 'csh_' || lpad(n::text, 32, '0'), $1, 'simulator', 'settlement', 'BRL', 1, 'slip ' || n, 'x', 'ana',
         timestamptz '2026-01-01' + (n / 2) * interval '1 minute'
       FROM generate_series(1, 120) AS n`,
      operationId,
    );
    const [, ...planted] = await readAll('cash-movements');
    assert.deepEqual(
      planted.map(({ document }) => document),
      Array.from({ length: 120 }, (_, index) => `slip ${120 - index}`),
    );
  });

  it('a cursor that is not ours is refused', async () => {
    for (const list of ['days', 'disputes', 'cash-movements'])
      assert.equal((await support.get(`/operations/${operationId}/${list}?cursor=xx`)).status, 400, list);
  });
});
