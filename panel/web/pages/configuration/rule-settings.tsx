// One value of a rule set: amounts as money, absent limits as such.
import type { JsonValue } from '../../../../domain/rules/canonical-json.js';
import { enabledCurrency } from '../../../../domain/currencies.js';
import { useTexts } from '../../preferences.js';
import { Json } from '../../ui/json.js';
import { useMoney } from '../../ui/money.js';
import { Words } from '../../ui/theirs.js';
import { commonTexts } from '../../texts/common.js';
import { rulesTexts } from '../../texts/rules.js';

/** Settings that hold amounts of their currency. */
export const AMOUNTS: readonly string[] = [
  'deposit_min',
  'deposit_max',
  'withdrawal_min',
  'withdrawal_max',
  'auto_max_per_withdrawal',
  'auto_max_per_day',
  'dual_approval_above',
];

interface SettingProps {
  readonly name: string;
  readonly value: JsonValue;
  readonly currency: string | null;
}

export function SettingValue({ name, value, currency }: SettingProps) {
  const texts = useTexts(rulesTexts);
  const { yes, no } = useTexts(commonTexts);
  const money = useMoney();
  if (value === null) return <span className="quiet">{texts.unset[name] ?? texts.noLimit}</span>;
  if (typeof value === 'boolean') return value ? yes : no;
  if (typeof value === 'string' && currency !== null && AMOUNTS.includes(name) && enabledCurrency(currency))
    return <span className="money">{money({ amount: value, currency })}</span>;
  return typeof value === 'object' ? <Json value={value} /> : <Words text={String(value)} />;
}
