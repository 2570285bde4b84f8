// Every threshold that decides now, with its value and where it comes from: the operation's rules, the gateway's own
// configuration, or the default.
import type { Answered } from '../../../../contract/panel/routes.js';
import { useTexts } from '../../preferences.js';
import { TableBox, TableHead } from '../../ui/facts.js';
import { useMoney } from '../../ui/money.js';
import { Words } from '../../ui/theirs.js';
import { commonTexts } from '../../texts/common.js';
import { rulesTexts } from '../../texts/rules.js';
import { thresholdTexts } from '../../texts/thresholds.js';
import { SettingValue } from './rule-settings.js';

export type Threshold = Answered<'readRules'>['in_force']['thresholds'][number];

/** What the names of the gateway's own thresholds begin with. */
export const ENGINE = 'engine.';

/** The name that a rule set has for the threshold: `deposit_min` of `depositMinMinor`. */
export function settingOf(name: string): string {
  return name.replace(/Minor$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Whether operators propose it. The gateway's staff set the others with the command. */
export const isOfRules = ({ name }: Pick<Threshold, 'name'>): boolean => !name.startsWith(ENGINE);

export function Thresholds({ of }: { readonly of: readonly Threshold[] }) {
  const texts = useTexts(thresholdTexts);
  const currencies = [...new Set(of.map(({ currency }) => currency))];
  return currencies.map((currency) => {
    const own = of.filter((threshold) => threshold.currency === currency);
    return (
      <div key={currency}>
        <ThresholdTable label={currency} of={own.filter(isOfRules)} />
        <details>
          <summary>{texts.engine}</summary>
          <ThresholdTable
            label={`${texts.engine}: ${currency}`}
            of={own.filter((threshold) => !isOfRules(threshold))}
          />
        </details>
      </div>
    );
  });
}

function ThresholdTable({ label, of }: { readonly label: string; readonly of: readonly Threshold[] }) {
  const texts = useTexts(thresholdTexts);
  const rules = useTexts(rulesTexts);
  return (
    <TableBox label={label}>
      <TableHead of={[rules.setting, rules.value, texts.source]} />
      <tbody>
        {of.map((threshold) => (
          <tr key={threshold.name}>
            <td>
              <ThresholdName name={threshold.name} />
            </td>
            <td>
              <Value of={threshold} />
            </td>
            <td className={threshold.source === 'default' ? 'quiet' : undefined}>{texts.sources[threshold.source]}</td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}

function ThresholdName({ name }: { readonly name: string }) {
  const { settings } = useTexts(rulesTexts);
  const own = useEngineName(name);
  if (name.startsWith(ENGINE)) return <Words text={own} />;
  return settings[settingOf(name)] ?? <code>{name}</code>;
}

/** The gateway's own thresholds are named part by part: withdrawals, in 7 days, review above (amount). */
export function useEngineName(name: string): string {
  const { parts } = useTexts(thresholdTexts);
  const names = name.slice(ENGINE.length).split('.');
  return names.map((part) => parts[part] ?? part).join(' · ');
}

function Value({ of: { name, value, currency } }: { readonly of: Threshold }) {
  const texts = useTexts(thresholdTexts);
  const { yes, no } = useTexts(commonTexts);
  const money = useMoney();
  if (isOfRules({ name })) return <SettingValue name={settingOf(name)} value={value} currency={currency} />;
  if (value === null) return <span className="quiet">{texts.off}</span>;
  if (typeof value === 'boolean') return value ? yes : no;
  if (Array.isArray(value))
    return value.length === 0 ? <span className="quiet">{texts.none}</span> : <Words text={value.join(', ')} />;
  if (typeof value === 'string' && name.endsWith('Minor')) return money({ amount: value, currency });
  return <Words text={texts.values[String(value)] ?? String(value)} />;
}
