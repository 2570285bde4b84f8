// Idempotency-Keys against a real database: binding, replay, races, lapse, fencing, release, player limits, retention.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createIdempotencyStore, type IdempotencyStore } from '../../../api/middleware/idempotency.js';
import type { ClaimRequest } from '../../../api/middleware/request.js';
import { claimCall, type ClaimRow } from '../../../store/requests/idempotency-keys.js';
import { Prisma } from '../../../prisma/generated/client.js';
import { rowOf } from '../../../store/statements.js';
import { sweep } from '../../../api/sweeper.js';
import { type Answer, newIdempotencyKey, type Pipeline, startPipeline } from './harness.js';
import { placeOf } from '../../../store/sealing/places.js';

const FINGERPRINT = new Uint8Array(32).fill(7);
const REPLY = {
  status: 201,
  contentType: 'application/json; charset=utf-8',
  headers: { ETag: '"7"' },
  body: Buffer.from('{"b":1,"a":"é"}'),
};

describe('idempotency', function () {
  this.timeout(60_000);
  let pipeline: Pipeline;
  let store: IdempotencyStore;
  before(async () => {
    pipeline = await startPipeline();
    store = createIdempotencyStore(pipeline.database, pipeline.sealer);
  });
  after(() => pipeline?.close());
  beforeEach(() => pipeline.sql.query('TRUNCATE rate_bucket'));

  const post = (body: string, idempotencyKey: string, more: { target?: string; contentType?: string } = {}) =>
    pipeline.request({
      method: 'POST',
      target: more.target ?? '/v1/deposits',
      body,
      headers: {
        'Idempotency-Key': idempotencyKey,
        ...(more.contentType === undefined ? {} : { 'Content-Type': more.contentType }),
      },
    });
  const keyInOutage = async () => {
    const key = await pipeline.createKey();
    await pipeline.sql.query('UPDATE operation SET outage = true WHERE id = $1', [key.operationId]);
    return key;
  };
  const seen = ({ status, code, headers }: Answer) => [status, code, headers['idempotent-replayed']];
  const claim = async (more: Partial<ClaimRequest> = {}) => {
    const request: ClaimRequest = {
      operationId: 'op_1',
      key: newIdempotencyKey(),
      fingerprint: FINGERPRINT,
      newObjectId: `dep_${randomBytes(16).toString('hex')}`,
      playerLimit: undefined,
      traceId: randomBytes(16).toString('hex'),
      subjectId: undefined,
      ...more,
    };
    const call = claimCall(Prisma.sql`${request.operationId}`, request);
    const row = await rowOf<ClaimRow>(pipeline.database, Prisma.sql`SELECT * FROM ${call}`);
    return store.claimed(request, row!);
  };

  describe('over HTTP', () => {
    it('same key, same request → the same bytes, run once', async () => {
      const key = newIdempotencyKey();
      const [first, second] = [await post('{"note":"é"}', key), await post('{"note":"é"}', key)];
      assert.deepEqual(
        [first.status, second.status, second.text, second.headers['content-type'], second.headers['etag']],
        [201, 201, first.text, first.headers['content-type'], '"1"'],
      );
      assert.deepEqual(
        [first.headers['idempotent-replayed'], second.headers['idempotent-replayed']],
        [undefined, 'true'],
      );
    });
    for (const [title, body, target] of [
      ['another body', '{"note":"b"}', '/v1/deposits'],
      ['the same JSON in other bytes', '{ "note":"a"}', '/v1/deposits'],
      ['another query', '{"note":"a"}', '/v1/deposits?x=1'],
      ['another path', '{}', '/v1/deposits/dep_1/cancel'],
      ['an invalid body', '{', '/v1/deposits'],
    ] as const) {
      it(`same key, ${title} → idempotency_key_reused`, async () => {
        const key = newIdempotencyKey();
        await post('{"note":"a"}', key);
        assert.deepEqual(seen(await post(body, key, { target })), [409, 'idempotency_key_reused', undefined]);
      });
    }
    it('a recorded answer is sealed: nothing of it can be read in its row', async () => {
      const key = newIdempotencyKey();
      const { text } = await post('{"note":"a"}', key);
      const { rows } = await pipeline.sql.query<{ response_sealed: Buffer; operation_id: string }>(
        'SELECT response_sealed, operation_id FROM idempotency_key WHERE key = $1',
        [key],
      );
      assert.ok(!rows[0]!.response_sealed.includes('"run"'));
      const place = placeOf('idempotency_key.response_sealed', rows[0]!.operation_id, { key });
      assert.equal(pipeline.sealer.openBytes(place, rows[0]!.response_sealed).toString('utf8'), text);
    });
    it('the key of another operation is another key', async () => {
      const [idempotencyKey, other] = [newIdempotencyKey(), await pipeline.createKey()];
      const first = await post('{}', idempotencyKey);
      const second = await pipeline.request({
        key: other,
        method: 'POST',
        target: '/v1/deposits',
        body: '{}',
        headers: { 'Idempotency-Key': idempotencyKey },
      });
      assert.equal(second.status, 201);
      assert.notEqual(second.json?.['id'], first.json?.['id']);
    });
    for (const [title, makeKey, code] of [
      ['a key without the scope', () => pipeline.createKey({ scopes: ['read'] }), 'insufficient_scope'],
      ['a suspended operation', () => pipeline.createKey({ status: 'suspended' }), 'operation_suspended'],
      ['a simulated outage', () => keyInOutage(), 'service_unavailable'],
    ] as const) {
      it(`${title}: ${code}, and nothing is claimed`, async () => {
        const [key, idempotencyKey] = [await makeKey(), newIdempotencyKey()];
        const headers = { 'Idempotency-Key': idempotencyKey };
        const answer = await pipeline.request({ key, method: 'POST', target: '/v1/deposits', body: '{}', headers });
        assert.equal(answer.code, code);
        const claims = await pipeline.sql.query('SELECT FROM idempotency_key WHERE key = $1', [idempotencyKey]);
        assert.equal(claims.rowCount, 0);
      });
    }
    for (const [title, body, expected] of [
      ['a refusal of the handler', '{"note":"refuse"}', [409, 'invalid_state_transition']],
      ['a refused body', '{"zzz":1}', [400, 'validation_failed']],
      ['broken JSON', '{', [400, 'validation_failed']],
    ] as const) {
      it(`${title} is recorded, and replayed with the trace id of the first answer in body and header`, async () => {
        const key = newIdempotencyKey();
        const [first, second] = [await post(body, key), await post(body, key)];
        assert.deepEqual(seen(first), [...expected, undefined]);
        assert.deepEqual(seen(second), [...expected, 'true']);
        assert.equal(second.text, first.text);
        assert.equal(second.headers['content-type'], 'application/problem+json');
        assert.equal(second.json?.['trace_id'], first.headers['svc-trace-id']);
        assert.equal(second.headers['svc-trace-id'], first.headers['svc-trace-id']);
      });
    }
    it('5xx frees the key: a repeat runs again for the same object, another request is still refused', async () => {
      const key = newIdempotencyKey();
      const before = pipeline.runs.get('create') ?? 0;
      const ids: unknown[] = [];
      const original = pipeline.handlers['create']!;
      pipeline.handlers['create'] = (async (request: { objectId: unknown; body: unknown }) => (
        ids.push(request.objectId),
        original(request as never)
      )) as never;
      try {
        assert.deepEqual(seen(await post('{"note":"crash"}', key)), [500, 'internal_error', undefined]);
        assert.deepEqual(seen(await post('{"note":"crash"}', key)), [500, 'internal_error', undefined]);
        assert.deepEqual(seen(await post('{"note":"other"}', key)), [409, 'idempotency_key_reused', undefined]);
      } finally {
        pipeline.handlers['create'] = original;
      }
      assert.equal((pipeline.runs.get('create') ?? 0) - before, 2);
      assert.equal(new Set(ids).size, 1);
      assert.match(String(ids[0]), /^dep_[0-9a-f]{32}$/);
    });
    it('503 of a handler keeps its Retry-After and frees the key', async () => {
      const key = newIdempotencyKey();
      const [first, second] = [await post('{"note":"unavailable"}', key), await post('{"note":"unavailable"}', key)];
      assert.deepEqual(
        [first.headers['retry-after'], seen(first), seen(second)],
        ['3', [503, 'service_unavailable', undefined], [503, 'service_unavailable', undefined]],
      );
    });

    it('while the first run lasts → idempotency_in_progress, then the replay', async () => {
      const key = newIdempotencyKey();
      const running = post('{"wait":"1500"}', key);
      await new Promise((resolve) => setTimeout(resolve, 500));
      const during = await post('{"wait":"1500"}', key);
      assert.deepEqual(
        [...seen(during), during.json?.['retryable']],
        [409, 'idempotency_in_progress', undefined, true],
      );
      assert.equal((await running).status, 201);
      assert.equal((await post('{"wait":"1500"}', key)).headers['idempotent-replayed'], 'true');
    });
    it('a run that lost its key to a repeat does not answer its own result', async () => {
      const key = newIdempotencyKey();
      const running = post('{"wait":"1500"}', key);
      await new Promise((resolve) => setTimeout(resolve, 500));
      await pipeline.sql.query(`UPDATE idempotency_key SET locked_at = now() - interval '31 seconds' WHERE key = $1`, [
        key,
      ]);
      const repeat = await post('{"wait":"1500"}', key);
      assert.equal(repeat.status, 201);
      assert.deepEqual(seen(await running), [409, 'idempotency_in_progress', undefined]);
      assert.equal((await post('{"wait":"1500"}', key)).text, repeat.text);
    });
    it('the same request with another Content-Type is still the same request: its refusal is repeated', async () => {
      const key = newIdempotencyKey();
      const refused = await post('{}', key, { contentType: 'text/plain' });
      const [error] = refused.json?.['errors'] as { field: string; reason: string }[];
      assert.deepEqual([refused.status, error?.field, error?.reason], [400, 'Content-Type', 'format']);
      assert.equal((await post('{}', key)).text, refused.text);
    });
  });

  describe('trace ids', () => {
    const kept = async (key: string) =>
      (
        await pipeline.sql.query<{ trace_ids: string[]; subject_id: string | null }>(
          'SELECT trace_ids, subject_id FROM idempotency_key WHERE key = $1',
          [key],
        )
      ).rows[0];
    it('a request keeps the trace id of its answer, and an action the payment in its path', async () => {
      const [creation, action] = [newIdempotencyKey(), newIdempotencyKey()];
      const subject = `dep_${'0123456789abcdef'.repeat(2)}`;
      const created = await post('{"note":"a"}', creation);
      const acted = await post('', action, { target: `/v1/deposits/${subject}/cancel` });
      assert.deepEqual(await kept(creation), { trace_ids: [created.headers['svc-trace-id']], subject_id: null });
      assert.deepEqual(await kept(action), { trace_ids: [acted.headers['svc-trace-id']], subject_id: subject });
    });
    it('every run of a key adds its own, the latest ten', async () => {
      const key = newIdempotencyKey();
      const traceIds = Array.from({ length: 12 }, () => randomBytes(16).toString('hex'));
      for (const traceId of traceIds) {
        const run = await claim({ key, traceId });
        assert.ok(run.kind === 'owned');
        await store.release(run.reservation);
      }
      assert.deepEqual((await kept(key))?.trace_ids, traceIds.slice(2));
    });
  });

  describe('claims', () => {
    it('of 200 at once one owns the key', async () => {
      const key = newIdempotencyKey();
      const claims = await Promise.all(Array.from({ length: 200 }, () => claim({ key })));
      assert.deepEqual(
        [
          claims.filter(({ kind }) => kind === 'owned').length,
          claims.filter(({ kind }) => kind === 'in_progress').length,
        ],
        [1, 199],
      );
    });
    it('of 50 at once on a lapsed key one takes over, with the same object id and a new token', async () => {
      const key = newIdempotencyKey();
      const first = await claim({ key });
      const lockedFor = (seconds: number) =>
        pipeline.sql.query('UPDATE idempotency_key SET locked_at = now() - make_interval(secs => $2) WHERE key = $1', [
          key,
          seconds,
        ]);
      await lockedFor(29);
      assert.equal((await claim({ key })).kind, 'in_progress');
      await lockedFor(31);
      const claims = await Promise.all(Array.from({ length: 50 }, () => claim({ key })));
      const owners = claims.filter((one) => one.kind === 'owned');
      assert.equal(owners.length, 1);
      assert.ok(first.kind === 'owned' && owners[0]?.kind === 'owned');
      assert.equal(owners[0].objectId, first.objectId);
      assert.notEqual(owners[0].reservation.token, first.reservation.token);
    });
    it('a late first run neither finishes nor releases', async () => {
      const key = newIdempotencyKey();
      const late = await claim({ key });
      await pipeline.sql.query(`UPDATE idempotency_key SET locked_at = now() - interval '31 seconds' WHERE key = $1`, [
        key,
      ]);
      const current = await claim({ key });
      assert.ok(late.kind === 'owned' && current.kind === 'owned');
      assert.equal(await store.finish(late.reservation, REPLY), false);
      await store.release(late.reservation);
      assert.equal((await claim({ key })).kind, 'in_progress');
      assert.equal(await store.finish(current.reservation, REPLY), true);
      await store.release(current.reservation);
      assert.equal(await store.finish(late.reservation, { ...REPLY, status: 400 }), false);
      const repeat = await claim({ key });
      assert.deepEqual(repeat, { kind: 'finished', reply: REPLY });
    });
    it('after 30 days the key is new, for any request', async () => {
      const key = newIdempotencyKey();
      const old = await claim({ key });
      assert.ok(old.kind === 'owned');
      await store.finish(old.reservation, REPLY);
      await pipeline.sql.query(`UPDATE idempotency_key SET created_at = now() - interval '29 days' WHERE key = $1`, [
        key,
      ]);
      assert.equal((await claim({ key })).kind, 'finished');
      await pipeline.sql.query(`UPDATE idempotency_key SET created_at = now() - interval '31 days' WHERE key = $1`, [
        key,
      ]);
      const fresh = await claim({ key, fingerprint: new Uint8Array(32).fill(9) });
      assert.ok(fresh.kind === 'owned' && fresh.objectId !== old.objectId);
    });
  });

  describe('limits per player', () => {
    const limited = (bucket: string, more = {}) =>
      claim({ playerLimit: { bucket, limit: 10, what: 'Deposits', countedRefusals: ['document_mismatch'] }, ...more });
    it('the eleventh in an hour is refused, however they race', async () => {
      const bucket = `deposit:${randomBytes(4).toString('hex')}`;
      const claims = await Promise.all(Array.from({ length: 25 }, () => limited(bucket)));
      assert.deepEqual(
        [claims.filter(({ kind }) => kind === 'owned').length, claims.filter(({ kind }) => kind === 'limited').length],
        [10, 15],
      );
    });
    it('two requests of one player are counted one after the other', async () => {
      const bucket = `deposit:${randomBytes(4).toString('hex')}`;
      const call = `SELECT outcome FROM claim_idempotency_key('op_1', $1, '\\x00', $2, $3, 1, 'trace', NULL)`;
      const [first, later] = [await pipeline.sql.connect(), await pipeline.sql.connect()];
      try {
        await first.query('BEGIN');
        assert.deepEqual((await first.query(call, [newIdempotencyKey(), 'dep_1', bucket])).rows, [
          { outcome: 'owned' },
        ]);
        const waiting = later.query(call, [newIdempotencyKey(), 'dep_2', bucket]);
        await new Promise((resolve) => setTimeout(resolve, 100));
        await first.query('COMMIT');
        assert.deepEqual((await waiting).rows, [{ outcome: 'limited' }]);
      } finally {
        first.release();
        later.release();
      }
    });
    it('a repeat of the same object counts once', async () => {
      const [bucket, key] = [`deposit:${randomBytes(4).toString('hex')}`, newIdempotencyKey()];
      for (let time = 0; time < 15; time += 1) {
        const current = await limited(bucket, { key });
        assert.ok(current.kind === 'owned', `time ${time}: ${current.kind}`);
        await store.release(current.reservation);
      }
    });
    it('a refusal gives its place back when it is recorded; a counted one does not, nor does a run that lost its key', async () => {
      const bucket = `deposit:${randomBytes(4).toString('hex')}`;
      const refused = { ...REPLY, status: 422 };
      for (let time = 0; time < 15; time += 1) {
        const current = await limited(bucket);
        assert.ok(current.kind === 'owned', `time ${time}: ${current.kind}`);
        assert.equal(await store.finish(current.reservation, { ...refused, refusal: 'document_invalid' }), true);
      }
      for (let time = 0; time < 9; time += 1) {
        const current = await limited(bucket);
        assert.ok(current.kind === 'owned');
        await store.finish(current.reservation, time % 2 === 0 ? REPLY : { ...refused, refusal: 'document_mismatch' });
      }
      const key = newIdempotencyKey();
      const late = await limited(bucket, { key });
      assert.ok(late.kind === 'owned');
      await store.release(late.reservation);
      assert.equal(await store.finish(late.reservation, { ...refused, refusal: 'document_invalid' }), false);
      assert.equal((await limited(bucket)).kind, 'limited');
      const again = await limited(bucket, { key });
      assert.ok(again.kind === 'owned');
      await store.finish(again.reservation, { ...refused, refusal: 'document_invalid' });
      assert.equal((await limited(bucket)).kind, 'owned');
    });
    it('Retry-After is true: when it is over, one more passes under the same key', async () => {
      const [bucket, key] = [`deposit:${randomBytes(4).toString('hex')}`, newIdempotencyKey()];
      for (let time = 0; time < 10; time += 1) await limited(bucket);
      await pipeline.sql.query(
        `UPDATE player_hit SET at = clock_timestamp() - interval '59 minutes 58.1 seconds' WHERE bucket = $1`,
        [bucket],
      );
      const refused = await limited(bucket, { key });
      assert.ok(refused.kind === 'limited' && refused.retryAfterSeconds >= 1 && refused.retryAfterSeconds <= 2);
      await new Promise((resolve) => setTimeout(resolve, refused.retryAfterSeconds * 1_000));
      assert.equal((await limited(bucket, { key })).kind, 'owned');
    });
    it('over HTTP: refused bodies do not count, the eleventh valid one is 429, and its key stays bound', async () => {
      const player = randomBytes(4).toString('hex');
      for (let time = 0; time < 12; time += 1)
        assert.equal((await post(`{"player":"${player}","zzz":1}`, newIdempotencyKey())).status, 400);
      for (let time = 0; time < 10; time += 1)
        assert.equal((await post(`{"player":"${player}"}`, newIdempotencyKey())).status, 201);
      const key = newIdempotencyKey();
      const answer = await post(`{"player":"${player}"}`, key);
      assert.deepEqual(seen(answer), [429, 'rate_limited', undefined]);
      assert.ok(Number(answer.headers['retry-after']) > 3_500 && Number(answer.headers['retry-after']) <= 3_600);
      assert.equal(
        (await post(`{"player":"${player}","zzz":1}`, newIdempotencyKey())).status,
        400,
        'an invalid body is 400 also when the limit is reached',
      );
      assert.equal((await post('{}', key)).code, 'idempotency_key_reused');
      assert.equal((await post(`{"player":"${player}2"}`, newIdempotencyKey())).status, 201, 'another player');
    });
  });

  it('a crash of PostgreSQL empties no counter but the technical ones: the hourly limits of players still count', async () => {
    const { rows } = await pipeline.sql.query<{ relname: string }>(
      `SELECT relname FROM pg_class WHERE relpersistence = 'u' AND relkind = 'r' ORDER BY relname`,
    );
    assert.deepEqual(
      rows.map(({ relname }) => relname),
      ['rate_bucket', 'request_log', 'review_claim', 'signature_failures'],
    );
  });

  it('the sweep takes what is past its retention and nothing else', async () => {
    await pipeline.sql.query(
      'TRUNCATE nonce, idempotency_key, rate_bucket, signature_failures, player_hit, refused_order',
    );
    await pipeline.sql.query(
      `INSERT INTO nonce SELECT 'k', md5(i::text), now() - make_interval(secs => i) FROM unnest(ARRAY[10, 600, 640, 662, 9999]) AS i`,
    );
    await pipeline.sql.query(
      `INSERT INTO rate_bucket VALUES ('old', now() - interval '2 minutes'), ('new', now() + interval '1 hour')`,
    );
    await pipeline.sql.query(
      `INSERT INTO signature_failures VALUES ('192.0.2.1', ARRAY[now() - interval '5 minutes', now() - interval
        '2 minutes']), ('192.0.2.2', ARRAY[now() - interval '2 minutes', now()])`,
    );
    await pipeline.sql.query(
      `INSERT INTO player_hit VALUES ('b', 'old', now() - interval '61 minutes'), ('b', 'new', now() - interval '59 minutes')`,
    );
    await pipeline.sql.query(
      `INSERT INTO refused_order SELECT d::text, 'op_1', 'player_blocked', 'p', 'r', now() - make_interval(days => d)
        FROM unnest(ARRAY[29, 31, 32]) AS d`,
    );
    await claim({ key: 'swept-away-00000001' });
    await claim({ key: 'kept-0000000000001' });
    await pipeline.sql.query(
      `UPDATE idempotency_key SET created_at = now() - interval '31 days' WHERE key LIKE 'swept%'`,
    );
    assert.equal(await sweep(pipeline.database), 8);
    const count = async (table: string) =>
      Number((await pipeline.sql.query<{ count: string }>(`SELECT count(*) FROM ${table}`)).rows[0]?.count);
    assert.deepEqual(
      [
        await count('nonce'),
        await count('rate_bucket'),
        await count('signature_failures'),
        await count('player_hit'),
        await count('idempotency_key'),
        await count('refused_order'),
      ],
      [3, 1, 1, 1, 1, 1],
    );
  });
});
