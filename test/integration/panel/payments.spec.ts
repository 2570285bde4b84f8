// The list of payments with its filters, a player's page, the export, and the searches that they come from.
import assert from 'node:assert/strict';
import { createDatabase } from '../../../store/database.js';
import { MOST_SCANNED, paymentListSql } from '../../../store/support/payment-list.js';
import { storeExchanges } from '../../../store/payments/provider-exchanges.js';
import { linkedPlayers } from '../../../store/players/links.js';
import { insertDeposit, insertEvent, insertPlayer, insertWithdrawal, PERSONAL } from '../cli/payments.js';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

describe('panel: payments and players', function () {
  this.timeout(60_000);
  let world: PanelWorld;
  let operationId: string;
  let sofia: Person;
  let far: Person;
  let deposit: string;
  let withdrawal: string;

  before(async () => {
    world = await createPanelWorld();
    operationId = (await world.gateway.operation())['operation_id'];
    const other = (await world.gateway.operation())['operation_id'];
    sofia = await world.person('sofia', ['reviewer']);
    far = await world.person('far', [{ role: 'reviewer', operationId: other }]);
    await insertPlayer(world.gateway, operationId);
    deposit = await insertDeposit(world.gateway, operationId, { status: 'paid', amount: '740000' });
    const decidedBy = [{ person: 'rita', decision: 'refuse', reason: 'fraud', at: '2026-11-01T10:00:00.000Z' }];
    withdrawal = await insertWithdrawal(world.gateway, operationId, {
      status: 'rejected',
      amount: '12345',
      reasons: ['FIRST_WITHDRAWAL'],
      decidedBy,
    });
    await world.gateway.rows(`UPDATE withdrawal SET updated_at = '2026-03-10T02:30:00Z' WHERE id = $1`, withdrawal);
  });
  after(() => world.close());

  const idsOf = async (query: string) => {
    const { status, body } = await sofia.get(`/operations/${operationId}/payments${query}`);
    assert.equal(status, 200, query);
    return (body['items'] as { readonly id: string }[]).map(({ id }) => id);
  };

  it('every filter keeps what fits, the latest change first; days are those of the operation', async () => {
    assert.deepEqual(await idsOf(''), [deposit, withdrawal]);
    assert.deepEqual(await idsOf('?kind=withdrawal'), [withdrawal]);
    assert.deepEqual(await idsOf('?status=paid'), [deposit]);
    assert.deepEqual(await idsOf('?reason=FIRST_WITHDRAWAL'), [withdrawal]);
    assert.deepEqual(await idsOf('?min_amount=12345&max_amount=12345'), [withdrawal]);
    assert.deepEqual(await idsOf('?player=player-1&provider=simulator'), [deposit, withdrawal]);
    assert.deepEqual(await idsOf('?player=nobody'), []);
    // 02:30 in UTC is the day before in Brasília.
    assert.deepEqual(await idsOf('?from=2026-03-09&to=2026-03-09'), [withdrawal]);
    assert.deepEqual(await idsOf('?from=2026-03-10&to=2026-03-10'), []);
  });

  it('→ 404: belongs to another operation', async () => {
    for (const path of ['payments', 'payments/export', 'players/player-1'])
      assert.equal((await far.get(`/operations/${operationId}/${path}`)).body['code'], 'not_found', path);
    assert.equal((await sofia.get(`/operations/${operationId}/players/nobody`)).body['code'], 'not_found');
  });

  it('a player’s page has sums, lists, links and decisions, and nothing personal in the clear', async () => {
    await world.gateway.rows(
      `INSERT INTO player_trait (operation_id, player_ref, kind, value_hash, first_sequence)
       SELECT operation_id, 'player-2', kind, value_hash, 1 FROM player_trait
       WHERE operation_id = $1 AND player_ref = 'player-1' AND kind = 'pix_key'`,
      operationId,
    );
    await world.gateway.rows(
      `INSERT INTO list_entry (operation_id, list, kind, value_hash, value_sealed)
       SELECT operation_id, 'review', 'document', document_hash, '\\x00' FROM player WHERE operation_id = $1`,
      operationId,
    );
    const { body, text } = await sofia.get(`/operations/${operationId}/players/player-1`);
    assert.deepEqual(
      body['lists'].map(({ list, kind }: Record<string, string>) => [list, kind]),
      [['review', 'document']],
    );
    assert.deepEqual(body['linked'].players, [{ ref: 'player-2', shares: ['pix_key'] }]);
    assert.deepEqual(
      body['decisions'].map(({ payment_id: id, decision, reason }: Record<string, string>) => [id, decision, reason]),
      [[withdrawal, 'refuse', 'fraud']],
    );
    assert.deepEqual(
      body['payments'].map(({ id }: { readonly id: string }) => id),
      [deposit, withdrawal],
    );
    assert.equal(body['identity'].payment_id, withdrawal);
    for (const secret of Object.values(PERSONAL)) assert.ok(!text.includes(secret), secret);
  });

  it('a payment’s page has what people did about it, in order, with why; and the provider’s refusal as the provider’s', async () => {
    const id = await insertDeposit(world.gateway, operationId, { status: 'under_review', reasons: ['PAYER_MISMATCH'] });
    const [event] = await world.gateway.rows(`SELECT id FROM event WHERE object_id = $1`, id);
    const [request] = await world.gateway.rows(
      `INSERT INTO approval_request (id, operation_id, kind, payload, requested_by)
       VALUES ('req_' || md5($1), $2, 'return_conclusion', jsonb_build_object('deposit', $1::text), 'ana') RETURNING id`,
      ...[id, operationId],
    );
    const entry = (person: string, action: string, detail: object, subject = id) =>
      world.gateway.rows(
        `SELECT append_audit(NULL, now(), $1, $2, $3, $4, $5)::text`,
        ...[person, action, operationId, subject, JSON.stringify(detail)],
      );
    await entry('rita', 'deposit.return_requested', { reason: 'another payer' });
    const refused = { code: 'AC03', reason: 'another payer', requested_by: 'rita' };
    await entry('provider:simulator', 'deposit.return_refused', refused);
    await entry('ana', 'return.conclude_request', { evidence: 'ticket 4711' }, String(request?.['id']));
    await entry('ana', 'event.redeliver', {}, String(event?.['id']));
    await sofia.post(`/cases/${id}/work`, { act: 'snooze', hours: 4, text: 'the bank answers tomorrow' });
    await entry('rita', 'deposit.approve', { reason: 'of another payment' }, deposit);
    const { body } = await sofia.get(`/payments/${id}`);
    assert.deepEqual(
      body['people'].map((act: Record<string, unknown>) => [
        ...[act['person'], act['is_provider'], act['action'], act['reason'], act['code'], act['evidence']],
      ]),
      [
        ['rita', false, 'deposit.return_requested', 'another payer', null, null],
        ['provider:simulator', true, 'deposit.return_refused', 'another payer', 'AC03', null],
        ['ana', false, 'return.conclude_request', null, null, 'ticket 4711'],
        ['ana', false, 'event.redeliver', null, null, null],
        ['sofia', false, 'case.snooze', 'the bank answers tomorrow', null, null],
      ],
    );
    assert.ok(Date.parse(body['people'].at(-1).until) > Date.now());
    assert.equal(body['people'][1].requested_by, 'rita');
  });

  it('a payment’s timeline has its requests to the provider; what was sent is shown masked, and to its operation', async () => {
    const row = { paymentId: deposit, provider: 'simulator', call: 'createCharge', method: 'PUT', durationMs: 9 };
    const pool = { poolSize: 1, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 };
    const database = createDatabase({ url: world.gateway.urlOfRole('gateway_worker'), ...pool });
    const [stepAt, startedAt] = ['2026-11-01T10:00:00.000Z', '2026-11-01T10:00:00.020Z'];
    await storeExchanges(database, [
      { ...row, path: '/cob/{…}', status: null, fault: 'may_have_arrived: timeout', stepAt, startedAt },
      { ...row, path: '/cob/{…}', status: 201, fault: null, stepAt, startedAt },
    ]);
    const { body } = await sofia.get(`/payments/${deposit}`);
    assert.deepEqual(
      body['exchanges'].map(({ status, fault, path }: Record<string, unknown>) => [status, fault, path]),
      [
        [null, 'may_have_arrived: timeout', '/cob/{…}'],
        [201, null, '/cob/{…}'],
      ],
    );
    await assert.rejects(
      storeExchanges(database, [
        { ...row, path: `/v2/${PERSONAL.document}`, status: 200, fault: null, stepAt, startedAt },
      ]),
    );
    await database.$disconnect();
    const event = await insertEvent(world.gateway, operationId, deposit, 'deposit.paid');
    const sent = await sofia.get(`/events/${event}`);
    assert.equal(sent.body['body'].player.name, 'M. d. D.');
    for (const secret of Object.values(PERSONAL)) assert.ok(!sent.text.includes(secret), secret);
    assert.equal((await far.get(`/events/${event}`)).body['code'], 'not_found');
  });

  it('a search finds by amount, by the end of an id and by a key; of the key the audit trail says nothing', async () => {
    const found = async (q: string) =>
      ((await sofia.post('/search', { q })).body['hits'] as { id: string; found_by: string[] }[]).map(
        ({ id, found_by: by }) => [id, by.join()],
      );
    assert.deepEqual(await found('R$ 7.400,00'), [[deposit, 'amount']]);
    assert.deepEqual(await found('123.45'), [[withdrawal, 'amount']]);
    assert.ok((await found(withdrawal.slice(-6))).some(([id, by]) => id === withdrawal && by === 'id_end'));
    assert.deepEqual(await found(PERSONAL.key), [[withdrawal, 'pix_key']]);
    assert.deepEqual(await found('nobody@example.test'), []);
    const entries = await world.gateway.rows(`SELECT detail FROM audit_entry WHERE action = 'search.pix_key'`);
    assert.deepEqual(
      entries.map(({ detail }) => (JSON.parse(String(detail)) as { payments: number }).payments),
      [1, 0],
    );
    assert.doesNotMatch(JSON.stringify(entries), /@/);
  });

  it('the list is saved as a file by its filters, and the audit trail says so', async () => {
    const { text } = await sofia.get(`/operations/${operationId}/payments/export?kind=withdrawal`);
    const lines = text.trim().split('\r\n');
    assert.equal(lines.length, 2);
    assert.match(lines[1] ?? '', new RegExp(`^${withdrawal},withdrawal,rejected,12345,BRL,player-1,`));
    const [entry] = await world.gateway.rows(`SELECT detail FROM audit_entry WHERE action = 'payments.download'`);
    assert.match(String(entry?.['detail']), /"kind":"withdrawal"/);
  });

  it('a rare filter reads a bounded part at a time and finds all; every reading goes by an index', async () => {
    await world.gateway.rows(
      `INSERT INTO deposit (id, operation_id, external_id, status, version, amount_minor, currency, method,
        player_ref, provider, request_sealed, review_reasons, created_at, updated_at, expires_at)
       SELECT 'dep_' || md5(n::text), $1, 'bulk-' || n, 'expired', 1, 1, 'BRL', 'pix', 'p-' || n, 'simulator', '\\x00',
         '{}', now(), now() + n * interval '1 second', now() FROM generate_series(1, $2::int) n`,
      ...[operationId, 2 * MOST_SCANNED + 1],
    );
    await world.gateway.rows('ANALYZE');
    const pages: string[][] = [];
    for (let next = ''; ;) {
      const { body } = await sofia.get(`/operations/${operationId}/payments?status=paid${next}`);
      pages.push((body['items'] as { readonly id: string }[]).map(({ id }) => id));
      if (body['next'] === null) break;
      next = `&cursor=${String(body['next'])}`;
    }
    assert.deepEqual(pages, [[], [], [deposit]]);
    const filter = {
      operationId,
      ...{ kind: null, status: 'paid', playerRef: null, provider: null, reason: null },
      ...{ leastMinor: null, mostMinor: null, from: null, to: null, timeZone: 'America/Sao_Paulo' },
    };
    const statements = [paymentListSql(filter, null, 51), linkedPlayers(operationId, 'player-1', 21)];
    for (const { text, values } of statements) {
      const plan = (await world.gateway.rows(`EXPLAIN ${text}`, ...values))
        .map((row) => String(row['QUERY PLAN']))
        .join('\n');
      assert.doesNotMatch(plan, /Seq Scan on deposit/, plan);
    }
  });
});
