// The answer to a question about a payment: one line, sent once.
import { useState } from 'react';
import { ask } from '../../api/client.js';
import { refreshShown } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { questionTexts } from '../../texts/questions.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { say } from '../../ui/toast.js';
import { useAct } from '../../ui/use-act.js';
import { isShort, ReasonField } from '../case/reason-field.js';
import { type OpenQuestion, QuestionTexts } from './question-texts.js';

interface AnswerDialogProps {
  readonly question: OpenQuestion;
  readonly onClose: () => void;
}

export function AnswerDialog({
  question: { id, question, asked, external_id: externalId },
  onClose,
}: AnswerDialogProps) {
  const texts = useTexts(questionTexts);
  const [text, setText] = useState('');
  const { state, send } = useAct(() =>
    ask('answerQuestion', { params: { id }, body: { question, text: text.trim() } }),
  );
  const submit = async () => {
    const outcome = await send(undefined);
    await refreshShown();
    if (outcome.kind !== 'done') return;
    say({ text: texts.sent, tone: 'good' });
    onClose();
  };
  return (
    <FormDialog
      title={texts.answerTo(externalId)}
      button={texts.send}
      state={state}
      isReady={!isShort(text) && (state.kind === 'idle' || state.kind === 'refused')}
      why={isShort(text) ? texts.tooShort : null}
      onSend={submit}
      onClose={onClose}
    >
      <QuestionTexts of={asked} />
      <p className="quiet">{texts.answerText}</p>
      <ReasonField label={texts.yourAnswer} value={text} onChange={setText} autoFocus />
    </FormDialog>
  );
}
