// A rule set as a table: amounts as money, absent limits as such.
import type { JsonValue } from '../../../../domain/rules/canonical-json.js';
import { enabledCurrency } from '../../../../domain/currencies.js';
import { useTexts } from '../../preferences.js';
import { TableBox } from '../../ui/facts.js';
import { Json } from '../../ui/json.js';
import { useMoney } from '../../ui/money.js';
import { commonTexts } from '../../texts/common.js';
import { rulesTexts } from '../../texts/rules.js';

type Fields = Readonly<Record<string, JsonValue>>;

/** Settings that hold amounts of the currency above them. */
const AMOUNTS = [
  'deposit_min',
  'deposit_max',
  'withdrawal_min',
  'withdrawal_max',
  'auto_max_per_withdrawal',
  'auto_max_per_day',
  'dual_approval_above',
];

export function RuleSettings({ rules }: { readonly rules: JsonValue }) {
  const texts = useTexts(rulesTexts);
  const { currencies, version: _version, ...rest } = fieldsOf(rules);
  return (
    <>
      <Settings title={texts.title} fields={rest} currency={null} />
      {Object.entries(fieldsOf(currencies ?? {})).map(([currency, fields]) => (
        <Settings key={currency} title={currency} fields={fieldsOf(fields)} currency={currency} />
      ))}
    </>
  );
}

interface SettingsProps {
  readonly title: string;
  readonly fields: Fields;
  readonly currency: string | null;
}

function Settings({ title, fields, currency }: SettingsProps) {
  const texts = useTexts(rulesTexts);
  // Limits that are not set matter as much as those that are.
  const shown = currency === null ? fields : { ...Object.fromEntries(AMOUNTS.map((name) => [name, null])), ...fields };
  return (
    <TableBox label={title}>
      {/* Tables one below the other have their columns in line. */}
      <colgroup>
        <col className="column-name" />
        <col />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">{currency ?? texts.setting}</th>
          <th scope="col">{texts.value}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(shown).map(([name, value]) => (
          <tr key={name}>
            <td>{texts.settings[name] ?? <code>{name}</code>}</td>
            <td>
              <SettingValue name={name} value={value} currency={currency} />
            </td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}

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
  return typeof value === 'object' ? <Json value={value} /> : String(value);
}

function fieldsOf(value: JsonValue): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
