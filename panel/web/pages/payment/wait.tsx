// What the payment waits for, since when and what comes next: from its workflow, or from the database.
import { useQuery } from '@tanstack/react-query';
import { read } from '../../api/queries.js';
import { usePreferences, useTexts } from '../../preferences.js';
import { Section } from '../../ui/facts.js';
import { Loaded } from '../../ui/states.js';
import { Words } from '../../ui/theirs.js';
import { Age, Instant } from '../../ui/time.js';
import { commonTexts } from '../../texts/common.js';
import { paymentTexts } from '../../texts/payment.js';

interface WaitProps {
  readonly id: string;
  readonly zone: string;
  readonly isClosed: boolean;
}

export function Wait({ id, zone, isClosed }: WaitProps) {
  const texts = useTexts(paymentTexts);
  const { since } = useTexts(commonTexts);
  const { language } = usePreferences();
  const query = useQuery(read('readWait', { params: { id } }));
  const { data } = query;
  return (
    <Section
      title={texts.waits}
      aside={
        data?.temporal_url != null && (
          <a href={data.temporal_url} target="_blank" rel="noreferrer">
            {texts.temporal} ↗
          </a>
        )
      }
    >
      <Loaded query={query} lines={2}>
        {(wait) => (
          <>
            <p>
              <strong>{isClosed && wait.for === 'nothing' ? texts.ended : texts.waitNames[wait.for]}</strong>{' '}
              <span className="quiet">
                {since} <Instant at={wait.since} zone={zone} /> · <Age since={wait.since} />
              </span>
            </p>
            {!isClosed && texts.nextNames[wait.for] !== '' && (
              <p>
                <span className="quiet">{texts.next}:</span> {texts.nextNames[wait.for]}
              </p>
            )}
            {wait.next_at !== null && (
              <p>
                <span className="quiet">{texts.nextAt}:</span> <Instant at={wait.next_at} zone={zone} />
                {wait.attempts > 0 && <span className="quiet"> · {texts.attempts(wait.attempts)}</span>}
              </p>
            )}
            {wait.last_error !== null && (
              <p className="notice notice-bad">
                {texts.lastError}: <code>{wait.last_error}</code>
              </p>
            )}
            <p className="quiet">
              {isClosed && wait.said_by === 'database' ? texts.fromDatabase : texts.saidBy[wait.said_by]}
              {wait.workflow_status !== null && (
                <> · {texts.workflowStatuses[wait.workflow_status] ?? wait.workflow_status}</>
              )}
            </p>
            {/* The process speaks English; in Portuguese the page has words of its own for all that it says. */}
            {wait.next !== null && language === 'en' && (
              <details open>
                <summary>{texts.says}</summary>
                <Words text={wait.next} lang="en" />
              </details>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
