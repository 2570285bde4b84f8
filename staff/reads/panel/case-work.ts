// The work on a case: who has it, until when it waits, and what people wrote.
import type { Answering } from '../../../contract/panel/routes.js';
import type { Database } from '../../../store/database.js';
import { type CaseWork, notesOf, workOf } from '../../../store/support/case-work.js';
import { may, type Viewer } from '../../viewer.js';
import type { PaymentRow } from './payment.js';
import { possibility } from './possibilities.js';

/** A wait that is past is none. */
export function shownWork({ assignedTo, snoozedUntil, isEscalated, isAsked }: CaseWork, now: Date) {
  const waits = snoozedUntil !== null && snoozedUntil > now;
  return {
    assigned_to: assignedTo,
    snoozed_until: waits ? snoozedUntil : null,
    is_escalated: isEscalated,
    is_asked: isAsked,
  };
}

export async function readCaseWork(
  database: Database,
  viewer: Viewer,
  { row }: PaymentRow,
  now: Date,
): Promise<Answering<'workOnCase'>['work']> {
  const [work, notes] = await Promise.all([workOf(database, row.id), notesOf(database, row.id)]);
  return {
    ...shownWork(work, now),
    notes: notes.map(({ act, person, text, givenTo, waitsUntil, isOperators, createdAt }) => ({
      act,
      is_operators: isOperators,
      person,
      text,
      given_to: givenTo,
      waits_until: waitsUntil,
      at: createdAt,
    })),
    may: possibility(may(viewer, 'case.work', row.operationId) ? null : 'not_your_role'),
  };
}
