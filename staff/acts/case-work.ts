// What people do with a case besides deciding it: give it to somebody, let it wait, escalate it, write a note. None of
// it moves or stops a payment.
import { mentionedIn } from '../../domain/case-work.js';
import { appendAudit } from '../../store/audit/audit.js';
import type { Database } from '../../store/database.js';
import { type CaseNote, type CaseWork, changeWork, hasDecided } from '../../store/support/case-work.js';
import type { Actor } from '../../store/staff/acts.js';
import { isPermitted, mayNow } from '../../store/staff/people.js';
import { inTransaction } from '../../store/transactions.js';

export type CaseChange =
  | { readonly act: 'note'; readonly text: string }
  /** `person` null: to nobody. `seen`: who had it when the person saw it. */
  | { readonly act: 'assign'; readonly person: string | null; readonly seen: string | null }
  | { readonly act: 'snooze'; readonly until: Date; readonly text: string }
  | { readonly act: 'wake' }
  | { readonly act: 'escalate'; readonly isEscalated: boolean; readonly text: string }
  /** A question to the operator, or what it answered. */
  | { readonly act: 'ask' | 'answer'; readonly text: string }
  /** The person's own decision was a mistake. */
  | { readonly act: 'flag' };

export type CaseChanged =
  | 'done'
  | 'not_permitted'
  /** Nobody has this handle, or the person may not work on cases of the operation: of who is given it or named. */
  | 'no_such_person'
  /** The person has decided nothing on the payment. */
  | 'not_decided'
  /** Another person has the case than the caller saw, or no answer is awaited any more. */
  | 'stale';

/** Stores the change, its note and its audit entry. */
export async function workOnCase(
  database: Database,
  actor: Actor,
  payment: { readonly id: string; readonly operationId: string; readonly version: number },
  change: CaseChange,
): Promise<CaseChanged> {
  const { id, operationId } = payment;
  const kind = change.act === 'answer' ? 'case.answer' : 'case.work';
  if (!(await mayNow(database, actor, kind, operationId))) return 'not_permitted';
  const { work, note } = storedAs(change, payment.version);
  // A note reaches everybody whom it names, or it is not stored.
  for (const person of [...(note.givenTo === null ? [] : [note.givenTo]), ...note.mentions])
    if (!(await isPermitted(database, person, 'case.work', operationId))) return 'no_such_person';
  if (change.act === 'flag' && !(await hasDecided(database, actor.handle, id))) return 'not_decided';
  return inTransaction(database, async (transaction) => {
    const seen =
      change.act === 'assign' ? { assignedTo: change.seen } : change.act === 'answer' ? { isAsked: true } : {};
    if (!(await changeWork(transaction, payment, work, { ...note, person: actor.handle }, seen))) return 'stale';
    await appendAudit(transaction, {
      person: actor,
      action: `case.${note.act}`,
      operationId,
      subject: id,
      detail: {
        ...(note.text === null ? {} : { reason: note.text }),
        ...(note.givenTo === null ? {} : { to: note.givenTo }),
        ...(note.waitsUntil === null ? {} : { until: note.waitsUntil.toISOString() }),
      },
    });
    return 'done';
  });
}

function storedAs(
  change: CaseChange,
  version: number,
): {
  readonly work: Partial<CaseWork>;
  readonly note: Omit<CaseNote, 'person'>;
} {
  const nothing = {
    text: null,
    givenTo: null,
    waitsUntil: null,
    isOperators: false,
    paymentVersion: null,
    mentions: [],
  };
  switch (change.act) {
    case 'note':
      return { work: {}, note: { ...nothing, act: 'note', ...naming(change.text) } };
    case 'assign': {
      const { person } = change;
      const act = person === null ? 'give_back' : 'assign';
      return { work: { assignedTo: person }, note: { ...nothing, act, givenTo: person } };
    }
    case 'snooze': {
      const { until, text } = change;
      return { work: { snoozedUntil: until }, note: { ...nothing, act: 'snooze', ...naming(text), waitsUntil: until } };
    }
    case 'ask': {
      const asked = { act: 'ask', text: change.text, paymentVersion: version } as const;
      return { work: { isAsked: true }, note: { ...nothing, ...asked } };
    }
    case 'answer':
      // The case waited for it.
      return { work: { isAsked: false, snoozedUntil: null }, note: { ...nothing, act: 'answer', text: change.text } };
    case 'flag':
      return { work: {}, note: { ...nothing, act: 'flag' } };
    case 'wake':
      return { work: { snoozedUntil: null }, note: { ...nothing, act: 'wake' } };
    case 'escalate': {
      const { isEscalated, text } = change;
      const act = isEscalated ? 'escalate' : 'deescalate';
      return { work: { isEscalated }, note: { ...nothing, act, ...naming(text) } };
    }
  }
}

/** A text for colleagues, with whom it names. What the operator reads or said names none of them. */
function naming(text: string): Pick<CaseNote, 'text' | 'mentions'> {
  return { text, mentions: mentionedIn(text) };
}
