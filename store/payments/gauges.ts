// The gauges of stored payments for the metrics: counts over every operation, each found through an index. SQL, because
// one statement counts them all.
import type { Database } from '../database.js';
import { readChecks } from '../operations/checks.js';
import { OPEN_DEPOSIT_STATUSES, OPEN_WITHDRAWAL_STATUSES } from './open-objects.js';

export interface ReviewGauge {
  readonly kind: 'deposit' | 'withdrawal';
  readonly waiting: number;
  readonly oldestSeconds: number;
}

export interface OpenGauge {
  readonly kind: 'deposit' | 'withdrawal';
  readonly state: string;
  readonly oldestSeconds: number;
}

export interface StoredGauges {
  /** Open alerts by kind, kinds without one left out. */
  readonly alerts: Readonly<Record<string, number>>;
  /** Alerts that were ever raised, by kind. Alerts are never removed. */
  readonly raisedAlerts: Readonly<Record<string, number>>;
  /** How long the first notice of an alert has waited to be sent on. */
  readonly noticeOldestSeconds: number;
  readonly reviews: readonly ReviewGauge[];
  /** Payouts with a claimed send that no provider has confirmed. */
  readonly payoutsUnknown: number;
  /** One for each open state. */
  readonly open: readonly OpenGauge[];
  /** How long the first event that is due has waited to be taken. */
  readonly outboxOldestSeconds: number;
  readonly checks: Awaited<ReturnType<typeof readChecks>>;
  /** Of each list of received PIX that was ever read. */
  readonly sweeps: readonly {
    readonly provider: string;
    readonly part: string;
    readonly begunAt: Date;
    readonly sweptAt: Date | null;
  }[];
}

interface Row {
  readonly alerts: Record<string, number> | null;
  readonly raised_alerts: Record<string, number> | null;
  readonly notice_oldest: number;
  readonly deposits: number;
  readonly deposits_oldest: number;
  readonly withdrawals: number;
  readonly withdrawals_oldest: number;
  readonly payouts_unknown: number;
  readonly outbox_oldest: number;
}

/** Reads by operation, because the payments' indexes begin with it. */
export async function readGauges(database: Database): Promise<StoredGauges> {
  const [row] = await database.$queryRaw<Row[]>`
    SELECT
      (
        SELECT jsonb_object_agg(kind, number)
        FROM (SELECT kind, count(*) AS number FROM alert WHERE resolved_at IS NULL GROUP BY kind) AS open
      ) AS alerts,
      (
        SELECT jsonb_object_agg(kind, number) FROM (SELECT kind, count(*) AS number FROM alert GROUP BY kind) AS raised
      ) AS raised_alerts,
      coalesce(extract(epoch FROM now() - (SELECT min(created_at) FROM alert_notice)), 0)::float8 AS notice_oldest,
      coalesce(sum(deposits.number), 0)::int AS deposits,
      coalesce(extract(epoch FROM now() - min(deposits.oldest)), 0)::float8 AS deposits_oldest,
      coalesce(sum(withdrawals.number), 0)::int AS withdrawals,
      coalesce(extract(epoch FROM now() - min(withdrawals.oldest)), 0)::float8 AS withdrawals_oldest,
      coalesce(sum(payouts.number), 0)::int AS payouts_unknown,
      coalesce((
        SELECT extract(epoch FROM now() - due_at) FROM event_outbox WHERE due_at <= now() ORDER BY due_at LIMIT 1
      ), 0)::float8 AS outbox_oldest
    FROM operation
    CROSS JOIN LATERAL (
      SELECT count(*) AS number, min(created_at) AS oldest
      FROM deposit WHERE operation_id = operation.id AND status = 'under_review'
    ) AS deposits
    CROSS JOIN LATERAL (
      SELECT count(*) AS number, min(created_at) AS oldest
      FROM withdrawal WHERE operation_id = operation.id AND status = 'under_review'
    ) AS withdrawals
    CROSS JOIN LATERAL (
      SELECT count(*) AS number FROM withdrawal
      WHERE operation_id = operation.id AND status = 'approved'
        AND EXISTS (SELECT 1 FROM payout_send WHERE withdrawal_id = withdrawal.id AND state = 'claimed')
    ) AS payouts`;
  return {
    alerts: row?.alerts ?? {},
    raisedAlerts: row?.raised_alerts ?? {},
    noticeOldestSeconds: row?.notice_oldest ?? 0,
    reviews: [
      { kind: 'deposit', waiting: row?.deposits ?? 0, oldestSeconds: row?.deposits_oldest ?? 0 },
      { kind: 'withdrawal', waiting: row?.withdrawals ?? 0, oldestSeconds: row?.withdrawals_oldest ?? 0 },
    ],
    payoutsUnknown: row?.payouts_unknown ?? 0,
    open: await readOldestOpen(database),
    outboxOldestSeconds: row?.outbox_oldest ?? 0,
    checks: await readChecks(database),
    sweeps: await database.accountSweep.findMany({
      select: { provider: true, part: true, begunAt: true, sweptAt: true },
    }),
  };
}

async function readOldestOpen(database: Database): Promise<OpenGauge[]> {
  const rows = await database.$queryRaw<{ kind: OpenGauge['kind']; state: string; seconds: number }[]>`
    SELECT 'deposit' AS kind, state, extract(epoch FROM now() - oldest)::float8 AS seconds
    FROM unnest(${OPEN_DEPOSIT_STATUSES}::text[]) AS state CROSS JOIN LATERAL (
      SELECT min(first.created_at) AS oldest FROM operation CROSS JOIN LATERAL (
        SELECT created_at FROM deposit WHERE operation_id = operation.id AND status = state ORDER BY sequence LIMIT 1
      ) AS first
    ) AS found WHERE oldest IS NOT NULL
    UNION ALL
    SELECT 'withdrawal', state, extract(epoch FROM now() - oldest)::float8
    FROM unnest(${OPEN_WITHDRAWAL_STATUSES}::text[]) AS state CROSS JOIN LATERAL (
      SELECT min(first.created_at) AS oldest FROM operation CROSS JOIN LATERAL (
        SELECT created_at FROM withdrawal WHERE operation_id = operation.id AND status = state ORDER BY sequence LIMIT 1
      ) AS first
    ) AS found WHERE oldest IS NOT NULL`;
  const secondsOf = (kind: string, state: string) =>
    Math.max(0, rows.find((row) => row.kind === kind && row.state === state)?.seconds ?? 0);
  return [
    ...OPEN_DEPOSIT_STATUSES.map((state) => ({ kind: 'deposit' as const, state })),
    ...OPEN_WITHDRAWAL_STATUSES.map((state) => ({ kind: 'withdrawal' as const, state })),
  ].map(({ kind, state }) => ({ kind, state, oldestSeconds: secondsOf(kind, state) }));
}
