// The look-ups of `gateway find` on tables of 20,000 rows: every one goes by an index.
import assert from 'node:assert/strict';
import { PAYMENT_LOOKUPS, playersLookup, REQUEST_LOOKUPS } from '../../../store/support/lookups.js';
import { createTestGateway, type TestGateway } from './support.js';

describe('gateway find: plans', function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let operation: string;
  before(async () => {
    gateway = await createTestGateway();
    operation = (await gateway.operation())['operation_id'];
  });
  after(() => gateway.close());

  it('no look-up reads a big table from end to end', async () => {
    await gateway.rows(
      `INSERT INTO deposit (id, operation_id, external_id, status, version, amount_minor, currency, method,
        player_ref, provider, request_sealed, review_reasons, end_to_end_id, created_at, updated_at, expires_at)
      SELECT 'dep_' || md5(n::text), $1, 'bulk-' || n, 'paid', 3, 1, 'BRL', 'pix', 'p-' || n, 'simulator', '\\x00',
        '{}', CASE WHEN n % 2 = 0 THEN md5('e' || n) END, now(), now(), now() FROM generate_series(1, 20000) n`,
      operation,
    );
    await gateway.rows(
      `INSERT INTO withdrawal (id, operation_id, external_id, status, version, amount_minor, currency, method,
        player_ref, provider, request_sealed, destination_type, destination_hash, review_requested, judgement,
        decision_mode, decision_reasons, rule_set_version, psp_reference, created_at, updated_at)
      SELECT 'wdr_' || md5(n::text), $1, 'bulk-' || n, 'paid', 3, 1, 'BRL', 'pix', 'p-' || n, 'simulator', '\\x00',
        'email', '\\x00', FALSE, 'passed', 'automatic', '{}', 1, CASE WHEN n % 2 = 0 THEN md5('w' || n) END, now(), now()
        FROM generate_series(1, 20000) n`,
      operation,
    );
    await gateway.rows(
      `INSERT INTO idempotency_key (operation_id, key, fingerprint, token, state, locked_at, trace_ids)
        SELECT $1, 'key-' || n, '\\x00', gen_random_uuid(), 'finished', now(), ARRAY[md5('t' || n)]
        FROM generate_series(1, 20000) n`,
      operation,
    );
    await gateway.rows(
      `INSERT INTO player (operation_id, external_ref, document_hash, document_sealed)
        SELECT $1, 'p-' || n, '\\x00', '\\x00' FROM generate_series(1, 20000) n`,
      operation,
    );
    await gateway.rows(
      `INSERT INTO return_id (return_id, deposit_id) SELECT md5('r' || n), 'dep_' || md5(n::text)
        FROM generate_series(1, 20000) n`,
    );
    await gateway.rows(
      `INSERT INTO payout_send (withdrawal_id, reference, state, cleared_at)
        SELECT 'wdr_' || md5(n::text), md5(n::text), 'known', now() FROM generate_series(1, 20000) n`,
    );
    await gateway.rows(
      `INSERT INTO alert (id, operation_id, kind, object_id, detail, occasion, created_at, resolved_at)
        SELECT 'alr_' || n, $1, 'EXTRA_PAYMENT', 'dep_' || md5(n::text), 'd', md5('a' || n), now(), now()
        FROM generate_series(1, 20000) n`,
      operation,
    );
    await gateway.rows('ANALYZE');
    const lookups = { ...PAYMENT_LOOKUPS, ...REQUEST_LOOKUPS, player_ref: playersLookup };
    for (const [kind, lookup] of Object.entries(lookups)) {
      for (const reach of ['every', [operation]] as const) {
        const { text, values } = lookup('0123456789abcdef0123456789abcdef', { reach, limit: 201 });
        const plan = (await gateway.rows(`EXPLAIN ${text}`, ...values))
          .map((row) => String(row['QUERY PLAN']))
          .join('\n');
        assert.match(plan, /Index|Bitmap/, kind);
        assert.doesNotMatch(plan, /Seq Scan on (?!operation)/, `${kind}:\n${plan}`);
      }
    }
  });
});
