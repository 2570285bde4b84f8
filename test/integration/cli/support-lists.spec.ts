// What support lists: balances, failing endpoints, a player's payments, entries of lists; bounded, and nothing
// personal.
import assert from 'node:assert/strict';
import { FAILING_ENDPOINTS } from '../../../store/events/failing-endpoints.js';
import { newId } from '../../../domain/identifiers.js';
import { insertDeposit, insertWithdrawal, PERSONAL } from './payments.js';
import { createTestGateway, type TestGateway } from './support.js';

describe('gateway balance, endpoint, player, list entries', () => {
  let gateway: TestGateway;
  let [operation, other] = ['', ''];
  before(async () => {
    gateway = await createTestGateway();
    [operation, other] = [
      (await gateway.operation('--webhook-url', 'http://127.0.0.1:9000/hooks'))['operation_id'],
      (await gateway.operation())['operation_id'],
    ];
    await insertDeposit(gateway, operation, { status: 'paid', amount: '5000', movements: ['deposit_credited'] });
    await insertWithdrawal(gateway, operation, {
      status: 'under_review',
      amount: '1000',
      reasons: ['FIRST_WITHDRAWAL'],
      movements: ['withdrawal_reserved'],
    });
  });
  after(() => gateway.close());

  it('balance list: the accounts of an operation, signed', async () => {
    const { balances, more } = await gateway.json('balance', 'list', '--operation', operation);
    assert.equal(more, false);
    assert.deepEqual(
      Object.fromEntries(balances.map((row: { account: string; balance: object }) => [row.account, row.balance])),
      {
        available: { amount: '4000', currency: 'BRL' },
        pending_in: { amount: '0', currency: 'BRL' },
        pending_out: { amount: '1000', currency: 'BRL' },
        provider_clearing: { amount: '-5000', currency: 'BRL' },
        suspense: { amount: '0', currency: 'BRL' },
      },
    );
    assert.match((await gateway.onTerminal('balance', 'list', '--operation', operation)).stdout, /-R\$ 50,00/);
    assert.equal((await gateway.json('balance', 'list'))['balances'].length, 10);
    await gateway.fails(1, /there is no such operation/, 'balance', 'list', '--operation', 'op_0');
  });

  it('endpoint list: how many events wait, since when, and what was answered last', async () => {
    assert.deepEqual(await gateway.json('endpoint', 'list'), { endpoints: [], more: false });
    const [deposit = { id: '' }] = (await gateway.rows(
      'SELECT id FROM deposit WHERE operation_id = $1',
      operation,
    )) as { id: string }[];
    const attempt = async (event: string, number: number, sent: string, status: number | null, next: string | null) =>
      gateway.rows(
        `INSERT INTO webhook_delivery (operation_id, event_id, attempt, sent_at, response_status, error,
          duration_ms, next_attempt_at)
         VALUES ($1, $2, $3, now() + $4::interval, $5, $6, 12, now() + $7::interval)`,
        operation,
        event,
        number,
        sent,
        status,
        status === null ? 'timeout' : null,
        next,
      );
    const events: string[] = [];
    for (let version = 10; version < 14; version += 1) {
      const [row = { id: '' }] = (await gateway.rows(
        `INSERT INTO event (id, operation_id, sequence, type, object_id, object_version, body_sealed,
          created_at) VALUES ($1, $2, $3::bigint, 'deposit.paid', $4, $3::bigint::int, '\\x00', now()) RETURNING id`,
        newId('event'),
        operation,
        version,
        deposit.id,
      )) as { id: string }[];
      events.push(row.id);
    }
    const [waiting = '', delivered = '', again = '', exhausted = ''] = events;
    await attempt(waiting, 1, '-2 hours', 500, '-1 hour');
    await attempt(waiting, 2, '-1 hour', 500, '5 minutes');
    await attempt(delivered, 1, '-50 minutes', 500, '-40 minutes');
    await attempt(delivered, 2, '-40 minutes', 200, null);
    await attempt(exhausted, 10, '-30 minutes', 500, null);
    await attempt(again, 1, '-1 minute', null, '10 seconds');
    await gateway.rows(
      `INSERT INTO alert (id, operation_id, kind, object_id, detail, created_at)
        VALUES ($1, $2, 'WEBHOOK_EXHAUSTED', $3, 'd', now())`,
      newId('alert'),
      operation,
      exhausted,
    );
    const {
      endpoints: [endpoint, ...rest],
    } = await gateway.json('endpoint', 'list');
    assert.deepEqual(rest, []);
    const age = (at: string) => Math.round((Date.now() - Date.parse(at)) / 60_000);
    assert.deepEqual(
      {
        ...endpoint,
        since: age(endpoint.since),
        last_attempt_at: age(endpoint.last_attempt_at),
        next_attempt_at: typeof endpoint.next_attempt_at,
      },
      {
        operation_id: operation,
        operation_name: 'Acme',
        webhook_url: 'http://127.0.0.1:9000/hooks',
        waiting_events: 2,
        since: 120,
        next_attempt_at: 'string',
        given_up_events: 1,
        last_attempt_at: 1,
        last_status: null,
        last_error: 'timeout',
      },
    );
    assert.deepEqual((await gateway.json('endpoint', 'list', '--operation', other))['endpoints'], []);
  });

  it('endpoint list reads what fails, not what was delivered', async () => {
    await gateway.rows(
      `INSERT INTO webhook_delivery (operation_id, event_id, attempt, sent_at, response_status, duration_ms,
        next_attempt_at) SELECT $1, 'evt_' || md5(n::text), 1, now() - interval '1 day', 200, 12, NULL
        FROM generate_series(1, 20000) n`,
      other,
    );
    await gateway.rows('ANALYZE');
    for (const operationId of [null, operation]) {
      const { text, values } = FAILING_ENDPOINTS({ operationId, take: 201 });
      const plan = (await gateway.rows(`EXPLAIN ${text}`, ...values))
        .map((row) => String(row['QUERY PLAN']))
        .join('\n');
      assert.match(plan, /webhook_delivery_waiting/);
      assert.doesNotMatch(plan, /Seq Scan on webhook_delivery/, plan);
    }
  });

  it('player payments: states, amounts, totals over all of them', async () => {
    await insertDeposit(gateway, operation, { status: 'paid', amount: '7000' });
    await insertDeposit(gateway, operation, { status: 'expired', amount: '300' });
    await gateway.rows(
      `INSERT INTO player (operation_id, external_ref, document_hash, document_sealed)
        VALUES ($1, 'player-1', '\\x00', '\\x00')`,
      operation,
    );
    const shown = await gateway.json('player', 'payments', 'player-1', '--operation', operation);
    assert.deepEqual(
      shown['deposits'].map((row: { status: string; amount: { amount: string } }) => [row.status, row.amount.amount]),
      [
        ['expired', '300'],
        ['paid', '7000'],
        ['paid', '5000'],
      ],
    );
    assert.deepEqual(
      shown['withdrawals'].map((row: { status: string; reasons: string[] }) => [row.status, row.reasons]),
      [['under_review', ['FIRST_WITHDRAWAL']]],
    );
    const totals = {
      deposits: [
        { status: 'expired', count: 1, amount: { amount: '300', currency: 'BRL' } },
        { status: 'paid', count: 2, amount: { amount: '12000', currency: 'BRL' } },
      ],
      withdrawals: [{ status: 'under_review', count: 1, amount: { amount: '1000', currency: 'BRL' } }],
    };
    assert.deepEqual(shown['totals'], totals);
    const cut = await gateway.json('player', 'payments', 'player-1', '--operation', operation, '--limit', '2');
    assert.deepEqual([cut['deposits'].length, cut['more'], cut['totals']], [2, true, totals]);
    await gateway.fails(1, /there is no such player/, 'player', 'payments', 'player-1', '--operation', other);
    await gateway.fails(2, /REF: must be/, 'player', 'payments', PERSONAL.key, '--operation', operation);
  });

  it('list entries: who added what when, without the value', async () => {
    const add = (kind: string, value: string, list = 'block') =>
      gateway.json('list', 'add', '--operation', operation, '--list', list, '--kind', kind, '--as', 'ana', value);
    await add('document', PERSONAL.document);
    await add('pix_key', PERSONAL.key, 'review');
    await add('player', 'p-1');
    await gateway.json(`list remove --operation ${operation} --list block --kind player --as ana p-1`);
    await gateway.json(`list add --operation ${operation} --list block --kind player --as ben p-1`);
    const { entries, more } = await gateway.json('list', 'entries', '--operation', operation);
    const [{ value_hash: hash } = {}] = await gateway.rows(
      `SELECT encode(value_hash, 'hex') AS value_hash FROM list_entry WHERE operation_id = $1 AND kind = 'document'`,
      operation,
    );
    assert.deepEqual(
      entries.map(({ added_at: at, ...entry }: { added_at: string; entry: string; kind: string }) => ({
        ...entry,
        entry: entry.kind === 'document' ? entry.entry : typeof entry.entry,
        added_at: !Number.isNaN(Date.parse(at)),
      })),
      [
        {
          list: 'block',
          kind: 'document',
          entry: String(hash).slice(0, 16),
          value_ends: '…725',
          added_by: 'ana',
          added_at: true,
        },
        { list: 'review', kind: 'pix_key', entry: 'string', value_ends: '…est', added_by: 'ana', added_at: true },
        { list: 'block', kind: 'player', entry: 'string', value_ends: '…', added_by: 'ben', added_at: true },
      ].map((entry) => ({ ...entry, reason: '', expires_at: null })),
    );
    assert.equal(more, false);
    const filtered = await gateway.json(`list entries --operation ${operation} --list review --kind pix_key`);
    assert.equal(filtered['entries'].length, 1);
    assert.deepEqual((await gateway.json(`list entries --operation ${other}`))['entries'], []);
  });

  it('every list that was cut says so, on standard error where its answer has no room', async () => {
    await insertDeposit(gateway, operation, { status: 'under_review' });
    await insertDeposit(gateway, operation, { status: 'under_review' });
    for (let n = 0; n < 2; n += 1) {
      await gateway.rows(
        `INSERT INTO alert (id, operation_id, kind, object_id, detail, created_at)
          VALUES ($1, $2, 'LATE_PAYMENT', $1, 'd', now())`,
        newId('alert'),
        operation,
      );
      await gateway.rows(
        `INSERT INTO rule_change_request (id, operation_id, base_version, rules, justification, requested_by,
          decided_by) VALUES ($1, $2, 1, '{}', 'fewer', 'key_test_x', '{}')`,
        newId('ruleChange'),
        operation,
      );
      await gateway.production();
    }
    for (const [list, what] of [
      ['operation list', 'operations'],
      ['alerts', 'alerts'],
      ['audit list', 'entries'],
      ['key list', 'keys'],
      ['request list', 'requests'],
      ['review list', 'deposits'],
      ['rules changes list', 'changes'],
      ['balance list', 'accounts'],
      [`list entries --operation ${operation}`, 'entries'],
    ] as const) {
      const { stdout, stderr } = await gateway.run(list, '--limit', '1');
      assert.equal(stderr, `gateway: there are more than 1 ${what}; --limit lists more\n`, list);
      const [rows] = Object.values(JSON.parse(stdout)).filter(Array.isArray);
      assert.equal(rows?.length, 1, list);
    }
  });

  it('nothing personal is printed', async () => {
    for (const argv of [
      ['balance', 'list'],
      ['endpoint', 'list'],
      ['player', 'payments', 'player-1', '--operation', operation],
      ['list', 'entries', '--operation', operation],
    ]) {
      for (const { stdout, stderr } of [await gateway.run(...argv), await gateway.onTerminal(...argv)]) {
        for (const value of [...Object.values(PERSONAL), 'sealed', 'hash'])
          assert.ok(!`${stdout}${stderr}`.includes(value), `${argv.join(' ')} prints ${value}`);
      }
    }
  });
});
