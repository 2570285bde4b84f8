// A flood that fails authentication is refused without the database, and nobody who may call meets the limiter.
import assert from 'node:assert/strict';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { BlockList } from 'node:net';
import { pino } from 'pino';
import { cachedCredentials, type Credential } from '../../../api/middleware/credentials.js';
import { FailureLimiter, RATES } from '../../../api/middleware/limits.js';
import type { RequestContext } from '../../../api/middleware/request.js';
import { verify } from '../../../api/middleware/verify.js';

const SECRET = Buffer.from('a secret of an operator');
const KNOWN = 'key_test_0123456789abcdef01234567';
const ADDRESS_BURST = 2 * RATES.source.burst;
const ALL_BURST = 1_000;
const STRANGERS_BURST = 50;

let nowMs: number;
/** Statements: of authentication, and of keys. */
let statements: number;
let ask: (from: string, keyId: string, secret?: Buffer) => Promise<number>;

beforeEach(() => {
  [nowMs, statements] = [Date.now(), 0];
  const proxies = new BlockList();
  proxies.addAddress('127.0.0.1');
  const load = (keyId: string): Promise<Credential | undefined> => {
    statements += 1;
    return Promise.resolve(keyId === KNOWN ? { keyId, operationId: 'op_1', secret: SECRET } : undefined);
  };
  const middleware = verify({
    environment: 'sandbox',
    match: () => ({ kind: 'route', route: { name: 'ping', method: 'GET', access: 'any_key' } as never, params: {} }),
    credentials: cachedCredentials(load, () => nowMs),
    authenticate: ({ stage }) => {
      statements += 1;
      if (stage !== 'signed') return Promise.resolve({ kind: 'refused', check: 6, code: 'invalid_signature' } as never);
      return Promise.resolve({ kind: 'authenticated', operationId: 'op_1', scopes: [], outage: false } as never);
    },
    reads: {},
    playerLimits: {},
    edge: { proxies, header: 'client-address' },
    nowMs: () => nowMs,
    docsUrl: '',
    log: pino({ level: 'silent' }),
  });
  ask = async (from, keyId, secret = randomBytes(8)) => {
    const context = contextOf(from, keyId, secret);
    let passed = false;
    await middleware(context as never, () => Promise.resolve(void (passed = true)));
    return passed ? 200 : context.status;
  };
});

function contextOf(from: string, keyId: string, secret: Buffer) {
  const [timestamp, nonce] = [String(Math.floor(nowMs / 1_000)), randomBytes(16).toString('hex')];
  const body = createHash('sha256').digest('hex');
  const signed = ['v1', timestamp, nonce, 'GET', '/v1/ping', body].join('\n');
  const headers = {
    'client-address': from,
    'svc-key-id': keyId,
    'svc-timestamp': timestamp,
    'svc-nonce': nonce,
    'svc-signature': `v1=${createHmac('sha256', secret).update(signed).digest('hex')}`,
  };
  const distinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  return {
    req: { url: '/v1/ping', headers, headersDistinct: distinct, socket: { remoteAddress: '127.0.0.1' } },
    method: 'GET',
    state: { traceId: '', body: Buffer.alloc(0) } as Partial<RequestContext['state']>,
    status: 0,
    body: undefined as unknown,
    set: () => undefined,
  };
}

const strangerKey = () => `key_test_${randomBytes(12).toString('hex')}`;

async function floodFrom(addresses: (index: number) => string, requests: number): Promise<Map<number, number>> {
  const answers = new Map<number, number>();
  for (let index = 0; index < requests; index += 1) {
    const status = await ask(addresses(index), strangerKey());
    answers.set(status, (answers.get(status) ?? 0) + 1);
  }
  return answers;
}

describe('a flood of requests that fail authentication', () => {
  it('one address: beyond twice the rate of check 2 it is answered 429 without a statement, until it rests', async () => {
    const answers = await floodFrom(() => '192.0.2.1', ADDRESS_BURST + 500);
    assert.deepEqual(
      [...answers],
      [
        [401, ADDRESS_BURST],
        [429, 500],
      ],
    );
    const before = statements;
    assert.equal(await ask('192.0.2.1', KNOWN, SECRET), 429);
    assert.equal(statements, before);
    assert.equal(await ask('192.0.2.2', KNOWN, SECRET), 200);
    nowMs += 1_000 / RATES.source.perSecond;
    assert.equal(await ask('192.0.2.1', KNOWN, SECRET), 200);
  });

  it('many addresses: strangers get few statements; who is known is served as before, however long ago', async () => {
    assert.equal(await ask('192.0.2.2', KNOWN, SECRET), 200);
    // Beyond the time that its secret is used without being read again.
    nowMs += 120_000;
    const address = (index: number) => `198.51.${index >> 8}.${index & 255}`;
    const answers = await floodFrom(address, ALL_BURST + 2_000);
    assert.deepEqual(
      [...answers],
      [
        [401, ALL_BURST + STRANGERS_BURST],
        [429, 2_000 - STRANGERS_BURST],
      ],
    );
    assert.equal(await ask('192.0.2.2', KNOWN, SECRET), 200);
    const before = statements;
    assert.equal(await ask('203.0.113.1', KNOWN), 429, 'a wrong signature of a known key is answered like a stranger');
    assert.equal(await ask('203.0.113.1', strangerKey()), 429);
    assert.equal(statements, before);
  });

  it('requests that pass cost nothing: one address may send what check 2 lets through', async () => {
    for (let index = 0; index < 2 * ADDRESS_BURST; index += 1) assert.equal(await ask('192.0.2.1', KNOWN, SECRET), 200);
  });
});

describe('the limiter of failures', () => {
  it('forgets addresses that failed long ago, and the oldest beyond ten thousand', () => {
    let now = 0;
    const limiter = new FailureLimiter(() => now);
    for (let index = 0; index < ADDRESS_BURST; index += 1) limiter.count('spent');
    assert.equal(limiter.isSpent('spent'), true);
    for (let index = 0; index < 10_000; index += 1) limiter.count(`address ${index}`);
    assert.equal(limiter.isSpent('spent'), false);
    now += 60_000;
    assert.equal(limiter.isFlooded(), false);
  });

  it('a clock that is set back refuses nobody for longer', () => {
    let now = 3_600_000;
    const limiter = new FailureLimiter(() => now);
    for (let index = 0; index < ADDRESS_BURST; index += 1) limiter.count('one');
    assert.equal(limiter.isSpent('one'), true);
    now = 0;
    assert.equal(limiter.isSpent('one'), false);
  });
});
