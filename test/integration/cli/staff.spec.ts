// `gateway staff`: the first admin, roles, sessions, and that production takes nobody's word for who they are.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestGateway, productionVariables, runWith, type TestGateway } from './support.js';

const MACHINE = ['--name', 'Acme', '--environment', 'sandbox', '--provider', 'simulator'];

describe('gateway staff', () => {
  let gateway: TestGateway;
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-staff-'));
    gateway = await createTestGateway(productionVariables());
  });
  afterEach(async () => {
    await gateway.close();
    rmSync(folder, { recursive: true });
  });

  const fileOf = (handle: string) => join(folder, handle, 'session');
  /** From now on commands run with this person's session. */
  const as = (handle: string) => (gateway.environment['GATEWAY_SESSION_FILE'] = fileOf(handle));
  /** As by a code that the person made in the panel (test/integration/panel/people-by-two.spec.ts). */
  const signIn = async (handle: string) => {
    as(handle);
    const code = `code_${randomBytes(32).toString('base64url')}`;
    await gateway.rows(
      `INSERT INTO staff_sign_in_link (token_hash, staff_handle, created_by, purpose, expires_at)
       VALUES ($1, $2, $2, 'command', now() + interval '15 minutes')`,
      createHash('sha256').update(code).digest(),
      handle,
    );
    return gateway.json('staff', 'login', code);
  };
  const FIRST = ['--first-admin', '--second-admin', 'zoe.reis'];
  const firstAdmin = async (handle = 'ana.souza') => {
    await gateway.json('staff', 'create', handle, ...FIRST);
    await signIn(handle);
  };
  /** The command once the second admin has approved what it asks for (there, too). */
  const byTwo = async (...argv: string[]) => {
    const { requests } = await gateway.json(...argv);
    await gateway.rows(
      `UPDATE approval_request SET status = 'approved', decided_by = 'zoe.reis', decided_at = now() WHERE id = $1`,
      requests[0].id,
    );
    return gateway.json(...argv);
  };
  /** A person with these roles, signed in. The admin signs in again afterwards. */
  const person = async (handle: string, ...roles: string[]) => {
    await byTwo('staff', 'create', handle);
    for (const role of roles) await byTwo('staff', 'role', 'grant', handle, role);
    await signIn(handle);
    as('ana.souza');
  };
  const actions = async () =>
    (await gateway.rows('SELECT person, action, subject FROM audit_entry ORDER BY sequence')).map(
      ({ person, action, subject }) => `${person} ${action} ${String(subject).startsWith('ses_') ? 'ses' : subject}`,
    );

  it('the first admin is made once, signs in by a code, and everything is in the audit trail', async () => {
    await gateway.fails(1, /nobody is signed in here/, 'staff', 'whoami');
    await firstAdmin();
    assert.deepEqual(await gateway.json('staff', 'whoami'), { handle: 'ana.souza', means: 'command_line' });
    await gateway.fails(1, /there is an admin already/, 'staff', 'create', 'eva', ...FIRST);
    await gateway.json('staff', 'logout');
    assert.equal(existsSync(fileOf('ana.souza')), false);
    await gateway.fails(1, /nobody is signed in here/, 'staff', 'whoami');
    assert.deepEqual(await actions(), [
      '(installation) staff.create ana.souza',
      '(installation) staff.role_grant ana.souza',
      '(installation) staff.create zoe.reis',
      '(installation) staff.role_grant zoe.reis',
      'ana.souza staff.sign_in ses',
      'ana.souza staff.sign_out ses',
    ]);
    assert.equal((await gateway.json('audit', 'verify'))['ok'], true);
  });

  it('the session is a file of its person alone; the database has hashes only', async () => {
    await firstAdmin();
    const path = fileOf('ana.souza');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const token = readFileSync(path, 'utf8').trim();
    const stored = JSON.stringify(await gateway.rows('SELECT * FROM staff_session, staff_sign_in_link'));
    assert.ok(!stored.includes(token) && !JSON.stringify(await actions()).includes(token));
    chmodSync(path, 0o644);
    await gateway.fails(1, /others may read it/, 'staff', 'whoami');
  });

  it('in production no acting command accepts a name instead of a session', async () => {
    await firstAdmin();
    for (const command of [
      ['operation', 'create', ...MACHINE],
      ['key', 'revoke', 'key_test_abc'],
      ['list', 'add', '--operation', `op_${'0'.repeat(32)}`, '--list', 'block', '--kind', 'player', 'p'],
      ['staff', 'create', 'eva'],
      ['staff', 'disable', 'ana.souza'],
    ])
      await gateway.fails(2, /--as: a name proves nothing in production/, ...command, '--as', 'ana.souza');
    as('nobody');
    await gateway.fails(1, /nobody is signed in here/, 'operation', 'create', ...MACHINE);
    assert.equal((await gateway.rows('SELECT 1 FROM operation')).length, 0);
    assert.equal((await gateway.rows('SELECT 1 FROM staff')).length, 2);
  });

  it('a command needs a role; the operation shows who acted', async () => {
    await firstAdmin();
    await person('ben', 'support');
    as('ben');
    await gateway.fails(1, /ben: has no role that may do this \(operation\.create\)/, 'operation create', ...MACHINE);
    await gateway.fails(1, /only an admin manages the staff/, 'staff', 'create', 'eva');
    await gateway.fails(1, /only an admin/, 'staff', 'role', 'grant', 'ben', 'admin');
    as('ana.souza');
    const id = (await gateway.json('operation', 'create', ...MACHINE))['operation_id'] as string;
    as('ben');
    await gateway.json('operation', 'suspend', id);
    await gateway.fails(1, /has no role that may do this \(operation\.resume\)/, 'operation', 'resume', id);
    assert.ok((await actions()).includes(`ben operation.suspend ${id}`));
  });

  it('a role may be for one operation', async () => {
    await firstAdmin();
    const one = (await gateway.json('operation', 'create', ...MACHINE))['operation_id'] as string;
    const other = (await gateway.json('operation', 'create', ...MACHINE))['operation_id'] as string;
    await person('ben');
    const granted = await byTwo('staff', 'role', 'grant', 'ben', 'risk_manager', '--operation', one);
    assert.deepEqual(granted, { handle: 'ben', role: 'risk_manager', operation_id: one, granted: true });
    as('ben');
    await gateway.fails(1, /the session has ended/, 'staff', 'whoami');
    await signIn('ben');
    const block = ['--list', 'block', '--kind', 'player', 'player-7'];
    await gateway.json('list', 'add', '--operation', one, ...block);
    await gateway.fails(1, /no role/, 'list', 'add', '--operation', other, ...block);
    await gateway.fails(1, /ben: has no role that may do this in every operation \(staff list\)/, 'staff', 'list');
    as('ana.souza');
    assert.deepEqual(
      (await gateway.json('staff', 'list'))['staff'].map(({ roles }: { roles: string[] }) => roles),
      [['admin'], [`risk_manager@${one}`], ['admin']],
    );
    as('ana.souza');
    await gateway.fails(2, /an admin is one in every operation/, 'staff role grant ben admin --operation', one);
  });

  it('nobody looks like somebody else or gives a role to themselves, and one admin always stays', async () => {
    await firstAdmin();
    for (const bad of ['Ana', 'ána']) await gateway.fails(2, /HANDLE: must be/, 'staff', 'create', bad);
    await gateway.fails(1, /ana\.souza is a person already/, 'staff', 'create', 'ana-s0uza');
    await gateway.fails(1, /nobody gives a role to themselves/, 'staff', 'role', 'grant', 'ana.souza', 'approver');
    await gateway.json('staff', 'role', 'revoke', 'zoe.reis', 'admin');
    await gateway.fails(1, /is the last admin/, 'staff', 'role', 'revoke', 'ana.souza', 'admin');
    await gateway.fails(1, /is the last admin/, 'staff', 'disable', 'ana.souza');
    await person('ben', 'admin');
    await gateway.json('staff', 'role', 'revoke', 'ana.souza', 'admin');
    // A person who loses a role is signed out everywhere.
    await gateway.fails(1, /the session has ended/, 'staff', 'create', 'eva');
  });

  it('a disabled person is out at once', async () => {
    await firstAdmin();
    await person('ben', 'admin');
    await gateway.json('staff', 'disable', 'ben');
    as('ben');
    await gateway.fails(1, /the session has ended/, 'staff', 'whoami');
    await assert.rejects(signIn('ben'), /the code is unknown, used or too old/);
    as('ana.souza');
    await gateway.fails(1, /no such person, or they are disabled/, 'staff', 'code', 'ben');
  });

  it('an admin says which account of the identity provider signs whom in; it is in the audit trail', async () => {
    await firstAdmin();
    await person('ben', 'support');
    const set = (...argv: string[]) => gateway.json('staff', 'oidc', 'set', ...argv);
    await gateway.fails(2, /PANEL_OIDC_ISSUER: must name/, 'staff', 'oidc', 'set', 'ben', '4711');
    gateway.environment['PANEL_OIDC_ISSUER'] = 'https://id.example';
    const account = { handle: 'ben', issuer: 'https://id.example/', subject: '4711' };
    assert.deepEqual(await byTwo('staff', 'oidc', 'set', 'ben', '4711'), { ...account, set: true });
    assert.deepEqual(await set('ben', '4711'), { ...account, set: false });
    await gateway.fails(1, /ben: is signed in by this account/, 'staff', 'oidc', 'set', 'ana.souza', '4711');
    await gateway.fails(1, /no such person/, 'staff', 'oidc', 'set', 'eva', '4712');
    await gateway.fails(2, /SUBJECT: must be/, 'staff', 'oidc', 'set', 'ben', 'a\nb');
    const [, listed] = (await gateway.json('staff', 'list'))['staff'] as Record<string, unknown>[];
    assert.deepEqual([listed?.['oidc_issuer'], listed?.['oidc_subject']], ['https://id.example/', '4711']);
    as('ben');
    await gateway.fails(1, /only an admin manages the staff/, 'staff', 'oidc', 'set', 'ben', '4712');
    await gateway.fails(1, /only an admin manages the staff/, 'staff', 'oidc', 'remove', 'ben');
    as('ana.souza');
    assert.deepEqual(await gateway.json('staff', 'oidc', 'remove', 'ben'), { handle: 'ben', removed: true });
    assert.deepEqual(await gateway.json('staff', 'oidc', 'remove', 'ben'), { handle: 'ben', removed: false });
    assert.deepEqual((await actions()).slice(-2), ['ana.souza staff.oidc_set ben', 'ana.souza staff.oidc_remove ben']);
    const [entry] = await gateway.rows(`SELECT detail FROM audit_entry WHERE action = 'staff.oidc_set'`);
    // Of 4711: it may be a name.
    const digest = createHash('sha256').update('4711').digest('hex');
    const { act_id: actId, ...detail } = JSON.parse(String(entry?.['detail'])) as Record<string, unknown>;
    assert.match(String(actId), /^act_/);
    assert.deepEqual(detail, { issuer: 'https://id.example/', means: 'command_line', subject_sha256: digest });
  });

  it('a code signs in once, in its time, and a newer one voids it', async () => {
    // In a sandbox: in production an admin's code makes a passkey and no session.
    gateway.environment['GATEWAY_ENVIRONMENT'] = 'sandbox';
    const code = async (...argv: string[]) => (await gateway.json('staff', ...argv, 'ben', '--as', 'ana'))['code'];
    const [first, second] = [await code('create'), await code('code')];
    as('ben');
    for (const void_ of [first as string, 'guess', ''])
      await gateway.fails(1, /the code is unknown, used or too old/, 'staff', 'login', void_);
    await gateway.json('staff', 'login', second as string);
    await gateway.fails(1, /the code is unknown/, 'staff', 'login', second as string);
    const third = await code('code');
    await gateway.rows(`UPDATE staff_sign_in_link SET expires_at = now() WHERE used_at IS NULL`);
    await gateway.fails(1, /too old/, 'staff', 'login', third as string);
  });

  it('two first admins at once are one', async () => {
    const runs = await Promise.all(
      ['ana', 'ben', 'eva'].map((handle) => gateway.run('staff', 'create', handle, ...FIRST)),
    );
    assert.deepEqual(runs.map(({ exitCode }) => exitCode).sort(), [0, 1, 1]);
    assert.equal((await gateway.rows(`SELECT 1 FROM staff_role WHERE role = 'admin'`)).length, 2);
  });

  it('a session ends after half an hour without use, after ten hours, and when it is revoked', async () => {
    await firstAdmin();
    await gateway.rows(`UPDATE staff_session SET last_seen_at = now() - interval '29 minutes'`);
    await gateway.json('staff', 'whoami');
    const [row] = await gateway.rows(`SELECT last_seen_at > now() - interval '1 minute' AS fresh FROM staff_session`);
    assert.equal(row?.['fresh'], true, 'each use keeps one alive');
    for (const end of [
      `last_seen_at = now() - interval '30 minutes'`,
      `created_at = now() - interval '10 hours'`,
      'revoked_at = now()',
    ]) {
      await gateway.rows(`UPDATE staff_session SET ${end}`);
      await gateway.fails(1, /the session has ended/, 'staff', 'whoami');
      await gateway.rows(`UPDATE staff_session SET last_seen_at = now(), created_at = now() WHERE revoked_at IS NULL`);
    }
  });

  it('in the sandbox a name is enough, and a session without --as is used', async () => {
    const environment = { ...gateway.environment, GATEWAY_ENVIRONMENT: 'sandbox', GATEWAY_SESSION_FILE: fileOf('eva') };
    const run = async (...argv: string[]) => {
      const { exitCode, stdout, stderr } = await runWith(environment, argv);
      assert.equal(exitCode, 0, stderr);
      return JSON.parse(stdout) as Record<string, string>;
    };
    await run('operation', 'create', ...MACHINE, '--as', 'Ana Souza');
    const { code = '' } = await run('staff', 'create', 'eva', '--as', 'Ána souza');
    await run('staff', 'login', code);
    assert.deepEqual(await run('staff', 'whoami'), { handle: 'eva', means: 'command_line' });
    const handles = await gateway.rows('SELECT handle FROM staff ORDER BY handle');
    assert.deepEqual(
      handles.map(({ handle }) => handle as string),
      ['Ana Souza', 'eva'],
    );
  });
});
