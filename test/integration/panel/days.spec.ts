// The panel's closed days: totals and digest, newest first, in pages; and the exceptions of one, by the same read as
// the `gateway` command's.
import assert from 'node:assert/strict';
import { insertDeposit } from '../cli/payments.js';
import { createTestGateway, type TestGateway } from '../cli/support.js';
import { createPanelWorld, type PanelWorld, type Person, readAllPages } from './world.js';

describe('panel: closed days', function () {
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

  const readAll = () => readAllPages(support, `/operations/${operationId}/days`);
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

  it('none, then each with its totals and digest, newest first, in pages', async () => {
    assert.deepEqual(await readAll(), []);
    await plantDays(70);
    const money = (amount: string) => ({ amount, currency: 'BRL' });
    const days = await readAll();
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

  it('a cursor that is not ours and a day that is none are refused or not there', async () => {
    assert.equal((await support.get(`/operations/${operationId}/days?cursor=xx`)).status, 400);
    for (const day of ['2026-02-31', 'today'])
      assert.equal((await support.get(`/operations/${operationId}/days/${day}/BRL/exceptions`)).status, 404, day);
  });
});
