// Staff commands of production: each runs on the gateway's server, with the person's session, behind the edge of TLS.
// The command itself is a process without any key of the gateway's.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { EVERY_OPERATION } from '../../../domain/staff.js';
import { cookieOf, signInWith } from '../panel/passkey-steps.js';
import { runWith } from '../cli/support.js';
import { CommandWorld } from './world.js';

const ACME = ['operation', 'create', '--name', 'Acme', '--environment', 'production', '--provider', 'a'];

describe('staff commands of production', function () {
  this.timeout(120_000);
  let world: CommandWorld;
  before(async () => {
    world = await CommandWorld.start();
  });
  after(() => world.close());

  const rows: CommandWorld['gateway']['rows'] = (...sql) => world.gateway.rows(...sql);
  const grant = (handle: string, role: string, operationId = EVERY_OPERATION) =>
    world.plant(
      `INSERT INTO staff_role (staff_handle, role, operation_id, granted_by, granted_at)
       VALUES ($1, $2, $3, '(test)', now() - interval '2 days')`,
      handle,
      role,
      operationId,
    );

  it('the installation makes the first admins with its own role, once', async () => {
    const environment = {
      GATEWAY_ENVIRONMENT: 'production',
      DATABASE_URL: world.gateway.urlOfRole('gateway_setup'),
    };
    const first = ['staff', 'create', 'ana', '--first-admin', '--second-admin', 'ben'];
    const { exitCode, stdout, stderr } = await runWith(environment, first);
    assert.equal(exitCode, 0, stderr);
    const made = JSON.parse(stdout) as { code: string; second_admin: { code: string } };
    await world.enrol('ana', made.code);
    await world.enrol('ben', made.second_admin.code);
    assert.match(
      (await runWith(environment, [...first.slice(0, 2), 'eva', ...first.slice(3, 5), 'eli'])).stderr,
      /admin already/,
    );
    await world.aDayPasses();
  });

  it('a code begins a session: by standard input, never as an argument; the file is its person’s alone', async () => {
    await world.fails('ana', 2, /CODE: is no argument in production/, 'staff', 'login', await world.codeOf('ana'));
    const guessed = await world.run('ana', ['staff', 'login'], 'code_guess\n');
    assert.match(guessed.stderr, /the code is unknown, used or too old, or not yours/);
    assert.deepEqual(
      await rows(
        `SELECT person, detail::jsonb ->> 'means' AS means, detail::jsonb ->> 'address' AS address FROM audit_entry
         WHERE action = 'staff.sign_in_refused'`,
      ),
      [{ person: '(nobody)', means: 'command_line', address: '198.51.100.7' }],
    );
    assert.match((await world.run('ana', ['staff', 'login'])).stderr, /CODE: is missing/);
    const path = world.sessionFileOf('ana');
    assert.deepEqual(await world.logIn('ana'), { handle: 'ana', session_file: path });
    assert.equal(statSync(path).mode & 0o777, 0o600);
    await world.logIn('ben');
    assert.deepEqual(await world.json('ana', 'staff', 'whoami'), { handle: 'ana', means: 'command_line' });
  });

  it('a read, an act, and an act of two people; the address of the person’s machine is in the audit trail', async () => {
    assert.deepEqual((await world.json('ana', 'operation', 'list'))['operations'], []);
    writeFileSync(join(world.folder, 'rules.json'), '{"currency": }');
    await world.fails('ana', 2, /--rules: /, ...ACME, '--rules', 'rules.json');
    const made = await world.json('ana', ...ACME, '--allow', '203.0.113.0/24');
    const operationId = made['operation_id'] as string;
    assert.equal(made['key_id'], null);
    const key = (made['requests'] as { id: string; kind: string }[]).find(({ kind }) => kind === 'key');
    await world.fails('ben', 1, /in the panel \(https:\/\/localhost:\d+\)\n$/, 'request', 'approve', String(key?.id));
    const approved = await world.approve('ben', String(key?.id));
    assert.equal(approved.status, 200, approved.text);
    assert.equal((await world.json('ana', 'key', 'list', '--operation', operationId))['keys'].length, 1);
    const entries = await rows(
      `SELECT action, detail::jsonb ->> 'address' AS address FROM audit_entry WHERE person = 'ana'
         AND (action = 'operation.create' OR (action = 'staff.sign_in' AND detail::jsonb ->> 'means' = 'command_line'))`,
    );
    assert.deepEqual(
      new Set(entries.map(({ action, address }) => `${action} ${address}`)),
      new Set(['staff.sign_in 198.51.100.7', 'operation.create 198.51.100.7']),
    );
  });

  it('prints what it would print here: tables on a terminal, one line of JSON else, the same refusals', async () => {
    const { stdout } = await world.run('ana', ['operation', 'list']);
    assert.match(stdout, /^\{"operations":\[\{.*\}\]\}\n$/);
    await world.fails('ana', 1, /^gateway: nothing is known under this text/, 'find', 'order-unknown');
    await world.fails('ana', 2, /^gateway: TEXT: /, 'find', 'whsec_abc');
  });

  it('a person without the right is refused in the words of the command, and changes nothing', async () => {
    await world.plant(
      `INSERT INTO staff (handle, handle_folded, created_at) VALUES ('eva', 'eva', now() - interval '2 days')`,
    );
    const code = 'code_'.padEnd(48, 'e');
    await world.plant(
      `INSERT INTO staff_sign_in_link (token_hash, staff_handle, created_by, purpose, expires_at)
       VALUES (sha256($1::bytea), 'eva', 'eva', 'command', now() + interval '15 minutes')`,
      code,
    );
    assert.equal((await world.run('eva', ['staff', 'login'], code)).exitCode, 0);
    await world.fails('eva', 1, /^gateway: eva: has no role that may do this \(operation\.create\)\n$/, ...ACME);
    await world.fails('eva', 1, /^gateway: only an admin manages the staff\n$/, 'staff', 'disable', 'ben');
    const reading = /^gateway: eva: has no role that may do this in every operation \(audit list\)\n$/;
    await world.fails('eva', 1, reading, 'audit', 'list');
    const [operation] = await rows('SELECT id FROM operation');
    await grant('eva', 'auditor', String(operation?.['id']));
    // A role in one operation reads none of the others.
    await world.fails('eva', 1, reading, 'audit', 'list');
    await grant('eva', 'auditor');
    assert.ok((await world.json('eva', 'audit', 'list'))['entries'].length > 0);
    assert.equal((await rows('SELECT 1 FROM operation')).length, 1);
  });

  it('without a session, with an ended one, with somebody else’s that was ended, with the panel’s: refused', async () => {
    await world.fails('noa', 1, /nobody is signed in here/, 'operation', 'list');
    const send = (headers: Record<string, string>, argv: string[]) =>
      request(`${world.url}/command/runs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ argv }),
        dispatcher: world.agent,
      });
    const anonymous = await (await send({}, ['operation', 'list'])).body.text();
    assert.match(anonymous, /nobody is signed in here/);
    const cookie = cookieOf((await signInWith(world.panel, world.keyOf('ana'))).reply).split('=')[1] ?? '';
    for (const token of [cookie, 'x'.repeat(43), 'x'])
      assert.equal((await send({ authorization: `Bearer ${token}` }, ['operation', 'list'])).statusCode, 401, token);
    const before = readFileSync(world.sessionFileOf('eva'), 'utf8');
    await rows(`UPDATE staff_session SET last_seen_at = now() - interval '31 minutes' WHERE staff_handle = 'eva'`);
    await world.fails('eva', 1, /the session has ended; sign in again/, 'staff', 'whoami');
    writeFileSync(world.sessionFileOf('eva'), before, { mode: 0o644 });
    await world.json('ana', 'staff', 'logout');
    assert.equal(existsSync(world.sessionFileOf('ana')), false);
    await world.fails('ana', 1, /nobody is signed in here/, 'operation', 'list');
    await world.logIn('ana');
    await world.json('ana', 'staff', 'disable', 'eva');
    assert.equal((await send({ authorization: `Bearer ${before.trim()}` }, ['staff', 'whoami'])).statusCode, 401);
  });

  it('files are bounded, and the server reads none of its own', async () => {
    const [operation] = await rows('SELECT id FROM operation');
    const set = ['rules', 'set', '--operation', String(operation?.['id'])];
    writeFileSync(join(world.folder, 'large.json'), ' '.repeat(64 * 1024 + 1));
    await world.fails('ana', 2, /FILE: "large.json" is larger than 65536 bytes/, ...set, 'large.json');
    const token = readFileSync(world.sessionFileOf('ana'), 'utf8').trim();
    const send = async (body: object) => {
      const { statusCode, body: answer } = await request(`${world.url}/command/runs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
        dispatcher: world.agent,
      });
      return { statusCode, text: await answer.text() };
    };
    for (const path of ['/etc/hostname', 'package.json'])
      assert.match((await send({ argv: [...set, path] })).text, /FILE: was not sent with the command/);
    const large = Buffer.alloc(64 * 1024 + 1).toString('base64');
    assert.match((await send({ argv: [...set, 'f'], files: { f: large } })).text, /larger than 65536 bytes/);
    assert.equal((await send({ argv: ['x'], more: 1 })).statusCode, 400);
    assert.match((await send({ argv: ['setup', '--environment', 'production'] })).text, /runs on the machine/);
    assert.match((await send({ argv: ['--help'] })).text, /"problem"/);
    const { statusCode } = await request(`${world.url}/command/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ argv: ['staff', 'login'], code: 'x', files: { f: 'A'.repeat(9_000) } }),
      dispatcher: world.agent,
    });
    assert.equal(statusCode, 413, 'a stranger sends no more than a code');
  });

  it('a certificate is signed where the authority is, and recorded by two people on the server', async () => {
    const [operation] = await rows('SELECT id FROM operation');
    const operationId = String(operation?.['id']);
    await world.json('ana', 'cert', 'authority', '--environment', 'production', '--authority', 'authority');
    const issue = ['cert', 'issue', '--operation', operationId, '--authority', 'authority', '--out', 'acme'];
    const asked = await world.json('ana', ...issue);
    assert.deepEqual([asked['serial'], asked['files']], [null, null]);
    assert.equal((await world.approve('ben', String(asked['requests'][0].id))).status, 200);
    const issued = await world.json('ana', ...issue);
    assert.ok(existsSync(issued['files'].key as string));
    const revoked = await world.json('ana', 'cert', 'revoke', issued['serial'] as string);
    assert.equal(revoked['serial'], issued['serial']);
    // The machine of the authority: its role reads what is revoked, and nothing else.
    const written = await runWith(
      { GATEWAY_ENVIRONMENT: 'production', DATABASE_URL: world.gateway.urlOfRole('gateway_certificates') },
      ['cert', 'revocation-list', '--authority', join(world.folder, 'authority')],
    );
    assert.equal(written.exitCode, 0, written.stderr);
    assert.equal((JSON.parse(written.stdout) as { revoked: number }).revoked, 1);
  });

  it('break-glass begins a session of an hour on the person’s machine', async () => {
    await grant('ben', 'reviewer');
    await world.logIn('ben');
    const before = readFileSync(world.sessionFileOf('ben'), 'utf8');
    const glass = ['staff', 'break-glass', '--ticket', 'INC-1', '--reason', 'the panel is down'];
    const begun = await world.json('ben', ...glass);
    assert.deepEqual([begun['minutes'], begun['session_file']], [60, world.sessionFileOf('ben')]);
    assert.notEqual(readFileSync(world.sessionFileOf('ben'), 'utf8'), before);
    assert.equal((await world.json('ben', 'staff', 'whoami'))['means'], 'break_glass');
  });

  it('guesses of codes are limited, from one address', async () => {
    world.address = '203.0.113.99';
    const send = async () => {
      const { statusCode, body } = await request(`${world.url}/command/runs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ argv: ['staff', 'login'], code: 'code_guess' }),
        dispatcher: world.agent,
      });
      await body.dump();
      return statusCode;
    };
    const statuses = await Promise.all(Array.from({ length: 150 }, send)).finally(
      () => (world.address = '198.51.100.7'),
    );
    // 503: of those that may be made, too many at once.
    assert.deepEqual(
      [...new Set(statuses)].filter((status) => ![200, 503].includes(status)),
      [429],
    );
    await world.logIn('ana');
  });

  it('the log says which command, whose and from where, and nothing of what was typed', async () => {
    const [operation] = await rows('SELECT id FROM operation');
    const value = '52998224725';
    const list = ['--operation', String(operation?.['id']), '--list', 'block', '--kind', 'document', value];
    await world.fails('ana', 1, /has no role/, 'list', 'add', ...list);
    const line = world.logged.findLast((text) => text.includes('"list add"')) ?? '';
    const { person, address, command, exitCode } = JSON.parse(line) as Record<string, unknown>;
    assert.deepEqual([person, address, command, exitCode], ['ana', '198.51.100.7', 'list add', 1]);
    const everything = world.logged.join('');
    assert.ok(!everything.includes(value) && !everything.includes('code_'));
  });
});
