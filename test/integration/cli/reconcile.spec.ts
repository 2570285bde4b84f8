// `gateway reconcile`: closed days as support staff see and freeze them, and as the operator verifies them over HTTP.
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { chargeReferenceOf, payoutReferenceOf } from '../../../domain/identifiers.js';
import { createApp, startServer } from '../../../api/app.js';
import { createHandlers } from '../../../api/routes/index.js';
import { DEFAULT_DEADLINES } from '../../../platform/temporal/calls.js';
import { playerLimits } from '../../../api/routes/creation-checks.js';
import { READS } from '../../../api/routes/reads.js';
import type { RunningServer } from '../../../platform/http/server.js';
import { ROUTES } from '../../../contract/http/routes.js';
import type { Database } from '../../../store/database.js';
import { insertDeposit, insertWithdrawal } from './payments.js';
import { createTestGateway, openDatabase, type TestGateway, testSealer } from './support.js';
import { NO_LIMITS } from '../../../providers/dialect-entry.js';

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const DAY = dayBefore(10);
/** The operation's first day: ten days are frozen through DAY. */
const FIRST_DAY = dayBefore(19);

describe('gateway reconcile', function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let database: Database;
  let api: RunningServer;
  let operation: Record<string, string>;
  let day: string[];

  before(async () => {
    gateway = await createTestGateway();
    database = openDatabase(gateway.ownerUrl);
    const clock = () => new Date();
    const logger = pino({ level: 'silent' });
    const handlers = createHandlers({
      database,
      sealer: testSealer,
      temporal: {} as never,
      steering: null,
      providerTraits: () => ({ depositRequirements: [], pspNotes: [], sendsPayouts: true, limits: NO_LIMITS }),
      openApi: () => '',
      deadlines: DEFAULT_DEADLINES,
      clock,
      logger,
    });
    const docsUrl = 'https://docs.example';
    const app = createApp({
      environment: 'sandbox',
      docsUrl,
      routes: ROUTES,
      handlers,
      playerLimits: playerLimits(),
      reads: READS,
      database,
      sealer: testSealer,
      edge: undefined,
      health: { postgres: async () => undefined, temporal: async () => undefined },
      nowMs: Date.now,
      log: logger,
    });
    api = await startServer(app, { host: '127.0.0.1', port: 0, docsUrl });
  });
  after(async () => {
    await api.close();
    await database.$disconnect();
    await gateway.close();
  });
  beforeEach(async () => {
    operation = (await gateway.operation()) as Record<string, string>;
    day = ['--operation', operation['operation_id'] ?? '', '--date', DAY];
    await gateway.rows(
      'UPDATE operation SET created_at = $2 WHERE id = $1',
      operation['operation_id'],
      `${FIRST_DAY}T00:00:00Z`,
    );
  });

  /** Paid deposits of the day. */
  async function planted(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const id = await insertDeposit(gateway, operation['operation_id'] ?? '', {
        status: 'paid',
        movements: ['deposit_credited'],
      });
      await gateway.rows('ALTER TABLE ledger_entry DISABLE TRIGGER ledger_entry_append_only');
      await gateway.rows(`UPDATE ledger_entry SET created_at = $2 WHERE object_id = $1`, id, `${DAY}T10:00:00Z`);
      await gateway.rows('ALTER TABLE ledger_entry ENABLE TRIGGER ledger_entry_append_only');
      await gateway.rows('UPDATE deposit SET external_id = $2 WHERE id = $1', id, `order-${index}`);
    }
  }
  const asOperator = () => {
    const { key_id: key = '', secret = '', webhook_secret: ofWebhooks = '' } = operation;
    const url = `http://127.0.0.1:${api.port}/v1`;
    return ['--key-id', key, '--secret', secret, '--webhook-secret', ofWebhooks, '--base-url', url];
  };
  const verify = async (...more: string[]) => {
    const { exitCode, stdout, stderr } = await gateway.run('reconcile verify --date', DAY, ...asOperator(), ...more);
    return { exitCode, stderr, answer: stdout === '' ? {} : JSON.parse(stdout) };
  };

  it('verify: several pages, digest, signature, order and totals agree', async () => {
    await planted(3);
    await gateway.rows(
      `INSERT INTO ledger_entry (operation_id, provider, object_id, step, movement, currency, account, amount_minor,
        created_at)
      SELECT $1, 'simulator', 'dep_' || md5(n::text), '3', 'deposit_credited', 'BRL', 'available', n, $2::timestamptz
      FROM generate_series(1, 450) AS n`,
      operation['operation_id'],
      `${DAY}T12:00:00Z`,
    );
    const { exitCode, answer } = await verify('--operation', operation['operation_id'] ?? '');
    assert.deepEqual([exitCode, answer.ok, answer.pages, answer.items], [0, true, 3, 453]);
    assert.deepEqual(answer.checks, { digest: true, signature: true, order: true, totals: true });
    assert.equal(answer.digest.stated, answer.digest.computed);
  });

  it('verify: an item that was changed on the way, and a wrong secret, are found', async () => {
    await planted(2);
    await verify();
    await gateway.rows('ALTER TABLE reconciliation_item DISABLE TRIGGER USER');
    await gateway.rows(
      `UPDATE reconciliation_item SET body = replace(body, '"amount":"5000"', '"amount":"5001"') WHERE operation_id = $1 AND position = 1`,
      operation['operation_id'],
    );
    const changed = await verify();
    assert.deepEqual(
      [changed.exitCode, changed.answer.ok, changed.answer.checks],
      [1, false, { digest: false, signature: false, order: true, totals: false }],
    );
    await gateway.rows(
      `UPDATE reconciliation_item SET body = replace(body, '"amount":"5001"', '"amount":"5000"') WHERE operation_id = $1 AND position = 1`,
      operation['operation_id'],
    );
    await gateway.rows('ALTER TABLE reconciliation_item ENABLE TRIGGER USER');
    const other = await verify('--webhook-secret', 'whsec_other');
    assert.deepEqual([other.exitCode, other.answer.checks.signature, other.answer.checks.digest], [1, false, true]);
  });

  it('verify --csv: prints what differs on either side', async () => {
    await planted(4);
    const agreed = gateway.file(
      'external_id;kind;amount\r\n"order-0";deposit;5000\r\norder-1;deposit;5000\r\norder-2;deposit;5000\r\norder-3;deposit;5000\r\n',
    );
    const agreeing = await verify('--csv', agreed);
    assert.deepEqual([agreeing.exitCode, agreeing.answer.differences], [0, []]);
    // Which differences there are is the client's (test/unit/client/reconciliation.spec.ts).
    const other = gateway.file('kind,amount,note,external_id\ndeposit,4999,x,order-1\n');
    const { exitCode, answer } = await verify('--csv', other);
    assert.deepEqual([exitCode, answer.records, answer.difference_count, answer.checks.totals], [1, 1, 4, true]);
    const [first] = answer.differences as Record<string, unknown>[];
    assert.deepEqual(
      [first?.['problem'], first?.['external_id'], first?.['service_amount'], first?.['operator_amount']],
      ['amount_differs', 'order-1', '5000', '4999'],
    );
  });

  it('verify: refuses an open day, another operation’s key, and bad files, by one line', async () => {
    const today = new Date().toISOString().slice(0, 10);
    await gateway.fails(1, /409 day_open/, 'reconcile', 'verify', ...asOperator(), '--date', today);
    const { operation_id: other } = await gateway.operation();
    await gateway.fails(
      1,
      /the key belongs to op_/,
      'reconcile verify',
      ...asOperator(),
      '--date',
      DAY,
      '--operation',
      other,
    );
    await gateway.fails(2, /--date: must be a day/, 'reconcile', 'verify', ...asOperator(), '--date', '2026-02-30');
    const halves = gateway.file('external_id,kind,amount\nx,deposit,50.00\n');
    const verifying = ['reconcile', 'verify', ...asOperator(), '--date', DAY, '--csv', halves];
    await gateway.fails(2, /--csv: line 2: amount must be minor units/, ...verifying);
  });

  it('show: totals, digest and exceptions; the digest is the one that verify computes', async () => {
    await planted(2);
    const late = await insertDeposit(gateway, operation['operation_id'] ?? '', { status: 'expired' });
    await gateway.rows(
      `INSERT INTO ledger_entry (operation_id, provider, object_id, step, movement, currency, account, amount_minor,
        created_at)
      VALUES ($1, 'simulator', $2, 'received:E1', 'late_payment_received', 'BRL', 'suspense', 700, $3),
        ($1, 'simulator', $2, 'received:E1', 'late_payment_received', 'BRL', 'provider_clearing', -700, $3)`,
      operation['operation_id'],
      late,
      `${DAY}T13:00:00Z`,
    );
    const shown = await gateway.json('reconcile', 'show', ...day);
    assert.deepEqual(
      [shown['status'], shown['totals'].deposits_paid, shown['totals'].count, shown['carried_over']],
      ['closed', { amount: '10000', currency: 'BRL' }, 2, 0],
    );
    assert.deepEqual(
      shown['exceptions'].map((one: Record<string, unknown>) => [one['kind'], one['object_id'], one['amount']]),
      [['late_payment', late, { amount: '700', currency: 'BRL' }]],
    );
    assert.equal(shown['digest'], (await verify()).answer.digest.computed);
    const today = new Date().toISOString().slice(0, 10);
    assert.equal(
      (await gateway.json('reconcile', 'show', '--operation', operation['operation_id'] ?? '', '--date', today))[
        'status'
      ],
      'open',
    );
  });

  it('close: freezes the day and every earlier one, once; an open day is refused', async () => {
    await planted(1);
    assert.deepEqual(await gateway.json('reconcile', 'close', ...day), {
      operation_id: operation['operation_id'],
      date: DAY,
      currency: 'BRL',
      days_frozen: 10,
    });
    assert.equal((await gateway.json('reconcile', 'close', ...day, '--as', 'eva'))['days_frozen'], 0);
    const [act] = (await gateway.json('audit', 'list', '--limit', '1'))['entries'] as {
      person: string;
      action: string;
    }[];
    assert.deepEqual([act?.person, act?.action], ['eva', 'day.close']);
    await gateway.fails(
      1,
      /is open until .*T02:00:00.000Z/,
      'reconcile close --operation',
      operation['operation_id'] ?? '',
      '--date',
      new Date().toISOString().slice(0, 10),
    );
    await gateway.fails(2, /--currency: is not an enabled currency/, 'reconcile', 'close', ...day, '--currency', 'USD');
    await gateway.fails(
      1,
      /there is no such operation/,
      'reconcile close --operation',
      `op_${'0'.repeat(32)}`,
      '--date',
      DAY,
    );
  });

  it('references: what a provider’s statement names and these books do not', async () => {
    const id = operation['operation_id'] ?? '';
    const charge = chargeReferenceOf(await insertDeposit(gateway, id, { status: 'paid' }));
    const payout = payoutReferenceOf(await insertWithdrawal(gateway, id, { status: 'paid' }));
    const references = async (charges: string, payouts: string) => {
      const files = [gateway.file(charges), gateway.file(payouts)];
      const { exitCode, stdout } = await gateway.run(
        `reconcile references --charges ${files[0]} --payouts ${files[1]}`,
      );
      return { exitCode, report: JSON.parse(stdout) as unknown };
    };
    assert.deepEqual(await references(`${charge}\r\n\n${charge}\n`, payout), {
      exitCode: 0,
      report: { ok: true, charges: { given: 1, unknown: [] }, payouts: { given: 1, unknown: [] } },
    });
    const lost = 'f'.repeat(32);
    const unknown = await references(`${charge}\n${payout}\n`, `${lost}\n${payout}\n`);
    assert.deepEqual(unknown, {
      exitCode: 1,
      report: { ok: false, charges: { given: 2, unknown: [payout] }, payouts: { given: 2, unknown: [lost] } },
    });
    await gateway.fails(2, /--charges: or --payouts/, 'reconcile references');
    const broken = gateway.file(`${charge}\na;b\n`);
    await gateway.fails(2, /--charges: reference 2 is no reference/, `reconcile references --charges ${broken}`);
  });
});
