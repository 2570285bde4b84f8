// The player's payments, and what people decided on earlier ones.
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../preferences.js';
import { BankCode } from '../../ui/bank-code.js';
import { Section, TableBox, TableHead } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { Status } from '../../ui/status.js';
import { Words } from '../../ui/theirs.js';
import { Age } from '../../ui/time.js';
import { caseTexts } from '../../texts/case.js';
import { commonTexts } from '../../texts/common.js';
import type { Case, CaseProps, PersonalDecision } from './types.js';
import { ReasonChips } from './reasons.js';

type Sums = Case['player']['deposits'];

export function MoneyInAndOut({ case: { player } }: CaseProps) {
  const texts = useTexts(caseTexts);
  return (
    <Section title={texts.inAndOut}>
      <div className="sums">
        <SumsBox title={texts.deposits} of={player.deposits} />
        <SumsBox title={texts.withdrawals} of={player.withdrawals} />
      </div>
    </Section>
  );
}

export function PlayerHistory({ case: { player } }: CaseProps) {
  const texts = useTexts(caseTexts);
  const { kinds } = useTexts(commonTexts);
  return (
    <Section title={texts.history}>
      {player.payments.length === 0 ? (
        <p className="quiet">{texts.noHistory}</p>
      ) : (
        <TableBox label={texts.history}>
          <TableHead of={texts.historyColumns} />
          <tbody>
            {player.payments.map(({ id, kind, status, amount, reasons, created_at: at }) => (
              <tr key={id}>
                <td>
                  <Link to="/payments/$id" params={{ id }}>
                    <Money of={amount} />
                  </Link>
                </td>
                <td>{kinds[kind]}</td>
                <td>
                  <Status of={status} />
                </td>
                <td>
                  <ReasonChips reasons={reasons.map((code) => ({ from: 'rules', code, compared: null }))} most={2} />
                </td>
                <td>
                  <Age since={at} />
                </td>
              </tr>
            ))}
          </tbody>
        </TableBox>
      )}
    </Section>
  );
}

function SumsBox({ title, of }: { readonly title: string; readonly of: Sums }) {
  const texts = useTexts(caseTexts);
  return (
    <div className="sum">
      <p className="quiet">{title}</p>
      <p>
        <Money of={of.settled} large />
      </p>
      <p className="quiet">
        {texts.inCount(of.settled_count)} · {texts.counted}: <Money of={of.counted} />
      </p>
    </div>
  );
}

interface EarlierDecisionsProps {
  readonly earlier: Case['earlier_decisions'];
  readonly title: string;
}

export function EarlierDecisions({ earlier, title }: EarlierDecisionsProps) {
  const texts = useTexts(caseTexts);
  const { kinds } = useTexts(commonTexts);
  return (
    <Section title={title}>
      {earlier.length === 0 ? (
        <p className="quiet">{texts.noEarlier}</p>
      ) : (
        <ul className="decisions">
          {earlier.map(({ payment_id: id, kind, amount, ...decision }) => (
            <li key={`${id} ${decision.at}`}>
              <Link to="/payments/$id" params={{ id }}>
                {kinds[kind]} <Money of={amount} />
              </Link>{' '}
              <DecisionLine decision={decision} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

export function DecisionLine({
  decision: { person, decision, reason, code, at },
}: {
  readonly decision: PersonalDecision;
}) {
  const texts = useTexts(commonTexts);
  return (
    <span>
      <strong>{person}</strong> {texts.decisions[decision]}
      {code !== null && (
        <>
          {' '}
          (<BankCode code={code} />)
        </>
      )}{' '}
      · <Age since={at} />
      {reason === '' ? <span className="words quiet">{texts.noReason}</span> : <Words text={`“${reason}”`} />}
    </span>
  );
}
