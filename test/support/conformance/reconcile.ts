// How the small operator compares a closed day with its own entries.
import {
  compareReconciliation,
  ProblemError,
  readReconciliationDay,
  reconciliationDigest,
  verifyReconciliationSignature,
} from '../../../client/index.js';
import type { GatewayClient } from '../../../client/index.js';
import type { AdapterCredentials } from '../../../conformance/operator/adapter.js';
import type { Entry } from './entry.js';

export interface BookKeeping {
  readonly computesDigest: boolean;
  readonly readsAllPages: boolean;
  readonly looksBothWays: boolean;
  readonly openDayAgrees: boolean;
}

/** Whether the day agrees with the entries that were paid on it. */
export async function reconcile(
  client: GatewayClient,
  credentials: AdapterCredentials | null,
  entries: ReadonlyMap<string, Entry>,
  books: BookKeeping,
  { date, currency }: { readonly date: string; readonly currency: string },
): Promise<boolean> {
  try {
    const day = await readReconciliationDay(client, { date, currency });
    const items = books.readsAllPages ? day.items : day.items.slice(0, 2);
    const digest = books.computesDigest ? reconciliationDigest(day.items) : day.digest;
    const isProven =
      digest === day.digest &&
      verifyReconciliationSignature({ ...day, digest }, [credentials?.webhook_secret ?? 'none']);
    const own = [...entries.values()]
      .filter(({ paidAt, money }) => paidAt?.startsWith(date) === true && (money === 'credited' || money === 'settled'))
      .map(({ externalId, kind, amountMinor }) => ({ external_id: externalId, kind, amount: String(amountMinor) }));
    const differences = compareReconciliation(items, own).filter(
      ({ problem }) => books.looksBothWays || problem !== 'missing_at_service',
    );
    return isProven && differences.length === 0;
  } catch (error) {
    return books.openDayAgrees && error instanceof ProblemError && error.code === 'day_open';
  }
}
