// Brings the gauges of the stored payments up to date before a scrape; not more often than every 15 s, and not for long.
import { ALERTS, type AlertKind } from '../domain/alerts.js';
import type { Database } from '../store/database.js';
import { readGauges, type StoredGauges } from '../store/payments/gauges.js';
import { clearGauge, count, setGauge } from '../platform/telemetry/instruments.js';

const FRESH_MS = 15_000;
const READ_LIMIT_MS = 3_000;

/** A refresher for a scrape: shares a running read, and shows nothing rather than something old when Postgres is away. */
export function storedGauges(database: Database, nowMs: () => number): () => Promise<void> {
  let readAtMs = -Infinity;
  let reading: Promise<void> | undefined;
  const read = async () => {
    try {
      const late = new Promise<never>((_, reject) =>
        setTimeout(() => reject(new Error('too slow')), READ_LIMIT_MS).unref(),
      );
      show(await Promise.race([readGauges(database), late]));
      readAtMs = nowMs();
    } catch {
      readAtMs = -Infinity;
      hide();
      count('gateway_reads_failed_total', {});
    }
  };
  return () => {
    if (nowMs() - readAtMs < FRESH_MS) return Promise.resolve();
    reading ??= read().finally(() => (reading = undefined));
    return reading;
  };
}

function show({ alerts, reviews, payoutsUnknown }: StoredGauges): void {
  // Every alert has its series, so that a rule sees a zero and not a gap.
  for (const alert of Object.keys(ALERTS) as AlertKind[])
    setGauge('gateway_open_alerts', { alert }, alerts[alert] ?? 0);
  for (const { kind, waiting, oldestSeconds } of reviews) {
    setGauge('gateway_reviews_waiting', { kind }, waiting);
    setGauge('gateway_review_oldest_seconds', { kind }, oldestSeconds);
  }
  setGauge('gateway_payouts_unknown', {}, payoutsUnknown);
}

function hide(): void {
  for (const name of [
    'gateway_open_alerts',
    'gateway_reviews_waiting',
    'gateway_review_oldest_seconds',
    'gateway_payouts_unknown',
  ] as const)
    clearGauge(name);
}
