// The small pure parts of the pipeline: route matching, signing, source addresses, configuration, credentials, replies.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bounded, TimeoutError } from '../../../platform/http/bounded.js';
import { cachedCredentials } from '../../../api/middleware/credentials.js';
import { faultOf } from '../../../platform/http/faults.js';
import { replyOfProblem, replyOfResponse } from '../../../api/middleware/reply.js';
import { createRouteMatcher } from '../../../api/middleware/request.js';
import { plainAddress } from '../../../platform/http/request.js';
import { readApiConfig } from '../../../platform/config/api.js';
import { ERRORS, type ErrorCode, problem } from '../../../contract/http/errors.js';
import { ROUTES } from '../../../contract/http/routes.js';

describe('route matching', () => {
  const match = createRouteMatcher(ROUTES, 'sandbox');
  for (const route of ROUTES) {
    const target = `/v1${route.path.replace(':external_ref', 'p-1').replace(':action', 'approve').replace(':id', 'dep_1')}`;
    it(`${route.method} ${target} → ${route.name}`, () => {
      const found = match(route.method, `${target}?x=/v1/ping`);
      assert.ok(found.kind === 'route');
      assert.equal(found.route.name, route.name);
    });
    it(`no spelling of ${target} but its own gets a route's answer`, () => {
      for (const other of [
        `${target}/`,
        `/${target}`,
        target.toUpperCase(),
        target.replace('/v1', '/v1/'),
        target.replace('/v1', '/v1/.'),
        `${target}%20`,
        `${target};a=1`,
        `http://x${target}`,
        target.replace('v1', 'v%31'),
        target.replace('/v1/', '/v1\\'),
        `${target}#x`,
      ]) {
        assert.equal(match(route.method, other).kind, 'unknown_path', other);
      }
      for (const method of ['HEAD', 'TRACE', 'PUT', 'get', 'OPTIONS'])
        assert.equal(match(method, target).kind, 'unmapped_method', method);
    });
  }
  it('any text matches a route only if it is spelled like one', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('/', 'v1', 'deposits', '.', '%2F', '%64', 'dep_1', 'ping', '?', 'a', ' ') }),
        (target) => {
          const found = match('GET', target);
          if (found.kind !== 'route') return;
          const path = target.split('?')[0]!;
          assert.equal(
            path,
            `/v1${found.route.path.replaceAll(/:([a-z_]+)/g, (_, name: string) => found.params[name]!)}`,
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('source addresses', () => {
  for (const [text, expected] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:C000:0201', '192.0.2.1'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['', undefined],
    ['192.0.2.1, 192.0.2.2', undefined],
    ['192.0.2.1:80', undefined],
    ['localhost', undefined],
    ['0300.0.2.1', undefined],
  ] as const) {
    it(`${text || 'nothing'} → ${expected ?? 'none'}`, () => assert.equal(plainAddress(text), expected));
  }
});

describe('configuration of the api', () => {
  const key = Buffer.alloc(32).toString('base64');
  const environment = {
    DATABASE_URL: 'postgres://x',
    TEMPORAL_ADDRESS: 'x:1',
    GATEWAY_SEALING_KEYS: `k1:${key}`,
    GATEWAY_HASH_KEY: key,
  };
  it('has defaults on the loopback address', () => {
    const { API_HOST, API_PORT, GATEWAY_ENVIRONMENT, TRUSTED_PROXY_HEADER } = readApiConfig(environment);
    assert.deepEqual(
      [API_HOST, API_PORT, GATEWAY_ENVIRONMENT, TRUSTED_PROXY_HEADER],
      ['127.0.0.1', 7800, 'sandbox', undefined],
    );
  });
  it('reads trusted proxies', () => {
    const { TRUSTED_PROXIES, TRUSTED_PROXY_HEADER } = readApiConfig({
      ...environment,
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      TRUSTED_PROXY_HEADER: 'X-Real-IP',
    });
    assert.deepEqual(
      [
        TRUSTED_PROXIES.check('10.9.9.9'),
        TRUSTED_PROXIES.check('11.0.0.1'),
        TRUSTED_PROXIES.check('::1', 'ipv6'),
        TRUSTED_PROXY_HEADER,
      ],
      [true, false, true, 'x-real-ip'],
    );
  });
  for (const [title, changed, named] of [
    ['no database', { DATABASE_URL: undefined }, 'DATABASE_URL'],
    ['a port that is none', { API_PORT: 'x' }, 'API_PORT'],
    [
      'a network that is none',
      { TRUSTED_PROXIES: '10.0.0.0/33', TRUSTED_PROXY_HEADER: 'x-real-ip' },
      'TRUSTED_PROXIES',
    ],
    ['an empty prefix', { TRUSTED_PROXIES: '10.0.0.0/', TRUSTED_PROXY_HEADER: 'x-real-ip' }, 'TRUSTED_PROXIES'],
    [
      'X-Forwarded-For',
      { TRUSTED_PROXIES: '10.0.0.0/8', TRUSTED_PROXY_HEADER: 'X-Forwarded-For' },
      'TRUSTED_PROXY_HEADER',
    ],
    ['proxies without their header', { TRUSTED_PROXIES: '10.0.0.0/8' }, 'TRUSTED_PROXY_HEADER'],
    ['a header without proxies', { TRUSTED_PROXY_HEADER: 'x-real-ip' }, 'TRUSTED_PROXY_HEADER'],
    ['a short sealing key', { GATEWAY_SEALING_KEYS: 'k1:AAAA' }, 'GATEWAY_SEALING_KEYS'],
  ] as const) {
    it(`${title} → an error naming ${named}`, () =>
      assert.throws(
        () => readApiConfig({ ...environment, ...changed }),
        (error: Error) => error.name === 'ConfigurationError' && error.message.includes(named),
      ));
  }
});

describe('the cache of credentials', () => {
  const credential = { keyId: 'k', operationId: 'op_1', secret: Buffer.from('s') };
  function cacheOf(answers: Record<string, typeof credential | undefined | Error>) {
    const loads: string[] = [];
    let now = 0;
    const cache = cachedCredentials(
      async (keyId) => {
        loads.push(keyId);
        const answer = answers[keyId];
        if (answer instanceof Error) throw answer;
        return answer;
      },
      () => now,
    );
    return { cache, loads, pass: (ms: number) => (now += ms) };
  }
  it('loads once for parallel and later questions, for less than a minute', async () => {
    const { cache, loads, pass } = cacheOf({ k: credential });
    const [first, second] = await Promise.all([cache.find('k'), cache.find('k')]);
    assert.deepEqual(
      [first, second],
      [
        { credential, cached: false },
        { credential, cached: true },
      ],
    );
    pass(54_000);
    await cache.find('k');
    assert.equal(loads.length, 1);
    pass(2_000);
    await cache.find('k');
    assert.equal(loads.length, 2);
  });
  it('remembers for a short while that a key is unknown', async () => {
    const { cache, loads, pass } = cacheOf({});
    await cache.find('x');
    pass(1_000);
    await cache.find('x');
    assert.equal(loads.length, 1);
    pass(2_000);
    await cache.find('x');
    assert.equal(loads.length, 2);
  });
  it('never remembers a failure', async () => {
    const { cache, loads } = cacheOf({ k: new Error('down') });
    await assert.rejects(cache.find('k'), /^Error: down$/);
    await assert.rejects(cache.find('k'), /^Error: down$/);
    assert.equal(loads.length, 2);
  });
  it('is bounded: a flood of unknown keys pushes the oldest of them out, and no key that exists', async () => {
    const { cache, loads } = cacheOf({ k: credential });
    await cache.find('k');
    for (let index = 0; index < 10_001; index += 1) await cache.find(`unknown${index}`);
    loads.length = 0;
    await cache.find('k');
    await cache.find('unknown1');
    await cache.find('unknown0');
    assert.deepEqual(loads, ['unknown0']);
  });
  it('remembers a key that exists beyond that time, for who asks without a load', async () => {
    const { cache, loads, pass } = cacheOf({ k: credential });
    await cache.find('k');
    await cache.find('x');
    pass(3_600_000);
    assert.deepEqual([await cache.remembered('k'), await cache.remembered('x')], [credential, undefined]);
    assert.deepEqual(loads, ['k', 'x']);
  });
});

describe('replies', () => {
  for (const [code, { status, retryable }] of Object.entries(ERRORS) as [
    ErrorCode,
    { status: number; retryable: boolean },
  ][]) {
    it(`${code} → ${status}`, () => {
      const reply = replyOfProblem(problem(code), 'trace', 'http://docs.test');
      const body = JSON.parse(reply.body.toString()) as Record<string, unknown>;
      assert.deepEqual(
        [reply.status, body['status'], body['code'], body['title'], body['type'], body['retryable'], body['trace_id']],
        [status, status, code, code, `http://docs.test/errors/${code}`, retryable, 'trace'],
      );
      assert.equal(reply.headers['Retry-After'] !== undefined, status === 429 || status === 503);
    });
  }
  it('Retry-After is whole seconds, at least one', () => {
    for (const [seconds, header] of [
      [0, '1'],
      [0.2, '1'],
      [1.1, '2'],
      [7200, '7200'],
    ] as const)
      assert.equal(
        replyOfProblem(problem('day_open', { retryAfterSeconds: seconds }), 't', 'd').headers['Retry-After'],
        header,
      );
  });
  it('existing is carried as it is', () => {
    const body = JSON.parse(
      replyOfProblem(problem('duplicate_external_id', { existing: { id: 'dep_1' } }), 't', 'd').body.toString(),
    ) as Record<string, unknown>;
    assert.deepEqual(body['existing'], { id: 'dep_1' });
  });
  it('a text goes out as it is, with the route’s content type', () => {
    const route = ROUTES.find(({ name }) => name === 'getOpenApi')!;
    assert.deepEqual(replyOfResponse(route, { status: 200, body: 'a: "é"' }), {
      status: 200,
      contentType: 'application/yaml',
      headers: {},
      body: Buffer.from('a: "é"'),
    });
  });
});

describe('faults', () => {
  it('keep class, code and frames, never a message', () => {
    const fault = faultOf(
      Object.assign(new TypeError('S3CRET\n    S3CRET too'), { code: 'E1', cause: new Error('S3CRET') }),
    );
    assert.deepEqual([fault.type, fault.code, fault.cause?.type], ['TypeError', 'E1', 'Error']);
    assert.ok(fault.at.length > 0 && !JSON.stringify(fault).includes('S3CRET'));
  });
  it('a message that imitates a frame adds no frame', () =>
    assert.ok(!JSON.stringify(faultOf(new Error('x\n    at S3CRET'))).includes('S3CRET')));
});

describe('bounded waits', () => {
  it('end by themselves', async () =>
    assert.rejects(bounded(new Promise(() => undefined), 20, 'nobody'), TimeoutError));
  it('pass results and failures on', async () => {
    assert.equal(await bounded(Promise.resolve(1), 20, 'x'), 1);
    await assert.rejects(bounded(Promise.reject(new RangeError('x')), 20, 'x'), RangeError);
  });
});
