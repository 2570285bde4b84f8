// The player's payments, and what people decided on earlier ones.
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../preferences.js';
import { Section, TableBox, TableHead } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { Status } from '../../ui/status.js';
import { Age } from '../../ui/time.js';
import { caseTexts } from '../../texts/case.js';
import { commonTexts } from '../../texts/common.js';
import type { Case, CaseProps, PersonalDecision } from './types.js';
import { ReasonChips } from './reasons.js';

type Sums = Case['player']['deposits'];

export function PlayerHistory({ case: { player } }: CaseProps) {
  const texts = useTexts(caseTexts);
  const { kinds } = useTexts(commonTexts);
  return (
    <Section title={texts.history}>
      <div className="sums">
        <SumsBox title={texts.deposits} of={player.deposits} />
        <SumsBox title={texts.withdrawals} of={player.withdrawals} />
      </div>
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

export function EarlierDecisions({ case: { earlier_decisions: earlier } }: CaseProps) {
  const texts = useTexts(caseTexts);
  const { kinds } = useTexts(commonTexts);
  return (
    <Section title={texts.earlier}>
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

export function DecisionLine({ decision: { person, decision, reason, at } }: { readonly decision: PersonalDecision }) {
  const texts = useTexts(commonTexts);
  return (
    <span>
      <strong>{person}</strong> {texts.decisions[decision]} · <Age since={at} />
      <br />
      {reason === '' ? <span className="quiet">{texts.noReason}</span> : <q>{reason}</q>}
    </span>
  );
}
