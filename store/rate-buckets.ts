// Token buckets that all processes share (prisma/functions/take_token.sql).
import type { Database } from './database.js';

export interface BucketRate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Takes a token. Returns 0 if there was one, otherwise the seconds until there is. */
export async function takeToken(
  database: Pick<Database, '$queryRaw'>,
  bucket: string,
  { perSecond, burst }: BucketRate,
): Promise<number> {
  const [row] = await database.$queryRaw<{ seconds: number }[]>`
    SELECT take_token(${bucket}, ${perSecond}::double precision, ${burst}::double precision) AS seconds`;
  return row?.seconds ?? 0;
}
