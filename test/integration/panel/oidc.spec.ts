// Signing in to the panel at a real OpenID provider: whom it names, what it may never decide alone, and answers that
// are refused.
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '../../../domain/identifiers.js';
import type { IdentityProviderSettings } from '../../../staff/acts/identity-provider.js';
import { mayAct } from '../../../store/staff/acts.js';
import { inTransaction } from '../../../store/transactions.js';
import { type Forgery, startIdentityProvider, type TestProvider } from '../../support/identity-provider.js';
import { createTestGateway, type TestGateway } from '../cli/support.js';
import { createPanelWorld, PANEL_URL, type PanelWorld, type Reply } from './world.js';

const codeOf = ({ body }: Reply) => String(body['code']);
const cookiesOf = ({ headers }: Reply) => [headers['set-cookie'] ?? []].flat();
const valueOf = (reply: Reply, name: string) =>
  cookiesOf(reply)
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(';')[0];

describe('panel: the identity provider', function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let provider: TestProvider;
  let world: PanelWorld;
  let operationId: string;

  before(async () => {
    provider = await startIdentityProvider(PANEL_URL);
    gateway = await createTestGateway({ PANEL_OIDC_ISSUER: provider.issuer });
    world = await createPanelWorld({ gateway, environment: 'production', identityProvider: provider.settings() });
    operationId = (await gateway.operation())['operation_id'] as string;
    await world.member('rita', ['reviewer', 'risk_manager', 'admin']);
    await world.member('dora', ['auditor']);
    await gateway.json('staff', 'oidc', 'set', 'rita', 'account-rita', '--as', 'rita');
    await gateway.json('staff', 'oidc', 'set', 'dora', 'account-dora', '--as', 'rita');
  });
  after(async () => {
    await world.close();
    await gateway.close();
    await provider.close();
  });

  /** Each request comes from another address: from one, only so many are answered. */
  let requests = 0;
  const headers = (own: Readonly<Record<string, string | null>> = {}) => {
    requests += 1;
    return { ...own, 'gateway-client-address': `198.51.${requests >> 8}.${requests & 255}` };
  };
  /** A browser that has gone to the provider, signed in there as this account, and is back at the page. */
  const cameBack = async (account: string, on: PanelWorld = world) => {
    const asked = await on.send('/oidc/address', { method: 'POST', headers: headers() });
    assert.equal(asked.status, 200, asked.text);
    provider.account = account;
    const answer = await provider.answerTo(String(asked.body['address']));
    return { answer, ticket: valueOf(asked, '__Host-panel-oidc') ?? '', asked };
  };
  const finish = (answer: string, ticket: string | null, on: PanelWorld = world) =>
    on.send('/oidc/sign-in', { method: 'POST', body: { answer }, headers: headers({ cookie: ticket }) });
  const signIn = async (account: string, on: PanelWorld = world) => {
    const { answer, ticket } = await cameBack(account, on);
    return finish(answer, ticket, on);
  };
  const refused = async (reply: Reply, code = 'oidc_not_valid') => {
    assert.equal(codeOf(reply), code, reply.text);
    assert.equal(valueOf(reply, '__Host-panel'), undefined);
  };
  const logged = () => world.logged.join('\n');

  it('signs in whose account it is, with the roles that they have here', async () => {
    const { answer, ticket, asked } = await cameBack('account-rita');
    const address = new URL(String(asked.body['address']));
    assert.deepEqual(
      ['response_type', 'scope', 'code_challenge_method'].map((name) => address.searchParams.get(name)),
      ['code', 'openid', 'S256'],
    );
    assert.match(cookiesOf(asked)[0] ?? '', /^__Host-panel-oidc=.*; Secure; HttpOnly; SameSite=Strict$/);
    const reply = await finish(answer, ticket);
    assert.equal(reply.status, 200, reply.text);
    const { handle, roles, signs_acts: signs, changes_passkeys: changes } = reply.body;
    assert.deepEqual([handle, signs, changes], ['rita', true, false]);
    // What the provider says of roles gives none.
    assert.deepEqual(
      (roles as { role: string }[]).map(({ role }) => role),
      ['admin', 'reviewer', 'risk_manager'],
    );
    const cookie = valueOf(reply, '__Host-panel') ?? '';
    assert.match(cookiesOf(reply).join('\n'), /__Host-panel-oidc=; Max-Age=0/);
    assert.equal((await world.send('/session', { headers: { cookie } })).body['handle'], 'rita');
    const [session] = await gateway.rows(`SELECT means FROM staff_session WHERE staff_handle = 'rita'`);
    assert.equal(session?.['means'], 'oidc');
    for (const secret of ['account-rita', new URLSearchParams(answer).get('code') ?? '?', ticket])
      assert.ok(!logged().includes(secret), 'the log holds none of it');
  });

  it('the page asks whether there is a provider', async () => {
    assert.deepEqual((await world.send('/sign-in')).body, { means: ['passkey', 'oidc'] });
  });

  it('an answer signs in once', async () => {
    const { answer, ticket } = await cameBack('account-rita');
    assert.equal((await finish(answer, ticket)).status, 200);
    await refused(await finish(answer, ticket));
  });

  it('an answer belongs to the browser that asked: another one’s ticket, or none, is refused', async () => {
    const { answer, ticket } = await cameBack('account-rita');
    const other = await cameBack('account-dora');
    await refused(await finish(answer, null));
    await refused(await finish(answer, other.ticket));
    // A forged answer that somebody sends a browser here with uses nothing up either.
    assert.equal((await finish(answer, ticket)).body['handle'], 'rita');
    assert.equal((await finish(other.answer, other.ticket)).body['handle'], 'dora');
  });

  const changes: readonly [string, (answer: URLSearchParams) => void][] = [
    ['another state', (answer) => answer.set('state', `chl_${'0'.repeat(32)}`)],
    ['no state', (answer) => answer.delete('state')],
    ['another issuer', (answer) => answer.set('iss', 'http://127.0.0.1:1')],
    ['no issuer, though the provider names itself', (answer) => answer.delete('iss')],
    ['another code', (answer) => answer.set('code', 'x'.repeat(43))],
    ['two codes', (answer) => answer.append('code', 'x')],
    ['an error', (answer) => (answer.delete('code'), answer.set('error', 'access_denied'))],
  ];
  for (const [what, change] of changes)
    it(`an answer with ${what}: refused`, async () => {
      const { answer, ticket } = await cameBack('account-rita');
      const changed = new URLSearchParams(answer);
      change(changed);
      await refused(await finish(changed.toString(), ticket));
    });

  it('the log distinguishes a person who did not agree there, by codes of the standard only', async () => {
    const { answer, ticket } = await cameBack('account-rita');
    const state = new URLSearchParams(answer).get('state') ?? '';
    const iss = encodeURIComponent(provider.issuer);
    const before = world.logged.length;
    await refused(await finish(`error=x-account-rita&error_description=secret-text&state=${state}&iss=${iss}`, ticket));
    const lines = world.logged.slice(before).join('\n');
    assert.match(lines, /OAUTH_AUTHORIZATION_RESPONSE_ERROR/);
    assert.ok(!/x-account-rita|secret-text/.test(lines));
  });

  it('an ID token that repeats another nonce: refused', async () => {
    const { answer, ticket } = await cameBack('account-rita');
    const id = new URLSearchParams(answer).get('state');
    await gateway.rows(`UPDATE staff_challenge SET challenge = sha256('other') WHERE id = $1`, id);
    await refused(await finish(answer, ticket));
    assert.match(logged(), /OAUTH_JWT_CLAIM_COMPARISON_FAILED/);
  });

  const now = Math.floor(Date.now() / 1_000);
  const forgeries: readonly [string, Forgery, RegExp | null][] = [
    ['a forged one that says the same', { key: 'its own' }, null],
    ['signed with another key', { key: 'another' }, /OAUTH_/],
    ['of somebody else', { key: 'none', claims: { sub: 'account-dora' } }, /OAUTH_/],
    ['of another issuer', { key: 'its own', claims: { iss: 'https://other.example' } }, /OAUTH_JWT_CLAIM_COMPARISON/],
    ['for another client', { key: 'its own', claims: { aud: 'other' } }, /OAUTH_JWT_CLAIM_COMPARISON/],
    ['that has ended', { key: 'its own', claims: { exp: now - 300 } }, /OAUTH_JWT_TIMESTAMP_CHECK/],
    ['that names nobody', { key: 'its own', claims: { sub: '' } }, /claim_missing/],
    ['whose name is a number', { key: 'its own', claims: { sub: 7 } }, /OAUTH_INVALID_RESPONSE/],
  ];
  for (const [what, forgery, reason] of forgeries)
    it(`an ID token ${what}: ${reason === null ? 'accepted: the others prove something' : 'refused'}`, async () => {
      const { answer, ticket } = await cameBack('account-rita');
      const before = world.logged.length;
      provider.forgery = forgery;
      const reply = await finish(answer, ticket).finally(() => (provider.forgery = null));
      if (reason === null) return assert.equal(reply.status, 200, reply.text);
      await refused(reply);
      assert.match(world.logged.slice(before).join('\n'), reason);
    });

  it('another verifier (PKCE): the provider gives no token', async () => {
    const { answer, ticket } = await cameBack('account-rita');
    await refused(await finish(answer, ticket.replace(/[^.]{43}$/, 'A'.repeat(43))));
    assert.match(logged(), /invalid_grant/);
  });

  it('where a fresh sign-in is asked for: an ID token that does not prove one is refused', async () => {
    const identityProvider = provider.settings({ maxAgeSeconds: 60 });
    const on = await createPanelWorld({ gateway, environment: 'production', identityProvider });
    try {
      assert.equal((await signIn('account-dora', on)).status, 200);
      const asked = await on.send('/oidc/address', { method: 'POST', headers: headers() });
      const address = new URL(String(asked.body['address']));
      assert.equal(address.searchParams.get('max_age'), '60');
      // A request that anyone at the machine could make.
      address.searchParams.delete('max_age');
      const answer = await provider.answerTo(address.href);
      await refused(await finish(answer, valueOf(asked, '__Host-panel-oidc') ?? '', on));
      assert.match(on.logged.join('\n'), /OAUTH_INVALID_RESPONSE/);
    } finally {
      await on.close();
    }
  });

  it('ten minutes later: refused', async () => {
    const { answer, ticket } = await cameBack('account-rita');
    const id = new URLSearchParams(answer).get('state');
    const [row] = await gateway.rows(
      `SELECT expires_at - created_at BETWEEN '9 minutes' AND '11 minutes' AS ten FROM staff_challenge WHERE id = $1`,
      id,
    );
    assert.equal(row?.['ten'], true);
    await gateway.rows(`UPDATE staff_challenge SET expires_at = now() WHERE id = $1`, id);
    await refused(await finish(answer, ticket));
  });

  it('an unknown account: no session and no person; the page shows what it is called', async () => {
    const people = () => gateway.rows('SELECT handle, oidc_subject FROM staff ORDER BY handle');
    const before = await people();
    const reply = await signIn('account-of-eve');
    await refused(reply, 'oidc_nobody');
    assert.equal(reply.body['subject'], 'account-of-eve');
    assert.deepEqual(await people(), before);
  });

  it('the account of another provider is another account', async () => {
    await gateway.rows(`UPDATE staff SET oidc_issuer = 'https://other.example/' WHERE handle = 'dora'`);
    await refused(await signIn('account-dora'), 'oidc_nobody');
    await gateway.rows(`UPDATE staff SET oidc_issuer = $1 WHERE handle = 'dora'`, `${provider.issuer}/`);
    assert.equal((await signIn('account-dora')).status, 200);
  });

  it('another claim may name people; an ID token without it names nobody', async () => {
    for (const [subjectClaim, code, subject] of [
      ['oid', 'oidc_nobody', 'oid-account-dora'],
      ['employee_number', 'oidc_not_valid', undefined],
    ] as const) {
      const identityProvider = provider.settings({ subjectClaim });
      const on = await createPanelWorld({ gateway, environment: 'production', identityProvider });
      const reply = await signIn('account-dora', on);
      await on.close();
      assert.deepEqual([codeOf(reply), reply.body['subject']], [code, subject]);
    }
  });

  it('an address of e-mail names somebody only where the provider says that it verified it', async () => {
    const on = await createPanelWorld({
      gateway,
      environment: 'production',
      identityProvider: provider.settings({ subjectClaim: 'email' }),
    });
    const named = async (claims: Readonly<Record<string, unknown>>) => {
      provider.forgery = { key: 'its own', claims };
      const reply = await signIn('account-dora', on).finally(() => (provider.forgery = null));
      return [codeOf(reply), reply.body['subject']];
    };
    try {
      const verified = { email: 'dora@x.test', email_verified: true };
      assert.deepEqual(await named(verified), ['oidc_nobody', 'dora@x.test']);
      for (const email_verified of [undefined, false, null, 'true', 1])
        assert.deepEqual(await named({ ...verified, email_verified }), ['oidc_not_valid', undefined]);
      assert.match(on.logged.join('\n'), /email_not_verified/);
    } finally {
      await on.close();
    }
  });

  it('an account is removed, or its person disabled: the sessions end, and it signs nobody in', async () => {
    await world.member('ben', ['support']);
    await gateway.json('staff', 'oidc', 'set', 'ben', 'account-ben', '--as', 'rita');
    const cookie = valueOf(await signIn('account-ben'), '__Host-panel') ?? '';
    assert.equal((await world.send('/session', { headers: { cookie } })).status, 200);
    await gateway.json('staff', 'oidc', 'remove', 'ben', '--as', 'rita');
    assert.equal((await world.send('/session', { headers: { cookie } })).status, 401);
    await refused(await signIn('account-ben'), 'oidc_nobody');
    await gateway.json('staff', 'oidc', 'set', 'ben', 'account-ben', '--as', 'rita');
    const { answer, ticket } = await cameBack('account-ben');
    await gateway.json('staff', 'disable', 'ben', '--as', 'rita');
    await refused(await finish(answer, ticket), 'oidc_nobody');
  });

  it('sign-ins of one person are limited, from whatever address; another person still signs in', async () => {
    await world.member('gil', ['support']);
    await gateway.json('staff', 'oidc', 'set', 'gil', 'account-gil', '--as', 'rita');
    assert.equal((await signIn('account-gil')).status, 200);
    await gateway.rows(
      `UPDATE rate_bucket SET theoretical_arrival_time = now() + interval '1 hour' WHERE bucket = 'sign-in:of:gil'`,
    );
    await refused(await signIn('account-gil'), 'rate_limited');
    assert.equal((await signIn('account-rita')).status, 200);
    const [entry] = await gateway.rows('SELECT * FROM audit_entry ORDER BY sequence DESC OFFSET 1 LIMIT 1');
    assert.deepEqual([entry?.['action'], entry?.['subject']], ['staff.sign_in_refused', 'gil']);
  });

  it('without the provider in its configuration the panel has no such sign-in, and takes no such session', async () => {
    const cookie = valueOf(await signIn('account-rita'), '__Host-panel') ?? '';
    const without = await createPanelWorld({ gateway, environment: 'production' });
    try {
      assert.deepEqual((await without.send('/sign-in')).body, { means: ['passkey'] });
      assert.equal((await without.send('/oidc/address', { method: 'POST' })).status, 404);
      assert.equal((await finish('state=x', null, without)).status, 404);
      assert.equal((await without.send('/session', { headers: { cookie } })).status, 401);
    } finally {
      await without.close();
    }
  });

  describe('a session that it began', () => {
    let cookie: string;
    const send = (path: string, method: 'POST' | 'DELETE' | 'GET', body?: unknown) =>
      world.send(path, { method, headers: { cookie }, ...(body === undefined ? {} : { body }) });
    before(async () => {
      await gateway.rows(`UPDATE operation SET environment = 'production' WHERE id = $1`, operationId);
      cookie = valueOf(await signIn('account-rita'), '__Host-panel') ?? '';
    });
    after(() => gateway.rows(`UPDATE operation SET environment = 'sandbox' WHERE id = $1`, operationId));

    it('approves nothing that is signed, in the panel and in the database; it rejects and stops', async () => {
      const id = newId('approvalRequest');
      await gateway.rows(
        `INSERT INTO approval_request (id, operation_id, kind, payload, requested_by)
         VALUES ($1, $2, 'resume', '{}', 'dora')`,
        id,
        operationId,
      );
      const approval = { decision: 'approve', reason: 'ticket 4711', confirm: id.slice(-4) };
      assert.equal(codeOf(await send(`/approvals/${id}`, 'POST', approval)), 'not_signed');
      const [session] = await gateway.rows(
        `SELECT id FROM staff_session WHERE staff_handle = 'rita' AND revoked_at IS NULL ORDER BY created_at DESC`,
      );
      const actor = { handle: 'rita', means: 'oidc', sessionId: String(session?.['id']) } as const;
      const may = (kind: 'risk.approve' | 'risk.reject') =>
        inTransaction(world.database, (transaction) =>
          mayAct(transaction, { actor, kind, operationId, subjectId: id, deployment: 'production' }),
        );
      assert.deepEqual([await may('risk.approve'), await may('risk.reject')], [false, true]);
      const rejection = { decision: 'reject', reason: 'ticket 4711' };
      const rejected = await send(`/approvals/${id}`, 'POST', rejection);
      assert.equal(rejected.status, 200, rejected.text);
      const [act] = await gateway.rows('SELECT kind, means FROM staff_act WHERE subject_id = $1', id);
      assert.deepEqual([act?.['kind'], act?.['means']], ['risk.reject', 'oidc']);
    });

    it('makes and removes no passkey: an attacker who controls the provider would sign as anybody', async () => {
      const options = await send('/passkeys/registration-options', 'POST');
      assert.equal(codeOf(options), 'passkey_needed');
      const response = {
        id: 'x',
        rawId: 'x',
        type: 'public-key',
        response: { attestationObject: '', clientDataJSON: '' },
      };
      const added = await send('/passkeys', 'POST', { challenge_id: `chl_${'0'.repeat(32)}`, response, name: 'x' });
      assert.equal(codeOf(added), 'passkey_needed');
      assert.equal(codeOf(await send(`/passkeys/${'x'.repeat(20)}/removal`, 'POST', {})), 'passkey_needed');
    });
  });

  describe('a provider that is away or wrong', () => {
    const withProvider = async (change: Partial<IdentityProviderSettings>, work: (on: PanelWorld) => Promise<void>) => {
      const identityProvider = provider.settings({ timeoutSeconds: 1, ...change });
      const on = await createPanelWorld({ gateway, environment: 'production', identityProvider });
      try {
        await work(on);
      } finally {
        await on.close();
      }
    };
    const withServer = async (listener: RequestListener, reason: RegExp) => {
      const server = createServer(listener);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      try {
        await withProvider({ issuer }, async (on) => {
          const startedMs = performance.now();
          const reply = await on.send('/oidc/address', { method: 'POST', headers: headers() });
          assert.deepEqual([reply.status, codeOf(reply)], [503, 'oidc_away'], reply.text);
          assert.ok(performance.now() - startedMs < 5_000, 'in time');
          assert.match(on.logged.join('\n'), reason);
        });
      } finally {
        server.closeAllConnections();
        server.close();
      }
    };

    it('nobody listens', () =>
      withProvider({ issuer: 'http://127.0.0.1:1/' }, async (on) => {
        assert.equal(codeOf(await on.send('/oidc/address', { method: 'POST' })), 'oidc_away');
      }));
    it('it never answers', () => withServer(() => undefined, /no_connection/));
    it('it never ends its answer', () =>
      withServer((_request, response) => {
        response.setHeader('content-type', 'application/json');
        const more = () => response.write(' '.repeat(60_000), () => setTimeout(more, 5));
        more();
      }, /too_large/));
    it('it is another one than configured', () =>
      withServer((_request, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ issuer: provider.issuer, authorization_endpoint: `${provider.issuer}/auth` }));
      }, /OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED/));
    it('it knows another secret of the panel', () =>
      withProvider({ clientSecret: 'another-secret' }, async (on) => {
        await refused(await signIn('account-rita', on));
        assert.match(on.logged.join('\n'), /invalid_client/);
      }));
    it('it is asked again after it was away', async () => {
      const server = createServer((_request, response) => response.writeHead(503).end());
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      await withProvider({ issuer: `http://127.0.0.1:${port}/` }, async (on) => {
        assert.equal(codeOf(await on.send('/oidc/address', { method: 'POST' })), 'oidc_away');
        server.removeAllListeners('request');
        server.on('request', (_request, response) => {
          response.setHeader('content-type', 'application/json');
          const issuer = `http://127.0.0.1:${port}`;
          response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth` }));
        });
        assert.equal((await on.send('/oidc/address', { method: 'POST' })).status, 200);
      });
      server.close();
    });
  });

  // Last: it uses up the attempts of everybody.
  describe('attempts', () => {
    it('are limited, with those of other sign-ins', async () => {
      // Many at once: the bucket fills again while it is asked, faster than a busy machine asks one after another.
      const untilLimited = async (send: () => Promise<Reply>) => {
        for (let tries = 0; tries < 20; tries += 1) {
          const codes = (await Promise.all(Array.from({ length: 40 }, send))).map(codeOf);
          if (codes.includes('rate_limited')) return 'rate_limited';
        }
        return 'never';
      };
      const other = () => world.send('/passkeys/sign-in-options', { method: 'POST' });
      assert.equal(await untilLimited(other), 'rate_limited');
      assert.equal(await untilLimited(() => world.send('/oidc/address', { method: 'POST' })), 'rate_limited');
      assert.equal(await untilLimited(() => finish('state=x', null)), 'rate_limited');
    });
  });
});
