// The audit trail as a file. The trail has it before the person does: which filters, and up to which entry.
import type { Asked } from '../../contract/panel/routes.js';
import type { AuditEntry } from '../../prisma/generated/client.js';
import { appendAudit } from '../../store/audit/audit.js';
import { auditEntriesAfter, type AuditFilter, newestAuditSequence } from '../../store/audit/search.js';
import type { Database } from '../../store/database.js';
import { operationNames } from '../../store/operations/operations.js';
import { takeToken } from '../../store/rate-buckets.js';
import type { Export } from './export.js';
import { auditOf, meansOf } from '../reads/panel/audit.js';
import type { Viewer } from '../viewer.js';
import { csvLines } from './csv.js';

const ENTRIES_AT_ONCE = 1_000;
/** An export reads the whole trail, so few are allowed. */
const RATE = { perSecond: 1 / 60, burst: 10 } as const;

/** The text of `detail` and both hashes are as stored, so that the chain can be recomputed from the file. */
const COLUMNS = [
  'sequence',
  'at',
  'person',
  'action',
  'means',
  'operation_id',
  'operation',
  'subject',
  'detail',
  'previous_hash',
  'hash',
] as const;

/** Every requested entry that the person may see, oldest first, up to the newest one now. */
export async function exportAudit(
  database: Database,
  viewer: Viewer,
  filters: Asked<'exportAudit'>['query'],
): Promise<Export> {
  const { handle } = viewer;
  const retryAfterSeconds = await takeToken(database, `audit_export:${handle}`, RATE);
  if (retryAfterSeconds > 0) return { kind: 'rate_limited', retryAfterSeconds };
  const filter = auditOf(viewer, filters);
  const through = await newestAuditSequence(database, filter);
  // A filter that finds entries is in the trail already. One that finds none may be any typed text.
  const { operation = null, ...others } = through === null ? {} : filters;
  const detail = { ...others, through: through?.toString() ?? null };
  await appendAudit(database, {
    person: viewer,
    action: 'audit.download',
    operationId: operation,
    subject: null,
    detail,
  });
  return { kind: 'exported', text: csvOf(database, filter, through) };
}

async function* csvOf(database: Database, filter: AuditFilter, through: bigint | null) {
  yield csvLines([COLUMNS], true);
  if (through === null) return;
  for (let after = -1n; after < through;) {
    const entries = await auditEntriesAfter(database, filter, { after, through, take: ENTRIES_AT_ONCE });
    const names = await operationNames(
      database,
      entries.flatMap(({ operationId }) => operationId ?? []),
    );
    yield csvLines(entries.map((entry) => cellsOf(entry, names)));
    after = entries.at(-1)?.sequence ?? through;
  }
}

function cellsOf(entry: AuditEntry, names: ReadonlyMap<string, string>): (string | null)[] {
  const { sequence, at, person, action, operationId, subject, detail, previousHash, hash } = entry;
  const operation = operationId === null ? null : (names.get(operationId) ?? operationId);
  const when = at.toISOString();
  const means = meansOf(entry);
  return [
    sequence.toString(),
    when,
    person,
    action,
    means,
    operationId,
    operation,
    subject,
    detail,
    previousHash,
    hash,
  ];
}
