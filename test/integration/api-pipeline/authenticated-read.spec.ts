// A read that runs in the same query as authentication: of the authenticated operation alone, in its order, and of
// nobody where a check refuses the request.
import assert from 'node:assert/strict';
import { Prisma } from '../../../prisma/generated/client.js';
import type { AuthenticatedRead } from '../../../store/statements.js';
import { type Key, type Pipeline, sign, send, startPipeline } from './harness.js';

const WRONG = `v1=${'0'.repeat(64)}`;

describe('a read in the same query as authentication', () => {
  let pipeline: Pipeline;
  /** Every operation that the read was carried out for. */
  const readFor = async () =>
    (await pipeline.sql.query<{ id: string | null }>('SELECT operation_id AS id FROM seen')).rows.map(({ id }) => id);
  before(async function () {
    this.timeout(60_000);
    pipeline = await startPipeline({
      reads: { list: ({ query }) => rowsUpTo(Number((query as { limit?: string }).limit ?? 3)), get: () => null },
    });
    await pipeline.sql.query(`
      CREATE TABLE seen (operation_id text);
      CREATE FUNCTION note(operation_id text) RETURNS boolean LANGUAGE sql VOLATILE SECURITY DEFINER AS $$
      INSERT INTO seen VALUES (operation_id) RETURNING true $$;
      GRANT EXECUTE ON FUNCTION note TO gateway_api`);
  });
  beforeEach(() => pipeline.sql.query('DELETE FROM seen'));
  after(() => pipeline?.close());

  /** Newest first, as lists are; and it leaves a trace of whom it was made for. */
  const rowsUpTo = (count: number): AuthenticatedRead => ({
    of: (operationId) => Prisma.sql`
      SELECT 'row_' || n AS id, ${operationId} AS "operationId", n AS "refused_check", 'x' AS provider
      FROM generate_series(1, ${count}::integer) AS n WHERE ${operationId} IS NOT NULL AND note(${operationId}) ORDER BY n DESC LIMIT 100`,
    planning: 'once',
  });
  const list = (target = '/v1/deposits', key?: Key) =>
    pipeline.request({ target, ...(key === undefined ? {} : { key }) });
  const idsOf = (found: unknown) => (found as { id: string }[]).map(({ id }) => id);

  it('reaches the handler in the order of the statement, whatever its columns are called', async () => {
    const { status, json } = await list('/v1/deposits?limit=60');
    assert.equal(status, 200);
    assert.deepEqual(
      idsOf(json?.['found']),
      Array.from({ length: 60 }, (_, index) => `row_${60 - index}`),
    );
  });

  it('is of the caller’s operation', async () => {
    const other = await pipeline.createKey();
    for (const key of [pipeline.key, other]) {
      const { json } = await list('/v1/deposits', key);
      assert.deepEqual(
        (json?.['found'] as { operationId: string }[]).map(({ operationId }) => operationId),
        Array(3).fill(key.operationId),
      );
    }
  });

  it('finds nothing → empty', async () => {
    assert.deepEqual((await list('/v1/deposits?limit=0')).json?.['found'], []);
  });

  it('a route without one, and one whose handler looks something up first, has none', async () => {
    assert.equal((await pipeline.request({ target: '/v1/ping' })).json?.['found'], undefined);
    const answer = await pipeline.request({ target: '/v1/deposits/dep_1' });
    assert.deepEqual([answer.status, answer.json?.['found']], [200, undefined]);
  });

  it('wrong input is refused after the checks, and reads nothing', async () => {
    assert.deepEqual([(await list('/v1/deposits?limit=many')).code, await readFor()], ['validation_failed', []]);
    const unscoped = await pipeline.createKey({ scopes: ['deposits:write'] });
    assert.equal((await list('/v1/deposits?limit=many', unscoped)).code, 'insufficient_scope');
  });

  it('reads nothing where a check refuses the request', async () => {
    const suspended = await pipeline.createKey({ status: 'suspended' });
    const replayed = sign({ key: pipeline.key, target: '/v1/ping' });
    assert.equal((await send(pipeline.port, replayed)).status, 200);
    const nonce = String(replayed.headers['Svc-Nonce']);
    const refused = [
      pipeline.request({ target: '/v1/deposits', signature: WRONG }),
      pipeline.request({ target: '/v1/deposits', nonce }),
      pipeline.request({ target: '/v1/deposits', timestamp: '1' }),
      list('/v1/deposits', suspended),
    ];
    assert.deepEqual(
      (await Promise.all(refused)).map(({ code }) => code),
      ['invalid_signature', 'replayed_nonce', 'timestamp_out_of_window', 'operation_suspended'],
    );
    assert.deepEqual(await readFor(), []);
  });
});
