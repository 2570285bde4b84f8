// The providers' callbacks: each is stored once, sealed, with the payments that it names. SQL, because one statement
// decides whether it is new and reads the payments.
import { createHash } from 'node:crypto';
import type { AccountName } from '../../domain/provider-accounts.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { placeOf } from '../sealing/places.js';
import type { Sealer } from '../sealing/sealer.js';
import { rowOf, rowsOf } from '../statements.js';

/** A payment named by a callback, with what its workflow needs to be reopened. */
export interface NamedPayment {
  readonly kind: 'charge' | 'payout';
  readonly id: string;
  readonly operationId: string;
  readonly operationName: string;
  readonly externalId: string;
  readonly status: string;
  readonly amountMinor: bigint;
  /** The end-to-end id of a received payment or of a sent payout; `null` before there is one. */
  readonly endToEndId: string | null;
}

/** A stored callback. */
export interface KeptCallback {
  /** All of it was passed on a moment ago. */
  readonly isRepeat: boolean;
  readonly digest: Uint8Array<ArrayBuffer>;
  readonly payments: readonly NamedPayment[];
}

/** What a callback names: ids of deposits and withdrawals, and end-to-end ids of either. */
export interface NamedIds {
  readonly deposits: string[];
  readonly withdrawals: string[];
  readonly endToEndIds: string[];
}

export interface ReceivedCallback {
  readonly provider: AccountName;
  readonly path: string;
  readonly body: Uint8Array;
  readonly at: Date;
  /** How long the same bytes count as a repeat after they were passed on. */
  readonly repeatSeconds: number;
}

/**
 * Stores a verified callback and reads the payments that it names, in one statement. The same bytes again only raise
 * its count. Payments of another provider are never returned.
 */
export async function keepCallback(
  database: Database,
  sealer: Sealer,
  callback: ReceivedCallback,
  ids: NamedIds,
): Promise<KeptCallback> {
  const { provider, path, body, at, repeatSeconds } = callback;
  const digest = new Uint8Array(createHash('sha256').update(`${provider}\n${path}\n`, 'utf8').update(body).digest());
  const sealed = sealer.sealBytes(placeOf('provider_callback.body_sealed', null, { digest }), body);
  const kept = await rowOf<Omit<KeptCallback, 'digest'>>(
    database,
    Prisma.sql`
      WITH kept AS (
        INSERT INTO provider_callback (provider, digest, body_sealed, received_at)
        VALUES (${provider}, ${digest}::bytea, ${sealed}::bytea, ${at}::timestamptz)
        ON CONFLICT (digest) DO UPDATE SET repetitions = provider_callback.repetitions + 1
        RETURNING passed_on_at > now() - make_interval(secs => ${repeatSeconds}::int) AS is_repeat
      ), named AS (
        SELECT 'charge' AS kind, id, operation_id, external_id, status, amount_minor, provider,
          end_to_end_id
        FROM deposit WHERE id = ANY(${ids.deposits}::text[]) OR end_to_end_id = ANY(${ids.endToEndIds}::text[])
        UNION ALL
        SELECT 'payout', id, operation_id, external_id, status, amount_minor, provider, psp_reference
        FROM withdrawal WHERE id = ANY(${ids.withdrawals}::text[]) OR psp_reference = ANY(${ids.endToEndIds}::text[])
      )
      SELECT (SELECT coalesce(is_repeat, false) FROM kept) AS "isRepeat", (
        SELECT coalesce(jsonb_agg(jsonb_build_object(
          'kind', named.kind, 'id', named.id, 'operationId', operation_id, 'operationName', operation.name,
          'externalId', external_id, 'status', named.status, 'amountMinor', amount_minor::text,
          'endToEndId', end_to_end_id
        )), '[]')
        FROM named JOIN operation ON operation.id = named.operation_id WHERE named.provider = ${provider}
      ) AS payments`,
  );
  if (kept === null) throw new Error('the statement that keeps a callback answered nothing');
  return { ...kept, digest };
}

/** Notes that callbacks were passed on to their payments. `digests`: hex. */
export async function notePassedOn(database: Database, digests: readonly string[]): Promise<void> {
  await rowsOf(
    database,
    Prisma.sql`
      UPDATE provider_callback SET passed_on_at = now()
      WHERE digest IN (SELECT decode(digest, 'hex') FROM unnest(${digests}::text[]) AS digest)`,
  );
}
