// What the schemas take, what they make of it, and that the documented examples are true.
import assert from 'node:assert/strict';
import { z } from 'zod';
import { presentDeposit, presentEvent, presentWithdrawal } from '../../../contract/http/presenters.js';
import { ROUTES } from '../../../contract/http/routes.js';
import { SCOPES, type RouteDefinition } from '../../../contract/http/route.js';
import { createDepositBody, deposit, listDepositsQuery } from '../../../contract/http/schemas/deposits.js';
import { listReceiptsQuery, quoteBody } from '../../../contract/http/schemas/disabled.js';
import { event } from '../../../contract/http/schemas/events.js';
import { payDepositBody } from '../../../contract/http/schemas/sandbox.js';
import { createWithdrawalBody, listWithdrawalsQuery, withdrawal } from '../../../contract/http/schemas/withdrawals.js';
import { check } from '../../../contract/http/validation.js';
import { DEPOSIT_STATUSES } from '../../../domain/payments/deposit.js';
import { WITHDRAWAL_STATUSES } from '../../../domain/payments/withdrawal.js';
import { changed, DEPOSIT, WITHDRAWAL } from './bodies.js';
import { depositSnapshotOf, withdrawalSnapshotOf } from './snapshots.js';

function accepted(schema: z.ZodType, input: unknown): void {
  const checked = check(schema, input);
  assert.deepEqual(checked.ok ? [] : checked.errors, []);
}

describe('schemas: what they take', () => {
  const keys = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, '']));
  const deposits: Readonly<Record<string, unknown>> = {
    'the smallest body': DEPOSIT,
    'every optional field': {
      ...DEPOSIT,
      player: {
        ...DEPOSIT.player,
        name: 'Maria',
        email: 'm@x.test',
        ip: '2001:db8::1',
        device_id: 'd'.repeat(500),
        birth_date: '2000-02-29',
        kyc_level: 'full',
      },
      expires_in_seconds: 300,
      locale: 'pt-BR',
      metadata: keys,
    },
    // Check 6b judges these, with its own reasons.
    'a long name': changed(DEPOSIT, 'player.name', 'n'.repeat(500)),
    'a strange e-mail': changed(DEPOSIT, 'player.email', 'not an e-mail'),
    // Check 3, 4 and 6.
    'a method that is not enabled': changed(DEPOSIT, 'method', 'boleto'),
    'a passport': changed(DEPOSIT, 'player.document', { type: 'PASSPORT', number: 'AB123456', country: 'PT' }),
    'wrong check digits': changed(DEPOSIT, 'player.document.number', '12345678900'),
    'another currency': changed(DEPOSIT, 'amount.currency', 'USDT.TRON'),
    'the largest amount': changed(DEPOSIT, 'amount.amount', '9'.repeat(38)),
    'the longest external_id': changed(DEPOSIT, 'external_id', 'aZ0_.:-'.padEnd(64, 'x')),
    // Opaque references that only look like a tax number: check digits, length, digits in other places.
    'a reference of 11 digits': changed(DEPOSIT, 'player.external_ref', '52998224724'),
    'a reference of 14 digits': changed(DEPOSIT, 'player.external_ref', '11222333000180'),
    'a reference with a tax number inside': changed(DEPOSIT, 'player.external_ref', 'u52998224725'),
    'a reference with marks in other places': changed(DEPOSIT, 'player.external_ref', '11-144477735'),
    'a reference of one digit': changed(DEPOSIT, 'player.external_ref', '11111111111'),
    'the longest term': changed(DEPOSIT, 'expires_in_seconds', 86_400),
  };
  for (const [title, body] of Object.entries(deposits))
    it(`deposit: ${title}`, () => accepted(createDepositBody, body));

  const withdrawals: Readonly<Record<string, unknown>> = {
    'the smallest body': WITHDRAWAL,
    'no player.ip': changed(WITHDRAWAL, 'player.ip', undefined),
    'the limits of name, device and key': changed(
      changed(changed(WITHDRAWAL, 'player.name', 'ã'.repeat(120)), 'player.device_id', 'd'.repeat(128)),
      'destination.pix.key',
      'k'.repeat(140),
    ),
    'a matching destination of a disabled method': {
      ...WITHDRAWAL,
      method: 'wire',
      destination: { wire: { account: { iban: 'XX' } } },
    },
    'review fields': { ...WITHDRAWAL, review_requested: true, review_reasons: ['large win'] },
    'a player context in Money and in strings': {
      ...WITHDRAWAL,
      player_context: {
        total_deposited: { amount: '1', currency: 'BRL' },
        total_withdrawn: '0',
        net_gaming_result: '-500',
        account_created_at: '2026-01-01T00:00:00-03:00',
      },
    },
  };
  for (const [title, body] of Object.entries(withdrawals))
    it(`withdrawal: ${title}`, () => accepted(createWithdrawalBody, JSON.parse(JSON.stringify(body))));

  it('a deposit expires in 1800 s unless it says otherwise', () => {
    assert.equal(createDepositBody.parse(DEPOSIT).expires_in_seconds, 1_800);
  });
  it('a page has 50 items unless it says otherwise', () => {
    assert.equal(listDepositsQuery.parse({}).limit, 50);
    assert.equal(listWithdrawalsQuery.parse({ limit: '200' }).limit, 200);
  });
  for (const [time, read] of [
    ['2026-11-21t12:00:00z', '2026-11-21T12:00:00.000Z'],
    ['2026-11-21T09:00:00.5-03:00', '2026-11-21T12:00:00.500Z'],
    ['2026-12-31T20:59:60-03:00', '2027-01-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ] as const) {
    it(`filter updated_since=${time}`, () =>
      assert.equal(listDepositsQuery.parse({ updated_since: time }).updated_since, read));
  }
  for (const status of [...DEPOSIT_STATUSES, 'frozen'])
    it(`deposit filter status=${status}`, () => accepted(listDepositsQuery, { status }));
  for (const status of [...WITHDRAWAL_STATUSES, 'recalled'])
    it(`withdrawal filter status=${status}`, () => accepted(listWithdrawalsQuery, { status }));
  it('receipts: any status and cursor', () => accepted(listReceiptsQuery, { status: 'lost', cursor: 'x' }));
  it('a quote: any object', () => accepted(quoteBody, { sell: 1 }));
  it('a payment without details', () => accepted(payDepositBody, {}));
});

