// Fields for the engine's own thresholds: velocity, windows, caps, AML. They appear when a person opens them.
import { useState } from 'react';
import type { Asking } from '../../../../contract/panel/routes.js';
import type { JsonValue } from '../../../../domain/rules/canonical-json.js';
import { ENGINE_SETTINGS, engineSettingOf } from '../../../../domain/rules/engine-settings.js';
import { useTexts } from '../../preferences.js';
import { minorOf, typedAmount } from '../../ui/money.js';
import { commonTexts } from '../../texts/common.js';
import { thresholdTexts } from '../../texts/thresholds.js';
import { ENGINE, type Threshold, useEngineName } from './thresholds.js';

interface EngineFieldsProps {
  /** The thresholds in force of one currency. */
  readonly of: readonly Threshold[];
  /** What was typed, by the threshold's name with `engine.`. */
  readonly typed: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
}

export function EngineFields({ of, typed, onChange }: EngineFieldsProps) {
  const texts = useTexts(thresholdTexts);
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.moreThresholds}</summary>
      {isOpen && (
        <>
          <div className="filters">
            {settingsOf(of).map(([name, inForce]) => (
              <Field key={name} name={name} value={typed[name] ?? inForce} onChange={onChange} />
            ))}
          </div>
          <p className="quiet">{texts.notTried}</p>
        </>
      )}
    </details>
  );
}

function Field({
  name,
  value,
  onChange,
}: { readonly name: string; readonly value: string } & Pick<EngineFieldsProps, 'onChange'>) {
  const texts = useTexts(thresholdTexts);
  const label = useEngineName(name);
  const kind = engineSettingOf(name.slice(ENGINE.length))?.kind;
  const choose = (chosen: string) => onChange(name, chosen);
  if (kind === 'choice' || kind === 'policy')
    return (
      <label>
        {label}
        {kind === 'choice' ? <Choice value={value} onChoice={choose} /> : <Policy value={value} onChoice={choose} />}
      </label>
    );
  return (
    <label>
      {label}
      <input
        value={value}
        maxLength={kind === 'codes' ? 512 : 32}
        autoComplete="off"
        placeholder={kind === 'codes' ? 'PIX_KEY_CHANGED, NEW_CONTEXT' : texts.empty}
        onChange={({ target }) => choose(target.value)}
      />
    </label>
  );
}

interface ChoiceProps {
  readonly value: string;
  readonly onChoice: (value: string) => void;
}

/** Yes or no. */
export function Choice({ value, onChoice }: ChoiceProps) {
  const { yes, no } = useTexts(commonTexts);
  return (
    <select value={value} onChange={({ target }) => onChoice(target.value)}>
      <option value="true">{yes}</option>
      <option value="false">{no}</option>
    </select>
  );
}

function Policy({ value, onChoice }: ChoiceProps) {
  const { values } = useTexts(thresholdTexts);
  return (
    <select value={value} onChange={({ target }) => onChoice(target.value)}>
      {['wait', 'review'].map((policy) => (
        <option key={policy} value={policy}>
          {values[policy]}
        </option>
      ))}
    </select>
  );
}

/** Every threshold of the engine with its value in force as it is typed; also those of the tiers that exist. */
function settingsOf(of: readonly Threshold[]): readonly (readonly [name: string, inForce: string])[] {
  const values = new Map(of.map(({ name, value }) => [name, value]));
  const tiers = of.map(({ name }) => name).filter((name) => name.startsWith(`${ENGINE}vipTiers.`));
  const names = [...Object.keys(ENGINE_SETTINGS).map((name) => `${ENGINE}${name}`), ...tiers];
  return names.map((name) => [name, asTyped(name, values.get(name) ?? null)]);
}

function asTyped(name: string, value: JsonValue): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.join(', ');
  return engineSettingOf(name.slice(ENGINE.length))?.kind === 'amount' ? typedAmount(String(value)) : String(value);
}

/** What was typed and is another value, by the names that the panel's route takes. */
export function engineChangesOf(
  of: readonly Threshold[],
  typed: EngineFieldsProps['typed'],
): NonNullable<Asking<'tryRules'>['body']['engine_changes']> {
  const changed = settingsOf(of).flatMap(([name, inForce]) => {
    const text = typed[name]?.trim();
    const setting = name.slice(ENGINE.length);
    return text === undefined || text === inForce ? [] : [[setting, valueOf(setting, text)] as const];
  });
  return Object.fromEntries(changed);
}

/** What is no amount or number goes as it is: the answer says what is wrong with it. */
function valueOf(setting: string, text: string) {
  if (text === '') return null;
  switch (engineSettingOf(setting)?.kind) {
    case 'amount':
      return minorOf(text) ?? text;
    case 'number':
      return /^\d{1,7}$/.test(text) ? Number(text) : text;
    case 'choice':
      return text === 'true';
    case 'codes':
      return text.split(/[\s,;]+/).filter((code) => code !== '');
    case 'policy':
    case undefined:
      return text;
  }
}
