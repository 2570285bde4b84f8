// A history of payments made by SQL in one go: what a database looks like after months of business. A crowd of players
// with ten payments each fills it up to the wanted size; the players that are measured have the same history at every
// size.
import type pg from 'pg';
import { BANK_KIND_OF, type LedgerMovement, postingsOf } from '../../../domain/ledger.js';
import type { PixKeyType } from '../../../domain/pix.js';
import { documentHash, pixKeyHash, type Sealer } from '../../../store/sealing/sealer.js';
import { placeOf } from '../../../store/sealing/places.js';

export interface MeasuredPlayer {
  readonly ref: string;
  /** A CPF, which is their PIX key too. */
  readonly document: string;
  readonly payments: number;
}

export interface HistoryOptions {
  readonly operationId: string;
  /** Deposits and withdrawals together, those of the measured players included. */
  readonly payments: number;
  readonly players: readonly MeasuredPlayer[];
  /** The last payment is right before it, the first this many days earlier. */
  readonly end: Date;
  readonly days: number;
  /** Also ledger entries, balances and events: what the reads serve. */
  readonly complete: boolean;
}

const CROWD_PAYMENTS_EACH = 10;
const KEY_TYPE: PixKeyType = 'cpf';

/**
 * Writes the history and has the tables analysed. Of ten payments three are withdrawals (two paid, one rejected) and
 * seven deposits (five paid by the player, one expired, one cancelled). Rows are written in the order of time, so that
 * a player's payments lie apart from one another, as they do in life.
 */
export async function writeHistory(client: pg.ClientBase, sealer: Sealer, options: HistoryOptions): Promise<void> {
  await client.query('SET synchronous_commit = off');
  await plan(client, sealer, options);
  await writePlayers(client, sealer, options);
  await writeDeposits(client, sealer, options);
  await writeWithdrawals(client, sealer, options);
  await writeDecisions(client, options);
  if (options.complete) {
    await writeLedger(client, options);
    await writeEvents(client, sealer, options);
  }
  await client.query('DROP TABLE planned');
  await client.query('VACUUM (ANALYZE, INDEX_CLEANUP ON)');
  await client.query('RESET synchronous_commit');
}

/**
 * Table `planned`: every payment that there shall be; the fraction of a hash spreads a player's payments over the days.
 */
async function plan(
  client: pg.ClientBase,
  sealer: Sealer,
  { operationId, payments, players, end, days }: HistoryOptions,
): Promise<void> {
  const crowd = Math.max(
    0,
    Math.floor((payments - players.reduce((sum, player) => sum + player.payments, 0)) / CROWD_PAYMENTS_EACH),
  );
  const hex = (hash: Uint8Array) => Buffer.from(hash).toString('hex');
  const measured = players.map(({ ref, document, payments: own }) => ({
    ref,
    document: hex(documentHash(sealer, operationId, document)),
    key: hex(pixKeyHash(sealer, operationId, document, KEY_TYPE)),
    own,
  }));
  await client.query(
    `CREATE TEMP TABLE planned AS
     WITH person AS (
       SELECT ref, decode(document, 'hex') AS document, decode("key", 'hex') AS key, own
         FROM jsonb_to_recordset($1::jsonb) AS measured(ref text, document text, "key" text, own int)
       UNION ALL
       SELECT 'crowd-' || number, sha256(convert_to('document' || number, 'UTF8')), sha256(convert_to('key' || number,
         'UTF8')), $2::int FROM generate_series(1, $3::int) AS number
     ), payment AS (
       SELECT ref, document, key, number % 10 AS lot, md5($4::text || ref || ':' || number) AS token,
         $5::timestamptz - make_interval(secs => $6::int * 86400 * (('x' || substr(md5(ref || number), 1,
           7))::bit(28)::int / 268435456.0)::float8) AS at
       FROM person CROSS JOIN LATERAL generate_series(1, own) AS number
     )
     SELECT *, 1000 + ('x' || substr(token, 1, 4))::bit(16)::int AS amount FROM payment ORDER BY at`,
    [JSON.stringify(measured), CROWD_PAYMENTS_EACH, crowd, operationId, end.toISOString(), days],
  );
}

/** The place of values that no bench opens: only their size matters. */
const SOMEWHERE = placeOf('deposit.request_sealed', 'op_bench', { id: 'dep_bench' });

