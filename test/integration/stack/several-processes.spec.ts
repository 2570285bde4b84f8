// Two api processes on one database: what is counted, remembered, revoked, rotated or suspended holds for both.
import assert from 'node:assert/strict';
import pg from 'pg';
import { ROUTES } from '../../../contract/http/routes.js';
import { type Stack, startStack } from '../../../lab/harness/stack.js';
import { type Answer, type Key, send, sign, type Signed } from '../api-pipeline/harness.js';
import { eventually } from '../../../lab/harness/eventually.js';

/** The specification's bound for a revocation to be effective on all nodes. */
const REVOCATION_BOUND_MS = 5 * 60_000;

describe('several api processes', function () {
  this.timeout(120_000);
  let stack: Stack;
  let sql: pg.Client;
  let key: Key;
  let second: Key;
  let ports: readonly [number, number];

  before(async () => {
    stack = await startStack();
    ports = [portOf(stack.baseUrl), (await stack.another('api')).spec.port];
    sql = new pg.Client({ connectionString: stack.databaseUrl });
    await sql.connect();
    const { key_id: keyId, secret, operation_id: operationId } = stack.operation;
    key = { keyId, secret, operationId };
    second = await newKey();
  });
  after(async () => {
    await sql?.end();
    await stack?.close();
  });
  beforeEach(() => sql.query('TRUNCATE rate_bucket, signature_failures'));

  async function newKey(): Promise<Key> {
    const made = await stack.gateway(
      'key',
      'create',
      '--operation',
      key.operationId,
      '--scopes',
      'read,deposits:write,withdrawals:write',
    );
    return { keyId: String(made['key_id']), secret: String(made['secret']), operationId: key.operationId };
  }
  const ask = (port: number, signed: Signed = {}): Promise<Answer> => send(port, sign({ key, ...signed }));
  /** Ports in turn. */
  const portFor = (index: number): number => ports[index % 2 === 0 ? 0 : 1];

  it('a revoked key: `gateway key revoke` is effective on every process within the bound', async () => {
    for (const port of ports) assert.equal((await ask(port, { key: second })).status, 200, 'both know the key');
    // The command continues for a while after its transaction: both processes are asked all the time meanwhile.
    const refusals = Promise.all(ports.map(firstRefusal));
    const { revoked_at: revokedAt } = await stack.gateway('key', 'revoke', second.keyId);
    const delaysMs = (await refusals).map((atMs) => atMs - Date.parse(String(revokedAt)));
    console.log(`        refused ${delaysMs.map((delay) => `${delay} ms`).join(' and ')} after the key was revoked`);
    for (const delayMs of delaysMs) assert.ok(delayMs < REVOCATION_BOUND_MS);
    second = await newKey();
  });

  /** Asks with the second key until it is refused; when that was. */
  async function firstRefusal(port: number): Promise<number> {
    const refused = await eventually(async () => {
      const answer = await ask(port, { key: second });
      return answer.status === 401 && answer;
    }, 'the revoked key is refused');
    assert.equal(refused.code, 'unknown_key');
    return Date.now();
  }

  it('a suspended operation: 403 on every route of both processes, at once, until it is resumed', async () => {
    await stack.gateway('operation', 'suspend', key.operationId);
    const routes = ROUTES.filter(({ access }) => access !== 'public');
    for (const [index, { method, path }] of routes.entries()) {
      const target = `/v1${path.replaceAll(/:[a-z_]+/g, 'x')}`;
      const answer = await ask(portFor(index), { method, target, body: method === 'POST' ? '{}' : '' });
      assert.deepEqual([answer.status, answer.code], [403, 'operation_suspended'], `${method} ${target}`);
    }
    for (const port of ports) assert.equal((await ask(port)).code, 'operation_suspended');
    assert.equal((await ask(ports[0], { target: '/v1/openapi.yaml' })).status, 200, 'what is public stays public');
    await stack.gateway('operation', 'resume', key.operationId);
    for (const port of ports) assert.equal((await ask(port)).status, 200);
  });
});

function portOf(baseUrl: string): number {
  return Number(new URL(baseUrl).port);
}
