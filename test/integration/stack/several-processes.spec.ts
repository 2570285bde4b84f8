// Two api processes on one database: what is counted, remembered, revoked, rotated or suspended holds for both.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createGatewayClient, readReconciliationDay, verifyReconciliationSignature } from '../../../client/index.js';
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

  describe('rates', () => {
    /**
     * The buckets' clock stands still, so that what passes is the burst exactly, however fast or slow the machine is.
     */
    before(async () => {
      const { rows } = await sql.query<{ definition: string }>(
        `SELECT pg_get_functiondef('take_token'::regproc) AS definition`,
      );
      running = rows[0]?.definition ?? '';
      await sql.query(running.replaceAll('clock_timestamp()', `'${new Date().toISOString()}'::timestamptz`));
    });
    after(() => sql.query(running));
    let running = '';

    /**
     * Sends `burst` + 20 requests, 20 at a time over both processes, with only `bucket` kept in between; how many
     * passed.
     */
    async function passing(bucket: string, burst: number, request: (index: number) => Signed): Promise<number> {
      let passed = 0;
      for (let sent = 0; sent < burst + 20; sent += 20) {
        await sql.query('DELETE FROM rate_bucket WHERE bucket <> $1', [bucket]);
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) => ask(portFor(index), request(index))),
        );
        passed += answers.filter(({ status }) => status !== 429).length;
        for (const { status, headers } of answers) if (status === 429) assert.equal(headers['retry-after'], '1');
      }
      return passed;
    }

    const write = { method: 'POST', target: '/v1/deposits', body: '{}' };
    const eitherKey = (index: number) => (index % 4 < 2 ? key : second);
    const rows: readonly [row: string, bucket: () => string, burst: number, request: (index: number) => Signed][] = [
      ['writes of a key: burst 100', () => `write:${key.keyId}`, 100, () => write],
      [
        'writes of an operation, with two keys: burst 100',
        () => `write:${key.operationId}`,
        100,
        (index) => ({ ...write, key: eitherKey(index) }),
      ],
      ['reads of a key: 100', () => `read:${key.keyId}`, 100, () => ({})],
      [
        'reads of an operation, with two keys: 200',
        () => `read:${key.operationId}`,
        200,
        (index) => ({ key: eitherKey(index) }),
      ],
      ['lists of a key: 5', () => `listing:${key.keyId}`, 5, () => ({ target: '/v1/deposits' })],
      // A malformed key id is refused by check 3: only the address is counted.
      [
        'a source address, before authentication: 200',
        () => 'source:127.0.0.1',
        200,
        () => ({ headers: { 'Svc-Key-Id': 'nonsense' } }),
      ],
    ];
    for (const [row, bucket, burst, request] of rows) {
      it(`${row}, exactly`, async () => assert.equal(await passing(bucket(), burst, request), burst));
    }

    /** On a busy machine a deposit may take longer than the api waits: 503, to be repeated with the same key. */
    const decided = (port: number, request: Signed): Promise<number> =>
      eventually(async () => {
        const { status, code } = await ask(port, request);
        return status !== 503 && code !== 'idempotency_in_progress' && status;
      }, 'an answer that is not to be repeated');

    it('deposits of a player: ten an hour, wherever they are created', async () => {
      const external_ref = `player-${randomBytes(6).toString('hex')}`;
      const body = (type: string, number: string) =>
        JSON.stringify({
          external_id: randomBytes(8).toString('hex'),
          player: { external_ref, document: { type, number, country: 'BR' } },
          amount: { amount: '5000', currency: 'BRL' },
          method: 'pix',
        });
      const create = (type: string, number: string) =>
        Promise.all(
          Array.from({ length: 14 }, (_, index) => {
            const headers = { 'Idempotency-Key': `player-${randomBytes(12).toString('hex')}` };
            const request = { method: 'POST', target: '/v1/deposits', body: body(type, number), headers };
            return decided(portFor(index), request);
          }),
        );
      // What is refused gives its place back, but holds it as long as it is under way.
      for (const status of await create('PASSPORT', 'A1')) assert.ok([422, 429].includes(status), String(status));
      const statuses = await create('CPF', '52998224725');
      assert.deepEqual(
        [
          statuses.filter((status) => status === 201 || status === 202).length,
          statuses.filter((status) => status === 429).length,
        ],
        [10, 4],
        statuses.join(),
      );
    });
  });

  it('of 50 parallel copies of one signed request, spread over both, exactly one passes', async () => {
    const request = sign({ key, target: '/v1/balances' });
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => send(portFor(index), request)));
    const tally = new Map<string, number>();
    for (const { status, code } of answers)
      tally.set(`${status} ${String(code ?? '')}`, (tally.get(`${status} ${String(code ?? '')}`) ?? 0) + 1);
    assert.deepEqual([...tally].sort(), [
      ['200 ', 1],
      ['401 replayed_nonce', 49],
    ]);
  });

  it('signature failures of an address are counted across both: 20 are 401, the next is 429 on each', async () => {
    const wrong = { signature: `v1=${'0'.repeat(64)}` };
    for (let index = 0; index < 20; index += 1)
      assert.equal((await ask(portFor(index), wrong)).code, 'invalid_signature');
    for (const port of ports) assert.equal((await ask(port, wrong)).code, 'rate_limited');
  });

  it('one Idempotency-Key on both at once: one run, the other repeats it or waits', async () => {
    const headers = { 'Idempotency-Key': `both-${randomBytes(12).toString('hex')}` };
    const request = { method: 'POST', target: '/v1/fx/quotes', body: '{}', headers };
    await Promise.all([0, 1, 2, 3].map((index) => ask(portFor(index), request)));
    const [one, other] = await Promise.all(ports.map((port) => ask(port, request)));
    assert.deepEqual([one?.text, one?.headers['idempotent-replayed']], [other?.text, 'true']);
  });

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

  it('a rotated webhook secret: both processes sign with both at once', async () => {
    const rotated = await stack.gateway('webhook-secret', 'rotate', '--operation', key.operationId);
    const date = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
    for (const port of ports) {
      const day = await readReconciliationDay(
        createGatewayClient({ baseUrl: `http://127.0.0.1:${port}/v1`, keyId: key.keyId, secret: key.secret }),
        { date, currency: 'BRL' },
      );
      for (const secret of [stack.operation.webhook_secret, String(rotated['webhook_secret'])])
        assert.ok(verifyReconciliationSignature(day, [secret]));
    }
  });

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
