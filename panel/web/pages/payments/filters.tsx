// The filters of the list of payments. They are part of the address.
import { useState } from 'react';
import type { ReasonCode } from '../../../../domain/rules/reason-sentences.js';
import type { PaymentFilters } from '../../app/search.js';
import { useTexts } from '../../preferences.js';
import { minorOf, typedAmount } from '../../ui/money.js';
import { commonTexts } from '../../texts/common.js';
import { paymentsTexts } from '../../texts/payments.js';
import { reasonText, reasonTexts } from '../../texts/reasons.js';

/** Every state of a payment. */
const STATUSES =
  'created pending requested under_review approved processing paid rejected failed cancelled expired returned refunded chargeback'.split(
    ' ',
  );

interface FilterFormProps {
  readonly filters: PaymentFilters;
  readonly onChange: (filters: PaymentFilters) => void;
}

const AMOUNTS: readonly string[] = ['min_amount', 'max_amount'];

export function PaymentFilterForm({ filters, onChange }: FilterFormProps) {
  const texts = useTexts(paymentsTexts);
  const { kinds, all, statuses } = useTexts(commonTexts);
  const reasons = useTexts(reasonTexts);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({
    ...filters,
    min_amount: typedAmount(filters.min_amount),
    max_amount: typedAmount(filters.max_amount),
  });
  const [unread, setUnread] = useState<readonly string[]>([]);
  const codes = (Object.keys(reasons.reasons) as ReasonCode[]).toSorted((a, b) =>
    reasons.reasons[a].label.localeCompare(reasons.reasons[b].label),
  );
  const submit = (changed: Readonly<Record<string, string>> = {}) => {
    const given = { ...typed, ...changed };
    // A filter that is dropped unsaid would show, and export, more than was asked for.
    const unread = AMOUNTS.filter((name) => (given[name] ?? '') !== '' && minorOf(given[name]) === undefined);
    setUnread(unread);
    if (unread.length > 0) return;
    const amounts = { min_amount: minorOf(given['min_amount']), max_amount: minorOf(given['max_amount']) };
    const kept = Object.entries({ ...given, ...amounts }).filter(([, value]) => value !== undefined && value !== '');
    onChange(Object.fromEntries(kept) as PaymentFilters);
  };
  const choice = (name: string, label: string, options: readonly (readonly [value: string, text: string])[]) => (
    <label key={name}>
      {label}
      <select
        value={typed[name] ?? ''}
        onChange={({ target }) => {
          setTyped({ ...typed, [name]: target.value });
          submit({ [name]: target.value });
        }}
      >
        <option value="">{all}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
  const field = (name: string, label: string, type: 'text' | 'date' = 'text', hint?: string) => (
    <label key={name}>
      {label}
      <input
        type={type}
        value={typed[name] ?? ''}
        maxLength={64}
        placeholder={hint}
        autoComplete="off"
        aria-invalid={unread.includes(name) || undefined}
        onChange={({ target }) => setTyped({ ...typed, [name]: target.value.trim() })}
      />
      {unread.includes(name) && <span className="bad">{texts.noAmount}</span>}
    </label>
  );
  return (
    <form
      className="filters"
      aria-label={texts.filters}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {choice('kind', texts.kind, [
        ['deposit', kinds.deposit],
        ['withdrawal', kinds.withdrawal],
      ])}
      {choice(
        'status',
        texts.status,
        STATUSES.map((status) => [status, statuses[status] ?? status]),
      )}
      {choice(
        'reason',
        texts.reason,
        codes.map((code) => [code, reasonText(reasons, code).label]),
      )}
      {field('min_amount', texts.least, 'text', texts.amountHint)}
      {field('max_amount', texts.most, 'text', texts.amountHint)}
      {field('from', texts.from, 'date')}
      {field('to', texts.to, 'date')}
      {field('player', texts.player)}
      {field('provider', texts.provider)}
      <button type="submit" className="button">
        {texts.filter}
      </button>
      {Object.keys(filters).length > 0 && (
        <button type="button" className="button-quiet" onClick={() => onChange({})}>
          {texts.clear}
        </button>
      )}
    </form>
  );
}
