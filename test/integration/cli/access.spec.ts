// Keys, networks, webhook secrets, and the second person that production asks for.
import assert from 'node:assert/strict';
import { createTestGateway, type TestGateway, openedKey, openedWebhookSecret } from './support.js';

type Person = Awaited<ReturnType<TestGateway['signedIn']>>;

describe('gateway key, allowlist, request, webhook-secret', () => {
  let gateway: TestGateway;
  let sandbox: string;
  let production: string;
  // In production a name proves nothing.
  let ana: Person;
  let ben: Person;
  let cem: Person;
  before(async () => {
    gateway = await createTestGateway();
    ana = await gateway.signedIn('ana');
    ben = await gateway.signedIn('ben');
    cem = await gateway.signedIn('cem');
  });
  beforeEach(async () => {
    sandbox = (await gateway.operation())['operation_id'];
    production = await gateway.production();
  });
  after(() => gateway.close());

  const keysOf = (id: string) => gateway.rows('SELECT * FROM api_key WHERE operation_id = $1 ORDER BY created_at', id);
  const networksOf = async (id: string) =>
    (await gateway.rows('SELECT cidr FROM allowed_network WHERE operation_id = $1 ORDER BY 1', id)).map(
      (row) => row['cidr'],
    );
  const createKey = (...more: string[]) => gateway.json('key', 'create', '--operation', sandbox, ...more);

  it('key create prints the key once and stores it sealed with its scopes', async () => {
    const key = await createKey('--scopes', 'withdrawals:write, read,read');
    assert.deepEqual(Object.keys(key), ['key_id', 'secret', 'scopes']);
    assert.deepEqual(key['scopes'], ['read', 'withdrawals:write']);
    const [row] = await gateway.rows('SELECT * FROM api_key WHERE key_id = $1', key['key_id']);
    assert.deepEqual(row?.['scopes'], ['read', 'withdrawals:write']);
    assert.equal(row?.['environment'], 'sandbox');
    assert.equal(openedKey(row), key['secret']);
  });

  it('key create takes two of the same scopes; the third waits for a revocation; other scopes do not count', async () => {
    const first = await createKey('--scopes', 'read');
    await createKey('--scopes', 'read');
    await gateway.fails(
      1,
      /two keys with these scopes are active already \(key_test_\w+, key_test_\w+\)/,
      `key create --operation ${sandbox} --scopes read`,
    );
    await createKey('--scopes', 'read,deposits:write');
    const revoked = await gateway.json('key', 'revoke', first['key_id']);
    assert.equal(revoked['operation_id'], sandbox);
    assert.deepEqual(await gateway.json('key', 'revoke', first['key_id']), revoked, 'again: it keeps the time');
    await createKey('--scopes', 'read');
    await gateway.fails(1, /no such key/, 'key', 'revoke', 'key_test_nobody');
  });

  it('a key that has expired by its operation’s clock is neither counted nor listed', async () => {
    const [id, create] = [sandbox, () => createKey('--scopes', 'read')];
    const first = await create();
    await create();
    await gateway.rows(`UPDATE api_key SET expires_at = now() + interval '1 day' WHERE key_id = $1`, first['key_id']);
    const ahead = { revision: 1, offsetMs: 2 * 86_400_000, frozenAt: null };
    await gateway.rows('UPDATE operation SET clock = $2::jsonb WHERE id = $1', id, JSON.stringify(ahead));
    const { keys } = await gateway.json('key', 'list', '--operation', id);
    const { operations } = await gateway.json('operation', 'list');
    const active = operations.find((one: { operation_id: string }) => one.operation_id === id).active_keys;
    for (const listed of [keys, active])
      assert.ok(!listed.some((key: { key_id: string }) => key.key_id === first['key_id']));
    await create();
  });

  it('of five that create a key at once two succeed', async () => {
    // Until all five wait, nobody can insert: without a lock on the operation each of them would have counted no key.
    const release = await gateway.blockInserts('api_key');
    const running = Array.from({ length: 5 }, () =>
      gateway.run('key', 'create', '--operation', sandbox, '--scopes', 'rules:propose'),
    );
    await gateway.untilWaiting(5);
    await release();
    const runs = await Promise.all(running);
    assert.deepEqual(runs.map(({ exitCode }) => exitCode).sort(), [0, 0, 1, 1, 1]);
  });

  it('key list shows age, rotation and end, oldest first; ended keys only with --all', async () => {
    const second = await createKey('--scopes', 'read');
    await gateway.rows(
      `UPDATE api_key SET created_at = now() - interval '75 days 1 hour' WHERE key_id = $1`,
      second['key_id'],
    );
    const list = async (...more: string[]) =>
      (await gateway.json('key', 'list', '--operation', sandbox, ...more))['keys'];
    const [oldest, ...others] = await list();
    assert.deepEqual(
      [oldest.key_id, oldest.age_days, oldest.rotation, oldest.expires_at, others.length],
      [second['key_id'], 75, 'due', null, 1],
    );
    assert.deepEqual([others[0].age_days, others[0].rotation, others[0].scopes.length], [0, 'fresh', 4]);
    assert.ok(!JSON.stringify([oldest, others]).includes('secret'));
    await gateway.json('key', 'revoke', second['key_id']);
    assert.equal((await list()).length, 1);
    assert.deepEqual(
      (await list('--all')).map((key: { rotation: string }) => key.rotation),
      ['ended', 'fresh'],
    );
    await gateway.fails(1, /^gateway: operation op_0: there is no such operation/, 'key list --operation op_0');
  });

  it('allowlist set replaces the whole list, also by none', async () => {
    await gateway.json('allowlist', 'set', '--operation', sandbox, '10.0.0.0/24', '203.0.113.9');
    assert.deepEqual(await networksOf(sandbox), ['10.0.0.0/24', '203.0.113.9/32']);
    assert.deepEqual(await gateway.json('allowlist', 'set', '--operation', sandbox, '10.9.0.0/24'), {
      operation_id: sandbox,
      networks: ['10.9.0.0/24'],
    });
    assert.deepEqual(await networksOf(sandbox), ['10.9.0.0/24']);
    await gateway.fails(2, /CIDR: .*wider than \/56/, `allowlist set --operation ${sandbox} 10.1.0.0/24 2001:db8::/48`);
    assert.deepEqual(await networksOf(sandbox), ['10.9.0.0/24'], 'nothing changed');
    await gateway.json('allowlist', 'set', '--operation', sandbox);
    assert.deepEqual(await networksOf(sandbox), []);
    await gateway.fails(1, /no such operation/, 'allowlist', 'set', '--operation', 'op_0');
  });

  it('production: a requested key is made when a second person approves, and printed once', async () => {
    const requested = await ana.json('key', 'create', '--operation', production, '--scopes', 'read');
    assert.deepEqual([requested['key_id'], requested['secret'], requested['scopes']], [null, null, ['read']]);
    const [request] = requested['requests'];
    assert.equal(request.kind, 'key');
    for (const sameAna of [' ANA ']) {
      await gateway.fails(
        1,
        /was made by ana; another person must approve/,
        'request approve',
        request.id,
        '--as',
        sameAna,
      );
    }
    assert.deepEqual(await keysOf(production), []);
    const approved = await ben.json('request', 'approve', request.id);
    assert.match(approved['key_id'], /^key_live_[A-Za-z0-9]{24}$/);
    assert.deepEqual(approved['scopes'], ['read']);
    const [key] = await keysOf(production);
    assert.equal(openedKey(key), approved['secret']);
    const audited = `SELECT person, detail::jsonb->>'requested_by' AS by FROM audit_entry WHERE subject = $1 AND action = $2`;
    assert.deepEqual(await gateway.rows(audited, request.id, 'request.approve'), [{ person: 'ben', by: 'ana' }]);
    await cem.fails(1, /was approved before by ben/, 'request', 'approve', request.id);
    assert.equal((await keysOf(production)).length, 1);
  });

  it('production: two people approving at once make one key', async () => {
    const { requests } = await ana.json('key', 'create', '--operation', production, '--scopes', 'read');
    const runs = await Promise.all(
      [ben, cem, ben, cem].map((person) =>
        person.json('request', 'approve', requests[0].id).then(
          () => true,
          () => false,
        ),
      ),
    );
    assert.deepEqual(runs.sort(), [false, false, false, true]);
    assert.equal((await keysOf(production)).length, 1);
  });

  it('production: a third key of the same scopes is refused at the approval too', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      ids.push((await ana.json('key', 'create', '--operation', production, '--scopes', 'read'))['requests'][0].id);
    }
    await ben.json('request', 'approve', ids[0] ?? '');
    await ben.json('request', 'approve', ids[1] ?? '');
    await ben.fails(1, /two keys with these scopes/, 'request', 'approve', ids[2] ?? '');
    assert.equal(
      (await gateway.rows('SELECT status FROM approval_request WHERE id = $1', ids[2]))[0]?.['status'],
      'pending',
    );
  });

  it('production: an allowlist is in force only when approved; a rejected one never', async () => {
    const asked = await ana.json('allowlist', 'set', '--operation', production, '10.0.0.0/24');
    assert.deepEqual(asked['networks'], []);
    assert.deepEqual(await networksOf(production), []);
    assert.deepEqual((await ben.json('request', 'approve', asked['requests'][0].id))['networks'], ['10.0.0.0/24']);
    assert.deepEqual(await networksOf(production), ['10.0.0.0/24']);
    const unwanted = await ana.json('allowlist', 'set', '--operation', production);
    assert.deepEqual(unwanted['networks'], ['10.0.0.0/24']);
    assert.equal((await ana.json('request', 'reject', unwanted['requests'][0].id))['status'], 'rejected');
    await ben.fails(1, /was rejected before by ana/, 'request', 'approve', unwanted['requests'][0].id);
    assert.deepEqual(await networksOf(production), ['10.0.0.0/24']);
  });

  it('request list shows what waits, newest first, and with --all what was decided', async () => {
    const { requests } = await ana.json('allowlist', 'set', '--operation', production, '10.0.0.0/24');
    const listed = (await gateway.json('request', 'list', '--operation', production))['requests'];
    assert.equal(listed[0].id, requests[0].id);
    assert.deepEqual(
      [listed[0].kind, listed[0].requested_by, listed[0].asks_for],
      ['allowlist', 'ana', { networks: ['10.0.0.0/24'], replaces: await networksOf(production) }],
    );
    await ben.json('request', 'reject', requests[0].id);
    assert.ok(
      !(await gateway.json('request', 'list', '--operation', production))['requests'].some(
        (one: { id: string }) => one.id === requests[0].id,
      ),
    );
    const all = (await gateway.json('request', 'list', '--operation', production, '--all'))['requests'];
    assert.equal(all.find((one: { id: string }) => one.id === requests[0].id).decided_by, 'ben');
    await ben.fails(1, /no such request/, 'request', 'approve', 'apr_0');
    await gateway.fails(1, /^gateway: operation op_0: there is no such operation/, 'request list --operation op_0');
    await gateway.fails(2, /--as: .*e-mail/, 'request', 'approve', requests[0].id, '--as', 'ben@acme.example');
  });

  it('webhook-secret rotate: both sign for seven days, then only the new one', async () => {
    const rotated = await gateway.json('webhook-secret', 'rotate', '--operation', sandbox);
    const secrets = await gateway.rows(
      'SELECT * FROM webhook_secret WHERE operation_id = $1 ORDER BY created_at',
      sandbox,
    );
    assert.equal(secrets.length, 2);
    const overlapMs = (secrets[0]?.['expires_at'] as Date).getTime() - Date.now();
    assert.ok(overlapMs > 6.99 * 86_400_000 && overlapMs <= 7 * 86_400_000, `${overlapMs} ms`);
    assert.equal(rotated['previous_expires_at'], (secrets[0]?.['expires_at'] as Date).toISOString());
    assert.equal(secrets[1]?.['expires_at'], null);
    assert.equal(openedWebhookSecret(secrets[1]), rotated['webhook_secret']);
    await gateway.fails(1, /two webhook secrets are valid until/, 'webhook-secret', 'rotate', '--operation', sandbox);
  });

  it('webhook-secret rotate --revoke-earlier: only the new one signs', async () => {
    await gateway.json('webhook-secret', 'rotate', '--operation', sandbox);
    const rotated = await gateway.json('webhook-secret', 'rotate', '--operation', sandbox, '--revoke-earlier');
    assert.equal(rotated['previous_expires_at'], null);
    const valid = await gateway.rows(
      'SELECT * FROM webhook_secret WHERE operation_id = $1 AND (expires_at IS NULL OR expires_at > now())',
      sandbox,
    );
    assert.deepEqual(
      valid.map((row) => openedWebhookSecret(row)),
      [rotated['webhook_secret']],
    );
    await gateway.fails(1, /no such operation/, 'webhook-secret', 'rotate', '--operation', 'op_0');
  });
});
