// Looking a person up by their tax document. It is written to the audit trail before the result is shown: who was
// found, by whom; never the document.
import type { Database } from '../../store/database.js';
import { appendAudit } from '../../store/audit/audit.js';
import { operationNames } from '../../store/operations/operations.js';
import { readFoundPayments } from '../../store/support/found-payments.js';
import { matchDocument } from '../../store/players/by-document.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { Hit } from '../reads/find/find.js';
import type { Viewer } from '../viewer.js';

export async function searchByDocument(
  { database, sealer }: { readonly database: Database; readonly sealer: Sealer },
  { handle: person, reach }: Viewer,
  { number, limit }: { readonly number: string; readonly limit: number },
): Promise<Hit[]> {
  const { players, payments } = await matchDocument(database, sealer, { number, reach, limit });
  const entry = { person, action: 'search.document', detail: { payments: payments.length } } as const;
  if (players.length === 0) await appendAudit(database, { ...entry, operationId: null, subject: null });
  for (const { operation_id: operationId, external_ref: subject } of players)
    await appendAudit(database, { ...entry, operationId, subject });
  const names = await operationNames(
    database,
    players.map(({ operation_id: id }) => id),
  );
  const found_by = ['document'] as const;
  return [
    ...players.map((player) => ({
      type: 'player' as const,
      found_by,
      ...player,
      operation_name: names.get(player.operation_id) ?? player.operation_id,
    })),
    ...(await readFoundPayments(database, payments)).map((payment) => ({ found_by, ...payment, request: null })),
  ];
}
