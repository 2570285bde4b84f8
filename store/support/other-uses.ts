// In which other payments of an operation a PIX key, or a payer, was seen. SQL, because one pass over the index counts
// payments and players.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowsOf } from '../statements.js';

const LATEST = 10;

export interface OtherUse {
  readonly id: string;
  readonly playerRef: string;
  readonly status: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly createdAt: string;
}

export interface OtherUses {
  readonly payments: number;
  readonly players: number;
  readonly latest: readonly OtherUse[];
}

export interface UsedBy {
  readonly operationId: string;
  readonly id: string;
  readonly playerRef: string;
  readonly hash: Uint8Array;
}

/** `payments` without this one, `players` without this one’s. */
export async function readOtherUses(
  database: Database,
  of: 'key' | 'payer',
  { operationId, id, playerRef, hash }: UsedBy,
): Promise<OtherUses> {
  const table = Prisma.raw(of === 'key' ? 'withdrawal' : 'deposit');
  const column = Prisma.raw(of === 'key' ? 'destination_hash' : 'payer_document_hash');
  const same = Prisma.sql`operation_id = ${operationId} AND ${column} = ${Buffer.from(hash)} AND id <> ${id}`;
  const [counted, latest] = await Promise.all([
    rowsOf<{ payments: number; players: number }>(
      database,
      Prisma.sql`
        SELECT count(*)::int AS payments,
          (count(DISTINCT player_ref) FILTER (WHERE player_ref <> ${playerRef}))::int AS players
        FROM ${table} WHERE ${same}`,
    ),
    rowsOf<OtherUse>(
      database,
      Prisma.sql`
        SELECT id, player_ref AS "playerRef", status, amount_minor AS "amountMinor", currency,
          created_at AS "createdAt"
        FROM ${table} WHERE ${same} ORDER BY created_at DESC LIMIT ${LATEST}`,
    ),
  ]);
  return { payments: counted[0]?.payments ?? 0, players: counted[0]?.players ?? 0, latest };
}
