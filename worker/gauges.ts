// Updates the gauges of the stored payments before a scrape, at most every 15 s and within a time limit.
import { ALERTS, type AlertKind } from '../domain/alerts.js';
import type { Database } from '../store/database.js';
import { readGauges, type StoredGauges } from '../store/payments/gauges.js';
import { clearGauge, count, setGauge, showTotal } from '../platform/telemetry/instruments.js';

const FRESH_MS = 15_000;
const READ_LIMIT_MS = 3_000;

/** Returns the refresh function of a scrape. Concurrent scrapes share one read. A failed read clears the gauges. */
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

function show(stored: StoredGauges): void {
  const { alerts, raisedAlerts, reviews, payoutsUnknown, open, outboxOldestSeconds, checks, sweeps } = stored;
  // Every alert kind has a series, so that alerting rules see a zero instead of a gap.
  for (const alert of Object.keys(ALERTS) as AlertKind[]) {
    setGauge('gateway_open_alerts', { alert }, alerts[alert] ?? 0);
    showTotal('gateway_alerts_raised_total', { alert, class: ALERTS[alert].class }, raisedAlerts[alert] ?? 0);
  }
  setGauge('gateway_alert_notice_oldest_seconds', {}, Math.max(0, stored.noticeOldestSeconds));
  for (const { kind, waiting, oldestSeconds } of reviews) {
    setGauge('gateway_reviews_waiting', { kind }, waiting);
    setGauge('gateway_review_oldest_seconds', { kind }, oldestSeconds);
  }
  setGauge('gateway_payouts_unknown', {}, payoutsUnknown);
  setGauge('gateway_webhook_outbox_oldest_seconds', {}, outboxOldestSeconds);
  for (const { kind, state, oldestSeconds } of open)
    setGauge('gateway_open_oldest_seconds', { kind, state }, oldestSeconds);
  for (const { name: check, succeededAt, problems } of checks) {
    setGauge('gateway_check_last_success_timestamp_seconds', { check }, (succeededAt?.getTime() ?? 0) / 1_000);
    setGauge('gateway_check_problems', { check }, problems);
  }
  for (const { provider, part, begunAt, sweptAt } of sweeps)
    setGauge('gateway_account_sweep_timestamp_seconds', { provider, part }, (sweptAt ?? begunAt).getTime() / 1_000);
  const measured = checks.find(({ name }) => name === 'open_workflows')?.figures;
  setGauge('gateway_open_history_events', {}, Number(measured?.['historyEvents'] ?? 0));
  setGauge('gateway_open_pending_attempts', {}, Number(measured?.['pendingAttempts'] ?? 0));
}

function hide(): void {
  for (const name of [
    'gateway_open_alerts',
    'gateway_alert_notice_oldest_seconds',
    'gateway_reviews_waiting',
    'gateway_review_oldest_seconds',
    'gateway_payouts_unknown',
    'gateway_webhook_outbox_oldest_seconds',
    'gateway_open_oldest_seconds',
    'gateway_open_history_events',
    'gateway_open_pending_attempts',
    'gateway_check_last_success_timestamp_seconds',
    'gateway_check_problems',
    'gateway_account_sweep_timestamp_seconds',
  ] as const)
    clearGauge(name);
}
