// The daily report: the frozen items of a closed UTC day; its last page has totals and a signed digest.
import { createHmac } from 'node:crypto';
import { invalidField, problem } from '../../contract/http/errors.js';
import type { RouteHandlers } from '../../contract/http/routes.js';
import { CURSOR_FORMAT } from '../../contract/http/schemas/fields.js';
import { enabledCurrency } from '../../domain/currencies.js';
import { timeBy } from '../../domain/operation-clock.js';
import { toMoney } from '../../domain/money.js';
import { readWebhookSecrets } from '../../store/operations/webhook-secrets.js';
import { type DayTotals, readDay, readItems } from '../../store/reconciliation/days.js';
import { ok, unavailable, type ApiDependencies } from './handler.js';

export function reconciliationHandlers({
  database,
  sealer,
  clock,
}: ApiDependencies): Pick<RouteHandlers, 'getReconciliation'> {
  return {
    getReconciliation: async ({ caller: { operation }, query: { date, currency, cursor, limit } }) => {
      if (enabledCurrency(currency) === undefined) return problem('currency_not_enabled');
      const book = { operationId: operation.id, currency };
      const now = new Date(timeBy(operation.clock, clock().getTime()));
      const read = await readDay(database, book, date, now);
      if (read.kind === 'day_open')
        return problem('day_open', { retryAfterSeconds: Math.ceil(read.untilClosedMs / 1000) });
      if (read.kind === 'catching_up') return unavailable();
      const { totals, digest } = read.day;

      const after = cursor === undefined ? 0 : positionOf(cursor, date, currency, totals.count);
      if (after === null) return invalidField('cursor', 'format', CURSOR_FORMAT);
      const items = await readItems(database, book, date, after, limit);
      const reached = after + items.length;
      if (reached < totals.count)
        return ok({
          date,
          currency,
          items,
          next_cursor: cursorAt(date, currency, reached),
          totals: null,
          digest: null,
        });

      const secrets = await readWebhookSecrets(database, sealer, operation.id, now);
      const body = { date, currency, items, next_cursor: null, totals: presentTotals(totals, currency), digest };
      return ok(
        body,
        secrets.length === 0 ? undefined : { 'Svc-Signature': signatureOf(secrets, date, currency, digest) },
      );
    },
  };
}

/** A cursor names its day and currency, so that another list refuses it. */
function cursorAt(date: string, currency: string, position: number): string {
  return Buffer.from(`${date} ${currency} ${position}`, 'utf8').toString('base64url');
}

/** The cursor's position; null unless this list issued it. */
function positionOf(cursor: string, date: string, currency: string, count: number): number | null {
  const position = Number(/ ([1-9]\d{0,8})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))?.[1] ?? 0);
  return position > 0 && position < count && cursor === cursorAt(date, currency, position) ? position : null;
}

function presentTotals(totals: DayTotals, currency: string) {
  return {
    deposits_paid: toMoney(totals.depositsPaidMinor, currency),
    withdrawals_paid: toMoney(totals.withdrawalsPaidMinor, currency),
    refunds: toMoney(totals.refundsMinor, currency),
    chargebacks: toMoney(totals.chargebacksMinor, currency),
    fees: toMoney(totals.feesMinor, currency),
    count: totals.count,
  };
}

/**
 * HMAC-SHA256(webhook secret, `v1` LF `reconciliation` LF date LF currency LF digest), one value per currently valid
 * secret, newest first. Signed at every read, so that a rotated secret never leaves a day unverifiable.
 */
export function signatureOf(secrets: readonly string[], date: string, currency: string, digest: string): string {
  const signed = ['v1', 'reconciliation', date, currency, digest].join('\n');
  return secrets.map((secret) => `v1=${createHmac('sha256', secret).update(signed, 'utf8').digest('hex')}`).join(',');
}
