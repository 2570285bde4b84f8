// Looking withdrawals up by the PIX key that they go to: an e-mail address, a phone number, a random key. It is written
// to the audit trail before the result is shown: by whom and how many; never the key.
import type { Database } from '../../store/database.js';
import { appendAudit } from '../../store/audit/audit.js';
import { readFoundPayments } from '../../store/support/found-payments.js';
import { matchPixKey } from '../../store/players/by-key.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { Hit } from '../reads/find/find.js';
import type { Viewer } from '../viewer.js';

/** Whether the text has the form of such a key. Tax numbers are looked up as documents. */
export function isSearchedKey(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$|^\+\d{8,15}$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

export async function searchByKey(
  { database, sealer }: { readonly database: Database; readonly sealer: Sealer },
  { handle: person, reach }: Viewer,
  { key, limit }: { readonly key: string; readonly limit: number },
): Promise<Hit[]> {
  const payments = await matchPixKey(database, sealer, { key, reach, limit });
  const detail = { payments: payments.length };
  await appendAudit(database, { person, action: 'search.pix_key', operationId: null, subject: null, detail });
  const found_by = ['pix_key'] as const;
  return (await readFoundPayments(database, payments)).map((payment) => ({ found_by, ...payment, request: null }));
}
