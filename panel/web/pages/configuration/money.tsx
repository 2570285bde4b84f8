// Balances of every operation, as its ledger has them, what is in suspense or disputed, closed days, what people moved,
// and how the providers' statements compare.
import { useTexts } from '../../preferences.js';
import { TableBox } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { paymentTexts } from '../../texts/payment.js';
import { moneyTexts } from '../../texts/money.js';
import { CashMovements } from './cash-movements.js';
import { Days } from './days.js';
import { Disputes } from './disputes.js';
import { type Operation, Operations } from './operations.js';
import { Statements } from './statements.js';
import { Suspense } from './suspense.js';

export function MoneyPage() {
  const texts = useTexts(moneyTexts);
  return (
    <>
      <Operations title={texts.title} note={texts.note}>
        {(operation) => (
          <>
            <Balances of={operation} />
            <Suspense of={operation} />
            <Disputes of={operation} />
            <Days of={operation} />
            <CashMovements of={operation} />
          </>
        )}
      </Operations>
      <Statements />
    </>
  );
}

/** A table for each account at a provider where the operation's money lies. */
function Balances({ of: { name, balances, provider: present } }: { readonly of: Operation }) {
  const texts = useTexts(moneyTexts);
  const { accounts } = useTexts(paymentTexts);
  if (balances.length === 0) return <p className="quiet">{texts.none}</p>;
  const places = [...new Map(balances.map((one) => [`${one.currency} ${one.provider}`, one])).values()];
  return places.map(({ currency, provider }) => {
    const own = balances.filter((balance) => balance.currency === currency && balance.provider === provider);
    const sum = own.reduce((total, { balance_minor: minor }) => total + BigInt(minor), 0n);
    const label = provider === present ? `${name} ${currency}` : `${name} ${currency} ${provider}`;
    return (
      <TableBox key={`${currency} ${provider}`} label={label}>
        <thead>
          <tr>
            <th scope="col">{places.length === 1 ? texts.account : texts.accountIn(provider)}</th>
            <th scope="col" className="number">
              {texts.balance}
            </th>
          </tr>
        </thead>
        <tbody>
          {own.map(({ account, balance_minor: amount }) => (
            <tr key={account}>
              <td>{accounts[account] ?? account}</td>
              <td className="number">
                <Money of={{ amount, currency }} />
              </td>
            </tr>
          ))}
          <tr>
            <td>
              <span className={sum === 0n ? 'chip chip-good' : 'chip chip-bad'}>
                {sum === 0n ? texts.balanced : texts.unbalanced}
              </span>
            </td>
            <td className="number">
              <Money of={{ amount: sum.toString(), currency }} />
            </td>
          </tr>
        </tbody>
      </TableBox>
    );
  });
}
