// What a trial of other thresholds found: which payments would have gone otherwise, and what it could not say.
import { Link } from '@tanstack/react-router';
import type { Answered } from '../../../../contract/panel/routes.js';
import type { NotComparable } from '../../../../domain/rules/proof/redecide.js';
import { useTexts } from '../../preferences.js';
import { Money, useMoney } from '../../ui/money.js';
import { Instant } from '../../ui/time.js';
import { ruleChangeTexts } from '../../texts/rule-changes.js';
import { thresholdTexts } from '../../texts/thresholds.js';

type Trial = Answered<'tryRules'>;

const WAYS = [
  'held',
  'newly_refused',
  'no_longer_refused',
  'delayed',
  'hastened',
  'to_two_people',
  'from_two_people',
] as const satisfies readonly (keyof Trial)[];

export function TrialResult({ of: { freed, compared, from, ...trial } }: { readonly of: Trial }) {
  const texts = useTexts(thresholdTexts);
  const { notComparable, notCompared } = useTexts(ruleChangeTexts);
  const money = useMoney();
  const ways = WAYS.filter((way) => trial[way].payments > 0);
  const unknown = (Object.entries(trial.not_comparable) as [NotComparable, number][]).filter(([, count]) => count > 0);
  return (
    <div className="notice">
      {freed.payments + ways.length === 0 && <p>{texts.same}</p>}
      {freed.payments > 0 && (
        <p>
          <strong>{texts.freed(freed.payments, money(freed.amount))}</strong>{' '}
          {texts.judged(freed.approved, freed.refused, freed.undecided)}
        </p>
      )}
      {ways.map((way) => (
        <p key={way}>{texts.ways[way](trial[way].payments, money(trial[way].amount))}</p>
      ))}
      {trial.refused_payments.length > 0 && (
        <p>
          {texts.refusedOnes}{' '}
          {trial.refused_payments.map(({ id, amount }) => (
            <span key={id}>
              <Link to="/cases/$id" params={{ id }}>
                <Money of={amount} />
              </Link>{' '}
            </span>
          ))}
        </p>
      )}
      <p className="quiet">
        {texts.compared(compared)} <Instant at={from} />. {trial.is_cut_off && texts.cutOff}
      </p>
      {unknown.map(([because, count]) => (
        <p key={because} className="quiet">
          {notCompared(count, notComparable[because])}
        </p>
      ))}
      <p className="quiet">{texts.eachAlone}</p>
    </div>
  );
}
