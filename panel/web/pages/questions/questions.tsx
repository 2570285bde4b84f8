// The page of an operator's desk: the questions about its payments that wait for an answer, and its last answers.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import { useLive } from '../../api/live.js';
import { read } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { commonTexts } from '../../texts/common.js';
import { questionTexts } from '../../texts/questions.js';
import { Facts, type Fact, Section } from '../../ui/facts.js';
import { useMoney } from '../../ui/money.js';
import { Loaded } from '../../ui/states.js';
import { Instant } from '../../ui/time.js';
import { useTitle } from '../../ui/title.js';
import { WhyButton } from '../../ui/why-button.js';
import { AnswerDialog } from './answer-dialog.js';
import { type OpenQuestion, QuestionTexts } from './question-texts.js';

type Questions = Answered<'readQuestions'>;
type Asked = OpenQuestion | Questions['answered'][number];

/** Nothing of a payment changes when staff ask. */
const READ_EVERY_MS = 30_000;

export function QuestionsPage() {
  const texts = useTexts(questionTexts);
  const waiting = useLive().counters?.questions ?? 0;
  // Seen from another window, too.
  useTitle(waiting > 0 ? `(${waiting}) ${texts.title}` : texts.title);
  // The dialog outlives its question in the list: a refusal must be read.
  const [chosen, setChosen] = useState<OpenQuestion | null>(null);
  const query = useQuery({ ...read('readQuestions', {}), refetchInterval: READ_EVERY_MS });
  return (
    <>
      <header className="page-head">
        <h1>{texts.title}</h1>
        <p className="quiet">{texts.note}</p>
      </header>
      <Loaded query={query}>
        {({ open, more, answered }) => (
          <div className="sections">
            <Section title={texts.open}>
              <Open of={open} onAnswer={setChosen} />
              {more && <p className="quiet">{texts.more}</p>}
            </Section>
            <Section title={texts.answered}>
              <Given of={answered} />
            </Section>
          </div>
        )}
      </Loaded>
      {chosen !== null && <AnswerDialog question={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

interface OpenProps {
  readonly of: readonly OpenQuestion[];
  readonly onAnswer: (question: OpenQuestion) => void;
}

function Open({ of, onAnswer }: OpenProps) {
  const texts = useTexts(questionTexts);
  if (of.length === 0) return <p className="quiet">{texts.none}</p>;
  return (
    <ul className="cards">
      {of.map((question) => (
        <Card key={question.question} of={question} facts={[]}>
          <WhyButton
            why={null}
            tone="good"
            label={`${texts.answer} ${question.external_id}`}
            onAct={() => onAnswer(question)}
          >
            {texts.answer}
          </WhyButton>
        </Card>
      ))}
    </ul>
  );
}

function Given({ of }: { readonly of: Questions['answered'] }) {
  const texts = useTexts(questionTexts);
  if (of.length === 0) return <p className="quiet">{texts.noneAnswered}</p>;
  return (
    <ul className="cards">
      {of.map((one) => (
        <Card
          key={`${one.id} ${one.at}`}
          of={one}
          facts={[
            [texts.given, one.answer],
            [texts.answeredAt, <Instant key="at" at={one.at} zone={one.operation.time_zone} />],
            [texts.by, one.is_yours ? texts.you : texts.colleague],
          ]}
        />
      ))}
    </ul>
  );
}

interface CardProps {
  readonly of: Asked;
  readonly facts: readonly Fact[];
  readonly children?: ReactNode;
}

/** The payment as the operator knows it, and what was asked. */
function Card({ of, facts, children }: CardProps) {
  const texts = useTexts(questionTexts);
  const { kinds } = useTexts(commonTexts);
  const money = useMoney();
  const { operation, asked } = of;
  const first = asked[0];
  return (
    <li className="section section-own">
      <h3>{texts.paymentOf(kinds[of.kind], money(of.amount))}</h3>
      <QuestionTexts of={asked} />
      <Facts
        of={[
          ...facts,
          [texts.externalId, of.external_id],
          [texts.payment, <code key="id">{of.id}</code>],
          first === undefined ? null : [texts.asked, <Instant key="asked" at={first.at} zone={operation.time_zone} />],
          [texts.operation, operation.name],
        ]}
      />
      {children}
    </li>
  );
}
