// The questions about an operator's payments, which its own people answer.
import { answerQuestion } from '../../staff/acts/case-answers.js';
import { visiblePayment } from '../../staff/reads/panel/payment.js';
import { readQuestions } from '../../staff/reads/panel/questions.js';
import { refuse } from '../refusal.js';
import type { Handlers } from '../request.js';
import type { PanelServices } from '../services.js';

export function questionHandlers({ database }: PanelServices): Handlers<'readQuestions' | 'answerQuestion'> {
  return {
    readQuestions: ({ viewer }) => readQuestions(database, viewer),
    answerQuestion: async ({ viewer, params: { id }, body }) => {
      const payment = await visiblePayment(database, viewer, id);
      if (payment === null) return refuse('not_found');
      const outcome = await answerQuestion(database, viewer, payment.row, body);
      return outcome === 'done' ? { answered: true } : refuse(outcome);
    },
  };
}
