// What people stop at once in an operation, let go again, and ask for: through the panel, under its role of the
// database. In production whatever opens an access waits for a second person.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { newEndToEndId } from '../../../domain/pix.js';
import { insertLate, insertLateAlert } from '../cli/payments.js';
import { createTestGateway, openedWebhookSecret, type TestGateway } from '../cli/support.js';
import { createPanelWorld, type PanelWorld, type Person, type Roles } from './world.js';

const ALL = ['read', 'deposits:write', 'withdrawals:write', 'rules:propose'];

type Asker = Pick<Person, 'get' | 'post'>;

describe('panel: acts on an operation', function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let world: PanelWorld;
  let operationId: string;
  let support: Person;
  let risk: Person;
  let admin: Person;

  before(async () => {
    gateway = await createTestGateway();
    world = await createPanelWorld({ gateway });
    operationId = (await gateway.operation())['operation_id'];
    support = await world.person('sofia', ['support']);
    risk = await world.person('rita', ['risk_manager']);
    admin = await world.person('ada', ['admin']);
  });
  after(() => world.close());

  const stop = (by: Asker, what: string, id = operationId) => by.post(`/operations/${id}/stops`, { what });
  const change = (by: Asker, body: object, id = operationId) => by.post(`/operations/${id}/changes`, body);
  const revoke = (by: Person, key: string) => by.post(`/keys/${key}/revocation`, undefined);
  const shown = async () => (await support.get(`/operations/${operationId}`)).body;
  const audited = async (action: string, of = operationId) =>
    (
      await gateway.rows(
        'SELECT person FROM audit_entry WHERE action = $1 AND operation_id = $2 ORDER BY 1',
        action,
        of,
      )
    ).map(({ person }) => person);

  /** The secrets that sign now, newest first. */
  const signing = async (of: string, { rows } = gateway) => {
    const secrets = await rows(
      `SELECT * FROM webhook_secret WHERE operation_id = $1 AND (expires_at IS NULL OR expires_at > now())
       ORDER BY created_at DESC`,
      of,
    );
    return secrets.map(openedWebhookSecret);
  };

  it('one person stops automatic withdrawals at once, and in the sandbox one lets them go again', async () => {
    assert.deepEqual((await stop(support, 'automatic')).body, { stopped: true });
    assert.notEqual((await shown())['automatic_stopped_at'], null);
    assert.deepEqual((await change(risk, { kind: 'automatic_resume' })).body, { status: 'done', key: null });
    assert.equal((await shown())['automatic_stopped_at'], null);
    assert.deepEqual([await audited('automatic.stop'), await audited('automatic.resume')], [['sofia'], ['rita']]);
    const acts = await gateway.rows(
      `SELECT staff_handle, kind, means, consumed_at IS NOT NULL AS used FROM staff_act WHERE operation_id = $1
       ORDER BY created_at`,
      operationId,
    );
    assert.deepEqual(acts, [
      { staff_handle: 'sofia', kind: 'automatic.stop', means: 'link', used: true },
      { staff_handle: 'rita', kind: 'automatic.resume', means: 'link', used: true },
    ]);
  });

  const inSuspense = async (by: Asker, of: string, payment: string) => {
    const items = (await by.get(`/operations/${of}/suspense`)).body['items'] as Record<string, unknown>[];
    return items.find(({ end_to_end_id: id }) => id === payment);
  };

  it('a payment in suspense is ordered back to its payer, as much of it as the person saw', async () => {
    const payment = newEndToEndId('12345678', new Date());
    const deposit = await insertLate(gateway, operationId, { payment, amount: '900' });
    const order = { kind: 'item_return', payment, left: '900', reason: 'paid late' };
    assert.equal((await change(support, order)).body['code'], 'not_permitted');
    assert.equal((await change(risk, { ...order, left: '901' })).body['code'], 'stale');
    const other = newEndToEndId('12345678', new Date());
    assert.equal((await change(risk, { ...order, payment: other })).body['code'], 'not_in_suspense');
    assert.equal((await inSuspense(risk, operationId, payment))?.['under_way'], null);
    assert.deepEqual((await change(risk, order)).body, { status: 'done', key: null });
    assert.equal((await change(risk, order)).body['code'], 'not_in_suspense', 'it is under way');
    assert.equal((await inSuspense(risk, operationId, payment))?.['under_way'], 'return');
    const [row] = await gateway.rows(`SELECT return_request ->> 'of' AS of FROM deposit WHERE id = $1`, deposit);
    assert.equal(row?.['of'], payment);
    assert.deepEqual(await audited('suspense.return'), ['rita']);
  });

  it('a part of a payment in suspense goes to the cash box, and the rest stays', async () => {
    const payment = newEndToEndId('12345678', new Date());
    await insertLate(gateway, operationId, { payment, amount: '900' });
    const order = { kind: 'item_credit', payment, reason: 'the operator credited a part' };
    const left = async () => (await inSuspense(risk, operationId, payment))?.['left'];
    for (const amount of ['0', '-1', '1.5', 'all'])
      assert.equal((await change(risk, { ...order, left: '900', amount })).body['code'], 'invalid', amount);
    assert.equal((await change(risk, { ...order, left: '900', amount: '901' })).body['code'], 'not_in_suspense');
    assert.equal((await change(risk, { ...order, left: '900', amount: '400' })).body['status'], 'done');
    assert.deepEqual(await left(), { amount: '500', currency: 'BRL' });
    assert.equal((await change(risk, { ...order, left: '900', amount: '400' })).body['code'], 'stale');
    const whole = { ...order, kind: 'item_return', left: '500' };
    assert.equal((await change(risk, { ...whole, amount: '100' })).body['code'], 'invalid');
    assert.equal((await change(risk, whole)).body['status'], 'done');
  });

  const late = async (amount = '900') => {
    const payment = newEndToEndId('12345678', new Date());
    const deposit = await insertLate(gateway, operationId, { payment, amount });
    return { payment, alert: await insertLateAlert(gateway, operationId, { deposit, payment }) };
  };

  it('the page says that the alert of a held payment stays open, and the act is refused', async () => {
    const { payment, alert } = await late();
    const resolve = async () => (await risk.post(`/alerts/${alert}`, { act: 'resolve', reason: 'looked at it' })).body;
    const mayResolve = async () => (await risk.get(`/alerts?id=${alert}`)).body['items'][0]['acts']['resolve'];
    assert.deepEqual(await mayResolve(), { possible: false, why_not: 'money_held' });
    assert.equal((await resolve())['code'], 'money_held');
    await change(risk, { kind: 'item_credit', payment, left: '900', reason: 'credited by the operator' });
    assert.deepEqual(await mayResolve(), { possible: true, why_not: null });
    assert.equal((await resolve())['resolved_by'], 'rita');
  });

  it('an operation is suspended and resumed', async () => {
    assert.equal((await stop(support, 'operation')).status, 200);
    assert.equal((await shown())['status'], 'suspended');
    assert.equal((await change(support, { kind: 'resume' })).body['code'], 'not_permitted');
    assert.equal((await change(risk, { kind: 'resume' })).body['status'], 'done');
    assert.equal((await shown())['status'], 'active');
  });

  it('a key is made with its secret shown once; a third of the same scopes is refused; one is revoked', async () => {
    assert.equal((await change(risk, { kind: 'key', scopes: ['read'] })).body['code'], 'not_permitted');
    const made = (await change(admin, { kind: 'key', scopes: ALL })).body;
    const { key_id: keyId, secret, scopes } = made['key'] as Record<string, string>;
    assert.deepEqual([made['status'], scopes], ['done', ALL]);
    assert.match(String(secret), /^\S{30,}$/);
    assert.equal(JSON.stringify(await shown()).includes(String(secret)), false);
    assert.equal((await change(admin, { kind: 'key', scopes: ALL })).body['code'], 'too_many_keys');
    assert.equal((await change(admin, { kind: 'key', scopes: [] })).body['code'], 'invalid');
    const first = (await revoke(support, String(keyId))).body['revoked_at'];
    assert.ok(Date.parse(first) > 0);
    assert.equal((await revoke(support, String(keyId))).body['revoked_at'], first);
    assert.equal((await revoke(support, 'key_test_nobody')).body['code'], 'not_found');
    assert.deepEqual(await audited('key.revoke'), ['sofia']);
    const other = (await change(admin, { kind: 'key', scopes: ['read'] })).body['key'].key_id as string;
    const withReason = (reason: string) => support.post(`/keys/${other}/revocation`, { reason });
    assert.equal((await withReason('')).body['code'], 'invalid');
    assert.equal((await withReason('it leaked')).status, 200);
    assert.equal(
      (await support.post(`/operations/${operationId}/stops`, { what: 'automatic', reason: 'odd' })).status,
      200,
    );
    const kept = await gateway.rows(
      `SELECT action, detail::json ->> 'reason' AS reason FROM audit_entry
       WHERE operation_id = $1 AND action IN ('key.revoke', 'automatic.stop') AND detail::json ->> 'reason' IS NOT NULL
       ORDER BY sequence`,
      operationId,
    );
    assert.deepEqual(kept, [
      { action: 'key.revoke', reason: 'it leaked' },
      { action: 'automatic.stop', reason: 'odd' },
    ]);
  });

  it('a webhook secret is made and shown once; the earlier one signs for seven days, or not any more if it leaked', async () => {
    const own = await gateway.operation();
    const id = own['operation_id'];
    const ines = await world.person('ines.secrets', [{ role: 'integrator', operationId: id }]);
    const rotate = (by: Asker, leaked = false, of = id) =>
      change(by, { kind: 'webhook_secret', revoke_earlier: leaked }, of);
    for (const by of [support, risk]) assert.equal((await rotate(by)).body['code'], 'not_permitted');
    assert.equal((await rotate(ines, false, operationId)).body['code'], 'not_found');
    const { status, webhook_secret: made } = (await rotate(ines)).body;
    assert.equal(status, 'done');
    const inSevenDays = Date.parse(made['previous_expires_at']) - Date.now();
    assert.ok(Math.abs(inSevenDays - 7 * 86_400_000) < 60_000, made['previous_expires_at']);
    assert.deepEqual(await signing(id), [made['secret'], own['webhook_secret']]);
    assert.equal((await rotate(ines)).body['code'], 'two_secrets');
    const next = (await rotate(ines, true)).body['webhook_secret'];
    assert.deepEqual([next['previous_expires_at'], await signing(id)], [null, [next['secret']]]);
    assert.deepEqual(await audited('webhook_secret.rotate', id), ['ines.secrets', 'ines.secrets']);
    const kept = [(await ines.get(`/operations/${id}`)).text, ...world.logged];
    for (const { secret } of [made, next]) assert.ok(!kept.join().includes(secret), 'it is shown once');
  });

  it('networks are replaced in canonical spelling, or refused with what is wrong', async () => {
    const networks = ['203.0.113.7', '2001:DB8:0:ff00::/56', '203.0.113.7/32'];
    assert.equal((await change(admin, { kind: 'allowlist', networks, seen: [] })).body['status'], 'done');
    assert.deepEqual((await shown())['networks'], ['2001:db8:0:ff00::/56', '203.0.113.7/32']);
    const wide = ['203.0.113.0/24', '10.0.0.0/8'];
    const { status, body } = await change(admin, { kind: 'allowlist', networks: wide, seen: [] });
    assert.deepEqual([status, body['code']], [400, 'invalid']);
    assert.match(JSON.stringify(body['issues']), /"10\.0\.0\.0\/8\\" is wider than \/24/);
    const seen = ['203.0.113.7/32', '2001:db8:0:ff00::/56'];
    assert.equal((await change(admin, { kind: 'allowlist', networks: [], seen })).status, 200);
  });

  it('a list that a colleague changed since it was seen is not replaced', async () => {
    const [first, second] = ['203.0.113.1/32', '203.0.113.2/32'];
    assert.equal((await change(admin, { kind: 'allowlist', networks: [first], seen: [] })).status, 200);
    const late = await change(admin, { kind: 'allowlist', networks: [second], seen: [] });
    assert.equal(late.body['code'], 'stale');
    assert.deepEqual((await shown())['networks'], [first]);
    assert.equal((await change(admin, { kind: 'allowlist', networks: [], seen: [first] })).status, 200);
  });

  it('→ 404: belongs to another operation', async () => {
    const other = await gateway.operation();
    const near = await world.person('near', [
      { role: 'support', operationId },
      { role: 'risk_manager', operationId },
    ]);
    const id = other['operation_id'];
    for (const reply of [
      await stop(near, 'operation', id),
      await change(near, { kind: 'automatic_resume' }, id),
      await revoke(near, other['key_id']),
    ])
      assert.equal(reply.body['code'], 'not_found');
    assert.equal((await stop(near, 'automatic')).status, 200);
    assert.deepEqual([await audited('operation.suspend', id), await audited('key.revoke', id)], [[], []]);
  });

  describe('in production', () => {
    let production: PanelWorld;
    before(async () => {
      production = await createPanelWorld({ gateway: await createTestGateway(), environment: 'production' });
    });
    after(() => production.close());

    /** A person with a session that a passkey began: test/integration/panel/passkeys.spec.ts shows how one does. */
    const signedIn = async (handle: string, role: Roles[number]) => {
      await production.member(handle, [role]);
      const token = randomBytes(32).toString('base64url');
      await production.gateway.rows(
        `INSERT INTO staff_session (id, token_hash, staff_handle, means) VALUES ($1, $2, $3, 'passkey')`,
        `ses_${handle}`,
        createHash('sha256').update(token).digest(),
        handle,
      );
      const headers = { cookie: `${support.cookie.split('=')[0]}=${token}` };
      return {
        get: (path: string) => production.send(path, { headers }),
        post: (path: string, body: unknown) => production.send(path, { method: 'POST', body, headers }),
      };
    };

    it('stopping takes one person; whatever opens an access becomes a request of two', async () => {
      const [risky, owner] = [await signedIn('rita', 'risk_manager'), await signedIn('ada', 'admin')];
      const approver = await signedIn('paulo', 'approver');
      const live = (await production.gateway.operation())['operation_id'];
      await production.gateway.rows(`UPDATE operation SET environment = 'production' WHERE id = $1`, live);
      const operators = await signedIn('ines', { role: 'integrator', operationId: live });
      assert.equal(
        (await change(operators, { kind: 'webhook', url: 'http://a.example' }, live)).body['code'],
        'invalid',
      );
      assert.equal((await stop(risky, 'automatic', live)).status, 200);
      for (const [by, handle, body] of [
        [risky, 'rita', { kind: 'automatic_resume' }],
        [owner, 'ada', { kind: 'key', scopes: ['read'] }],
        [operators, 'ines', { kind: 'webhook', url: 'https://a.example/hooks' }],
        [operators, 'ines', { kind: 'webhook_secret', revoke_earlier: false }],
        [owner, 'ada', { kind: 'allowlist', networks: ['203.0.113.7/32'], seen: [] }],
      ] as const) {
        const asked = (await change(by, body, live)).body;
        assert.deepEqual([asked['status'], 'key' in asked], ['requested', false], JSON.stringify(asked));
        const inbox = (await approver.get('/approvals')).body['items'] as Record<string, unknown>[];
        const request = inbox.find(({ id }) => id === asked['request_id']);
        assert.deepEqual([request?.['kind'], request?.['requested_by']], [body.kind, handle]);
      }
      const operation = (await owner.get(`/operations/${live}`)).body;
      assert.notEqual(operation['automatic_stopped_at'], null);
      assert.deepEqual(operation['networks'], []);
    });
  });
});
