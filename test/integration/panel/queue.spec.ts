// The review queue at size: 100,000 payments, 10,000 of them waiting. What a page costs, and that pages follow each
// other.
import assert from 'node:assert/strict';
import { newId } from '../../../domain/identifiers.js';
import { queuePageSql } from '../../../store/support/review-queue.js';
import { WRITE_OFF_PENDING } from '../../../store/support/write-offs.js';
import { placeOf } from '../../../store/sealing/places.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { testSealer } from '../cli/support.js';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

const [PAID_DEPOSITS, PAID_WITHDRAWALS, WAITING_DEPOSITS, WAITING_WITHDRAWALS] = [60_000, 30_000, 8_000, 2_000];
const PAGE = 50;
const MOST_STATEMENTS = 6;
/** Of server time, for 95 of 100 pages. */
const MOST_MS = 150;
const PAGES_OF_A_ROUND = 20;
/** A machine that is busy with other tests slows every page of a round; one round that it leaves alone is enough. */
const MOST_ROUNDS = 6;
/** As long as a real one: a row of the table is not small. */
const SEAL = `decode(repeat('00', 400), 'hex')`;

type Json = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- answers of the panel

describe('panel: the review queue at size', function () {
  this.timeout(120_000);
  let world: PanelWorld;
  let person: Person;
  let operationId: string;

  before(async () => {
    world = await createPanelWorld();
    operationId = (await world.gateway.operation())['operation_id'];
    await fill(world, operationId);
    person = await world.person('rita', ['reviewer']);
  });
  after(() => world.close());

  const page = async (query: string) => {
    const { status, body, text } = await person.get(`/queue?${query}`);
    assert.equal(status, 200, text);
    return body as { items: Json[]; next: string | null; as_of: string };
  };

  /** The server times of pages that follow each other, the shortest first. */
  const roundOf = async (query: string) => {
    world.logged.length = 0;
    for (let count = 0; count < PAGES_OF_A_ROUND; count += 1) await page(query);
    return world.logged.map((line) => (JSON.parse(line) as { durationMs: number }).durationMs).sort(by);
  };

  for (const sort of ['urgency', 'age', 'amount'])
    it(`${sort}: the first 50 in at most ${MOST_STATEMENTS} statements, p95 within ${MOST_MS} ms`, async () => {
      await page(`sort=${sort}`);
      world.statements.length = 0;
      assert.equal((await page(`sort=${sort}`)).items.length, PAGE);
      const { length } = world.statements;
      assert.ok(length > 0 && length <= MOST_STATEMENTS, world.statements.join('\n'));
      const rounds: string[] = [];
      for (let p95 = Infinity; p95 > MOST_MS;) {
        assert.ok(rounds.length < MOST_ROUNDS, `no round within ${MOST_MS} ms: ${rounds.join('; ')}`);
        const durations = await roundOf(`sort=${sort}`);
        p95 = durations[Math.ceil(PAGES_OF_A_ROUND * 0.95) - 1] ?? Infinity;
        rounds.push(`p50 ${durations[PAGES_OF_A_ROUND / 2 - 1]} ms, p95 ${p95} ms`);
      }
      console.log(`      ${length} statements; ${rounds.at(-1)} of server time`);
    });

  it('pages follow each other without a gap or a repetition, whatever comes in between', async () => {
    const filter = 'kind=withdrawal&sort=urgency&min_amount=190000';
    const first = await page(filter);
    const seen = first.items.map(({ id }) => String(id));
    const late = await insertWaiting(world, operationId, [{ amount: '99999900', minutes: 1 }]);
    for (let { next } = first; next !== null;) {
      const following = await page(`${filter}&cursor=${next}`);
      assert.equal(following.as_of, first.as_of);
      seen.push(...following.items.map(({ id }) => String(id)));
      ({ next } = following);
    }
    const all = await world.gateway.rows(
      `SELECT id FROM withdrawal WHERE status = 'under_review' AND amount_minor >= 190000 AND NOT (id = ANY($1))
       ORDER BY amount_minor * extract(epoch FROM $2::timestamptz - review_since) DESC, id DESC`,
      late,
      first.as_of,
    );
    assert.ok(all.length > 2 * PAGE);
    // What came later and belongs before the first page is not among the next ones.
    assert.deepEqual(
      seen.filter((id) => !late.includes(id)),
      all.map(({ id }) => String(id)),
    );
  });

  it('money × age: more money waits shorter', async () => {
    const [small, large] = await insertWaiting(world, operationId, [
      { amount: '2000000000', minutes: 100 },
      { amount: '4000000000', minutes: 60 },
    ]);
    const urgent = (await page('sort=urgency')).items.map(({ id }) => String(id));
    assert.deepEqual(urgent.slice(0, 2), [large, small]);
    const { items } = await page('sort=age&min_amount=2000000000');
    assert.deepEqual(
      items.map(({ id, is_overdue: late }) => [id, late]),
      [
        [small, true],
        [large, true],
      ],
    );
  });

  it('filters by reason and operation', async () => {
    const { items } = await page(`reason=PAYER_UNKNOWN&operation=${operationId}`);
    assert.ok(items.length === PAGE && items.every(({ kind }) => kind === 'deposit'));
    assert.deepEqual((await page('reason=NOTHING')).items, []);
  });

  it('the operator’s own reasons follow the codes with their prefix', async () => {
    const [waiting] = (await page('kind=withdrawal')).items;
    const reasons = [
      { from: 'rules', code: 'FIRST_WITHDRAWAL', compared: null },
      { from: 'operator', text: 'OP:bonus abuse' },
    ];
    assert.deepEqual(waiting?.['reasons'], reasons);
    assert.deepEqual((await person.get(`/cases/${waiting?.['id']}`)).body['reasons'], reasons);
  });

  it('counts lost payouts by the index of those that wait', async () => {
    const { text, values } = WRITE_OFF_PENDING;
    const rows = await world.gateway.rows(`EXPLAIN SELECT operation_id FROM withdrawal WHERE ${text}`, ...values);
    assert.match(JSON.stringify(rows), /withdrawal_write_off_idx/);
  });

  it('reads no payment that does not wait', async () => {
    for (const sort of ['urgency', 'age', 'amount'] as const) {
      const { text, values } = queuePageSql({
        ...{ reach: 'every', operationId: null, kind: null, reason: null, leastMinor: null, work: null },
        ...{ person: 'rita', sort, asOf: new Date().toISOString(), after: null, take: PAGE + 1 },
      });
      // An index is read alone once a VACUUM has marked its pages, which a VACUUM during a read does not do.
      await eventually(async () => {
        await world.gateway.rows('VACUUM ANALYZE deposit, withdrawal');
        const rows = await world.gateway.rows(`EXPLAIN ${text}`, ...values);
        return !rows.some((row) => /Seq Scan on (deposit|withdrawal)/.test(String(row['QUERY PLAN'])));
      }, `a plan for ${sort} that reads no other payment`);
    }
  });
});

