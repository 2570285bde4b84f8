// Passkeys in the panel: the first one by a code, signing in, and signing what money, access or rules follow.
import assert from 'node:assert/strict';
import { newId } from '../../../domain/identifiers.js';
import type { SignedAct } from '../../../domain/signed-act.js';
import { createDatabase } from '../../../store/database.js';
import { verifySignedActs } from '../../../store/staff/signatures.js';
import { createTestGateway, type TestGateway } from '../cli/support.js';
import { type AuthenticatorFaults, TestAuthenticator } from '../../support/authenticator.js';
import {
  codeOf,
  cookieOf,
  enrolmentOf,
  type Options,
  personOf,
  register,
  remove,
  signInWith,
} from './passkey-steps.js';
import { createPanelWorld, PANEL_URL, type PanelWorld, type Person, type Reply } from './world.js';

const POOL = { poolSize: 2, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 };

describe('panel: passkeys', function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let sandbox: PanelWorld;
  let production: PanelWorld;
  let operationId: string;
  let rita: Person;
  let paulo: Person;
  const key = new TestAuthenticator(PANEL_URL);

  before(async () => {
    gateway = await createTestGateway();
    sandbox = await createPanelWorld({ gateway });
    production = await createPanelWorld({ gateway, environment: 'production' });
    operationId = (await gateway.operation())['operation_id'];
    rita = await sandbox.person('rita', ['reviewer', 'risk_manager', 'admin']);
    paulo = await sandbox.person('paulo', ['reviewer', 'risk_manager', 'approver']);
  });
  after(async () => {
    await production.close();
    await sandbox.close();
    await gateway.close();
  });

  describe('signing in', () => {
    it('production: a link signs nobody in; with it a person makes the first passkey, once', async () => {
      const token = await production.link('rita');
      assert.equal(codeOf(await production.send('/session', { method: 'POST', body: { token } })), 'link_not_valid');
      const first = await enrolmentOf(production, token, key);
      assert.equal(first.status, 200, first.text);
      const { session } = first.body;
      assert.deepEqual([session['handle'], session['signs_acts']], ['rita', true]);
      const own = { headers: { cookie: cookieOf(first) } };
      assert.equal((await production.send('/session', own)).status, 200);
      assert.equal(codeOf(await enrolmentOf(production, token, new TestAuthenticator(PANEL_URL))), 'link_not_valid');
      const entries = await gateway.rows(
        `SELECT action, detail::jsonb ->> 'means' AS means FROM audit_entry WHERE person = 'rita' ORDER BY sequence`,
      );
      assert.deepEqual(
        entries.slice(-2).map(({ action, means }) => [action, means]),
        [
          ['staff.passkey_add', null],
          ['staff.sign_in', 'passkey'],
        ],
      );
    });

    it('a code makes no passkey for somebody who has one: a person who gives codes could act as anybody', async () => {
      const reply = await enrolmentOf(production, await production.link('rita'), new TestAuthenticator(PANEL_URL));
      assert.equal(codeOf(reply), 'link_not_valid');
    });

    it('production: a session that a link began elsewhere is none', async () => {
      assert.equal((await production.send('/session', { headers: { cookie: rita.cookie } })).status, 401);
    });

    it('a passkey signs in, in both environments', async () => {
      for (const world of [production, sandbox]) {
        const { reply } = await signInWith(world, key);
        assert.deepEqual([reply.status, reply.body['handle']], [200, 'rita'], reply.text);
        assert.match(String(reply.headers['set-cookie']), /^__Host-panel=.*HttpOnly; SameSite=Strict/);
      }
    });

    const refusals: readonly [string, AuthenticatorFaults][] = [
      ['from another page', { origin: 'https://panel.example' }],
      ['without the person’s PIN or finger', { isUnverified: true }],
      ['with a counter that went back: a copy of the key', { counter: 1 }],
    ];
    for (const [what, faults] of refusals)
      it(`${what}: refused`, async () => {
        const { reply } = await signInWith(production, key, faults);
        assert.deepEqual([reply.status, codeOf(reply)], [401, 'passkey_not_valid']);
        assert.equal(reply.headers['set-cookie'], undefined);
      });

    it('an answer signs in once, and not after five minutes', async () => {
      const { body, reply } = await signInWith(production, key);
      assert.equal(reply.status, 200);
      const again = await production.send('/passkeys/sign-in', { method: 'POST', body });
      assert.equal(codeOf(again), 'passkey_not_valid');
      const { body: asked } = await production.send('/passkeys/sign-in-options', { method: 'POST' });
      await gateway.rows(`UPDATE staff_challenge SET expires_at = now() WHERE id = $1`, asked['challenge_id']);
      const late = { challenge_id: asked['challenge_id'], response: key.get(asked['options'] as Options) };
      assert.equal(
        codeOf(await production.send('/passkeys/sign-in', { method: 'POST', body: late })),
        'passkey_not_valid',
      );
    });

    it('who is disabled, or whose passkey was removed, does not sign in', async () => {
      const clara = await sandbox.person('clara', ['auditor']);
      const own = new TestAuthenticator(PANEL_URL);
      assert.equal((await register(clara, own)).status, 200);
      assert.equal((await signInWith(sandbox, own)).reply.status, 200);
      await gateway.rows(`UPDATE staff SET disabled_at = now() WHERE handle = 'clara'`);
      assert.equal(codeOf((await signInWith(sandbox, own)).reply), 'passkey_not_valid');
      await gateway.rows(`UPDATE staff SET disabled_at = NULL WHERE handle = 'clara'`);
      assert.equal((await remove(clara, own, own)).status, 200);
      assert.equal(codeOf((await signInWith(sandbox, own)).reply), 'passkey_not_valid');
    });

    it('one’s own passkeys are listed; in production the last one stays, and nobody removes another’s', async () => {
      const { reply } = await signInWith(production, key);
      const own = { headers: { cookie: cookieOf(reply) } };
      const [item, ...more] = (await production.send('/passkeys', own)).body['items'] as Record<string, unknown>[];
      assert.deepEqual([item?.['id'], item?.['name'], item?.['is_removable'], more], [key.id, 'laptop', false, []]);
      assert.equal(codeOf(await remove(personOf(production, 'rita', reply), key, key)), 'last_passkey');
      assert.equal(codeOf(await remove(paulo, key, null)), 'not_found');
    });
  });

  it('a lost device: an admin removes the passkeys, the sessions end, and a code makes another', async () => {
    const dora = await sandbox.person('dora', ['auditor']);
    const lost = new TestAuthenticator(PANEL_URL);
    assert.equal((await register(dora, lost)).status, 200);
    await gateway.fails(1, /only an admin manages the staff/, 'staff', 'forget-passkeys', 'dora', '--as', 'paulo');
    await gateway.fails(1, /another admin must/, 'staff', 'forget-passkeys', 'rita', '--as', 'rita');
    const forgotten = await gateway.json('staff', 'forget-passkeys', 'dora', '--as', 'rita');
    assert.equal(forgotten['removed'], 1);
    assert.equal((await dora.get('/session')).status, 401);
    assert.equal(codeOf((await signInWith(sandbox, lost)).reply), 'passkey_not_valid');
    const found = new TestAuthenticator(PANEL_URL);
    assert.equal((await enrolmentOf(production, String(forgotten['code']), found)).status, 200);
    assert.equal((await signInWith(production, found)).reply.status, 200);
  });

  describe('signing an act', () => {
    const spare = new TestAuthenticator(PANEL_URL);
    before(async () => {
      assert.equal((await register(paulo, spare, 'phone')).status, 200);
    });

    const request = async () => {
      const id = newId('approvalRequest');
      await gateway.rows(
        `INSERT INTO approval_request (id, operation_id, kind, payload, requested_by)
         VALUES ($1, $2, 'resume', '{}', 'rita')`,
        id,
        operationId,
      );
      return id;
    };
    const actOf = (id: string): SignedAct => ({
      kind: 'risk.approve',
      subjectId: id,
      subjectVersion: 0,
      subjectDigest: null,
      reason: 'ticket 4711',
      evidence: '',
    });
    const proofOf = async (person: Person, authenticator: TestAuthenticator, act: SignedAct) => {
      const { kind, subjectId, subjectVersion, subjectDigest, reason, evidence } = act;
      const body = { kind, subject_id: subjectId, version: subjectVersion, digest: subjectDigest, reason, evidence };
      const asked = await person.post('/passkeys/signing-options', body);
      assert.equal(asked.status, 200, asked.text);
      return {
        challenge_id: asked.body['challenge_id'],
        response: authenticator.get(asked.body['options'] as Options),
      };
    };
    const approve = (person: Person, id: string, more: object) =>
      person.post(`/approvals/${id}`, { decision: 'approve', reason: 'ticket 4711', ...more });
    const statusOf = async (id: string) =>
      (await gateway.rows('SELECT status FROM approval_request WHERE id = $1', id))[0]?.['status'];

    it('who has a passkey signs: nothing that is typed stands in for it', async () => {
      const id = await request();
      const listed = (await paulo.get('/approvals')).body['items'] as Record<string, unknown>[];
      const shown = listed.find((item) => item['id'] === id);
      assert.deepEqual(shown?.['approve'], { possible: true, why_not: null, confirm: null });
      assert.equal(shown?.['approves'], 'risk.approve');
      assert.equal(codeOf(await approve(paulo, id, { confirm: id.slice(-4) })), 'not_signed');
      assert.equal(await statusOf(id), 'pending');
      const reply = await approve(paulo, id, { proof: await proofOf(paulo, spare, actOf(id)) });
      assert.deepEqual([reply.status, reply.body['status']], [200, 'approved'], reply.text);
    });

    describe('verified later, from the rows alone', () => {
      const every = { since: new Date(0), most: 1_000 };
      const found = async () => {
        const database = createDatabase({ url: gateway.urlOfRole('gateway_payments'), ...POOL });
        const { verified, unsigned } = await verifySignedActs(database, every);
        await database.$disconnect();
        return { verified, unsigned: unsigned.map(({ id }) => id) };
      };
      /** As somebody with all rights would do it: without triggers. */
      const changed = async (sql: string, ...values: unknown[]) => {
        await gateway.rows("SET session_replication_role = 'replica'");
        await gateway.rows(sql, ...values);
        await gateway.rows("SET session_replication_role = 'origin'");
      };
      let act: Record<string, unknown>;
      before(async () => {
        const id = await request();
        assert.equal((await approve(paulo, id, { proof: await proofOf(paulo, spare, actOf(id)) })).status, 200);
        act = (await gateway.rows('SELECT * FROM staff_act WHERE subject_id = $1', id))[0] ?? {};
      });

      it('signatures of people verify', async () => {
        assert.deepEqual([act['means'], act['reason']], ['signature', 'ticket 4711']);
        const { verified, unsigned } = await found();
        assert.ok(verified >= 2);
        assert.deepEqual(unsigned, []);
      });

      const attacks: readonly [string, string, string][] = [
        ['another subject', `subject_id = 'apr_00000000000000000000000000000000'`, `subject_id = '{subject_id}'`],
        ['another reason', `reason = 'ticket 4712'`, `reason = 'ticket 4711'`],
        ['another person', `staff_handle = 'rita'`, `staff_handle = 'paulo'`],
        ['another kind', `kind = 'access.approve'`, `kind = 'risk.approve'`],
        ['no signature at all', `signature = '{}'`, `signature = '{signature}'`],
      ];
      for (const [what, change, back] of attacks)
        it(`an act that was changed to ${what} is found`, async () => {
          const original = back
            .replace('{subject_id}', String(act['subject_id']))
            .replace('{signature}', JSON.stringify(act['signature']));
          await changed(`UPDATE staff_act SET ${change} WHERE id = $1`, act['id']);
          assert.deepEqual((await found()).unsigned, [act['id']]);
          await changed(`UPDATE staff_act SET ${original} WHERE id = $1`, act['id']);
          assert.deepEqual((await found()).unsigned, []);
        });

      it('finds an act that was signed after its passkey was removed', async () => {
        await gateway.rows(
          `UPDATE staff_passkey SET removed_at = $2::timestamptz - interval '1 second', removed_by = 'x' WHERE id = $1`,
          spare.id,
          act['created_at'],
        );
        assert.ok((await found()).unsigned.includes(String(act['id'])));
        await gateway.rows('UPDATE staff_passkey SET removed_at = NULL, removed_by = NULL WHERE id = $1', spare.id);
      });
    });

    const others: readonly [string, (act: SignedAct) => SignedAct][] = [
      ['another request', (act) => ({ ...act, subjectId: newId('approvalRequest') })],
      ['another reason', (act) => ({ ...act, reason: 'ticket 4712' })],
      ['another kind of act', (act) => ({ ...act, kind: 'access.approve' })],
    ];
    for (const [what, change] of others)
      it(`a signature for ${what}: refused, and nothing changes`, async () => {
        const id = await request();
        const reply = await approve(paulo, id, { proof: await proofOf(paulo, spare, change(actOf(id))) });
        assert.deepEqual([reply.status, codeOf(reply), await statusOf(id)], [409, 'proof_not_valid', 'pending']);
      });

    it('a signature counts once, for minutes, and for whom it was asked', async () => {
      const id = await request();
      const proof = await proofOf(paulo, spare, actOf(id));
      const eve = await sandbox.person('eve', ['risk_manager']);
      assert.equal(codeOf(await approve(eve, id, { proof })), 'proof_not_valid');
      await gateway.rows(`UPDATE staff_challenge SET expires_at = now() WHERE id = $1`, proof.challenge_id);
      assert.equal(codeOf(await approve(paulo, id, { proof })), 'proof_not_valid');
      const good = await proofOf(paulo, spare, actOf(id));
      assert.equal((await approve(paulo, id, { proof: good })).status, 200);
      const next = await request();
      assert.equal(codeOf(await approve(paulo, next, { proof: good })), 'proof_not_valid');
    });

    it('with a removed passkey: refused', async () => {
      const id = await request();
      const old = new TestAuthenticator(PANEL_URL);
      assert.equal((await register(paulo, old, 'old phone', spare)).status, 200);
      const proof = await proofOf(paulo, old, actOf(id));
      assert.equal((await remove(paulo, old, spare)).status, 200);
      paulo = await sandbox.person('paulo', []);
      assert.equal(codeOf(await approve(paulo, id, { proof })), 'proof_not_valid');
      assert.equal(await statusOf(id), 'pending');
    });

    it('a session alone does none of it in production: the panel asks for the signature', async () => {
      await gateway.rows(`UPDATE operation SET environment = 'production' WHERE id = $1`, operationId);
      try {
        const id = await request();
        const { reply } = await signInWith(production, spare);
        const own = { headers: { cookie: cookieOf(reply) }, method: 'POST' } as const;
        const body = { decision: 'approve', reason: 'ticket 4711', confirm: id.slice(-4) };
        assert.equal(codeOf(await production.send(`/approvals/${id}`, { ...own, body })), 'not_signed');
        const forged = await gateway.json('request', 'approve', id, '--as', 'ben').catch((error: unknown) => error);
        assert.match(String(forged), /no role that may do this|passkey/);
        assert.equal(await statusOf(id), 'pending');
      } finally {
        await gateway.rows(`UPDATE operation SET environment = 'sandbox' WHERE id = $1`, operationId);
      }
    });
  });

  // Last: it uses up the attempts of everybody.
  describe('attempts', () => {
    const ask = (address: string, path = '/passkeys/sign-in-options', body?: object) =>
      production.send(path, {
        method: 'POST',
        ...(body === undefined ? {} : { body }),
        headers: { 'gateway-client-address': address },
      });
    /** Of many attempts at once: how many were made. */
    const madeOf = async (count: number, attemptOf: (at: number) => Promise<Reply>) => {
      const codes = (await Promise.all(Array.from({ length: count }, (_, at) => attemptOf(at)))).map(codeOf);
      return codes.filter((code) => code !== 'rate_limited').length;
    };

    it('from one address are limited; a machine’s IPv6 addresses count as one, and others still sign in', async () => {
      for (const of of [() => '203.0.113.7', (at: number) => `2001:db8:0:7::${(at + 1).toString(16)}`]) {
        const made = await madeOf(90, (at) => ask(of(at)));
        assert.ok(made >= 60 && made < 90, `${made}`);
      }
      for (const other of ['203.0.113.8', '2001:db8:0:8::1']) assert.equal((await ask(other)).status, 200);
    });

    it('with one person’s code are limited, from however many addresses; another’s code still works', async () => {
      // Nobody who has tried before: the bucket is full.
      await sandbox.member('tara', ['support']);
      const token = await production.link('tara');
      const tries = (code: string) => (at: number) =>
        ask(`198.51.100.${at}`, '/passkeys/enrolment-options', { token: code });
      const made = await madeOf(40, tries(token));
      assert.ok(made >= 20 && made < 40, `${made}`);
      await sandbox.member('vera', ['support']);
      assert.equal((await tries(await production.link('vera'))(1)).status, 200);
    });

    describe('that are refused', () => {
      const refusedSignIns = async () =>
        (
          await gateway.rows(
            `SELECT person, subject, detail::jsonb AS detail FROM audit_entry WHERE action = 'staff.sign_in_refused'
             ORDER BY sequence`,
          )
        ).map(({ person, subject, detail }) => ({ person, subject, ...(detail as object) }));
      const bad = (world: PanelWorld, address: string, id = 'nobodys-passkey-of-all') => {
        const authenticator = new TestAuthenticator(PANEL_URL);
        authenticator.create({ challenge: '' });
        const response = { ...authenticator.get({ challenge: 'AAAA' }), id, rawId: id };
        return world.send('/passkeys/sign-in', {
          method: 'POST',
          body: { challenge_id: `chl_${'0'.repeat(32)}`, response },
          headers: { 'gateway-client-address': address },
        });
      };

      it('are in the audit trail, with the address and whose passkey it was said to be', async () => {
        await gateway.rows('TRUNCATE rate_bucket');
        const before = (await refusedSignIns()).length;
        assert.equal(codeOf(await bad(production, '203.0.113.60')), 'passkey_not_valid');
        assert.equal(codeOf(await bad(production, '203.0.113.61', key.id)), 'passkey_not_valid');
        const told = { person: '(nobody)', means: 'passkey', reason: 'passkey_not_valid' };
        const entries = (await refusedSignIns()).slice(before).map((entry) => ({ ...entry, missing: 0 }));
        assert.deepEqual(entries, [
          { ...told, subject: null, address: '203.0.113.60', missing: 0 },
          { ...told, subject: 'rita', address: '203.0.113.61', missing: 0 },
        ]);
      });

      it('are no more entries than their limits let through; later ones say how many are missing', async () => {
        await gateway.rows('TRUNCATE rate_bucket');
        const world = await createPanelWorld({ gateway, environment: 'production' });
        try {
          const before = (await refusedSignIns()).length;
          const made = await madeOf(90, (at) => bad(world, `198.51.101.${at}`));
          assert.equal(made, 90);
          const noted = (await refusedSignIns()).length - before;
          assert.ok(noted >= 30 && noted <= 32, `${noted}`);
          await gateway.rows('TRUNCATE rate_bucket');
          await bad(world, '203.0.113.62');
          // The last of the entries above may already say some: replies of one burst arrive in any order.
          const missing = (await refusedSignIns()).slice(before).map((entry) => Number(entry['missing' as never] ?? 0));
          assert.ok((missing.at(-1) ?? 0) > 0, String(missing.at(-1)));
          assert.equal(
            missing.reduce((sum, one) => sum + one, 0),
            90 - noted,
          );
        } finally {
          await world.close();
        }
      });
    });

    it('of nobody are limited together, from whatever address; a person’s code still works', async () => {
      assert.equal((await ask('192.0.2.1')).status, 200);
      await gateway.rows(`
        UPDATE rate_bucket SET theoretical_arrival_time = now() + interval '1 hour' WHERE bucket = 'sign-in'`);
      for (const address of ['192.0.2.1', '192.0.2.2']) assert.equal(codeOf(await ask(address)), 'rate_limited');
      await sandbox.member('willa', ['support']);
      const token = await production.link('willa');
      assert.equal((await ask('192.0.2.1', '/passkeys/enrolment-options', { token })).status, 200);
    });
  });
});
