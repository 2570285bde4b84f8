// Who may ask the panel for what: every role against every route, other operations, other sites, and sessions that end.
import assert from 'node:assert/strict';
import { PANEL_ROUTES, type PanelRouteName } from '../../../contract/panel/routes.js';
import type { PanelRoute } from '../../../contract/panel/route.js';
import { newId } from '../../../domain/identifiers.js';
import { canHold, ROLES, STAFF_ROLES, type StaffRole } from '../../../domain/staff.js';
import { documentHash } from '../../../store/sealing/sealer.js';
import { testSealer } from '../cli/support.js';
import { createMatcher } from '../../../panel/matcher.js';
import { insertDeposit, insertWithdrawal, PERSONAL } from '../cli/payments.js';
import { IdentityProvider } from '../../../staff/acts/identity-provider.js';
import { firstCounters, openStream } from './counters.js';
import { createPanelWorld, PANEL_URL, type PanelWorld, type Person } from './world.js';

/** As a build leaves it. */
const PAGE = new Map(
  Object.entries({
    '/index.html': '<meta property="csp-nonce" content="__CSP_NONCE__">',
    '/assets/app-A1B2C3D4.js': 'plain',
    '/assets/app-A1B2C3D4.js.br': 'brotli',
    '/assets/app-A1B2C3D4.js.gz': 'gzip',
  }).map(([path, text]) => [path, Buffer.from(text)]),
);

const CODE = 'code_00000000000000000000';
const CHALLENGE = `chl_${'0'.repeat(32)}`;
const CREDENTIAL = { id: 'nobodys-passkey-0', rawId: 'nobodys-passkey-0', type: 'public-key' };
const CREATED = { ...CREDENTIAL, response: { attestationObject: '', clientDataJSON: '' } };
const SIGNED = { ...CREDENTIAL, response: { authenticatorData: '', clientDataJSON: '', signature: '' } };
/** All that a person gets before signing in. */
const NOBODY_YET: readonly unknown[] = ['link_not_valid', 'passkey_not_valid', 'oidc_not_valid', 'oidc_away'];
const HARMLESS: readonly unknown[] = ['not_found', 'passkey_not_valid'];

const NOT_THERE: Readonly<Record<string, string>> = {
  approvals: 'apr_0',
  alerts: 'alr_0',
  'rule-changes': 'chg_0',
  passkeys: 'nobodys-passkey-0',
  sessions: 'ses_00000000-0000-0000-0000-000000000000',
  staff: 'nobody',
  events: 'evt_0',
};

/** Of an operation that there is, these would change it. */
const CHANGES_ONE: ReadonlySet<PanelRouteName> = new Set(['proposeRules', 'stopOperation', 'changeOperation']);

/** Nobody listens there. */
const AWAY = new IdentityProvider({
  issuer: 'http://127.0.0.1:1/',
  clientId: 'panel',
  clientSecret: 'nothing',
  subjectClaim: 'sub',
  maxAgeSeconds: null,
  redirectUri: `${PANEL_URL}/sign-in`,
});

const ROUTES = Object.entries(PANEL_ROUTES) as [PanelRouteName, PanelRoute][];

