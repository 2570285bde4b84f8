// Tries other thresholds on the last 30 days, and proposes them. Two people approve a proposal before it is in force.
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Answered, Asking } from '../../../../contract/panel/routes.js';
import type { JsonValue } from '../../../../domain/rules/canonical-json.js';
import { ask } from '../../api/client.js';
import { useTexts } from '../../preferences.js';
import { Section } from '../../ui/facts.js';
import { minorOf, typedAmount } from '../../ui/money.js';
import { FaultNotice } from '../../ui/states.js';
import { useAct } from '../../ui/use-act.js';
import { WhyButton } from '../../ui/why-button.js';
import { caseTexts } from '../../texts/case.js';
import { rulesTexts } from '../../texts/rules.js';
import { thresholdTexts } from '../../texts/thresholds.js';
import { isShort, ReasonField } from '../case/reason-field.js';
import { Choice, EngineFields, engineChangesOf } from './engine-fields.js';
import { AMOUNTS } from './rule-settings.js';
import { isOfRules, settingOf, type Threshold } from './thresholds.js';
import { TrialResult } from './trial-result.js';

type Changes = Pick<Asking<'tryRules'>['body'], 'changes' | 'engine_changes'>;

/** The only enabled currency. */
const CURRENCY = 'BRL';
const NOT_PROPOSED = ['timezone'];
const NUMBERS = ['max_withdrawals_per_day', 'pix_key_change_cooldown_hours'];

interface RuleEditorProps {
  readonly of: Answered<'readRules'>;
}

export function RuleEditor({ of: { operation, in_force: current } }: RuleEditorProps) {
  const texts = useTexts(thresholdTexts);
  const { reasonTooShort } = useTexts(caseTexts);
  const navigate = useNavigate();
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [reason, setReason] = useState('');
  const params = { operation: operation.id };
  const trial = useAct((changes: Changes) => ask('tryRules', { params, body: changes }));
  const proposal = useAct((changes: Changes) =>
    ask('proposeRules', { params, body: { ...changes, base_version: current.version, reason: reason.trim() } }),
  );
  const own = current.thresholds.filter(({ currency }) => currency === CURRENCY);
  const fields = own.filter(isOfRules).filter(({ name }) => !NOT_PROPOSED.includes(settingOf(name)));
  const changes: Changes = { changes: changesOf(fields, typed), engine_changes: engineChangesOf(own, typed) };
  const isNothing = Object.keys({ ...changes.changes, ...changes.engine_changes }).length === 0;
  const hasNothing = isNothing ? texts.nothing : null;
  const change = (name: string, value: string) => {
    setTyped({ ...typed, [name]: value });
    trial.reset();
    proposal.reset();
  };
  const attempt = async () => {
    trial.reset();
    await trial.send(changes);
  };
  const propose = async () => {
    const state = await proposal.send(changes);
    if (state.kind === 'done') await navigate({ to: '/rule-changes/$id', params: { id: state.answer.id } });
  };
  return (
    <Section title={texts.editor}>
      <p className="quiet">{texts.editorText}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (hasNothing === null) void attempt();
        }}
      >
        <div className="filters">
          {fields.map((threshold) => (
            <Field
              key={threshold.name}
              name={settingOf(threshold.name)}
              value={typed[settingOf(threshold.name)] ?? asTyped(threshold)}
              onChange={change}
            />
          ))}
        </div>
        <EngineFields of={own} typed={typed} onChange={change} />
        <div className="buttons">
          <WhyButton why={hasNothing} onAct={() => void attempt()}>
            {trial.state.kind === 'sending' ? texts.trying : texts.try}
          </WhyButton>
        </div>
      </form>
      <div role="status">
        {trial.state.kind === 'done' && <TrialResult of={trial.state.answer} />}
        {(trial.state.kind === 'refused' || trial.state.kind === 'unknown') && (
          <FaultNotice fault={trial.state.fault} />
        )}
      </div>
      {trial.state.kind === 'done' && (
        <div className="form">
          <ReasonField label={texts.why} value={reason} onChange={setReason} />
          <WhyButton why={isShort(reason) ? reasonTooShort : null} tone="good" onAct={() => void propose()}>
            {texts.propose}
          </WhyButton>
          {(proposal.state.kind === 'refused' || proposal.state.kind === 'unknown') && (
            <FaultNotice fault={proposal.state.fault} />
          )}
        </div>
      )}
    </Section>
  );
}

interface FieldProps {
  readonly name: string;
  readonly value: string;
  readonly onChange: (name: string, value: string) => void;
}

function Field({ name, value, onChange }: FieldProps) {
  const texts = useTexts(thresholdTexts);
  const { settings } = useTexts(rulesTexts);
  const isChoice = value === 'true' || value === 'false';
  return (
    <label>
      {settings[name] ?? name}
      {isChoice ? (
        <Choice value={value} onChoice={(chosen) => onChange(name, chosen)} />
      ) : (
        <input
          value={value}
          maxLength={32}
          autoComplete="off"
          placeholder={name === 'auto_hours' ? '08:00-22:00' : texts.empty}
          onChange={({ target }) => onChange(name, target.value)}
        />
      )}
    </label>
  );
}

/** A threshold as it is typed: amounts as decimals, hours as "08:00-22:00", no limit as nothing. */
function asTyped({ name, value }: Threshold): string {
  const setting = settingOf(name);
  if (value === null) return '';
  if (setting === 'auto_hours') {
    const { from, to } = value as unknown as { readonly from: string; readonly to: string };
    return `${from}-${to}`;
  }
  return AMOUNTS.includes(setting) ? typedAmount(String(value)) : String(value);
}

/** What was typed and is another value. The panel's answer names what a rule set cannot hold. */
function changesOf(fields: readonly Threshold[], typed: Readonly<Record<string, string>>): Changes['changes'] {
  const changed = fields.flatMap((threshold) => {
    const name = settingOf(threshold.name);
    const text = typed[name]?.trim();
    return text === undefined || text === asTyped(threshold) ? [] : [[name, valueOf(name, text)] as const];
  });
  return Object.fromEntries(changed) as Changes['changes'];
}

function valueOf(name: string, text: string): JsonValue {
  if (text === '') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  // What is no amount or number goes as it is: the answer says what is wrong with it.
  if (AMOUNTS.includes(name)) return minorOf(text) ?? text;
  if (NUMBERS.includes(name)) return /^\d{1,7}$/.test(text) ? Number(text) : text;
  if (name !== 'auto_hours') return text.replace(',', '.');
  const [, from = '', to = ''] = /^(\S{5})\s*-\s*(\S{5})$/.exec(text) ?? [];
  return from === '' ? text : { from, to };
}
