// A person of the operator answers a question about a payment. It decides nothing, and holds up no payment.
import { appendAudit } from '../../store/audit/audit.js';
import type { Database } from '../../store/database.js';
import type { Actor } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';
import { changeWork } from '../../store/support/case-work.js';
import { lockOpenQuestion } from '../../store/support/questions.js';
import { inTransaction } from '../../store/transactions.js';

interface GivenAnswer {
  /** What the person saw: the newest note that asks. */
  readonly question: string;
  readonly text: string;
}

/** Stores the answer, once, with its audit entry. `stale`: it is answered or closed, or staff have asked again. */
export async function answerQuestion(
  database: Database,
  actor: Actor,
  payment: { readonly id: string; readonly operationId: string },
  { question, text }: GivenAnswer,
): Promise<'done' | 'not_permitted' | 'stale'> {
  const { id, operationId } = payment;
  if (!(await mayNow(database, actor, 'case.answer', operationId))) return 'not_permitted';
  return inTransaction(database, async (transaction) => {
    if ((await lockOpenQuestion(transaction, id)) !== question) return 'stale';
    const note = { givenTo: null, waitsUntil: null, isOperators: true, paymentVersion: null, mentions: [] };
    const answer = { ...note, act: 'answer', text, person: actor.handle } as const;
    // A case that was put off waited for it.
    const work = { isAsked: false, snoozedUntil: null } as const;
    if (!(await changeWork(transaction, payment, work, answer, { isAsked: true }))) return 'stale';
    await appendAudit(transaction, {
      person: actor,
      action: 'case.answer',
      operationId,
      subject: id,
      detail: { reason: text, by: 'operator' },
    });
    return 'done';
  });
}
