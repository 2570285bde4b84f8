// What the payment moved: each transfer with its two sides.
import { useTexts } from '../../preferences.js';
import { Section, TableBox } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { Instant } from '../../ui/time.js';
import { paymentTexts } from '../../texts/payment.js';
import type { PaymentProps } from './types.js';

export function Ledger({ payment: { ledger, operation } }: PaymentProps) {
  const texts = useTexts(paymentTexts);
  return (
    <Section title={texts.ledger}>
      {ledger.length === 0 ? (
        <p className="quiet">{texts.noLedger}</p>
      ) : (
        <TableBox label={texts.ledger}>
          {ledger.map(({ step: id, movement, currency, at, entries, sums_to_zero: isBalanced }) => (
            <tbody key={id}>
              <tr>
                <th scope="rowgroup" colSpan={2} className="group-name">
                  {texts.movements[movement] ?? movement} · <Instant at={at} zone={operation.time_zone} />{' '}
                  <span className={isBalanced ? 'chip chip-good' : 'chip chip-bad'}>
                    {isBalanced ? texts.sumsToZero : texts.doesNotSum}
                  </span>
                </th>
              </tr>
              {entries.map(({ account, amount_minor: amount }) => (
                <tr key={account}>
                  <td>{texts.accounts[account] ?? account}</td>
                  <td className="number">
                    <Money of={{ amount, currency }} />
                  </td>
                </tr>
              ))}
            </tbody>
          ))}
        </TableBox>
      )}
    </Section>
  );
}
