// What people agree about a case besides its decision: who has it, until when it waits, whether somebody else must
// look, and their notes.
import { CASE_DECISIONS, type CaseAct } from '../../domain/case-work.js';
import type { Database } from '../database.js';
import type { Transaction } from '../transactions.js';

export interface CaseWork {
  readonly assignedTo: string | null;
  /** The queue does not show the case before. */
  readonly snoozedUntil: Date | null;
  readonly isEscalated: boolean;
  /** An answer of the operator is awaited. */
  readonly isAsked: boolean;
}

/** What a person wrote, or changed. */
export interface CaseNote {
  readonly act: CaseAct;
  readonly text: string | null;
  readonly person: string;
  readonly givenTo: string | null;
  readonly waitsUntil: Date | null;
  /** An answer that a person of the operator gave by themselves. */
  readonly isOperators: boolean;
  /** Of a question: the payment's version when it was asked. */
  readonly paymentVersion: number | null;
  /** The people whom it names, who find it (mentions.ts). */
  readonly mentions: readonly string[];
}

const NOTHING: CaseWork = { assignedTo: null, snoozedUntil: null, isEscalated: false, isAsked: false };
const MOST_NOTES = 100;

type Reader = Pick<Database, 'caseWork' | 'caseNote'>;

export async function workOf(database: Reader, paymentId: string): Promise<CaseWork> {
  return (await database.caseWork.findUnique({ where: { paymentId } })) ?? NOTHING;
}

/** The newest notes, newest first. */
export async function notesOf(
  database: Reader,
  paymentId: string,
): Promise<readonly (CaseNote & { readonly createdAt: Date })[]> {
  const notes = await database.caseNote.findMany({ where: { paymentId }, orderBy: { id: 'desc' }, take: MOST_NOTES });
  return notes.map((note) => ({ ...note, act: note.act as CaseAct }));
}

/** Stores the change and its note. `false`: the work is not as the caller saw it, and nothing is stored. */
export async function changeWork(
  transaction: Transaction,
  payment: { readonly id: string; readonly operationId: string },
  change: Partial<CaseWork>,
  note: CaseNote,
  seen: Partial<CaseWork>,
): Promise<boolean> {
  const { id: paymentId, operationId } = payment;
  if (Object.keys(change).length > 0) {
    await transaction.caseWork.createMany({ data: [{ paymentId, operationId }], skipDuplicates: true });
    const { count } = await transaction.caseWork.updateMany({ where: { paymentId, ...seen }, data: change });
    if (count === 0) return false;
  }
  await transaction.caseNote.create({ data: { paymentId, operationId, ...note, mentions: [...note.mentions] } });
  return true;
}

/** Whether this person decided, and was not refused. A return is done once the provider has made it. */
export async function hasDecided(
  database: Pick<Database, 'staffAct'>,
  handle: string,
  subjectId: string,
): Promise<boolean> {
  const decided = { kind: { in: [...CASE_DECISIONS] }, OR: [{ outcome: null }, { outcome: 'done' }] };
  return (await database.staffAct.count({ where: { subjectId, staffHandle: handle, ...decided } })) > 0;
}
