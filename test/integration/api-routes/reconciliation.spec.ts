// GET /reconciliation: when a day opens, its pages, totals and signed digest.
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { reconciliationDigest, verifyReconciliationSignature } from '../../../client/index.js';
import type { CallerOperation } from '../../../contract/http/route.js';
import type { RouteName } from '../../../contract/http/routes.js';
import { reconciliation } from '../../../contract/http/schemas/reconciliation.js';
import { newId } from '../../../domain/identifiers.js';
import { Harness } from './support/harness.js';
import { placeOf } from '../../../store/sealing/places.js';

describe('GET /reconciliation (routes over Postgres)', () => {
  let harness: Harness;
  let operation: CallerOperation;

  before(async () => {
    harness = await Harness.create();
  });
  after(() => harness.close());
  beforeEach(async () => {
    harness.temporal.reset();
    harness.clock.now = new Date('2026-11-21T12:00:00.000Z');
    operation = await harness.operation();
  });

  const get = (name: RouteName, query: Record<string, string> = {}, params: Record<string, string> = {}) =>
    harness.call(name, { operation, query, params });

  const DAY = '2026-11-20';
  const report = (query: Record<string, string> = {}) =>
    get('getReconciliation', { date: DAY, currency: 'BRL', ...query });
  const move = (
    objectId: string,
    movement: string,
    account: string,
    amountMinor: number,
    createdAt: string,
    version = 3,
  ) =>
    harness.database.ledgerEntry.createMany({
      data: [
        {
          operationId: operation.id,
          provider: 'simulator',
          objectId,
          step: String(version),
          movement,
          currency: 'BRL',
          account,
          amountMinor,
          createdAt,
        },
        {
          operationId: operation.id,
          provider: 'simulator',
          objectId,
          step: String(version),
          movement,
          currency: 'BRL',
          account: 'provider_clearing',
          amountMinor: -amountMinor,
          createdAt,
        },
      ],
    });

  it('open until D+1 02:00 UTC, and Retry-After says for how long', async () => {
    harness.clock.now = new Date('2026-11-21T01:59:58.500Z');
    const { problem } = await report();
    assert.deepEqual([problem?.code, problem?.retryAfterSeconds], ['day_open', 2]);
    harness.clock.now = new Date('2026-11-21T02:00:00.000Z');
    assert.equal((await report()).status, 200);
    assert.equal((await report({ date: '2026-12-24' })).problem?.code, 'day_open');
    assert.equal((await report({ currency: 'USD' })).code, 'currency_not_enabled');
  });

  const sealedSecret = (secret: string) => {
    const [id, operationId] = [newId('alert'), operation.id];
    const place = placeOf('webhook_secret.secret_sealed', operationId, { id });
    return { id, operationId, secretSealed: harness.sealer.sealBytes(place, Buffer.from(secret)) };
  };

  it('the day’s settlements by page; totals and signed digest on the last one', async () => {
    const secret = randomBytes(16).toString('hex');
    await harness.database.webhookSecret.create({
      data: {
        ...sealedSecret(secret),
      },
    });
    const paid = await harness.insertDeposit(operation, { id: `dep_${'a'.repeat(32)}` });
    const out = await harness.insertWithdrawal(operation, { id: `wdr_${'b'.repeat(32)}` });
    await move(paid.id, 'deposit_credited', 'available', 5_000, `${DAY}T10:00:00Z`);
    await move(paid.id, 'deposit_refunded', 'available', -5_000, `${DAY}T23:59:59.999Z`, 4);
    await move(out.id, 'withdrawal_paid', 'pending_out', -3_000, `${DAY}T11:00:00Z`);
    await move(out.id, 'withdrawal_reserved', 'available', -3_000, `${DAY}T09:00:00Z`, 1);
    await move(out.id, 'withdrawal_returned', 'available', 3_000, '2026-11-21T00:00:00Z', 5);

    const first = await report({ limit: '2' });
    assert.deepEqual(
      [first.body['totals'], first.body['digest'], first.headers['Svc-Signature']],
      [null, null, undefined],
    );
    const last = await report({ limit: '2', cursor: String(first.body['next_cursor']) });
    const parsed = reconciliation.parse(last.body);
    const items = [...reconciliation.parse(first.body).items, ...parsed.items];
    assert.deepEqual(
      items.map(({ object_id, kind, status, amount, external_id }) => [
        object_id,
        kind,
        status,
        amount.amount,
        external_id,
      ]),
      [
        [paid.id, 'deposit', 'paid', '5000', paid.externalId],
        [paid.id, 'refund', 'refunded', '5000', paid.externalId],
        [out.id, 'withdrawal', 'paid', '3000', out.externalId],
      ],
    );
    assert.equal(parsed.totals?.count, 3);
    assert.deepEqual(
      [
        parsed.totals?.deposits_paid.amount,
        parsed.totals?.withdrawals_paid.amount,
        parsed.totals?.refunds.amount,
        parsed.totals?.chargebacks.amount,
      ],
      ['5000', '3000', '5000', '0'],
    );
    assert.equal(parsed.digest, reconciliationDigest(items));
    const expected = createHmac('sha256', secret)
      .update(`v1\nreconciliation\n${DAY}\nBRL\n${parsed.digest}`)
      .digest('hex');
    assert.equal(last.headers['Svc-Signature'], `v1=${expected}`);
  });

  it('pages of 1 to 200, each item once and in order; the pages of a frozen day stay the same while later payments settle', async () => {
    const ids = await Promise.all(Array.from({ length: 7 }, async () => (await harness.insertDeposit(operation)).id));
    for (const id of ids) await move(id, 'deposit_credited', 'available', 100, `${DAY}T10:00:00Z`);
    const whole = reconciliation.parse((await report({ limit: '200' })).body);
    for (const limit of ['1', '3', '7']) {
      const items: { object_id: string }[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: ReturnType<typeof reconciliation.parse> = reconciliation.parse(
          (await report({ limit, ...(cursor === '' ? {} : { cursor }) })).body,
        );
        assert.deepEqual(
          [page.totals === null, page.digest === null],
          [page.next_cursor !== null, page.next_cursor !== null],
        );
        await move(
          (await harness.insertDeposit(operation)).id,
          'deposit_credited',
          'available',
          100,
          `${DAY}T11:00:00Z`,
        );
        items.push(...page.items);
        cursor = page.next_cursor;
      }
      assert.deepEqual(items, whole.items, limit);
    }
    assert.deepEqual(
      whole.items.map(({ object_id }) => object_id),
      [...ids].sort(),
    );
    for (const limit of ['0', '201', '1.5', ''])
      assert.equal((await report({ limit })).code, 'validation_failed', limit);
  });

  it('both secrets sign during a rotation; a secret that has ended does not', async () => {
    const secrets = ['old', 'current', 'new'].map((name) => `whsec_${name}`);
    const now = harness.clock.now.getTime();
    for (const [index, secret] of secrets.entries()) {
      const expiresAt = index === 0 ? new Date(now) : index === 1 ? new Date(now + 1) : null;
      await harness.database.webhookSecret.create({
        data: {
          ...sealedSecret(secret),
          createdAt: new Date(now + index),
          expiresAt,
        },
      });
    }
    const { body, headers } = await report();
    const day = {
      date: DAY,
      currency: 'BRL',
      digest: String(body['digest']),
      signature: String(headers['Svc-Signature']),
    };
    assert.deepEqual(
      secrets.map((secret) => verifyReconciliationSignature(day, [secret])),
      [false, true, true],
    );
    assert.equal(verifyReconciliationSignature({ ...day, date: '2026-11-19' }, secrets), false);
    await harness.database.webhookSecret.updateMany({ data: { expiresAt: new Date(now) } });
    const unsigned = await report();
    assert.deepEqual([unsigned.body['digest'], unsigned.headers['Svc-Signature']], [day.digest, undefined]);
  });

  it('a cursor that is none of its own', async () => {
    await move((await harness.insertDeposit(operation)).id, 'deposit_credited', 'available', 100, `${DAY}T10:00:00Z`);
    await move((await harness.insertDeposit(operation)).id, 'deposit_credited', 'available', 100, `${DAY}T10:00:00Z`);
    const cursor = String((await report({ limit: '1' })).body['next_cursor']);
    assert.equal((await report({ cursor })).status, 200);
    assert.deepEqual((await report({ cursor, date: '2026-11-19' })).errors, ['cursor format'], 'of another day');
    const forged = [
      'x',
      `${cursor}=`,
      ` ${cursor}`,
      Buffer.from(`${DAY} BRL 2`).toString('base64url'),
      Buffer.from(`${DAY} BRL 0`).toString('base64url'),
      Buffer.from(`${DAY} BRL 01`).toString('base64url'),
    ];
    for (const one of forged) assert.deepEqual((await report({ cursor: one })).errors, ['cursor format'], one);
  });

  it('the digest is of the canonical bytes (independent vector)', () => {
    const item = {
      object_id: 'dep_1',
      external_id: 'e',
      kind: 'deposit',
      status: 'paid',
      amount: { amount: '1', currency: 'BRL' },
      fee: null,
      settled_at: '2026-11-20T10:00:00.000Z',
    };
    // Computed by sha256sum over one line without spaces:
    // [{"amount":{"amount":"1","currency":"BRL"},"external_id":"e","fee":null,"kind":"deposit",
    //   "object_id":"dep_1","settled_at":"2026-11-20T10:00:00.000Z","status":"paid"}]
    assert.equal(reconciliationDigest([item]), 'eb26d58d7a3bf76f0078df2373fb1c967a1a777c51d36896a4c6ec0059c38148');
  });
});
