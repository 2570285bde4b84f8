// Why a payment waits: short as chips, and in sentences with the numbers that the rules compared.
import type { Answered } from '../../../../contract/panel/routes.js';
import { usePreferences, useTexts } from '../../preferences.js';
import { Bounded } from '../../ui/bounded.js';
import { moneyText } from '../../ui/money.js';
import { ObjectLink } from '../../ui/object-link.js';
import { Theirs, visible, Words } from '../../ui/theirs.js';
import { Instant } from '../../ui/time.js';
import { commonTexts } from '../../texts/common.js';
import { reasonText, reasonTexts } from '../../texts/reasons.js';

type Reason = Answered<'readCase'>['reasons'][number];
type Comparison = Answered<'readCase'>['decisions'][number]['why'][number]['compared'];

export function ReasonChips({ reasons, most }: { readonly reasons: readonly Reason[]; readonly most: number }) {
  const texts = useTexts(reasonTexts);
  const rest = reasons.length - most;
  const hidden = reasons
    .slice(most)
    .map((reason) => (reason.from === 'rules' ? reasonText(texts, reason.code).label : visible(reason.text)))
    .join(', ');
  return (
    <span className="chips">
      {reasons.slice(0, most).map((reason) =>
        reason.from === 'rules' ? (
          <span key={reason.code} className="chip chip-reason" title={reasonText(texts, reason.code).sentence}>
            {reasonText(texts, reason.code).label}
          </span>
        ) : (
          <span key={`op ${reason.text}`} className="chip chip-operator" title={texts.operator}>
            {visible(reason.text)}
          </span>
        ),
      )}
      {rest > 0 && (
        <span className="quiet" title={hidden}>
          +{rest}
          <span className="hidden">: {hidden}</span>
        </span>
      )}
    </span>
  );
}

/** `currency` and `zone` are those of the payment with these numbers. */
export interface NumbersProps {
  readonly compared: Comparison;
  readonly currency: string;
  readonly zone: string;
}

export function ReasonList({
  reasons,
  currency,
  zone,
}: { readonly reasons: readonly Reason[] } & Omit<NumbersProps, 'compared'>) {
  const texts = useTexts(reasonTexts);
  const ofRules = reasons.filter((reason) => reason.from === 'rules');
  const ofOperator = reasons.filter((reason) => reason.from !== 'rules');
  return (
    <>
      <ul className="reasons">
        {ofRules.map(({ code, compared }) => (
          <li key={code}>
            <p>
              <strong>{reasonText(texts, code).label}</strong>: {reasonText(texts, code).sentence}
            </p>
            {compared !== null && <Numbers compared={compared} currency={currency} zone={zone} />}
          </li>
        ))}
      </ul>
      {ofOperator.length > 0 && (
        <Bounded label={texts.operator} count={ofOperator.length}>
          <ul className="reasons">
            {ofOperator.map(({ text }) => (
              <li key={text}>
                <p>
                  <strong>{texts.operator}</strong>:
                </p>
                <Theirs text={text} />
              </li>
            ))}
          </ul>
        </Bounded>
      )}
    </>
  );
}

/** What a rule compared, each with its name. */
export function Numbers({ compared, currency, zone }: NumbersProps) {
  const texts = useTexts(reasonTexts);
  return (
    <dl className="numbers">
      {Object.entries(compared).map(([name, value]) => (
        <div key={name}>
          <dt>{texts.compared[name] ?? name}</dt>
          <dd>
            <Value name={name} value={value} currency={currency} zone={zone} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface ValueProps {
  readonly name: string;
  readonly value: Comparison[string];
  readonly currency: string;
  readonly zone: string;
}

function Value({ name, value, currency, zone }: ValueProps) {
  const { language } = usePreferences();
  const texts = useTexts(reasonTexts);
  const { yes, no } = useTexts(commonTexts);
  if (value === null || value === undefined) return '—';
  if (typeof value === 'boolean') return value ? yes : no;
  if (typeof value === 'number') return value.toLocaleString(language);
  if (name.endsWith('Minor') && /^-?\d+$/.test(value)) return moneyText({ amount: value, currency }, language);
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return <Instant at={value} zone={zone} />;
  return (
    <ObjectLink id={value}>
      <Words text={texts.values[value] ?? value} />
    </ObjectLink>
  );
}