describe('panel: who may what', function () {
  this.timeout(60_000);
  let world: PanelWorld;
  let operationId: string;
  let other: string;
  let deposit: string;
  let withdrawal: string;

  before(async () => {
    world = await createPanelWorld({ files: PAGE, identityProvider: AWAY });
    operationId = (await world.gateway.operation())['operation_id'];
    other = (await world.gateway.operation())['operation_id'];
    deposit = await insertDeposit(world.gateway, operationId, { status: 'under_review', reasons: ['PAYER_MISMATCH'] });
    withdrawal = await insertWithdrawal(world.gateway, operationId, {
      status: 'under_review',
      reasons: ['FIRST_WITHDRAWAL'],
      movements: ['withdrawal_reserved'],
    });
  });
  after(() => world.close());

  /** A request of the route that is well-formed and changes nothing: it names what there is not. */
  const harmless = ({ method, path, body }: PanelRoute, name: PanelRouteName) => {
    const id = NOT_THERE[path.split('/')[1] ?? ''] ?? 'wdr_0';
    const bodies: Partial<Record<PanelRouteName, unknown>> = {
      signIn: { token: CODE },
      signInByProvider: { answer: 'state=x' },
      askEnrolment: { token: CODE },
      enrol: { token: CODE, challenge_id: CHALLENGE, response: CREATED, name: 'laptop' },
      signInByPasskey: { challenge_id: CHALLENGE, response: SIGNED },
      addPasskey: { challenge_id: CHALLENGE, response: CREATED, name: 'laptop' },
      removePasskey: {},
      makeCommandCode: {},
      askSignature: { kind: 'risk.approve', subject_id: 'apr_0', version: 0, digest: null, reason: '', evidence: '' },
      search: { q: 'nothing' },
      claimCase: { claim: true },
      workOnCase: { act: 'note', text: 'checked' },
      answerQuestion: { question: '1', text: 'checked' },
      decideCase: { decision: 'approve', reason: 'checked', version: 1 },
      revealField: { field: 'player.name', reason: 'checked' },
      actOnPayment: { act: 'look_up' },
      decideApproval: { decision: 'reject', reason: 'checked' },
      actOnAlert: { act: 'assign', person: 'me', seen: null },
      actOnPerson: { act: 'end_sessions' },
      redeliverRange: { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z', selection: 'all' },
      tryRules: { changes: { deposit_min: '100' } },
      proposeRules: { changes: { deposit_min: '100' }, base_version: 1, reason: 'checked' },
      actOnRuleChange: { act: 'reject', reason: 'checked', digest: null, approvals: 0 },
      stopOperation: { what: 'automatic' },
      revokeKey: { reason: 'checked' },
      changeOperation: { kind: 'automatic_resume' },
      changeList: { change: 'remove', list: 'review', kind: 'player', value: 'nobody' },
    };
    assert.equal(body !== undefined, name in bodies, `the test has a body for ${name}, or needs one`);
    const address = path
      .replace(':id', id)
      .replace(':handle', id)
      .replace(':operation', CHANGES_ONE.has(name) ? newId('operation') : operationId)
      .replace(':key', 'key_test_nobodys')
      .replace(':ref', 'nobody')
      .replace(':provider', 'a')
      .replace(':day', '2026-01-01')
      .replace(':currency', 'BRL')
      .concat(name === 'readReplay' ? '?version=1' : '');
    return { address, method, ...(body === undefined ? {} : { body: bodies[name] }) };
  };

  describe('every role × every route', () => {
    for (const role of [...ROLES, 'nobody'] as const)
      it(role, async () => {
        const person = await world.person(
          `only-${role.replace('_', '-')}`,
          role === 'nobody' ? [] : [canHold(role, null) ? role : { role, operationId }],
        );
        for (const [name, route] of ROUTES) {
          if (name === 'stream' || name === 'signOut') continue;
          const { address, ...sent } = harmless(route, name);
          const { status, body } = await person.send(address, sent);
          const isEnough =
            route.who === 'signed_in' || (Array.isArray(route.who) && route.who.includes(role as StaffRole));
          if (route.who === 'public') assert.ok(status === 200 || NOBODY_YET.includes(body['code']), name);
          else if (isEnough) assert.ok(status === 200 || HARMLESS.includes(body['code']), `${role} ${name}: ${status}`);
          else assert.equal(body['code'], 'not_permitted', `${role} ${name}: ${status}`);
        }
      });

    it('without a session', async () => {
      for (const [name, route] of ROUTES) {
        if (route.who === 'public') continue;
        const { address, ...sent } = harmless(route, name);
        assert.equal((await world.send(address, sent)).body['code'], 'not_signed_in', name);
      }
    });

    it('a route that no role may use does not start', () => {
      const { readQueue } = PANEL_ROUTES;
      assert.throws(
        () => createMatcher({ readQueue: { ...readQueue, who: [] as never } }),
        /no role may use the route readQueue/,
      );
    });
  });

  describe('another operation', () => {
    let person: Person;
    before(async () => {
      const roles = STAFF_ROLES.filter((role) => role !== 'admin');
      person = await world.person(
        'elsewhere',
        roles.map((role) => ({ role, operationId: other })),
      );
    });

    it('its payments do not exist: case, page, wait, replay, claim, decision, reveal, acts', async () => {
      for (const id of [deposit, withdrawal]) {
        const replies = [
          await person.get(`/cases/${id}`),
          await person.get(`/payments/${id}`),
          await person.get(`/payments/${id}/wait`),
          await person.get(`/payments/${id}/replay?version=1`),
          await person.post(`/cases/${id}/claim`, { claim: true }),
          await person.post(`/cases/${id}/decision`, {
            decision: 'approve',
            reason: 'x',
            version: 1,
            confirm: id.slice(-4),
          }),
          await person.post(`/payments/${id}/reveal`, { field: 'player.name', reason: 'curious' }),
          await person.post(`/payments/${id}/acts`, { act: 'look_up' }),
        ];
        assert.deepEqual(
          replies.map(({ body }) => body['code']),
          replies.map(() => 'not_found'),
        );
      }
    });

    it('is not in queue, search, rules, lists, operations, alerts or audit', async () => {
      assert.deepEqual((await person.get('/queue')).body['items'], []);
      assert.deepEqual((await person.get(`/queue?operation=${operationId}`)).body['items'], []);
      for (const text of [deposit, withdrawal, operationId, 'player-1'])
        assert.deepEqual((await person.post('/search', { q: text })).body['hits'], [], text);
      assert.equal((await person.get(`/rules/${operationId}`)).body['code'], 'not_found');
      assert.equal((await person.get(`/lists/${operationId}`)).body['code'], 'not_found');
      const off = { change: 'remove', list: 'block', kind: 'player', value: 'player-1' };
      assert.equal((await person.post(`/lists/${operationId}/changes`, off)).body['code'], 'not_found');
      assert.equal((await person.get(`/operations/${operationId}`)).body['code'], 'not_found');
      for (const part of [
        'deliveries',
        'cash-movements',
        'suspense',
        'disputes',
        'days',
        'days/2026-01-01/BRL/exceptions',
      ])
        assert.equal((await person.get(`/operations/${operationId}/${part}`)).body['code'], 'not_found', part);
      const { items } = (await person.get('/operations')).body;
      assert.deepEqual(
        items.map(({ id }: { id: string }) => id),
        [other],
      );
      const audit = (await person.get('/audit')).body['items'] as { operation: { id: string } | null }[];
      assert.deepEqual([...new Set(audit.map(({ operation }) => operation?.id))], [other]);
    });

    it('is not in the stream', async () => {
      const [own, everybody] = [await firstCounters(world, person), await firstCounters(world, await all())];
      assert.deepEqual([own['waiting'], everybody['waiting']], [0, 2]);
    });
  });

  let someone: Person | undefined;
  const all = async () => (someone ??= await world.person('all'));

  describe('other sites', () => {
    const order = () => ({ method: 'POST' as const, body: { claim: true } });
    const refused = async (headers: Record<string, string | null>) =>
      (await (await all()).send(`/cases/${deposit}/claim`, { ...order(), headers })).body['code'];

    it('a request that changes something must say that it comes from the panel’s own page', async () => {
      assert.equal(await refused({}), undefined);
      assert.equal(await refused({ origin: null }), 'cross_site');
      assert.equal(await refused({ origin: 'https://evil.test' }), 'cross_site');
      assert.equal(await refused({ origin: 'null' }), 'cross_site');
      assert.equal(await refused({ 'sec-fetch-site': null }), 'cross_site');
      assert.equal(await refused({ 'sec-fetch-site': 'same-site' }), 'cross_site');
      assert.equal(await refused({ 'sec-fetch-site': 'cross-site' }), 'cross_site');
    });

    it('forms are refused, by their origin and by their type', async () => {
      const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.test' };
      assert.equal(await refused(form), 'cross_site');
      assert.equal(await refused({ 'content-type': 'application/x-www-form-urlencoded' }), 'not_json');
      assert.equal(await refused({ 'content-type': 'text/plain' }), 'not_json');
    });

    it('signing in and out as well', async () => {
      const headers = { origin: null };
      const token = await world.link('all');
      assert.equal((await world.send('/session', { method: 'POST', body: { token }, headers })).status, 403);
      assert.equal((await (await all()).send('/session', { method: 'DELETE', headers })).status, 403);
    });

    it('a read from another site is refused', async () => {
      const reply = await (await all()).send('/queue', { headers: { 'sec-fetch-site': 'cross-site' } });
      assert.equal(reply.body['code'], 'cross_site');
    });
  });

  describe('requests', () => {
    it('strict JSON, within limits, with no unknown field', async () => {
      const person = await all();
      const code = async (body: unknown) => (await person.post(`/cases/${deposit}/claim`, body)).body['code'];
      assert.equal(await code('{"claim":true,"claim":true}'), 'invalid');
      assert.equal(await code('{"claim":true,"more":1}'), 'invalid');
      assert.equal(await code(`{"claim":true${' '.repeat(17_000)}}`), 'too_large');
      assert.equal((await person.get('/queue?sort=urgency&sort=age')).body['code'], 'invalid');
      assert.equal((await person.get('/queue?cursor=abc')).body['code'], 'invalid');
      assert.equal((await person.send('/queue', { method: 'PUT' })).body['code'], 'method_not_allowed');
      assert.equal((await person.get('/nothing')).body['code'], 'not_found');
    });

    it('an error names the trace id that the log has', async () => {
      const { body, headers } = await (await all()).get('/payments/wdr_0');
      assert.equal(body['trace_id'], headers['svc-trace-id']);
      assert.ok(world.logged.some((line) => line.includes(String(body['trace_id']))));
    });

    it('headers keep everything else out', async () => {
      const { headers } = await world.send('/session');
      assert.match(String(headers['content-security-policy']), /^default-src 'none';/);
      assert.doesNotMatch(String(headers['content-security-policy']), /unsafe|https?:|\*/);
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    });
  });

  describe('the page', () => {
    const read = (path: string, headers: Record<string, string> = {}) => world.send(`/${path}`, { headers });

    it('is one for every path of its own, never kept, with its own nonce', async () => {
      const nonces = new Set<string>();
      for (const path of ['/', '/queue', '/cases/wdr_0', '/index.html']) {
        const { status, headers, text } = await read(path);
        assert.deepEqual([status, headers['cache-control']], [200, 'no-store'], path);
        const nonce = /content="([^"]+)"/.exec(text)?.[1] ?? '';
        assert.ok(String(headers['content-security-policy']).includes(`style-src 'self' 'nonce-${nonce}'`));
        nonces.add(nonce);
      }
      assert.equal(nonces.size, 4);
    });

    it('its hashed files are kept for good, and compressed for who takes that', async () => {
      const file = '/assets/app-A1B2C3D4.js';
      const [plain, brotli, gzip] = [
        await read(file),
        await read(file, { 'accept-encoding': 'gzip, br' }),
        await read(file, { 'accept-encoding': 'gzip' }),
      ];
      assert.deepEqual([plain.text, brotli.text, gzip.text], ['plain', 'brotli', 'gzip']);
      assert.deepEqual([brotli.headers['content-encoding'], gzip.headers['content-encoding']], ['br', 'gzip']);
      assert.match(String(plain.headers['cache-control']), /immutable/);
      assert.match(String(plain.headers['content-type']), /^text\/javascript/);
    });

    it('nothing else is a file', async () => {
      for (const path of ['/assets/app-A1B2C3D4.js.br', '/../package.json', '/%2e%2e/main.js', '/main.js', '/.env'])
        assert.equal((await read(path)).status, 404, path);
    });
  });

  describe('sessions', () => {
    it('a link works once, for a cookie that no script and no other site gets', async () => {
      await world.person('once', ['reviewer']);
      const token = await world.link('once');
      const first = await world.send('/session', { method: 'POST', body: { token } });
      assert.equal(first.body['handle'], 'once');
      assert.deepEqual(first.body['roles'], [{ role: 'reviewer', operation: null }]);
      assert.match(
        String(first.headers['set-cookie']),
        /^__Host-panel=[A-Za-z0-9_-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
      );
      assert.equal((await world.send('/session', { method: 'POST', body: { token } })).body['code'], 'link_not_valid');
    });

    it('signing out ends it', async () => {
      const person = await world.person('leaves');
      assert.equal((await person.get('/session')).status, 200);
      const out = await person.send('/session', { method: 'DELETE' });
      assert.match(String(out.headers['set-cookie']), /Max-Age=0/);
      assert.equal((await person.get('/session')).body['code'], 'not_signed_in');
    });

    it('idle for 30 minutes, or 10 hours old: over', async () => {
      for (const [handle, change] of [
        ['idle', `last_seen_at = now() - interval '31 minutes'`],
        ['old', `created_at = now() - interval '601 minutes'`],
      ] as const) {
        const person = await world.person(handle);
        await world.gateway.rows(`UPDATE staff_session SET ${change} WHERE staff_handle = $1`, handle);
        assert.equal((await person.get('/session')).body['code'], 'not_signed_in', handle);
      }
    });

    it('a role that is taken away ends the person’s sessions everywhere, the open stream too', async () => {
      const person = await world.person('loses', ['reviewer', 'approver']);
      const stream = openStream(world, person);
      await stream.until(/event: counters/);
      await world.gateway.json('staff', 'role', 'revoke', 'loses', 'approver', '--as', 'root');
      await stream.until(/event: ended/);
      assert.equal((await person.get('/queue')).body['code'], 'not_signed_in');
    });

    it('a session of the command line is none of the panel', async () => {
      const ana = await world.person('both');
      await world.gateway.rows(`UPDATE staff_session SET means = 'command_line' WHERE staff_handle = 'both'`);
      assert.equal((await ana.get('/session')).body['code'], 'not_signed_in');
    });
  });

  describe('personal data', () => {
    it('is masked, and in no log and no stream', async () => {
      const person = await world.person('looks');
      for (const id of [deposit, withdrawal]) {
        const replies = [await person.get(`/cases/${id}`), await person.get(`/payments/${id}`)];
        for (const { status, text } of replies) {
          assert.equal(status, 200, text);
          for (const value of Object.values(PERSONAL)) assert.ok(!text.includes(value), `${value} in ${text}`);
        }
      }
      const queue = await person.get('/queue');
      assert.equal(queue.body['items'].length, 2);
      for (const value of Object.values(PERSONAL)) {
        assert.ok(!queue.text.includes(value));
        assert.ok(!world.logged.join('').includes(value));
      }
    });

    it('a document finds whose it is where one may look, audited without the document, and in no log', async () => {
      const hash = documentHash(testSealer, operationId, PERSONAL.document);
      await world.gateway.rows(
        `INSERT INTO player (operation_id, external_ref, document_hash, document_sealed) VALUES ($1, 'player-1', $2, 'x')`,
        operationId,
        Buffer.from(hash),
      );
      const person = await world.person('asks', ['support']);
      for (const q of [PERSONAL.document, '529.982.247-25']) {
        const { body, text } = await person.post('/search', { q });
        const found = body['hits'].map(({ type, id }: Record<string, string>) => [type, id]);
        assert.deepEqual(found[0], ['player', 'player-1']);
        assert.deepEqual(
          found
            .slice(1)
            .map(([, id]: string[]) => id)
            .sort(),
          [deposit, withdrawal].sort(),
        );
        assert.ok(!text.includes(PERSONAL.document));
      }
      const elsewhere = await world.person('asks-elsewhere', [{ role: 'support', operationId: other }]);
      assert.deepEqual((await elsewhere.post('/search', { q: PERSONAL.document })).body['hits'], []);
      const audited = await world.gateway.rows(
        `SELECT person, operation_id, subject, detail FROM audit_entry WHERE action = 'search.document' ORDER BY sequence`,
      );
      assert.deepEqual(
        audited.map((entry) => [entry['person'], entry['operation_id'], entry['subject']]),
        [
          ['asks', operationId, 'player-1'],
          ['asks', operationId, 'player-1'],
          ['asks-elsewhere', null, null],
        ],
      );
      assert.ok(!JSON.stringify(audited).includes(PERSONAL.document));
      assert.ok(!world.logged.join('').includes(PERSONAL.document));
    });

    it('a reveal is one field, for a reason, in the audit trail before it is seen, and limited', async () => {
      const person = await world.person('reveals', ['reviewer']);
      const show = (field: string, reason = 'ticket 4711') =>
        person.post(`/payments/${deposit}/reveal`, { field, reason });
      assert.equal((await show('player.document', '')).body['code'], 'invalid');
      assert.equal((await show('player.document', 'is 529.982.247-25 right')).body['code'], 'invalid');
      const shown = await show('payer.document');
      assert.equal(shown.body['value'], PERSONAL.document);
      const seconds = (Date.parse(String(shown.body['until'])) - Date.now()) / 1_000;
      assert.ok(seconds > 50 && seconds <= 60, String(seconds));
      const [entry] = await world.gateway.rows(
        `SELECT action, subject, detail FROM audit_entry WHERE person = 'reveals' AND action = 'payment.reveal'`,
      );
      assert.deepEqual(
        [entry?.['subject'], JSON.parse(String(entry?.['detail']))],
        [deposit, { address: '127.0.0.1', field: 'payer.document', means: 'link', reason: 'ticket 4711' }],
      );
      const codes = await Promise.all(Array.from({ length: 25 }, async () => (await show('player.name')).body['code']));
      const limited = codes.filter((code) => code === 'rate_limited').length;
      assert.ok(limited >= 4 && limited <= 8, `${limited} refused`);
      assert.ok(!world.logged.join('').includes(PERSONAL.document));
    });
  });

  it('the panel’s own address is the one that people use', () =>
    assert.equal(new URL(PANEL_URL).hostname, 'localhost'));
});
