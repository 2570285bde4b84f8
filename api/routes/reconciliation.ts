// The daily report: the items of a closed UTC day, and on its last page totals and a signed digest.
import { createHash, createHmac } from 'node:crypto';
import { invalidField, problem } from '../../contract/http/errors.js';
import type { RouteHandlers } from '../../contract/http/routes.js';
import { enabledCurrency } from '../../domain/currencies.js';
import { toMoney } from '../../domain/money.js';
import { readSettlements, readWebhookSecrets, type Settlement, type SettlementKind } from '../../store/reads/settlements.js';
import { ok } from './answers.js';
import type { ApiDependencies } from './dependencies.js';

/** A day closes two hours after its end. */
const CLOSES_AFTER_MS = (24 + 2) * 3_600_000;

export function reconciliationHandlers({ database, sealer, clock }: ApiDependencies): Pick<RouteHandlers, 'getReconciliation'> {
  return {
    getReconciliation: async ({ caller: { operation }, query: { date, currency, cursor, limit } }) => {
      if (enabledCurrency(currency) === undefined) return problem('currency_not_enabled');
      const day = new Date(`${date}T00:00:00.000Z`);
      const untilClosedMs = day.getTime() + CLOSES_AFTER_MS - clock().getTime();
      if (untilClosedMs > 0) return problem('day_open', { retryAfterSeconds: Math.ceil(untilClosedMs / 1000) });
      const settlements = await readSettlements(database, operation.id, currency, day);
      const items = settlements.map((settlement) => presentItem(settlement, currency));
      const start = cursor === undefined ? 0 : items.findIndex((item) => encodeCursor(item) === cursor) + 1;
      if (cursor !== undefined && start === 0) return invalidField('cursor', 'format', 'must be a next_cursor of this list');
      const page = items.slice(start, start + limit);
      const last = page.at(-1);
      if (start + limit < items.length && last !== undefined) {
        return ok({ date, currency, items: page, next_cursor: encodeCursor(last), totals: null, digest: null });
      }
      const digest = digestOf(items);
      const secrets = await readWebhookSecrets(database, sealer, operation.id, clock());
      const body = { date, currency, items: page, next_cursor: null, totals: totalsOf(settlements, currency), digest };
      return ok(body, secrets.length === 0 ? undefined : { 'Svc-Signature': signatureOf(secrets, date, currency, digest) });
    },
  };
}

function presentItem(settlement: Settlement, currency: string) {
  return {
    object_id: settlement.objectId,
    external_id: settlement.externalId,
    kind: settlement.kind,
    status: settlement.status,
    amount: toMoney(settlement.amountMinor, currency),
    fee: null,
    settled_at: settlement.settledAt.toISOString(),
  };
}
type Item = ReturnType<typeof presentItem>;

/** Items are unique by object and kind. */
function encodeCursor({ object_id, kind }: Item): string {
  return Buffer.from(`${object_id}:${kind}`, 'utf8').toString('base64url');
}

function totalsOf(settlements: readonly Settlement[], currency: string) {
  const sum = (kind: SettlementKind) =>
    toMoney(
      settlements.filter((settlement) => settlement.kind === kind).reduce((total, { amountMinor }) => total + amountMinor, 0n),
      currency,
    );
  return {
    deposits_paid: sum('deposit'),
    withdrawals_paid: sum('withdrawal'),
    refunds: sum('refund'),
    chargebacks: sum('chargeback'),
    fees: toMoney(0n, currency),
    count: settlements.length,
  };
}

/** Lowercase hex SHA-256 of the RFC 8785 (JCS) bytes of the whole day's items. */
export function digestOf(items: readonly Item[]): string {
  return createHash('sha256').update(canonicalJson(items), 'utf8').digest('hex');
}

/** RFC 8785 for what an item holds: strings, null, objects and arrays (no numbers). Keys are ASCII. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
}

/** HMAC-SHA256(webhook secret, `v1` LF `reconciliation` LF date LF currency LF digest), one value per valid secret. */
export function signatureOf(secrets: readonly string[], date: string, currency: string, digest: string): string {
  const signed = ['v1', 'reconciliation', date, currency, digest].join('\n');
  return secrets.map((secret) => `v1=${createHmac('sha256', secret).update(signed, 'utf8').digest('hex')}`).join(',');
}
