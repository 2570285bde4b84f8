// A question about a payment, as staff wrote it.
import type { Answered } from '../../../../contract/panel/routes.js';
import { useTexts } from '../../preferences.js';
import { questionTexts } from '../../texts/questions.js';
import { Words } from '../../ui/theirs.js';

export type OpenQuestion = Answered<'readQuestions'>['open'][number];

/** Each text as it was written; staff may have asked again. */
export function QuestionTexts({ of }: { readonly of: OpenQuestion['asked'] }) {
  const texts = useTexts(questionTexts);
  return (
    <ul className="rows" aria-label={texts.question}>
      {of.map(({ text, at }) => (
        <li key={at}>
          <Words text={text} />
        </li>
      ))}
    </ul>
  );
}
