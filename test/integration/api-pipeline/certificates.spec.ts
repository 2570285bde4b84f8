// A client certificate belongs to its operation: with another operation's key the answer is that of a wrong signature.
import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { type Pipeline, startPipeline } from './harness.js';

const ADDRESS = 'gateway-client-address';
const OPERATION = 'gateway-client-operation';

describe('client certificates and keys', () => {
  let pipeline: Pipeline;
  const proxies = (address: string) => {
    const list = new BlockList();
    list.addAddress(address);
    return list;
  };
  const edge = { proxies: proxies('127.0.0.1'), header: ADDRESS, operationHeader: OPERATION };
  before(async () => {
    pipeline = await startPipeline({ edge });
  });
  after(() => pipeline?.close());
  beforeEach(() => pipeline.sql.query('TRUNCATE rate_bucket, signature_failures'));

  const ask = (operation: string | undefined, port?: number) =>
    pipeline.request({ headers: { [ADDRESS]: '203.0.113.7', [OPERATION]: operation } }, port);

  it('its own operation’s certificate → 200', async () =>
    assert.equal((await ask(pipeline.key.operationId)).status, 200));

  it('another operation’s, one of no operation, or none → 401 as for a wrong signature, and the nonce is unused', async () => {
    const other = await pipeline.createKey();
    const wrong = await pipeline.request({
      headers: { 'Svc-Signature': `v1=${'0'.repeat(64)}`, [OPERATION]: other.operationId },
    });
    for (const operation of [other.operationId, '', undefined, `${pipeline.key.operationId}, ${other.operationId}`]) {
      const answer = await ask(operation);
      assert.deepEqual([answer.status, answer.code], [401, 'invalid_signature'], String(operation));
      assert.equal(answer.json?.['detail'], wrong.json?.['detail']);
    }
    const { rows } = await pipeline.sql.query('SELECT count(*)::int AS nonces FROM nonce');
    assert.ok(rows[0].nonces <= 1);
  });

  it('around the edge → 401, whatever the header says', async () => {
    const { port } = await pipeline.another({ edge: { ...edge, proxies: proxies('192.0.2.1') } });
    assert.equal((await ask(pipeline.key.operationId, port)).status, 401);
  });

  it('an edge that checks no certificate → the key alone', async () => {
    const { port } = await pipeline.another({ edge: { ...edge, operationHeader: undefined } });
    assert.equal((await ask(undefined, port)).status, 200);
  });
});
