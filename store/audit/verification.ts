// Verifies the whole audit trail: the chain of its entries, its seals, and the copies of them outside the database.
import type { Database } from '../database.js';
import type { Transaction } from '../transactions.js';
import { auditHash, FIRST_HASH } from './audit.js';
import type { AuditFinding, AuditProblem } from '../../domain/audit-findings.js';
import { digestOf, firstSequence, isSameSeal, NO_SEAL, type Seal, type SealWitness } from './seal.js';

export interface AuditVerification {
  readonly entries: number;
  /** The newest entry's hash. Noted elsewhere, it proves later that no entry was removed from the end. */
  readonly headHash: string;
  /** `null` if only the chain was verified, for lack of keys and an export. */
  readonly seals: { readonly seals: number; readonly unsealed: number } | null;
  /** By entry, the first one first. */
  readonly problems: readonly AuditFinding[];
}

export interface AuditQuestion {
  /** A head's hash noted earlier: it must still be in the chain. */
  readonly anchor: string | null;
  /** `null` to verify the chain alone. */
  readonly witness: SealWitness | null;
  readonly now: Date;
}

const PAGE = 1_000;
const SEALS_PAGE = 100;
const MOST_PROBLEMS = 100;
const LIMITS = { isolationLevel: 'RepeatableRead', maxWait: 5_000, timeout: 60_000 } as const;
/** A seal is exported right after it was made, and an entry is sealed within seconds. */
const GRACE_MS = 10 * 60_000;

/** Checks everything in one snapshot. */
export async function verifyAudit(database: Database, question: AuditQuestion): Promise<AuditVerification> {
  const { anchor, witness, now } = question;
  return database.$transaction(async (snapshot) => {
    const chain = await verifyChain(snapshot, anchor);
    if (witness === null) return { ...chain, seals: null };
    const { sequence, seals, problems } = await verifySeals(database, snapshot, witness, now);
    const oldest = await snapshot.auditEntry.findFirst({
      where: { sequence: { gt: sequence } },
      orderBy: { sequence: 'asc' },
    });
    if (oldest !== null && now.getTime() - oldest.at.getTime() > GRACE_MS)
      problems.push({ sequence: `${oldest.sequence}`, problem: 'not_sealed' });
    const all = [...chain.problems, ...problems].sort((one, other) => Number(one.sequence) - Number(other.sequence));
    const unsealed = await snapshot.auditEntry.count({ where: { sequence: { gt: sequence } } });
    return { ...chain, seals: { seals, unsealed }, problems: all.slice(0, MOST_PROBLEMS) };
  }, LIMITS);
}

async function verifyChain(snapshot: Transaction, anchor: string | null) {
  const problems: AuditFinding[] = [];
  let [expected, previousHash, entries, isAnchored] = [1n, FIRST_HASH, 0, anchor === null || anchor === FIRST_HASH];
  for (;;) {
    const page = await snapshot.auditEntry.findMany({
      where: { sequence: { gte: expected } },
      orderBy: { sequence: 'asc' },
      take: PAGE,
    });
    for (const entry of page) {
      const sequence = entry.sequence.toString();
      if (entry.sequence !== expected) problems.push({ sequence: expected.toString(), problem: 'entry_missing' });
      else if (entry.previousHash !== previousHash) problems.push({ sequence, problem: 'chain_broken' });
      if (auditHash(entry) !== entry.hash) problems.push({ sequence, problem: 'hash_differs' });
      isAnchored ||= entry.hash === anchor;
      [expected, previousHash, entries] = [entry.sequence + 1n, entry.hash, entries + 1];
    }
    if (page.length < PAGE || problems.length >= MOST_PROBLEMS) break;
  }
  if (!isAnchored) problems.push({ sequence: (expected - 1n).toString(), problem: 'anchor_missing' });
  return { entries, headHash: previousHash, problems };
}

/** The seal and entry that the next seal must follow. */
interface Before {
  readonly sequence: bigint;
  readonly digest: string;
}

