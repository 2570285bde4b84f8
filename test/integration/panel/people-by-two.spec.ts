// Who exists is decided by two, in production: what one admin alone cannot make of themselves, with the command and the
// panel on one database, whose migration made it a production one.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { INSTALLATION } from '../../../domain/staff.js';
import { createTestGateway, runWith, type TestGateway } from '../cli/support.js';
import { TestAuthenticator } from '../../support/authenticator.js';
import { codeOf, enrolmentOf, type Options, personOf, proofBy, signInWith } from './passkey-steps.js';
import { createPanelWorld, PANEL_URL, type PanelWorld } from './world.js';

type Json = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- tests read fields and assert on them

const REASON = 'ticket 4711';

describe('people are decided by two, in production', function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let panel: PanelWorld;
  let folder: string;
  const keys = new Map<string, TestAuthenticator>();

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-people-'));
    const key = () => randomBytes(32).toString('base64');
    gateway = await createTestGateway({
      GATEWAY_ENVIRONMENT: 'production',
      GATEWAY_SEALING_KEYS: `k1:${key()}`,
      GATEWAY_HASH_KEY: key(),
    });
    await gateway.rows(`UPDATE staff_policy SET environment = 'production', wait_hours = 24`);
    panel = await createPanelWorld({ gateway, environment: 'production' });
  });
  after(async () => {
    await panel.close();
    await gateway.close();
    rmSync(folder, { recursive: true });
  });

  /** A command with the person's own session. */
  const run = (handle: string, ...argv: string[]) =>
    runWith({ ...gateway.environment, GATEWAY_SESSION_FILE: join(folder, handle) }, argv);
  const as = async (handle: string, ...argv: string[]): Promise<Json> => {
    const { exitCode, stdout, stderr } = await run(handle, ...argv);
    assert.equal(exitCode, 0, stderr);
    return JSON.parse(stdout) as Json;
  };
  const refusal = async (handle: string, ...argv: string[]) => {
    const { exitCode, stderr } = await run(handle, ...argv);
    assert.equal(exitCode, 1);
    return stderr;
  };
  const keyOf = (handle: string) => {
    const key = keys.get(handle) ?? new TestAuthenticator(PANEL_URL);
    keys.set(handle, key);
    return key;
  };
  const inPanel = async (handle: string) => personOf(panel, handle, (await signInWith(panel, keyOf(handle))).reply);
  /** Signs in to the command as production asks for: with a code that the person makes and signs in the panel. */
  const logIn = async (handle: string) => {
    const person = await inPanel(handle);
    const proof = await proofBySelf(handle, person);
    const { body } = await person.post('/sessions/command-code', proof);
    await as(handle, 'staff', 'login', body['sign_in_code'] as string);
  };
  const proofBySelf = async (handle: string, person: Awaited<ReturnType<typeof inPanel>>) => {
    const act = { kind: 'session.command', subject_id: handle, version: 0, digest: null, reason: '', evidence: '' };
    const { body } = await person.post('/passkeys/signing-options', act);
    const response = keyOf(handle).get(body['options'] as Options);
    return { proof: { challenge_id: body['challenge_id'] as string, response } };
  };
  /** Approves in the panel, signed. */
  const approve = async (handle: string, id: string) => {
    const person = await inPanel(handle);
    const act = { kind: 'access.approve', subject_id: id, version: 0, digest: null, reason: REASON, evidence: '' };
    const asked = await person.post('/passkeys/signing-options', act);
    if (asked.status !== 200) return asked;
    const response = keyOf(handle).get(asked.body['options'] as Options);
    const proof = { challenge_id: asked.body['challenge_id'] as string, response };
    return person.post(`/approvals/${id}`, { decision: 'approve', reason: REASON, proof });
  };
  const requestOf = ({ requests }: Json) => String(requests?.[0]?.id);
  /** The same command, once another person has approved it. */
  const byTwo = async (asking: string, approving: string, ...argv: string[]) => {
    const reply = await approve(approving, requestOf(await as(asking, ...argv)));
    assert.equal(reply.status, 200, reply.text);
    return as(asking, ...argv);
  };
  /** What no role can do: as the owner, without triggers. */
  const planted = async (...statements: readonly string[]) => {
    await gateway.rows(`SET session_replication_role = 'replica'`);
    for (const sql of statements) await gateway.rows(sql);
    await gateway.rows(`SET session_replication_role = 'origin'`);
  };
  const aDayPasses = () =>
    planted(
      `UPDATE staff SET created_at = created_at - interval '1 day'`,
      `UPDATE staff_role SET granted_at = granted_at - interval '1 day'`,
      `UPDATE staff_passkey SET signs_from = signs_from - interval '1 day'`,
    );
  const people = async () =>
    (await gateway.rows('SELECT handle FROM staff ORDER BY handle')).map(({ handle }) => String(handle));
  const openAlerts = async (kind: string) =>
    (await gateway.rows('SELECT detail FROM alert WHERE kind = $1 AND resolved_at IS NULL ORDER BY id', kind)).map(
      ({ detail }) => String(detail),
    );

  it('the installation makes two admins, says what it did, and does it once', async () => {
    const { exitCode, stderr } = await run('nobody', 'staff', 'create', 'ana', '--first-admin');
    assert.deepEqual([exitCode, await people()], [2, []]);
    assert.match(stderr, /--second-admin: must name the second admin/);
    const made = await as('nobody', 'staff', 'create', 'ana', '--first-admin', '--second-admin', 'ben');
    assert.deepEqual([made['handle'], made['second_admin'].handle], ['ana', 'ben']);
    assert.deepEqual(made['did'], [
      'created ana, with the role admin in every operation',
      'created ben, with the role admin in every operation',
      'gave a code that makes a first passkey, once, to each: hand it to nobody else',
    ]);
    assert.match(
      await refusal('nobody', 'staff', 'create', 'eve', '--first-admin', '--second-admin', 'eva'),
      /there is an admin already/,
    );
    const entries = await gateway.rows(
      `SELECT person, action, subject FROM audit_entry WHERE action <> 'staff.policy'`,
    );
    assert.deepEqual(
      entries.map(({ person, action, subject }) => [person, action, subject]),
      ['ana', 'ben'].flatMap((handle) => [
        [INSTALLATION, 'staff.create', handle],
        [INSTALLATION, 'staff.role_grant', handle],
      ]),
    );
    for (const [handle, code] of [
      ['ana', made['code']],
      ['ben', made['second_admin'].code],
    ]) {
      assert.match(await refusal(handle, 'staff', 'login', code), /or not yours; make one in the panel/);
      assert.equal((await enrolmentOf(panel, code, keyOf(handle))).status, 200);
      await logIn(handle);
    }
    assert.deepEqual((await openAlerts('ROLE_GRANTED')).sort(), [
      `ana is admin now, by ${INSTALLATION}`,
      `ben is admin now, by ${INSTALLATION}`,
    ]);
  });

  it('on the first day the two decide nothing: their keys are new, and one made both', async () => {
    const asked = await as('ana', 'staff', 'create', 'eva');
    assert.deepEqual([asked['code'], asked['requests'][0].kind], [null, 'person']);
    assert.equal(codeOf(await approve('ben', requestOf(asked))), 'passkey_new');
    await planted('UPDATE staff_passkey SET signs_from = created_at');
    assert.equal(codeOf(await approve('ben', requestOf(asked))), 'too_close');
    await aDayPasses();
    assert.equal((await approve('ben', requestOf(asked))).status, 200);
  });

  it('attack 50: one admin alone makes nobody, gives no role, code or account, and takes no key away', async () => {
    gateway.environment['PANEL_OIDC_ISSUER'] = 'https://id.example';
    await planted(`INSERT INTO staff (handle, handle_folded, disabled_at) VALUES ('old', 'old', now())`);
    const before = await people();
    for (const [kind, ...argv] of [
      ['person', 'create', 'ghost'],
      ['role', 'role', 'grant', 'ben', 'approver'],
      ['passkey_reset', 'forget-passkeys', 'ben'],
      ['account', 'oidc', 'set', 'ben', '4711'],
      ['person_enable', 'enable', 'old'],
    ] as const) {
      const asked = await as('ana', 'staff', ...argv);
      assert.equal(asked['requests'][0].kind, kind);
      assert.equal(codeOf(await approve('ana', requestOf(asked))), 'own_request');
      assert.deepEqual((await as('ana', 'staff', ...argv))['requests'], asked['requests'], 'it still waits');
      // A command that says it is a sandbox's changes nothing about it.
      const sandbox = { ...gateway.environment, GATEWAY_ENVIRONMENT: 'sandbox' };
      const claimed = await runWith(sandbox, ['staff', ...argv, '--as', 'ana']);
      assert.match(claimed.stderr, /only an admin manages the staff/, kind);
    }
    assert.match(await refusal('ana', 'staff', 'code', 'ben'), /signs in with a passkey/);
    assert.deepEqual(await people(), before);
    const [row] = await gateway.rows(
      `SELECT (SELECT count(*)::int FROM staff_role) AS roles, (SELECT count(*)::int FROM staff_passkey) AS keys,
        (SELECT count(*)::int FROM staff WHERE oidc_subject IS NOT NULL) AS accounts`,
    );
    assert.deepEqual(row, { roles: 2, keys: 2, accounts: 0 });
  });

  it('a role about oneself is approved by somebody else', async () => {
    const asked = await as('ana', 'staff', 'role', 'grant', 'ben', 'approver');
    assert.equal(codeOf(await approve('ben', requestOf(asked))), 'yourself');
  });

  it('a code makes a key that waits for somebody who neither gave it nor made its person', async () => {
    const made = await as('ana', 'staff', 'create', 'eva');
    assert.match(made['code'], /^code_/);
    assert.deepEqual((await byTwo('ana', 'ben', 'staff', 'role', 'grant', 'eva', 'approver'))['granted'], true);
    assert.ok((await openAlerts('ROLE_GRANTED')).includes('eva is approver now, by ana'));
    assert.match(await refusal('eva', 'staff', 'login', made['code']), /or not yours/);
    const enrolled = await enrolmentOf(panel, made['code'], keyOf('eva'));
    assert.deepEqual([enrolled.status, enrolled.body['session']], [200, null]);
    assert.equal(enrolled.headers['set-cookie'], undefined);
    assert.equal(codeOf((await signInWith(panel, keyOf('eva'))).reply), 'passkey_unconfirmed');
    const [request] = await gateway.rows(
      `SELECT id, payload FROM approval_request WHERE kind = 'passkey' AND requested_by = 'eva'`,
    );
    const { fingerprint } = request?.['payload'] as Json;
    assert.equal(fingerprint, enrolled.body['fingerprint']);
    const byAna = codeOf(await approve('ana', String(request?.['id'])));
    assert.ok(['own_code', 'too_close'].includes(byAna), byAna);
    await aDayPasses();
    assert.equal(codeOf(await approve('ana', String(request?.['id']))), 'own_code');
    assert.equal((await approve('ben', String(request?.['id']))).status, 200);
    await logIn('eva');
  });

  it('who is new approves nothing that whoever made them asked for, nor the other way round', async () => {
    await planted(`UPDATE staff_role SET granted_at = now() WHERE staff_handle = 'eva'`);
    const asked = await as('ana', 'staff', 'create', 'ghost');
    assert.equal(codeOf(await approve('eva', requestOf(asked))), 'too_close');
    const close = async (handle: string) =>
      (await gateway.rows('SELECT people_close_to($1) AS people', handle))[0]?.['people'];
    assert.deepEqual([await close('eva'), await close('ana'), await close('ben')], [['ana'], ['eva'], []]);
    // Two who were made by the same one.
    await planted(
      `INSERT INTO staff (handle, handle_folded, created_by, created_at)
       VALUES ('noa', 'noa', 'ana', now() - interval '1 year')`,
    );
    assert.deepEqual([(await close('eva')).sort(), await close('noa')], [['ana', 'noa'], ['eva']]);
    await aDayPasses();
    assert.equal((await approve('eva', requestOf(asked))).status, 200);
  });

  it('a lost device: two people remove the keys, and the code makes one that waits', async () => {
    const forgotten = await byTwo('ana', 'ben', 'staff', 'forget-passkeys', 'eva');
    assert.equal(forgotten['removed'], 1);
    assert.equal(codeOf((await signInWith(panel, keyOf('eva'))).reply), 'passkey_not_valid');
    assert.match(await refusal('eva', 'staff', 'whoami'), /the session has ended/);
    keys.delete('eva');
    const enrolled = await enrolmentOf(panel, forgotten['code'], keyOf('eva'));
    assert.equal(enrolled.body['session'], null);
  });

  it('enabled again by two; a code for the command is signed by its person', async () => {
    await as('ana', 'staff', 'disable', 'eva');
    assert.equal((await byTwo('ana', 'ben', 'staff', 'enable', 'eva'))['enabled'], true);
    const ben = await inPanel('ben');
    assert.equal(codeOf(await ben.post('/sessions/command-code', {})), 'not_signed');
    const other = await proofBy(ben, keyOf('ben'), 'passkey.remove', keyOf('ben').id);
    assert.equal(codeOf(await ben.post('/sessions/command-code', other)), 'proof_not_valid');
  });
});
