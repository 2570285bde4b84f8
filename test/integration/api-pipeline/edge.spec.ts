// The edges of HTTP: sizes, malformed requests, bodies, proxies, an orderly end. Any query:
// test/property/requests.spec.ts.
import assert from 'node:assert/strict';
import { BlockList, connect } from 'node:net';
import { type Answer, newIdempotencyKey, type Pipeline, sign, startPipeline } from './harness.js';
import { eventually } from '../../../lab/harness/eventually.js';

const LIMIT = 65_536;

describe('the edge', function () {
  this.timeout(60_000);
  let pipeline: Pipeline;
  before(async () => {
    pipeline = await startPipeline();
  });
  after(() => pipeline?.close());
  beforeEach(() => pipeline.sql.query('TRUNCATE rate_bucket, signature_failures'));

  /** Writes the pieces on one connection and answers everything that comes back until it ends. */
  function raw(pieces: readonly string[], { ms = 4_000 } = {}): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(pipeline.port, '127.0.0.1');
      let received = '';
      const timer = setTimeout(() => socket.destroy(), ms);
      socket.on('data', (chunk) => (received += chunk.toString('latin1'))).on('error', () => undefined);
      socket.on('close', () => {
        clearTimeout(timer);
        resolve(received);
      });
      for (const piece of pieces) socket.write(piece);
    });
  }
  const assertRawProblem = (text: string, status: number, code: string) => {
    assert.match(text, new RegExp(`^HTTP/1.1 ${status} `), text.slice(0, 300));
    assert.match(text, /\r\nSvc-Trace-Id: [0-9a-f]{32}\r\n/);
    assert.match(text, /\r\nContent-Type: application\/problem\+json\r\n/);
    assert.match(text, new RegExp(`"code":"${code}"`));
  };
  const errorsOf = ({ json }: Answer) =>
    ((json?.['errors'] ?? []) as { field: string; reason: string }[]).map(({ field, reason }) => `${field} ${reason}`);

  describe('bodies over 64 KiB', () => {
    const bodyOf = (bytes: number) => `{"note":"${'x'.repeat(bytes - 11)}"}`;
    it('65,536 bytes pass', async () =>
      assert.equal(
        (await pipeline.request({ method: 'POST', target: '/v1/deposits', body: bodyOf(LIMIT) })).status,
        201,
      ));
    for (const [title, method, target] of [
      ['a POST', 'POST', '/v1/deposits'],
      ['a GET', 'GET', '/v1/ping'],
      ['an unknown path', 'PUT', '/nowhere'],
      ['a public route', 'GET', '/v1/openapi.yaml'],
    ] as const) {
      it(`65,537 bytes to ${title} → 413, unsigned or not`, async () => {
        const answer = await pipeline.request({
          method,
          target,
          body: bodyOf(LIMIT + 1),
          headers: { 'Svc-Signature': undefined },
        });
        assert.deepEqual(
          [answer.status, answer.code, errorsOf(answer), answer.headers['connection']],
          [413, 'validation_failed', [' too_large'], 'close'],
        );
        assert.match(String(answer.headers['svc-trace-id']), /^[0-9a-f]{32}$/);
      });
    }
    it('a client that writes everything before it reads gets the 413, not a reset', async () => {
      const body = Buffer.alloc(8 * 1024 * 1024, 0x20);
      const received = await new Promise<string>((resolve, reject) => {
        const socket = connect(pipeline.port, '127.0.0.1');
        let text = '';
        socket.pause();
        socket
          .on('error', reject)
          .on('data', (data) => (text += data.toString('latin1')))
          .on('close', () => resolve(text));
        socket.write(`POST /v1/deposits HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`);
        socket.write(body, () => setTimeout(() => socket.resume(), 100));
      });
      assertRawProblem(received, 413, 'validation_failed');
    });
    it('a Content-Length that lies upwards → 413 before any byte of the body', async () => {
      assertRawProblem(
        await raw(['POST /v1/deposits HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n'], { ms: 1_000 }),
        413,
        'validation_failed',
      );
    });
    it('endless chunks → 413, with flat memory, and the connection ends', async () => {
      const [before, started] = [process.memoryUsage().rss, performance.now()];
      const chunk = `4000\r\n${'y'.repeat(0x4000)}\r\n`;
      const received = await new Promise<string>((resolve) => {
        const socket = connect(pipeline.port, '127.0.0.1');
        let text = '';
        const more = () => {
          while (socket.writable && socket.write(chunk));
        };
        socket
          .on('data', (data) => (text += data.toString('latin1')))
          .on('drain', more)
          .on('error', () => undefined)
          .on('close', () => resolve(text));
        socket.write('POST /v1/deposits HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
        more();
      });
      assertRawProblem(received, 413, 'validation_failed');
      assert.ok(performance.now() - started < 10_000, 'the connection ends by itself');
      assert.ok(process.memoryUsage().rss - before < 150 * 1024 * 1024);
    });
    it('Expect: 100-continue is invited up to the limit only', async () => {
      const head = (length: number) =>
        `POST /v1/deposits HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;
      assert.match(await raw([head(2), '{}']), /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 401 /);
      assertRawProblem(await raw([head(LIMIT + 1)], { ms: 1_000 }), 413, 'validation_failed');
    });
  });

  describe('malformed HTTP', () => {
    for (const [title, text, status, code] of [
      ['garbage', 'GARBAGE\r\n\r\n', 400, 'validation_failed'],
      ['an unknown method', 'BREW /v1/ping HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'validation_failed'],
      [
        'headers over 16 KiB',
        `GET /v1/ping HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`,
        400,
        'validation_failed',
      ],
      ['a header without a name', 'GET /v1/ping HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n', 400, 'validation_failed'],
      [
        'two Content-Lengths',
        'POST /v1/deposits HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
        400,
        'validation_failed',
      ],
      [
        'Content-Length and chunks',
        'POST /v1/deposits HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
        400,
        'validation_failed',
      ],
      [
        'a broken chunk',
        'POST /v1/deposits HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
        400,
        'validation_failed',
      ],
      ['no Host', 'GET /v1/ping HTTP/1.1\r\n\r\n', 400, 'validation_failed'],
      ['two Hosts', 'GET /v1/ping HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400, 'validation_failed'],
      ['CONNECT', 'CONNECT example.test:443 HTTP/1.1\r\nHost: x\r\n\r\n', 403, 'insufficient_scope'],
    ] as const) {
      it(`${title} → ${status} with a trace id`, async () =>
        assertRawProblem(await raw([text], { ms: 1_500 }), status, code));
    }
    it('an upgrade is an ordinary request', async () =>
      assertRawProblem(
        await raw(['GET /v1/ping HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'], {
          ms: 1_500,
        }),
        401,
        'unknown_key',
      ));
    it('more than Content-Length says never becomes part of the request, which is answered for itself', async () => {
      const { headers } = sign({ method: 'POST', target: '/v1/deposits', body: '{}', key: pipeline.key });
      const head = [
        'POST /v1/deposits HTTP/1.1',
        'Host: x',
        'Content-Length: 2',
        ...Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`),
        '',
        '',
      ].join('\r\n');
      const text = await raw([`${head}{}{"note":"smuggled"}`], { ms: 1_500 });
      assert.match(text, /^HTTP\/1.1 201 [^]*\r\nConnection: close\r\n/);
      assert.equal(text.match(/HTTP\/1.1/g)?.length, 1);
    });
    it('a connection that never sends anything is ended after 10 s, without an answer', async () => {
      const startedMs = performance.now();
      assert.equal(await raw([], { ms: 30_000 }), '');
      const openMs = performance.now() - startedMs;
      assert.ok(openMs > 9_500 && openMs < 25_000, `the server ends it; it was open for ${openMs} ms`);
    });
    it('a client that goes away in the middle of its body runs nothing', async () => {
      const before = pipeline.runs.get('create') ?? 0;
      await raw(['POST /v1/deposits HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"no'], { ms: 200 });
      assert.equal(pipeline.runs.get('create') ?? 0, before);
      assert.equal((await pipeline.request()).status, 200);
    });
    it('HEAD answers no body', async () => {
      const answer = await pipeline.request({ method: 'HEAD' });
      assert.deepEqual([answer.status, answer.text], [403, '']);
      assert.match(String(answer.headers['svc-trace-id']), /^[0-9a-f]{32}$/);
    });
  });

  describe('bodies', () => {
    const post = (body: string | Buffer, more: { target?: string; type?: string | undefined } = {}) =>
      pipeline.request({
        method: 'POST',
        target: more.target ?? '/v1/deposits',
        body,
        headers: 'type' in more ? { 'Content-Type': more.type } : {},
      });
    for (const [title, body, expected] of [
      ['a repeated key', '{"note":"a","note":"a"}', 'note duplicate_key'],
      ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), ' invalid_utf8'],
      ['an unknown field', '{"status":"paid"}', 'status unknown_field'],
      ['__proto__', '{"__proto__":{}}', '__proto__ unknown_field'],
      ['a wrong type', '{"note":5}', 'note type'],
      ['NUL', '{"note":"a\\u0000"}', 'note format'],
      ['a nested operation_id', '{"note":{"operation_id":"op_1"}}', 'note.operation_id unknown_field'],
      ['operation_id twice', '{"operation_id":1,"operation_id":1}', 'operation_id duplicate_key'],
      ['a repeated key in operation_id', '{"operation_id":{"a":1,"a":1}}', 'operation_id.a duplicate_key'],
      ['a strange key next to operation_id', '{"operation_id\\u0000":1}', 'operation_id\u0000 unknown_field'],
    ] as const) {
      it(`${title} → ${expected}`, async () => {
        const answer = await post(body);
        assert.deepEqual(
          [answer.status, answer.code, errorsOf(answer)[0]],
          [400, 'validation_failed', expected],
          answer.text,
        );
      });
    }
    for (const value of [
      ...['"op_other"', '5', 'null', '{"operation_id":1}', '[{"operation_id":1}]', '{"__proto__":{"x":1}}'],
      ...['"\\u0000"', '"\\ud800"', '{"\\u0000":["\\udc00"]}', '123456789012345678901234567890', '1e400'],
    ])
      it(`operation_id ${value} at the root is discarded`, async () =>
        assert.equal((await post(`{"note":"a","operation_id":${value}}`)).status, 201));
    for (const [body, status] of [
      ['', 200],
      ['{}', 200],
      [' { } ', 200],
      ['{"operation_id":"x"}', 200],
      ['{"x":1}', 400],
      ['[]', 400],
      ['{', 400],
    ] as const) {
      it(`a route without a body: ${body || 'nothing'} → ${status}`, async () =>
        assert.equal((await post(body, { target: '/v1/deposits/dep_1/cancel' })).status, status));
    }
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'Application/JSON;charset=UTF-8',
      'application/json; charset="utf-8"',
    ]) {
      it(`${type} → accepted`, async () => assert.equal((await post('{}', { type })).status, 201));
    }
    for (const type of [
      undefined,
      '',
      'text/plain',
      'application/json; charset=latin1',
      'application/jsonp',
      'application/json, text/plain',
      'application/json; charset=utf-8; x=1',
    ]) {
      it(`${type ?? 'no Content-Type'} → Content-Type format`, async () =>
        assert.deepEqual(errorsOf(await post('{}', { type })), ['Content-Type format']));
    }
    it('Content-Type twice → refused, whichever comes first', async () => {
      for (const types of [
        ['application/json', 'text/plain'],
        ['text/plain', 'application/json'],
      ]) {
        assert.deepEqual(
          errorsOf(
            await pipeline.request({
              method: 'POST',
              target: '/v1/deposits',
              body: '{}',
              headers: { 'Content-Type': types },
            }),
          ),
          ['Content-Type format'],
        );
      }
    });
    it('no Content-Type without a body → accepted', async () =>
      assert.equal((await post('', { type: undefined, target: '/v1/deposits/dep_1/cancel' })).status, 200));
  });

  describe('behind a trusted proxy', () => {
    const allow = async (cidr: string) => {
      const key = await pipeline.createKey();
      await pipeline.sql.query('INSERT INTO allowed_network VALUES ($1, $2)', [key.operationId, cidr]);
      return key;
    };
    const edge = (peer: string) => {
      const proxies = new BlockList();
      proxies.addAddress(peer);
      return { proxies, header: 'x-client-address' };
    };
    for (const [title, peer, headers, cidr, status] of [
      ['the header counts', '127.0.0.1', { 'X-Client-Address': '192.0.2.7' }, '192.0.2.0/24', 200],
      ['an IPv6 address counts', '127.0.0.1', { 'X-Client-Address': '2001:db8::7' }, '2001:db8::/56', 200],
      ['a mapped address is unwrapped', '127.0.0.1', { 'X-Client-Address': '::ffff:192.0.2.7' }, '192.0.2.0/24', 200],
      ['X-Forwarded-For never counts', '127.0.0.1', { 'X-Forwarded-For': '192.0.2.7' }, '192.0.2.0/24', 403],
      [
        'two addresses count as none',
        '127.0.0.1',
        { 'X-Client-Address': ['192.0.2.7', '192.0.2.8'] },
        '192.0.2.0/24',
        403,
      ],
      ['no address counts as none', '127.0.0.1', { 'X-Client-Address': 'unknown' }, '192.0.2.0/24', 403],
      [
        'a peer that is not trusted is taken at its own address',
        '198.51.100.1',
        { 'X-Client-Address': '192.0.2.7' },
        '192.0.2.0/24',
        403,
      ],
      ['and that may be allowed', '198.51.100.1', { 'X-Client-Address': '192.0.2.7' }, '127.0.0.1/32', 200],
    ] as const) {
      it(`${title} → ${status}`, async () => {
        const { port } = await pipeline.another({ edge: edge(peer) });
        const answer = await pipeline.request(
          { key: await allow(cidr), headers: headers as Record<string, string | string[]> },
          port,
        );
        assert.equal(answer.status, status, answer.text);
      });
    }
  });

  it('ends in order: the running request is answered, a new one is not', async () => {
    const server = await pipeline.another();
    const runs = pipeline.runs.get('create') ?? 0;
    const running = pipeline.request(
      {
        method: 'POST',
        target: '/v1/deposits',
        body: '{"wait":"1500"}',
        headers: { 'Idempotency-Key': newIdempotencyKey() },
      },
      server.port,
    );
    await eventually(() => (pipeline.runs.get('create') ?? 0) > runs, 'the request runs');
    const closed = server.close();
    await assert.rejects(pipeline.request({}, server.port), { code: 'ECONNREFUSED' });
    assert.equal((await running).status, 201);
    const answeredAt = performance.now();
    await closed;
    assert.ok(performance.now() - answeredAt < 2_000, 'nothing is waited for once everything is answered');
  });
});
