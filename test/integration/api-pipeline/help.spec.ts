// What refusals say beyond their code: which header is malformed, where the sandbox shows the six signed lines, which
// limit was reached. And what they never say: whether a key exists, the expected signature, the canonical request.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { HOURLY_LIMITS } from '../../../contract/http/schemas/player.js';
import { playerLimits } from '../../../api/routes/creation-checks.js';
import {
  type Answer,
  type Key,
  newIdempotencyKey,
  type Pipeline,
  send,
  sign,
  type Signed,
  startPipeline,
} from './harness.js';

const PRODUCTION_TEXT = 'The signature, its key or its nonce is not valid.';

describe('what refusals say', function () {
  this.timeout(60_000);
  let sandbox: Pipeline;
  let production: { readonly pipeline: Pipeline; readonly key: Key };
  before(async () => {
    sandbox = await startPipeline();
    const pipeline = await startPipeline({ environment: 'production' });
    await pipeline.sql.query(`INSERT INTO allowed_network (operation_id, cidr) VALUES ($1, '127.0.0.0/8')`, [
      pipeline.key.operationId,
    ]);
    production = { pipeline, key: pipeline.key };
  });
  after(async () => {
    await sandbox?.close();
    await production?.pipeline.close();
  });
  beforeEach(async () => {
    for (const { sql } of [sandbox, production.pipeline]) await sql.query('TRUNCATE rate_bucket, signature_failures');
  });

  const detail = ({ json }: Answer) => String(json?.['detail']);
  const withoutTrace = ({ json }: Answer) => JSON.stringify({ ...json, trace_id: '' });
  const now = () => Math.floor(Date.now() / 1_000);

  describe('401', () => {
    const cases: Readonly<Record<string, readonly [Signed, code: string, text: RegExp]>> = {
      'no signature': [
        { headers: { 'Svc-Signature': undefined } },
        'invalid_signature',
        /^Svc-Signature is missing\.$/,
      ],
      milliseconds: [
        { timestamp: String(Date.now()) },
        'timestamp_out_of_window',
        /looks like milliseconds; it must be Unix seconds, such as \d{10}\./,
      ],
      'a clock behind': [
        { timestamp: String(now() - 3_600) },
        'timestamp_out_of_window',
        /^Svc-Timestamp is more than 300 s behind the server’s clock, which the Date header shows\.$/,
      ],
      'a key id that is none': [
        { key: { keyId: 'abc', secret: 'x', operationId: '-' } },
        'unknown_key',
        /^Svc-Key-Id must be key_(test|live)_ and 1 to 64 letters and digits\.$/,
      ],
    };
    for (const [title, [signed, code, text]] of Object.entries(cases)) {
      it(`${title}: says so, in both environments`, async () => {
        for (const pipeline of [sandbox, production.pipeline]) {
          const answer = await pipeline.request(signed);
          assert.deepEqual([answer.status, answer.code], [401, code]);
          assert.match(detail(answer), text);
          assert.ok(
            Math.abs(Date.parse(String(answer.headers.date)) - Date.now()) < 5_000,
            'the Date header has the clock',
          );
        }
      });
    }

    it('a key of the other environment: says which begin how', async () => {
      assert.match(
        detail(await sandbox.request({ key: { keyId: 'key_live_1', secret: 'x', operationId: '-' } })),
        /is of production; keys of this environment begin with key_test_/,
      );
    });

    it('an unknown key, a wrong secret, another path, body or method: the same but for the trace id', async () => {
      for (const pipeline of [sandbox, production.pipeline]) {
        const { key } = pipeline;
        const unknown = { ...key, keyId: key.keyId.replace(/.{6}$/, 'zzzzzz') };
        const signedFor = (other: Signed): string =>
          String(sign({ key, nonce: NONCE, timestamp: String(now()), ...other }).headers['Svc-Signature']);
        const answers = [
          await pipeline.request({ key: unknown }),
          await pipeline.request({ key: { ...key, secret: 'wrong' } }),
          await pipeline.request({ nonce: NONCE, timestamp: String(now()), signature: signedFor({ target: '/ping' }) }),
          await pipeline.request({ nonce: NONCE, timestamp: String(now()), signature: signedFor({ body: 'x' }) }),
          await pipeline.request({ nonce: NONCE, timestamp: String(now()), signature: signedFor({ method: 'get' }) }),
        ];
        assert.deepEqual(
          [...new Set(answers.map(({ status, code }) => `${status} ${String(code)}`))],
          ['401 invalid_signature'],
        );
        assert.equal(new Set(answers.map(withoutTrace)).size, 1, answers.map(({ text }) => text).join('\n'));
      }
    });

    it(
      'in production a signature that does not belong says no more than before; the sandbox names the six lines ' +
        'and where to see them',
      async () => {
        const wrong = { signature: `v1=${'0'.repeat(64)}` };
        assert.equal(detail(await production.pipeline.request(wrong)), PRODUCTION_TEXT);
        const text = detail(await sandbox.request(wrong));
        for (const part of [
          'v1,',
          'Svc-Timestamp',
          'Svc-Nonce',
          'the method',
          'the path with its query',
          'SHA-256 of the body',
          '/docs/signing',
        ])
          assert.ok(text.includes(part), part);
      },
    );

    it('no error message holds the canonical request, the body’s hash or the right signature', async () => {
      const request = {
        method: 'POST',
        target: '/v1/deposits?a=b',
        body: '{"note":"x"}',
        nonce: 'b'.repeat(32),
        timestamp: String(now()),
      };
      const right = sign({ key: sandbox.key, ...request });
      const { text } = await sandbox.request({ ...request, signature: `v1=${'0'.repeat(64)}` });
      for (const secret of [
        request.nonce,
        request.timestamp,
        '/v1/deposits',
        createHash('sha256').update(request.body).digest('hex'),
        String(right.headers['Svc-Signature']).slice(3),
      ])
        assert.ok(!text.includes(secret), secret);
    });
  });

  describe('/docs/signing', () => {
    const ask = (pipeline: Pipeline, signed: Signed) => {
      const { method, headers, body, target } = sign({ key: pipeline.key, ...signed });
      return send(pipeline.port, { method, headers, body, target: `/docs/signing${target}` });
    };

    it('answers the six lines as they have to be signed, byte for byte, and the server’s time', async () => {
      const body = '{"note":"é"}';
      const request = {
        method: 'POST',
        target: '/v1/deposits?limit=1&x=%2F',
        body,
        nonce: 'c'.repeat(32),
        timestamp: String(now()),
      };
      const { status, json } = await ask(sandbox, request);
      assert.equal(status, 200);
      const expected = [
        'v1',
        request.timestamp,
        request.nonce,
        'POST',
        '/v1/deposits?limit=1&x=%2F',
        createHash('sha256').update(body).digest('hex'),
      ];
      assert.deepEqual(
        (json?.['lines'] as { value: string }[]).map(({ value }) => value),
        expected,
      );
      assert.equal(json?.['canonical_request'], expected.join('\n'));
      assert.equal(json?.['body_bytes'], Buffer.byteLength(body));
      assert.ok(Math.abs(Date.parse(String(json?.['server_time'])) - Date.now()) < 5_000);
      const signature = createHmac('sha256', sandbox.key.secret)
        .update(String(json?.['canonical_request']))
        .digest('hex');
      assert.equal(
        (await sandbox.request({ ...request, target: request.target, signature: `v1=${signature}` })).status,
        201,
        'what it answers is what is signed',
      );
    });

    it('says what is wrong with a timestamp or nonce, and takes a request without any', async () => {
      const { status, json } = await send(sandbox.port, {
        method: 'GET',
        target: '/docs/signing/v1/ping',
        headers: { 'Svc-Timestamp': '1' },
        body: Buffer.alloc(0),
      });
      assert.equal(status, 200);
      const [, timestamp, nonce] = json?.['lines'] as { value: string | null; fault?: string }[];
      assert.match(String(timestamp?.fault), /behind the server’s clock/);
      assert.deepEqual(nonce, { line: 3, name: 'Svc-Nonce', value: null, fault: 'Svc-Nonce is missing.' });
    });

    it('reveals nothing of keys: a known and an unknown one get the same', async () => {
      const request = { nonce: 'd'.repeat(32), timestamp: String(now()) };
      const lines = async (key: Key) => (await ask(sandbox, { ...request, key })).json?.['lines'];
      assert.deepEqual(await lines(sandbox.key), await lines({ ...sandbox.key, keyId: 'key_test_none' }));
    });

    it('in production there is no such path', async () => {
      const answer = await ask(production.pipeline, {});
      assert.deepEqual([answer.status, answer.code], [404, 'not_found']);
    });

    it('a body over 64 KiB: 413; the path itself and HEAD: 404', async () => {
      assert.equal(
        (await ask(sandbox, { method: 'POST', target: '/v1/deposits', body: 'x'.repeat(70_000) })).status,
        413,
      );
      for (const [method, target] of [
        ['GET', '/docs/signing'],
        ['HEAD', '/docs/signing/v1/ping'],
      ] as const)
        assert.equal((await send(sandbox.port, { method, target, headers: {}, body: Buffer.alloc(0) })).status, 404);
    });
  });

  describe('403, 404 and the simulated outage', () => {
    it('names the missing scope', async () => {
      const key = await sandbox.createKey({ operation: sandbox.key.operationId, scopes: ['read'] });
      const create = await sandbox.request({ key, method: 'POST', target: '/v1/deposits', body: '{}' });
      assert.deepEqual([create.code, detail(create)], ['insufficient_scope', SCOPE('`deposits:write`')]);
      const outage = await sandbox.request({ key, method: 'POST', target: '/v1/sandbox/outage', body: '{}' });
      assert.equal(detail(outage), SCOPE('`deposits:write` or `withdrawals:write`'));
      assert.equal(outage.headers.allow, undefined);
    });

    it('names the methods of a path, in words and in Allow', async () => {
      for (const [method, target, allow, text] of [
        ['PUT', '/v1/deposits', 'GET, POST', 'This path has no PUT; it has GET and POST.'],
        ['DELETE', '/v1/deposits/dep_1', 'GET', 'This path has no DELETE; it has GET.'],
        ['OPTIONS', '/v1/deposits/dep_1/cancel', 'POST', 'This path has no OPTIONS; it has POST.'],
      ] as const) {
        const answer = await sandbox.request({ method, target });
        assert.deepEqual(
          [answer.status, answer.code, answer.headers.allow, detail(answer)],
          [403, 'insufficient_scope', allow, text],
        );
      }
    });

    it('names the address that it saw, and only to whoever signed', async () => {
      const { key, pipeline } = production;
      await pipeline.sql.query('DELETE FROM allowed_network');
      try {
        const refused = await pipeline.request({ key });
        assert.deepEqual(
          [refused.code, detail(refused)],
          ['ip_not_allowed', 'The source address 127.0.0.1 is not in the operation’s allowlist.'],
        );
        assert.ok(!(await pipeline.request({ key, signature: `v1=${'0'.repeat(64)}` })).text.includes('127.0.0.1'));
      } finally {
        await pipeline.sql.query(`INSERT INTO allowed_network (operation_id, cidr) VALUES ($1, '127.0.0.0/8')`, [
          key.operationId,
        ]);
      }
    });
  });

  it('a player’s hour', async () => {
    const create = () =>
      sandbox.request({
        method: 'POST',
        target: '/v1/deposits',
        body: '{"player":"p-429"}',
        headers: { 'Idempotency-Key': newIdempotencyKey() },
      });
    for (let time = 0; time < 10; time += 1) assert.equal((await create()).status, 201);
    const answer = await create();
    assert.equal(
      detail(answer),
      `Deposits of one player: at most 10 in any hour. Wait ${String(answer.headers['retry-after'])} s.`,
    );
    assert.deepEqual(answer.json?.['errors'], [
      {
        field: 'player.external_ref',
        reason: 'hourly_limit',
        message: 'Deposits of one player: at most 10 in any hour',
      },
    ]);
  });

  it('the limits of a player are the specification’s, unless a sandbox says otherwise', () => {
    assert.deepEqual(HOURLY_LIMITS, { deposits: 10, withdrawals: 3 });
    const body = { player: { external_ref: 'p' }, destination: {} } as never;
    const of = (limits = playerLimits()) => [
      limits.createDeposit(body, 'op').limit,
      limits.createWithdrawal(body, 'op').limit,
    ];
    assert.deepEqual(of(), [10, 3]);
    assert.deepEqual(of(playerLimits({ deposits: 500, withdrawals: 400 })), [500, 400]);
  });
});

const NONCE = 'a'.repeat(32);
const SCOPE = (scopes: string) => `The key lacks the scope of this route: ${scopes}.`;
