// What the payment moved: each transfer with its two sides.
import { useWords } from '../../preferences.js';
import { Section, TableBox } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { Instant } from '../../ui/time.js';
import { paymentWords } from '../../words/payment.js';
import type { PaymentProps } from './types.js';

export function Ledger({ payment: { ledger, operation } }: PaymentProps) {
  const words = useWords(paymentWords);
  return (
    <Section title={words.ledger}>
      {ledger.length === 0 ? (
        <p className="quiet">{words.noLedger}</p>
      ) : (
        <TableBox label={words.ledger}>
          {ledger.map(({ transfer_id: id, movement, currency, at, entries, sums_to_zero: isBalanced }) => (
            <tbody key={id}>
              <tr>
                <th scope="rowgroup" colSpan={2} className="group-name">
                  {words.movements[movement] ?? movement} · <Instant at={at} zone={operation.time_zone} />{' '}
                  <span className={isBalanced ? 'chip chip-good' : 'chip chip-bad'}>
                    {isBalanced ? words.sumsToZero : words.doesNotSum}
                  </span>
                </th>
              </tr>
              {entries.map(({ account, amount_minor: amount }) => (
                <tr key={account}>
                  <td>{words.accounts[account] ?? account}</td>
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