const by = (one: number, other: number) => one - other;

async function fill(world: PanelWorld, operationId: string): Promise<void> {
  // Without the triggers that keep sums: nothing here reads them.
  await world.gateway.rows(`SET session_replication_role = replica`);
  await world.gateway.rows(
    `INSERT INTO deposit (id, operation_id, external_id, status, version, amount_minor, paid_amount_minor, currency,
      method, player_ref, provider, request_sealed, review_reasons, review_since, created_at, updated_at, expires_at)
    SELECT 'dep_' || md5(n::text), $1, 'bulk-' || n, CASE WHEN n > $2 THEN 'under_review' ELSE 'paid' END, 3,
      1000 + n % 50000, 1000 + n % 50000, 'BRL', 'pix', 'p-' || n, 'simulator', ${SEAL},
      CASE WHEN n > $2 THEN ARRAY['PAYER_UNKNOWN'] ELSE '{}' END,
      CASE WHEN n > $2 THEN now() - (n % 7200) * interval '1 second' END, now(), now(), now()
    FROM generate_series(1, $2::int + $3::int) n`,
    operationId,
    PAID_DEPOSITS,
    WAITING_DEPOSITS,
  );
  await world.gateway.rows(
    `INSERT INTO withdrawal (id, operation_id, external_id, status, version, amount_minor, currency, method,
      player_ref, provider, request_sealed, destination_type, destination_hash, review_requested, judgement,
      decision_mode, decision_reasons, rule_set_version, created_at, updated_at)
    SELECT 'wdr_' || md5(n::text), $1, 'bulk-' || n, 'paid', 3, 1000, 'BRL', 'pix', 'p-' || n, 'simulator', ${SEAL},
      'email', '\\x00', FALSE, 'passed', 'automatic', '{}', 1, now(), now()
    FROM generate_series(1, $2::int) n`,
    operationId,
    PAID_WITHDRAWALS,
  );
  await insertWaiting(
    world,
    operationId,
    Array.from({ length: WAITING_WITHDRAWALS }, (_, number) => ({
      amount: String(100_000 + number * 50),
      minutes: 5 + (number % 90),
    })),
  );
  await world.gateway.rows('VACUUM ANALYZE deposit, withdrawal');
}

/** Withdrawals that wait for so many minutes; their ids. */
async function insertWaiting(
  { gateway }: PanelWorld,
  operationId: string,
  waiting: readonly { readonly amount: string; readonly minutes: number }[],
): Promise<string[]> {
  const ids = waiting.map(() => newId('withdrawal'));
  const asked = {
    player: { document: { type: 'CPF', number: '52998224725' } },
    destination: { pix: { type: 'email', key: 'player@example.com' } },
    review_reasons: ['bonus abuse'],
  };
  const request = Buffer.from(JSON.stringify(asked));
  const seals = ids.map((id) =>
    Buffer.from(testSealer.sealBytes(placeOf('withdrawal.request_sealed', operationId, { id }), request)).toString(
      'hex',
    ),
  );
  await gateway.rows(
    `INSERT INTO withdrawal (id, operation_id, external_id, status, version, amount_minor, currency, method,
      player_ref, provider, request_sealed, destination_type, destination_hash, review_requested, judgement,
      decision_mode, decision_reasons, rule_set_version, review_since, created_at, updated_at)
    SELECT id, $1, id, 'under_review', 1, amount::numeric, 'BRL', 'pix', id, 'simulator', decode(seal, 'hex'), 'email',
      '\\x00', FALSE, 'passed', 'manual', ARRAY['FIRST_WITHDRAWAL'], 1, now() - minutes * interval '1 minute', now(), now()
    FROM unnest($2::text[], $3::text[], $4::int[], $5::text[]) AS waiting (id, amount, minutes, seal)`,
    operationId,
    ids,
    waiting.map(({ amount }) => amount),
    waiting.map(({ minutes }) => minutes),
    seals,
  );
  return ids;
}