describe('schemas: what is served', () => {
  it('a deposit of every kind fits its schema', () => {
    const payer = {
      document: { type: 'CPF', number: '52998224725', country: 'BR' },
      name: 'Maria',
      matchesPlayer: true,
    };
    const instructions = { copyPaste: 'x', qrCodePngBase64: 'aGk=', expiresAt: '2026-11-21T12:00:00.000Z' };
    for (const status of DEPOSIT_STATUSES) {
      strictly(deposit, presentDeposit(depositSnapshotOf({ status }), null));
      strictly(
        deposit,
        presentDeposit(depositSnapshotOf({ status, instructions, paidAmountMinor: 5000n, hasPayer: true }), payer),
      );
      strictly(
        deposit,
        presentDeposit(depositSnapshotOf({ status, hasPayer: true }), {
          document: null,
          name: null,
          matchesPlayer: false,
        }),
      );
    }
  });

  it('a withdrawal of every kind fits its schema', () => {
    for (const status of WITHDRAWAL_STATUSES)
      strictly(
        withdrawal,
        presentWithdrawal(withdrawalSnapshotOf({ status, feeMinor: 10n }), () => []),
      );
  });

  it('an event fits its schema', () => {
    const object = presentDeposit(depositSnapshotOf({}), null);
    strictly(
      event,
      presentEvent({
        id: 'evt_1',
        type: 'deposit.paid',
        createdAt: object.created_at,
        operationId: 'op_1',
        objectId: object.id,
        objectVersion: 3,
        object,
      }),
    );
  });
});

