// A session is no key: in production a change of passkeys is signed with a passkey, and a new one waits.
import assert from 'node:assert/strict';
import { newId } from '../../../domain/identifiers.js';
import { fingerprintOf } from '../../../domain/signed-act.js';
import { createDatabase } from '../../../store/database.js';
import { mayAct } from '../../../store/staff/acts.js';
import { inTransaction } from '../../../store/transactions.js';
import { createTestGateway, type TestGateway } from '../cli/support.js';
import { TestAuthenticator } from '../../support/authenticator.js';
import { codeOf, enrolmentOf, type Options, personOf, proofBy, register, remove, signInWith } from './passkey-steps.js';
import { createPanelWorld, PANEL_URL, type PanelWorld, type Person } from './world.js';

const POOL = { poolSize: 2, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 };
const BODY = {
  kind: 'risk.approve',
  subject_id: 'apr_1',
  version: 0,
  digest: null,
  reason: 'ticket 4711',
  evidence: '',
};

describe('panel: a session is no key, in production', function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let production: PanelWorld;
  let operationId: string;
  const key = new TestAuthenticator(PANEL_URL);
  const ana = new TestAuthenticator(PANEL_URL);
  const second = new TestAuthenticator(PANEL_URL);
  let session: Person;
  /** From now on what is new waits for a day, as the migration of a production deployment says. */
  const waitFor = (hours: number) =>
    gateway.rows(`UPDATE staff_policy SET environment = 'production', wait_hours = $1`, hours);
  const signedIn = async (handle: string, authenticator: TestAuthenticator) =>
    personOf(production, handle, (await signInWith(production, authenticator)).reply);
  const openSessions = async (handle: string) =>
    (await gateway.rows('SELECT id FROM staff_session WHERE staff_handle = $1 AND revoked_at IS NULL', handle)).length;
  before(async () => {
    gateway = await createTestGateway();
    production = await createPanelWorld({ gateway, environment: 'production' });
    operationId = (await gateway.operation())['operation_id'];
    await production.member('ana', ['risk_manager', 'approver']);
    await production.member('rita', ['reviewer', 'risk_manager', 'admin']);
    assert.equal((await enrolmentOf(production, await production.link('ana'), ana)).status, 200);
    assert.equal((await enrolmentOf(production, await production.link('rita'), key)).status, 200);
    // They are here since long ago.
    await gateway.rows(`UPDATE staff SET created_at = now() - interval '1 year'`);
    await gateway.rows(`UPDATE staff_role SET granted_at = now() - interval '1 year'`);
    await waitFor(24);
    session = await signedIn('ana', ana);
  });
  after(async () => {
    await production.close();
    await gateway.close();
  });

  it('attack 51: a stolen session adds no passkey, and removes none', async () => {
    const thief = new TestAuthenticator(PANEL_URL);
    assert.equal(codeOf(await register(session, thief, 'mine')), 'not_signed');
    // The thief's own key signs for nobody else.
    assert.equal(codeOf(await register(session, thief, 'mine', thief)), 'proof_not_valid');
    assert.equal(codeOf(await remove(session, ana, null)), 'not_signed');
    assert.equal(codeOf((await signInWith(production, thief)).reply), 'passkey_not_valid');
  });

  it('a signature adds the passkey that it names, and no other', async () => {
    const { body: asked } = await session.send('/passkeys/registration-options', { method: 'POST' });
    const [meant, other] = [new TestAuthenticator(PANEL_URL), new TestAuthenticator(PANEL_URL)];
    meant.create(asked['options'] as Options);
    const proof = await proofBy(session, ana, 'passkey.add', meant.id, 'phone');
    const response = other.create(asked['options'] as Options);
    const body = { challenge_id: asked['challenge_id'], response, name: 'phone', ...proof };
    assert.equal(codeOf(await session.post('/passkeys', body)), 'proof_not_valid');
  });

  it('a new passkey signs in and signs no act for a day, not even another passkey', async () => {
    assert.equal((await register(session, second, 'phone', ana)).status, 200);
    const items = (await session.get('/passkeys')).body['items'] as Record<string, unknown>[];
    assert.deepEqual(
      items.map((item) => [item['name'], item['signs_now'], item['fingerprint']]),
      [
        ['laptop', true, fingerprintOf(ana.publicKey)],
        ['phone', false, fingerprintOf(second.publicKey)],
      ],
    );
    const own = await signedIn('ana', second);
    const id = newId('approvalRequest');
    await gateway.rows(
      `INSERT INTO approval_request (id, operation_id, kind, payload, requested_by)
       VALUES ($1, $2, 'resume', '{}', 'rita')`,
      id,
      operationId,
    );
    const asked = await own.post('/passkeys/signing-options', { ...BODY, subject_id: id });
    assert.deepEqual(
      (asked.body['options']['allowCredentials'] as { id: string }[]).map(({ id }) => id),
      [ana.id],
      'an authenticator is not asked for what does not count',
    );
    const proof = {
      challenge_id: asked.body['challenge_id'],
      response: second.get(asked.body['options'] as Options),
    };
    const given = { decision: 'approve', reason: BODY.reason, proof };
    assert.equal(codeOf(await own.post(`/approvals/${id}`, given)), 'passkey_new');
    const [row] = await gateway.rows('SELECT status FROM approval_request WHERE id = $1', id);
    assert.equal(row?.['status'], 'pending');
    assert.equal(codeOf(await register(own, new TestAuthenticator(PANEL_URL), 'third', second)), 'passkey_new');
    assert.equal(codeOf(await remove(own, ana, second)), 'passkey_new');
  });

  it('written around the panel: the act of a new passkey is not stored, and not done', async () => {
    const database = createDatabase({ url: gateway.urlOfRole('gateway_panel'), ...POOL });
    const sessionId = String(
      (await gateway.rows(`SELECT id FROM staff_session WHERE staff_handle = 'ana'`))[0]?.['id'],
    );
    const mayApprove = ({ id: credentialId }: TestAuthenticator) => {
      const signature = { credentialId, authenticatorData: '', clientData: '', signature: '', nonce: '' };
      const actor = { handle: 'ana', sessionId, means: 'signature', signature } as const;
      const about = { operationId: null, subjectId: 'x', deployment: 'production' } as const;
      const order = { actor, kind: 'risk.approve', ...about } as const;
      return inTransaction(database, (transaction) => mayAct(transaction, order));
    };
    assert.deepEqual([await mayApprove(ana), await mayApprove(second)], [true, false]);
    await assert.rejects(
      database.staffPasskey.update({ where: { id: second.id }, data: { confirmedBy: 'ana' } }),
      /staff_passkey_confirmed_check/,
    );
    await database.$disconnect();
    await gateway.rows(`UPDATE staff_passkey SET signs_from = now() WHERE id = $1`, second.id);
    const [row] = await gateway.rows('SELECT signs_from > now() AS waits FROM staff_passkey WHERE id = $1', second.id);
    assert.equal(row?.['waits'], true, 'nobody shortens it');
  });

  it('a second person confirms its fingerprint; from then on it signs', async () => {
    const [request] = await gateway.rows(`SELECT id, payload FROM approval_request WHERE kind = 'passkey'`);
    const { fingerprint } = request?.['payload'] as Record<string, string>;
    assert.equal(fingerprint, fingerprintOf(second.publicKey));
    const id = String(request?.['id']);
    const confirm = async (person: Person, by: TestAuthenticator) => {
      const body = { ...BODY, kind: 'access.approve', subject_id: id };
      const asked = await person.post('/passkeys/signing-options', body);
      const proof = { challenge_id: asked.body['challenge_id'], response: by.get(asked.body['options'] as Options) };
      return person.post(`/approvals/${id}`, { decision: 'approve', reason: BODY.reason, proof });
    };
    assert.equal(codeOf(await confirm(session, ana)), 'own_request');
    const other = await signedIn('rita', key);
    assert.equal((await confirm(other, key)).status, 200);
    const items = (await session.get('/passkeys')).body['items'] as Record<string, unknown>[];
    assert.deepEqual(
      items.map((item) => item['signs_now']),
      [true, true],
    );
  });

  it('removing a passkey ends every session of its person; they see their sessions, and end one', async () => {
    const elsewhere = await signedIn('ana', second);
    const items = (await session.get('/sessions')).body['items'] as Record<string, unknown>[];
    assert.ok(items.length >= 2);
    const others = items.filter((item) => item['is_current'] !== true);
    assert.equal(others.length, items.length - 1);
    const [newest] = others;
    assert.deepEqual((await session.post(`/sessions/${String(newest?.['id'])}/end`, undefined)).body, {
      ended: true,
    });
    assert.equal((await elsewhere.get('/session')).status, 401);
    const ofRita = (await gateway.rows(`SELECT id FROM staff_session WHERE staff_handle = 'rita' LIMIT 1`))[0]?.['id'];
    assert.deepEqual((await session.post(`/sessions/${String(ofRita)}/end`, undefined)).body, { ended: false });
    assert.equal((await remove(session, ana, second)).status, 200);
    assert.equal(await openSessions('ana'), 0);
    assert.equal((await session.get('/session')).status, 401);
  });

  it('a role that is given ends the sessions too', async () => {
    await signedIn('ana', second);
    // By one alone, as a sandbox permits it.
    await gateway.rows(`UPDATE staff_policy SET environment = 'sandbox'`);
    await production.member('ana', ['auditor']);
    assert.equal(await openSessions('ana'), 0);
  });
});
