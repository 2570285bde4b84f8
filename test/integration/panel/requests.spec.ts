// The inbox of requests that take two people, and alerts: through the panel, under its role of the database.
import assert from 'node:assert/strict';
import { newId } from '../../../domain/identifiers.js';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

describe('panel: requests and alerts', function () {
  this.timeout(60_000);
  let world: PanelWorld;
  let operationId: string;
  let rita: Person;
  let paulo: Person;

  before(async () => {
    world = await createPanelWorld();
    operationId = (await world.gateway.operation())['operation_id'];
    rita = await world.person('rita', ['reviewer', 'risk_manager', 'admin']);
    paulo = await world.person('paulo', ['reviewer', 'risk_manager', 'approver']);
  });
  after(() => world.close());

  const request = async (kind: string, payload: object, by = 'rita') => {
    const id = newId('approvalRequest');
    await world.gateway.rows(
      `INSERT INTO approval_request (id, operation_id, kind, payload, requested_by) VALUES ($1, $2, $3, $4, $5)`,
      id,
      operationId,
      kind,
      JSON.stringify(payload),
      by,
    );
    return id;
  };
  const decide = (person: Person, id: string, decision: 'approve' | 'reject') =>
    person.post(`/approvals/${id}`, { decision, reason: 'ticket 4711', confirm: id.slice(-4) });
  const listed = async (person: Person, id: string) =>
    ((await person.get('/approvals')).body['items'] as Record<string, unknown>[]).find((item) => item['id'] === id);

  it('one’s own request is shown with the reason why it cannot be approved', async () => {
    const id = await request('resume', {});
    const own = await listed(rita, id);
    assert.deepEqual(
      [own?.['is_own'], own?.['approve']],
      [true, { possible: false, why_not: 'own_request', confirm: id.slice(-4) }],
    );
    assert.equal((await decide(rita, id, 'approve')).body['code'], 'own_request');
    assert.equal((await decide(rita, id, 'reject')).body['status'], 'rejected');
    assert.equal(await listed(rita, id), undefined);
  });

  it('another person approves it, once, by typing the end of its id', async () => {
    await world.gateway.rows(`UPDATE operation SET status = 'suspended' WHERE id = $1`, operationId);
    const id = await request('resume', {});
    assert.deepEqual((await listed(paulo, id))?.['approve'], {
      possible: true,
      why_not: null,
      confirm: id.slice(-4),
    });
    const unconfirmed = { decision: 'approve', reason: 'ticket 4711' };
    assert.equal((await paulo.post(`/approvals/${id}`, unconfirmed)).body['code'], 'not_confirmed');
    assert.deepEqual((await decide(paulo, id, 'approve')).body, { id, status: 'approved', key: null });
    const [operation] = await world.gateway.rows('SELECT status FROM operation WHERE id = $1', operationId);
    assert.equal(operation?.['status'], 'active');
    const [act] = await world.gateway.rows('SELECT * FROM staff_act WHERE subject_id = $1', id);
    assert.deepEqual([act?.['staff_handle'], act?.['kind'], act?.['means']], ['paulo', 'risk.approve', 'link']);
    const [entry] = await world.gateway.rows('SELECT person, detail FROM audit_entry WHERE subject = $1', id);
    const { reason, means, act_id: actId } = JSON.parse(String(entry?.['detail'])) as Record<string, unknown>;
    assert.deepEqual([entry?.['person'], reason, means, actId], ['paulo', 'ticket 4711', 'link', act?.['id']]);
    const [shown] = (await paulo.get(`/audit?subject=${id}`)).body['items'] as Record<
      string,
      Record<string, unknown>
    >[];
    assert.deepEqual(
      [shown?.['means'], shown?.['detail']?.['act_id'], shown?.['detail']?.['means']],
      ['link', act?.['id'], undefined],
    );
    const again = (await decide(paulo, id, 'approve')).body;
    assert.deepEqual([again['code'], again['now']['status']], ['decided_before', 'approved']);
  });

  it('a cash movement is shown with amount and document, moves once, and only what is covered', async () => {
    const [{ provider } = {}] = await world.gateway.rows('SELECT provider FROM operation WHERE id = $1', operationId);
    const asked = {
      amount: { amount: '500000', currency: 'BRL' },
      ...{ provider, to_provider: null, document: 'slip 4711', reason: 'as agreed' },
    };
    const cash = (movement: string, more: object = {}) => request('cash_movement', { movement, ...asked, ...more });
    const balances = async () =>
      (
        await world.gateway.rows(
          `SELECT account, balance_minor FROM ledger_account WHERE operation_id = $1 AND balance_minor <> 0 ORDER BY 1`,
          operationId,
        )
      ).map(({ account, balance_minor: balance }) => [account, balance]);
    const settlement = await cash('settlement');
    assert.equal((await decide(paulo, settlement, 'approve')).body['code'], 'not_covered');
    assert.ok(await listed(paulo, settlement), 'it still waits');
    const out = await cash('moved', { to_provider: 'b' });
    assert.equal((await decide(paulo, out, 'approve')).body['code'], 'account_in_use');
    const elsewhere = await cash('funding', { provider: 'b.acme' });
    assert.equal((await decide(paulo, elsewhere, 'approve')).body['code'], 'account_taken');

    const id = await cash('funding');
    assert.deepEqual((await listed(paulo, id))?.['asks_for'], { movement: 'funding', ...asked });
    assert.equal((await decide(rita, id, 'approve')).body['code'], 'own_request');
    assert.deepEqual(await balances(), []);
    assert.equal((await decide(paulo, id, 'approve')).body['status'], 'approved');
    assert.equal((await decide(paulo, id, 'approve')).body['code'], 'decided_before');
    assert.deepEqual(await balances(), [
      ['available', '500000'],
      ['provider_clearing', '-500000'],
    ]);
    assert.equal((await decide(paulo, settlement, 'approve')).body['status'], 'approved');
    assert.deepEqual(await balances(), []);
  });

  it('a key’s secret is in that one answer', async () => {
    const id = await request('key', { scopes: ['read'] });
    const { key } = (await decide(paulo, id, 'approve')).body;
    assert.deepEqual(key['scopes'], ['read']);
    assert.ok(String(key['secret']).length > 20);
    const configured = await paulo.get(`/operations/${operationId}`);
    const everything = [configured, await paulo.get('/approvals'), await rita.get('/audit')];
    for (const { status, text } of everything) {
      assert.equal(status, 200);
      assert.ok(!text.includes(key['secret']));
    }
    assert.ok(everything[0]?.text.includes(key['key_id']));
    assert.ok(!world.logged.join('').includes(key['secret']));
  });

  it('refuses what only the command can do, and says so', async () => {
    const id = await request('player_erasure', { player: 'player-1' });
    assert.equal(((await listed(paulo, id))?.['approve'] as Record<string, unknown>)['why_not'], 'command_line_only');
    assert.equal((await decide(paulo, id, 'approve')).body['code'], 'command_line_only');
    assert.equal((await decide(paulo, id, 'reject')).body['status'], 'rejected');
  });

  it('networks, addresses and lists take effect as well', async () => {
    const networks = await request('allowlist', { networks: ['203.0.113.0/24'], replaces: [] });
    assert.equal((await decide(paulo, networks, 'approve')).status, 200);
    const url = await request('webhook', { url: 'https://shop.test/hooks' });
    assert.equal((await decide(paulo, url, 'approve')).status, 200);
    const moved = await request('provider', { provider: 'b' });
    assert.equal((await decide(paulo, moved, 'approve')).status, 200);
    const add = ['--operation', operationId, '--list', 'block', '--kind', 'player', 'player-7', '--as', 'eva'];
    await world.gateway.json('list', 'add', ...add);
    const [entry] = await world.gateway.rows(`SELECT encode(value_hash, 'hex') AS hash FROM list_entry`);
    const before = (await paulo.get(`/lists/${operationId}?list=block`)).body['items'];
    assert.deepEqual(
      before.map((one: Record<string, unknown>) => [one['kind'], one['added_by']]),
      [['player', 'eva']],
    );
    const removal = await request('list_removal', { kind: 'player', entry: entry?.['hash'] });
    assert.equal((await decide(paulo, removal, 'approve')).status, 200);
    assert.deepEqual((await paulo.get(`/lists/${operationId}`)).body['items'], []);
    const shown = (await paulo.get(`/operations/${operationId}`)).body;
    assert.deepEqual(
      [shown['networks'], shown['webhook_url'], shown['provider']],
      [['203.0.113.0/24'], 'https://shop.test/hooks', 'b'],
    );
  });

  it('alerts have a meaning and a safe action; they are taken over, and resolved with a reason', async () => {
    const id = newId('alert');
    await world.gateway.rows(
      `INSERT INTO alert (id, operation_id, kind, object_id, detail, occasion, created_at)
       VALUES ($1, $2, 'LATE_PAYMENT', 'dep_1', 'R$ 50,00', 'E1', now())`,
      id,
      operationId,
    );
    const [open] = (await rita.get('/alerts')).body['items'];
    assert.deepEqual([open['id'], open['lasts'], open['assigned_to']], [id, 'incident', null]);
    assert.ok(open['meaning'].length > 20 && open['safe_action'].length > 20);
    const take = (by: Person, seen: string | null) => by.post(`/alerts/${id}`, { act: 'assign', person: 'me', seen });
    assert.equal((await take(rita, null)).body['assigned_to'], 'rita');
    // A person who has not seen that a colleague took it cannot take it from them.
    assert.equal((await take(paulo, null)).body['code'], 'stale');
    assert.equal((await rita.get('/alerts')).body['items'][0]['assigned_to'], 'rita');
    assert.equal((await take(paulo, 'rita')).body['assigned_to'], 'paulo');
    assert.equal((await rita.post(`/alerts/${id}`, { act: 'resolve', reason: '' })).body['code'], 'invalid');
    const resolved = (await paulo.post(`/alerts/${id}`, { act: 'resolve', reason: 'returned by hand' })).body;
    assert.deepEqual([resolved['resolved_by'], resolved['resolution']], ['paulo', 'returned by hand']);
    assert.deepEqual((await rita.get('/alerts')).body['items'], []);
    const late = await rita.post(`/alerts/${id}`, { act: 'resolve', reason: 'I returned it' });
    assert.equal(late.body['code'], 'decided_before');
    assert.equal((await take(rita, 'paulo')).body['code'], 'decided_before');
    assert.equal((await rita.get('/alerts?resolved=yes')).body['items'][0]['id'], id);
    assert.equal((await rita.get(`/alerts?id=${id}`)).body['items'].length, 1);
    assert.deepEqual((await rita.get('/alerts?id=alr_0')).body['items'], []);
    const audited = await world.gateway.rows('SELECT action FROM audit_entry WHERE subject = $1 ORDER BY sequence', id);
    assert.deepEqual(
      audited.map(({ action }) => action),
      ['alert.assign', 'alert.assign', 'alert.resolve'],
    );
  });
});