/** Table `sealed`: one value for each of the ids, bound to its row like every stored value. */
async function sealEach(client: pg.ClientBase, idsSql: string, sealedFor: (id: string) => Uint8Array): Promise<void> {
  await client.query('DROP TABLE IF EXISTS sealed');
  await client.query('CREATE TEMP TABLE sealed (id text PRIMARY KEY, value bytea NOT NULL)');
  const { rows } = await client.query<{ id: string }>(idsSql);
  for (let start = 0; start < rows.length; start += SEALED_AT_ONCE) {
    const ids = rows.slice(start, start + SEALED_AT_ONCE).map(({ id }) => id);
    const values = ids.map((id) => Buffer.from(sealedFor(id)));
    await client.query('INSERT INTO sealed SELECT * FROM unnest($1::text[], $2::bytea[])', [ids, values]);
  }
}
const SEALED_AT_ONCE = 5_000;

async function writePlayers(client: pg.ClientBase, sealer: Sealer, { operationId }: HistoryOptions): Promise<void> {
  const sealed = Buffer.from(
    sealer.sealBytes(SOMEWHERE, Buffer.from('{"type":"CPF","number":"52998224725","country":"BR"}')),
  );
  await client.query(
    `INSERT INTO player (operation_id, external_ref, document_hash, document_sealed, revision, created_at)
     SELECT $1, ref, document, $2, count(*), min(at) FROM planned GROUP BY ref, document`,
    [operationId, sealed],
  );
}

async function writeDeposits(client: pg.ClientBase, sealer: Sealer, { operationId }: HistoryOptions): Promise<void> {
  const player = {
    external_ref: 'player',
    document: { type: 'CPF', number: '52998224725', country: 'BR' },
    name: 'Maria Exemplo da Silva',
    email: 'maria@example.test',
    ip: '203.0.113.9',
  };
  const request = Buffer.from(sealer.sealBytes(SOMEWHERE, Buffer.from(JSON.stringify({ player }))));
  const payer = {
    document: { type: 'CPF', number: '52998224725', country: 'BR' },
    name: 'Maria Exemplo da Silva',
    matchesPlayer: true,
  };
  const payerText = Buffer.from(JSON.stringify(payer));
  await sealEach(client, `SELECT 'dep_' || token AS id FROM planned WHERE lot > 4`, (id) =>
    sealer.sealBytes(placeOf('deposit.payer_sealed', operationId, { id }), payerText),
  );
  await client.query(
    `INSERT INTO deposit (id, operation_id, external_id, status, version, amount_minor, currency,
      paid_amount_minor, method, player_ref, provider, request_sealed,
       payer_sealed, payer_document_hash, copy_paste, instructions_expires_at, end_to_end_id, review_reasons,
         created_at, updated_at, paid_at, expires_at)
     SELECT 'dep_' || token, $1, token, status, 3, amount, 'BRL',
       CASE WHEN status = 'paid' THEN amount END, 'pix', ref, 'simulator', $2,
       CASE WHEN status = 'paid' THEN sealed.value END,
         CASE WHEN status = 'paid' THEN document END, repeat('0', 180), at + interval '30 minutes',
       CASE WHEN status = 'paid' THEN 'E' || upper(substr(token, 1, 31)) END, '{}', at, at + interval '5 minutes',
       CASE WHEN status = 'paid' THEN at + interval '5 minutes' END, at + interval '30 minutes'
     FROM (SELECT *, CASE lot WHEN 3 THEN 'expired' WHEN 4 THEN 'cancelled' ELSE 'paid' END AS status FROM planned
       WHERE lot > 2) AS made LEFT JOIN sealed ON sealed.id = 'dep_' || token ORDER BY at`,
    [operationId, request],
  );
}

async function writeWithdrawals(client: pg.ClientBase, sealer: Sealer, { operationId }: HistoryOptions): Promise<void> {
  const player = {
    external_ref: 'player',
    document: { type: 'CPF', number: '52998224725', country: 'BR' },
    ip: '203.0.113.9',
    device_id: 'device-1',
  };
  const sealed = Buffer.from(
    sealer.sealBytes(
      SOMEWHERE,
      Buffer.from(JSON.stringify({ player, destination: { pix: { key_type: KEY_TYPE, key: '52998224725' } } })),
    ),
  );
  await client.query(
    `INSERT INTO withdrawal (id, operation_id, external_id, status, version, amount_minor, currency, method,
      player_ref, provider, request_sealed, destination_type,
       destination_hash, ip_hash, device_hash, review_requested, judgement, decision_mode, decision_reasons, rule_set_version, decided_at,
         created_at, updated_at, paid_at)
     SELECT 'wdr_' || token, $1, token, status, 3, amount / 10 + 1, 'BRL', 'pix', ref, 'simulator', $2, $3, key,
       document, key, FALSE, 'passed', 'automatic', '{}', 1, at, at, at + interval '1 minute',
       CASE WHEN status = 'paid' THEN at + interval '1 minute' END
     FROM (SELECT *, CASE lot WHEN 0 THEN 'rejected' ELSE 'paid' END AS status FROM planned WHERE lot <= 2) AS made
       ORDER BY at`,
    [operationId, sealed, KEY_TYPE],
  );
}