/** Every number up to the last seal in the database or in the export, whichever is higher. */
async function verifySeals(database: Database, snapshot: Transaction, witness: SealWitness, now: Date) {
  const last = await snapshot.auditSeal.findFirst({ orderBy: { number: 'desc' }, select: { number: true } });
  const stored = last?.number ?? 0n;
  const end = await lastExported(database, witness, stored);
  const problems: AuditFinding[] = [];
  let before: Before = { sequence: 0n, digest: NO_SEAL };
  for (let from = 1n; from <= end && problems.length < MOST_PROBLEMS; from += BigInt(SEALS_PAGE)) {
    const numbers = Array.from({ length: SEALS_PAGE }, (_, place) => from + BigInt(place)).filter((one) => one <= end);
    const rows = await snapshot.auditSeal.findMany({ where: { number: { in: numbers } } });
    const copies = await Promise.all(numbers.map((number) => witness.exports.read(number)));
    const believed: Seal[] = [];
    for (const [place, number] of numbers.entries()) {
      const row = rows.find((one) => one.number === number) ?? null;
      const mayBeMissing = number === stored && row !== null && now.getTime() - row.sealedAt.getTime() < GRACE_MS;
      const given = { number, row, copy: copies[place] ?? null, mayBeMissing };
      const { seal, found } = assess(witness, given, before);
      const sequence = `${before.sequence + 1n}`;
      problems.push(...found.map((problem) => ({ sequence, problem, seal: `${number}` })));
      if (seal === null) continue;
      before = { sequence: seal.sequence, digest: digestOf(seal) };
      believed.push(seal);
    }
    problems.push(...(await compareEntries(snapshot, believed)));
  }
  return { sequence: before.sequence, seals: Number(stored), problems };
}

/** How far the export goes beyond the last seal of the snapshot: not at all, unless a seal was removed. */
async function lastExported(database: Database, { exports }: SealWitness, stored: bigint): Promise<bigint> {
  const next = stored + 1n;
  const isMadeSince = async () => (await database.auditSeal.findUnique({ where: { number: next } })) !== null;
  if ((await exports.read(next)) === null || (await isMadeSince())) return stored;
  let last = next;
  while (last - stored < MOST_PROBLEMS && (await exports.read(last + 1n)) !== null) last += 1n;
  return last;
}

interface BothCopies {
  readonly number: bigint;
  readonly row: Seal | null;
  readonly copy: Seal | 'unreadable' | null;
  /** Its export may still be under way. */
  readonly mayBeMissing: boolean;
}

/** What is wrong with a seal, and which of its two copies is genuine. */
function assess({ keys }: SealWitness, { number, row, copy, mayBeMissing }: BothCopies, before: Before) {
  const found: AuditProblem[] = [];
  const exported = copy === 'unreadable' ? null : copy;
  if (row === null) found.push('seal_missing');
  else if (!keys.isSigned(row)) found.push('seal_forged');
  if (copy === null && !mayBeMissing) found.push('export_missing');
  const isAlike = exported !== null && (row === null ? keys.isSigned(exported) : isSameSeal(row, exported));
  if (copy !== null && !isAlike) found.push('export_differs');
  const isSound = (one: Seal | null): one is Seal => one !== null && one.number === number && keys.isSigned(one);
  const seal = [row, exported].find(isSound) ?? null;
  if (seal !== null && (seal.previous !== before.digest || firstSequence(seal) !== before.sequence + 1n))
    found.push('seal_chain_broken');
  return { seal, found };
}

/** Finds every entry that differs from the one that a seal covers. */
async function compareEntries(snapshot: Transaction, seals: readonly Seal[]): Promise<AuditFinding[]> {
  const [first, last] = [seals.at(0), seals.at(-1)];
  if (first === undefined || last === undefined) return [];
  const entries = await snapshot.auditEntry.findMany({
    where: { sequence: { gte: firstSequence(first), lte: last.sequence } },
    select: { sequence: true, hash: true },
  });
  const hashes = new Map(entries.map(({ sequence, hash }) => [sequence, hash]));
  return seals.flatMap((seal) =>
    seal.hashes.flatMap((sealed, place): AuditFinding[] => {
      const sequence = firstSequence(seal) + BigInt(place);
      const hash = hashes.get(sequence);
      if (hash === sealed) return [];
      const problem = hash === undefined ? 'sealed_entry_missing' : 'sealed_entry_differs';
      return [{ sequence: `${sequence}`, problem, seal: `${seal.number}` }];
    }),
  );
}
