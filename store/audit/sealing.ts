// Seals what was appended to the audit trail since the last seal, and exports the seal. Before it signs, it checks the
// entries before: a trail that was changed is not sealed further. Any number of processes may do this at once.
import type { Database } from '../database.js';
import { type AuditEntry, auditHash, FIRST_HASH } from './audit.js';
import type { AuditFinding, AuditProblem } from '../../domain/audit-findings.js';
import { digestOf, firstSequence, isSameSeal, NO_SEAL, type Seal, type SealSigner, type SealWitness } from './seal.js';

/** Entries of one seal at most; the next one has the rest. */
const MOST_ENTRIES = 500;

export interface Sealing extends SealWitness {
  readonly signer: SealSigner;
}

export type SealOutcome =
  | { readonly kind: 'sealed'; readonly seal: Seal }
  | { readonly kind: 'nothing_new' }
  /** Another process sealed at the same time. */
  | { readonly kind: 'overtaken' }
  /** The trail, its seals or their export were changed. */
  | { readonly kind: 'refused'; readonly finding: AuditFinding };

export async function sealAudit(database: Database, sealing: Sealing, now: Date): Promise<SealOutcome> {
  const last = await lastSeal(database);
  const ends = await endsDiffer(database, sealing, last);
  if (ends !== null) return ends;
  const entries = await database.auditEntry.findMany({
    where: { sequence: { gte: last?.sequence ?? 1n } },
    orderBy: { sequence: 'asc' },
    // With the entry that was sealed last.
    take: MOST_ENTRIES + (last === null ? 0 : 1),
  });
  const finding = followed(last, entries);
  if (finding !== null) return { kind: 'refused', finding };
  const fresh = last === null ? entries : entries.slice(1);
  const newest = fresh.at(-1);
  if (newest === undefined) return { kind: 'nothing_new' };
  const seal = sealing.signer.seal({
    number: (last?.number ?? 0n) + 1n,
    sequence: newest.sequence,
    hashes: fresh.map(({ hash }) => hash),
    previous: last === null ? NO_SEAL : digestOf(last),
    sealedAt: now,
  });
  const { count } = await database.auditSeal.createMany({
    data: [{ ...seal, hashes: [...seal.hashes] }],
    skipDuplicates: true,
  });
  if (count === 0) return { kind: 'overtaken' };
  await sealing.exports.write(seal);
  return { kind: 'sealed', seal };
}

/** Exports every seal that the export does not have, to a new place, after people have checked it. */
export async function exportSeals(database: Database, { exports }: Pick<SealWitness, 'exports'>): Promise<number> {
  let [after, exported] = [0n, 0];
  for (;;) {
    const page = await database.auditSeal.findMany({
      where: { number: { gt: after } },
      orderBy: { number: 'asc' },
      take: MOST_ENTRIES,
    });
    for (const seal of page) {
      if ((await exports.read(seal.number)) !== null) continue;
      await exports.write(seal);
      exported += 1;
    }
    after = page.at(-1)?.number ?? after;
    if (page.length < MOST_ENTRIES) return exported;
  }
}

const lastSeal = (database: Database): Promise<Seal | null> =>
  database.auditSeal.findFirst({ orderBy: { number: 'desc' } });

/**
 * Compares the last seal with the export, which has every seal but perhaps this one: then a process ended before it
 * wrote it, and it is written now.
 */
async function endsDiffer(
  database: Database,
  { keys, exports }: SealWitness,
  last: Seal | null,
): Promise<SealOutcome | null> {
  const number = last?.number ?? 0n;
  const next = await exports.read(number + 1n);
  if (next !== null) {
    const isOvertaken = ((await lastSeal(database))?.number ?? 0n) > number;
    const sequence = next === 'unreadable' ? (last?.sequence ?? 0n) + 1n : firstSequence(next);
    return isOvertaken ? { kind: 'overtaken' } : refusal('seal_missing', sequence, number + 1n);
  }
  if (last === null) return null;
  if (!keys.isSigned(last)) return refusal('seal_forged', firstSequence(last), number);
  const exported = await exports.read(number);
  if (exported === null) {
    if (number > 1n && (await exports.read(number - 1n)) === null)
      return refusal('export_missing', firstSequence(last), number);
    await exports.write(last);
  } else if (exported === 'unreadable' || !isSameSeal(exported, last))
    return refusal('export_differs', firstSequence(last), number);
  return null;
}

function refusal(problem: AuditProblem, sequence: bigint, seal?: bigint): SealOutcome {
  return { kind: 'refused', finding: { sequence: `${sequence}`, problem, ...(seal && { seal: `${seal}` }) } };
}

/** Checks that the entries begin with the one that was sealed last, and follow one another. `null` if they do. */
function followed(last: Seal | null, entries: readonly AuditEntry[]): AuditFinding | null {
  const [first] = entries;
  if (last !== null && first?.sequence !== last.sequence)
    return { sequence: `${last.sequence}`, problem: 'sealed_entry_missing', seal: `${last.number}` };
  if (last !== null && first?.hash !== last.hashes.at(-1))
    return { sequence: `${last.sequence}`, problem: 'sealed_entry_differs', seal: `${last.number}` };
  let [expected, previousHash] = last === null ? [1n, FIRST_HASH] : [last.sequence, first?.previousHash];
  for (const entry of entries) {
    const sequence = `${entry.sequence}`;
    if (entry.sequence !== expected) return { sequence: `${expected}`, problem: 'entry_missing' };
    if (entry.previousHash !== previousHash) return { sequence, problem: 'chain_broken' };
    if (auditHash(entry) !== entry.hash) return { sequence, problem: 'hash_differs' };
    [expected, previousHash] = [expected + 1n, entry.hash];
  }
  return null;
}