describe('the route table', () => {
  const routes: readonly RouteDefinition[] = ROUTES;

  it('names each route once, and each method and path once', () => {
    assert.equal(new Set(routes.map(({ name }) => name)).size, routes.length);
    assert.equal(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size, routes.length);
  });

  // Specification, "Scopes".
  const SCOPE_TABLE: Readonly<Record<string, RouteDefinition['access']>> = {
    'GET /ping': 'any_key',
    'GET /openapi.yaml': 'public',
    'POST /deposits': ['deposits:write'],
    'POST /deposits/:id/cancel': ['deposits:write'],
    'POST /withdrawals': ['withdrawals:write'],
    'POST /withdrawals/:id/cancel': ['withdrawals:write'],
    'POST /withdrawals/:id/recall': ['withdrawals:write'],
    'POST /rules/change-requests': ['rules:propose'],
    'POST /fx/quotes': ['deposits:write', 'withdrawals:write'],
    'POST /sandbox/deposits/:id/pay': ['deposits:write'],
    'POST /sandbox/deposits/:id/expire': ['deposits:write'],
    'POST /sandbox/deposits/:id/refund': ['deposits:write'],
    'POST /sandbox/deposits/:id/chargeback': ['deposits:write'],
    'POST /sandbox/deposits/:id/partial-reversal': ['deposits:write'],
    'POST /sandbox/deposits/:id/review/:decision': ['deposits:write'],
    'POST /sandbox/bank-transfers/incoming': ['deposits:write'],
    'POST /sandbox/withdrawals/:id/:action': ['withdrawals:write'],
    'POST /sandbox/clock': ['deposits:write', 'withdrawals:write'],
    'POST /sandbox/days/:date/close': ['deposits:write', 'withdrawals:write'],
    'POST /sandbox/outage': ['deposits:write', 'withdrawals:write'],
    'POST /sandbox/webhooks/redeliver': ['deposits:write', 'withdrawals:write'],
    // An extension.
    'POST /webhook-deliveries/redeliver': ['deposits:write', 'withdrawals:write'],
  };
  for (const route of routes) {
    const signature = `${route.method} ${route.path}`;
    it(`${signature}: scope, body and sandbox`, () => {
      assert.deepEqual(route.access, SCOPE_TABLE[signature] ?? (route.method === 'GET' ? ['read'] : SCOPES), 'scope');
      assert.equal(route.body !== undefined, route.method === 'POST', 'exactly the POSTs have a body');
      assert.equal(route.sandboxOnly ?? false, route.path.startsWith('/sandbox/'), 'sandbox');
      assert.equal(
        route.listing ?? false,
        ['GET /deposits', 'GET /withdrawals', 'GET /events'].includes(signature),
        'listing bucket',
      );
    });
  }

  it('every path of the specification is there', () => {
    const specified = [
      ...Object.keys(SCOPE_TABLE),
      'GET /currencies',
      'GET /balances',
      'GET /players/:external_ref/limits',
      'GET /events',
      'GET /reconciliation',
      'GET /rules',
    ];
    const reads = [
      'GET /deposits',
      'GET /deposits/:id',
      'GET /withdrawals',
      'GET /withdrawals/:id',
      'GET /fx/quotes/:id',
      'GET /receipts',
      'GET /receipts/:id',
      'GET /sandbox/clock',
      'GET /sandbox/webhooks',
    ];
    const extensions = ['GET /request-log', 'GET /webhook-deliveries', 'GET /sandbox/webhooks/inbox'];
    assert.deepEqual(
      routes.map(({ method, path }) => `${method} ${path}`).sort(),
      [...specified, ...reads, ...extensions].sort(),
    );
  });

  it('examples of bodies and answers are true', () => {
    let checked = 0;
    for (const { body, success } of routes) {
      for (const schema of [body, ...Object.values(success).map((answer) => answer.schema)]) {
        const example = schema instanceof z.ZodType ? (schema.meta()?.['example'] as unknown) : undefined;
        if (!(schema instanceof z.ZodType) || example === undefined) continue;
        accepted(schema, example);
        checked += 1;
      }
    }
    assert.ok(checked >= 20, `${checked} examples`);
  });
});

/** As served: no field that the schema does not name. */
function strictly(schema: z.ZodObject, value: unknown): void {
  assert.deepEqual(schema.parse(value), value);
}