/** One decision each. Their facts are left out: nothing reads them here, and they would be most of the database. */
async function writeDecisions(client: pg.ClientBase, { operationId }: HistoryOptions): Promise<void> {
  await client.query(
    `INSERT INTO decision (operation_id, object_id, stage, rule_set_version, facts, thresholds, verdicts,
      outcome, digest, decided_at)
     SELECT $1, CASE WHEN lot > 2 THEN 'dep_' ELSE 'wdr_' END || token, 'creation', 1, '{}', '{}', '[]', '{}', token,
       at FROM planned ORDER BY at`,
    [operationId],
  );
}

/** What each payment moved, and the balances that follow. */
async function writeLedger(client: pg.ClientBase, { operationId }: HistoryOptions): Promise<void> {
  const sources: Partial<Record<LedgerMovement, string>> = {
    deposit_credited: `SELECT id AS object, '3' AS step, amount_minor, paid_at AS at FROM deposit WHERE operation_id = $1
      AND status = 'paid'`,
    withdrawal_reserved: `SELECT id AS object, '1' AS step, amount_minor, created_at AS at FROM withdrawal
      WHERE operation_id = $1`,
    withdrawal_released: `SELECT id AS object, '2' AS step, amount_minor, updated_at AS at FROM withdrawal
    WHERE operation_id = $1
      AND status = 'rejected'`,
    withdrawal_paid: `SELECT id AS object, '3' AS step, amount_minor, paid_at AS at FROM withdrawal WHERE operation_id = $1
      AND status = 'paid'`,
  };
  for (const [movement, source] of Object.entries(sources)) {
    const kind = BANK_KIND_OF[movement as LedgerMovement];
    if (kind !== null)
      await client.query(
        `INSERT INTO bank_movement (account, kind, bank_id, part, operation_id, object_id, step, currency, amount_minor,
           settled_at, said_by, recorded_at)
         SELECT 'simulator', $2, 'E' || md5(object), '', $1, object, step, 'BRL', amount_minor, at, 'provider', at
           FROM (${source}) AS moved ORDER BY at, object`,
        [operationId, kind],
      );
    // The accounts of the movement, with the sign that each side has.
    const sides = postingsOf(movement as LedgerMovement, 1n).map(({ account, amountMinor }) => ({
      account,
      sign: Number(amountMinor),
    }));
    await client.query(
      `INSERT INTO ledger_entry (operation_id, provider, object_id, step, movement, currency, account, amount_minor,
        created_at)
       SELECT $1, (SELECT provider FROM operation WHERE id = $1), object, step, $2, 'BRL', account, amount_minor * sign, at
         FROM (${source}) AS moved, jsonb_to_recordset($3::jsonb) AS side(account text, sign int) ORDER BY at, object`,
      [operationId, movement, JSON.stringify(sides)],
    );
  }
  await client.query(
    `UPDATE ledger_account SET balance_minor = coalesce((SELECT sum(amount_minor) FROM ledger_entry AS entry
       WHERE entry.operation_id = $1 AND entry.currency = ledger_account.currency
         AND entry.provider = ledger_account.provider AND entry.account = ledger_account.account), 0) WHERE operation_id = $1`,
    [operationId],
  );
}

/** Two events of each payment, in the order of time. */
async function writeEvents(client: pg.ClientBase, sealer: Sealer, { operationId }: HistoryOptions): Promise<void> {
  const object = { id: `dep_${'0'.repeat(32)}`, note: 'x'.repeat(900) };
  const made = `(SELECT 'evt_' || md5(object || version) AS id, * FROM (
       SELECT CASE WHEN lot > 2 THEN 'dep_' ELSE 'wdr_' END || token AS object,
         CASE WHEN lot > 2 THEN 'deposit.' ELSE 'withdrawal.' END AS kind, at FROM planned) AS payment,
       generate_series(2, 3) AS version) AS made`;
  await sealEach(client, `SELECT id FROM ${made}`, (id) => {
    const body = { id, type: 'deposit.paid', operation_id: operationId, data: { object } };
    return sealer.sealBytes(placeOf('event.body_sealed', operationId, { id }), Buffer.from(JSON.stringify(body)));
  });
  await client.query(
    `INSERT INTO event (id, operation_id, sequence, type, object_id, object_version, body_sealed, created_at)
     SELECT id, $1, row_number() OVER (ORDER BY at, object, version), kind || version, object, version, value, at
     FROM ${made} JOIN sealed USING (id) ORDER BY at, object, version`,
    [operationId],
  );
  await client.query(
    `UPDATE operation_counter SET event_sequence = (SELECT max(sequence) FROM event WHERE operation_id = $1)
      WHERE operation_id = $1`,
    [operationId],
  );
}
