// What the operator said about the player: nobody has checked it.
import { useTexts } from '../../preferences.js';
import { Bounded } from '../../ui/bounded.js';
import { Facts, Section } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { Theirs } from '../../ui/theirs.js';
import { Instant } from '../../ui/time.js';
import { caseTexts } from '../../texts/case.js';
import type { Case } from './types.js';

interface ToldProps {
  readonly told: Case['told'];
  readonly zone: string;
}

export function Told({ told, zone }: ToldProps) {
  const texts = useTexts(caseTexts);
  const { account_created_at: since, kyc_level: kyc, metadata } = told;
  const sums = [
    [texts.toldDeposited, told.total_deposited],
    [texts.toldWithdrawn, told.total_withdrawn],
    [texts.toldResult, told.net_gaming_result],
  ] as const;
  const isSilent = since === null && kyc === null && metadata.length === 0 && sums.every(([, sum]) => sum === null);
  return (
    <Section title={texts.told}>
      {isSilent ? (
        <p className="quiet">{texts.toldNothing}</p>
      ) : (
        <>
          <Facts
            of={[
              [texts.accountSince, since === null ? texts.absent : <Instant at={since} zone={zone} />],
              [texts.kyc, kyc === null ? texts.absent : <Theirs text={kyc} />],
              ...sums.map(([name, sum]) => (sum === null ? null : ([name, <Money key={name} of={sum} />] as const))),
            ]}
          />
          {metadata.length > 0 && (
            <Bounded label={texts.toldMore} count={metadata.length}>
              <dl className="facts">
                {metadata.map(({ name, value }) => (
                  <div key={name}>
                    <dt>
                      <Theirs text={name} />
                    </dt>
                    <dd>
                      <Theirs text={value} />
                    </dd>
                  </div>
                ))}
              </dl>
            </Bounded>
          )}
        </>
      )}
    </Section>
  );
}
