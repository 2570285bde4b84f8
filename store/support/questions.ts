// Questions to an operator about its payments. One is open until it is answered, and until the payment is decided or
// changes otherwise: then its answer would decide nothing.
import type { Reach } from '../../domain/staff.js';
import type { Database } from '../database.js';
import { rowsOf, sqlFile } from '../statements.js';
import type { Transaction } from '../transactions.js';

const OPEN = sqlFile('support/open-questions.sql');
const ANSWERED = sqlFile('support/answered-questions.sql');

interface AskedAbout {
  readonly paymentId: string;
  readonly kind: 'deposit' | 'withdrawal';
  readonly operationId: string;
  readonly externalId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  /** Oldest first; when: RFC 3339. */
  readonly asked: readonly { readonly text: string; readonly at: string }[];
}

export interface OpenQuestion extends AskedAbout {
  /** The id of the newest note that asks. */
  readonly question: string;
}

interface AnsweredQuestion extends AskedAbout {
  readonly answer: string;
  /** RFC 3339. */
  readonly at: string;
  readonly person: string;
}

/** Open questions within reach, the longest open first. */
export function openQuestions(database: Database, reach: Reach, take: number): Promise<OpenQuestion[]> {
  const statement = OPEN({ operations: operationsOf(reach), payment: null, take });
  return rowsOf<OpenQuestion>(database, statement, 'for_its_values');
}

/** The open question about the payment, which nobody answers or asks otherwise until the transaction ends. */
export async function lockOpenQuestion(transaction: Transaction, paymentId: string): Promise<string | null> {
  await transaction.$queryRaw`SELECT 1 AS locked FROM case_work WHERE payment_id = ${paymentId} FOR UPDATE`;
  const { text, values } = OPEN({ operations: null, payment: paymentId, take: 1 });
  const [open] = await transaction.$queryRawUnsafe<OpenQuestion[]>(text, ...values);
  return open?.question ?? null;
}

/** What the operators' people answered within reach, newest first. */
export function answeredQuestions(database: Database, reach: Reach, take: number): Promise<AnsweredQuestion[]> {
  return rowsOf<AnsweredQuestion>(database, ANSWERED({ operations: operationsOf(reach), take }), 'for_its_values');
}

/** `null`: every one. */
function operationsOf(reach: Reach): readonly string[] | null {
  return reach === 'every' ? null : reach;
}
