// The parts of a signed request, one by one: key id, timestamp, nonce, signature, target and Idempotency-Key.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type Pipeline, startPipeline } from './harness.js';
import { seconds, unlimited } from './faults.js';

describe('the parts of a signed request', function () {
  this.timeout(120_000);
  let pipeline: Pipeline;
  before(async () => {
    pipeline = await startPipeline();
  });
  after(() => pipeline?.close());

  describe('check 3: key ids', () => {
    for (const keyId of [
      undefined,
      '',
      'key_test_',
      'key_live_abc',
      'key_test_a-b',
      `key_test_${'a'.repeat(65)}`,
      'KEY_TEST_abc',
      'key_test_abc, key_test_abc',
      'x',
    ]) {
      it(`${keyId ?? 'none'} → unknown_key`, async () => {
        const answer = await pipeline.request({ headers: { 'Svc-Key-Id': keyId } });
        assert.deepEqual([answer.status, answer.code], [401, 'unknown_key']);
      });
    }
    it('twice → unknown_key', async () => {
      const answer = await pipeline.request({ headers: { 'Svc-Key-Id': [pipeline.key.keyId, pipeline.key.keyId] } });
      assert.deepEqual([answer.status, answer.code], [401, 'unknown_key']);
    });
  });

  describe('check 4: timestamps', () => {
    for (const [title, timestamp] of [
      ['none', undefined],
      ['empty', () => ''],
      ['with a sign', () => `+${seconds(0)}`],
      ['negative', () => `-${seconds(0)}`],
      ['with a leading zero', () => `0${seconds(0)}`],
      ['with a fraction', () => `${seconds(0)}.5`],
      ['in milliseconds', () => String(Date.now())],
      ['in hexadecimal', () => `0x${Number(seconds(0)).toString(16)}`],
      ['as a date', () => new Date().toISOString()],
      ['301 s old', () => seconds(-301)],
      ['302 s ahead', () => seconds(302)],
      ['very long', () => '9'.repeat(400)],
    ] as const) {
      it(`${title} → timestamp_out_of_window`, async () => {
        const answer = await pipeline.request(
          timestamp === undefined ? { headers: { 'Svc-Timestamp': undefined } } : { timestamp: timestamp() },
        );
        assert.deepEqual([answer.status, answer.code], [401, 'timestamp_out_of_window']);
      });
    }
    for (const offset of [-298, 299])
      it(`${offset} s → accepted`, async () =>
        assert.equal((await pipeline.request({ timestamp: seconds(offset) })).status, 200));
  });

  describe('checks 5 and 6: nonces and signatures', () => {
    const hex = () => randomBytes(16).toString('hex');
    for (const [title, signed] of [
      ['no nonce', { headers: { 'Svc-Nonce': undefined } }],
      ['a short nonce', { nonce: hex().slice(1) }],
      ['a long nonce', { nonce: `${hex()}0` }],
      ['an upper-case nonce', { nonce: 'ABCDEF0123456789ABCDEF0123456789' }],
      ['no signature', { headers: { 'Svc-Signature': undefined } }],
      ['the right signature without its version', { signature: (right: string) => right.slice('v1='.length) }],
      [
        'the right signature in upper case',
        { signature: (right: string) => `v1=${right.slice('v1='.length).toUpperCase()}` },
      ],
      ['the right signature as another version', { signature: (right: string) => right.replace('v1=', 'v2=') }],
      ['all zeros', { signature: `v1=${'0'.repeat(64)}` }],
      ['another secret', { key: { keyId: '', secret: 'other', operationId: '' } }],
    ] as const) {
      it(`${title} → invalid_signature`, async () => {
        await unlimited(pipeline);
        const key = 'key' in signed ? { ...pipeline.key, secret: signed.key.secret } : pipeline.key;
        const answer = await pipeline.request({ ...signed, key });
        assert.deepEqual([answer.status, answer.code], [401, 'invalid_signature']);
      });
    }
    for (const [title, change] of [
      ['method', { method: 'HEAD' }],
      ['query', { target: '/v1/ping?a=2' }],
      ['path', { target: '/v1/deposits?a=1' }],
      ['body', { body: '{"note":"b"}' }],
    ] as const) {
      it(`the ${title} was changed after signing → 401`, async () => {
        await unlimited(pipeline);
        const { sign, send } = await import('./harness.js');
        const signed = sign({ key: pipeline.key, target: '/v1/ping?a=1', body: '' });
        const answer = await send(pipeline.port, {
          ...signed,
          ...change,
          body: Buffer.from('body' in change ? change.body : ''),
        });
        assert.equal(answer.status, 401);
      });
    }
    it('the query is signed as sent: not sorted, not decoded', async () => {
      for (const target of ['/v1/ping?b=2&a=1&a=1', '/v1/ping?x=%7e%C3%A9', '/v1/ping?'])
        assert.equal((await pipeline.request({ target })).status, 200, target);
    });
  });

  describe('targets are matched byte by byte', () => {
    for (const [method, target, status] of [
      ['GET', '/v1/ping/', 404],
      ['GET', '/v1/%70ing', 404],
      ['GET', '/v1/deposits/../ping', 404],
      ['GET', '/v1/deposits/wdr_1', 404],
      ['GET', 'http://127.0.0.1/v1/ping', 404],
      ['HEAD', '/v1/ping', 403],
      ['DELETE', '/v1/deposits/dep_1', 403],
      ['GET', '/v1/deposits/dep_1/cancel', 403],
      ['PUT', '/v1/nowhere', 404],
      ['GET', '/v1/players/a:b_c.d-e/limits', 200],
      ['GET', '/v1/players/a%3Ab/limits', 200],
    ] as const) {
      it(`${method} ${target} → ${status}`, async () => {
        const answer = await pipeline.request({ method, target });
        assert.equal(answer.status, status, answer.text);
      });
    }
    it('a colon may be encoded', async () => {
      const answer = await pipeline.request({ target: '/v1/players/a%3Ab/limits' });
      assert.deepEqual(answer.json?.['params'], { external_ref: 'a:b' });
    });
  });

  describe('check 13: Idempotency-Key', () => {
    for (const [title, value] of [
      ['15 characters', 'a'.repeat(15)],
      ['129 characters', 'a'.repeat(129)],
      ['a space', `${'a'.repeat(16)} b`],
      ['twice', ['a'.repeat(16), 'b'.repeat(16)]],
      ['empty', ''],
    ] as const) {
      it(`${title} → required`, async () => {
        const answer = await pipeline.request({
          method: 'POST',
          target: '/v1/deposits',
          body: '{}',
          headers: { 'Idempotency-Key': value as string },
        });
        const [first] = answer.json?.['errors'] as { field: string; reason: string }[];
        assert.deepEqual(
          [answer.status, answer.code, first?.field, first?.reason],
          [400, 'validation_failed', 'Idempotency-Key', 'required'],
        );
      });
    }
    for (const length of [16, 128]) {
      it(`${length} characters → accepted`, async () => {
        const headers = { 'Idempotency-Key': `${randomBytes(8).toString('hex')}${'.'.repeat(112)}`.slice(0, length) };
        assert.equal(
          (await pipeline.request({ method: 'POST', target: '/v1/deposits', body: '{}', headers })).status,
          201,
        );
      });
    }
  });
});
