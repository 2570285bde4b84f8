// The questions about an operator's payments, as the people of its desk see them.
import type { Answering } from '../../../contract/panel/routes.js';
import { toMoney } from '../../../domain/money.js';
import type { Database } from '../../../store/database.js';
import { answeredQuestions, type OpenQuestion, openQuestions } from '../../../store/support/questions.js';
import type { Viewer } from '../../viewer.js';
import { operationOf } from './payment.js';

const MOST_OPEN = 100;
const LAST_ANSWERED = 10;

export async function readQuestions(
  database: Database,
  { reach, handle }: Viewer,
): Promise<Answering<'readQuestions'>> {
  const [open, answered] = await Promise.all([
    openQuestions(database, reach, MOST_OPEN + 1),
    answeredQuestions(database, reach, LAST_ANSWERED),
  ]);
  const ids = [...new Set([...open, ...answered].map(({ operationId }) => operationId))];
  const operations = new Map(await Promise.all(ids.map(async (id) => [id, await operationOf(database, id)] as const)));
  const about = ({ paymentId, kind, operationId, ...of }: Omit<OpenQuestion, 'question'>) => {
    const { name = operationId, time_zone = 'UTC' } = operations.get(operationId) ?? {};
    return {
      ...{ id: paymentId, kind },
      operation: { id: operationId, name, time_zone },
      external_id: of.externalId,
      amount: toMoney(of.amountMinor, of.currency),
      asked: of.asked.map(({ text, at }) => ({ text, at: new Date(at) })),
    };
  };
  return {
    open: open.slice(0, MOST_OPEN).map((one) => ({ ...about(one), question: one.question })),
    more: open.length > MOST_OPEN,
    answered: answered.map((one) => {
      const { answer, at, person } = one;
      return { ...about(one), answer, at: new Date(at), is_yours: person === handle };
    }),
  };
}
