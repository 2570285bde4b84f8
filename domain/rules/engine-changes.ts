// The engine's configuration with some thresholds changed, as a person tries or proposes them. Workflow code must not
// import this file, because it imports zod.
import type { JsonValue } from './canonical-json.js';
import { type EngineRules, parseEngineRules } from './engine-rules.js';
import { ENGINE_SETTINGS, engineSettingOf, NEEDED_VALUES } from './engine-settings.js';
import { RuleSetError } from './rule-set.js';

type Branch = { [member: string]: JsonValue | undefined };

/**
 * The configuration with these thresholds of the currency, by the names of `ENGINE_SETTINGS`; `null` turns one off.
 * Throws a RuleSetError for an unknown name, or for what the configuration cannot hold.
 */
export function changedEngine(
  engine: EngineRules,
  currency: string,
  changes: Readonly<Record<string, JsonValue>>,
): EngineRules {
  const changed = structuredClone(engine) as Branch;
  for (const [name, value] of Object.entries({ ...changes, ...takenAway(changes) })) {
    const setting = engineSettingOf(name);
    if (setting === undefined) throw new RuleSetError(`engine.${name}`, 'unknown field');
    put(changed, [...(setting.isOfCurrency ? ['currencies', currency] : []), ...setting.place], value);
  }
  return parseEngineRules(changed);
}

/** The other values of rules that a change turns off, unless the change also sets one of them. */
function takenAway(changes: Readonly<Record<string, JsonValue>>): Record<string, null> {
  const off = NEEDED_VALUES.filter((needed) => changes[needed] === null).map((needed) => needed.split('.')[0] ?? '');
  const parts = off.filter((rule) =>
    Object.entries(changes).every(([name, value]) => !name.startsWith(`${rule}.`) || value === null),
  );
  const names = Object.keys(ENGINE_SETTINGS).filter((name) => parts.includes(name.split('.')[0] ?? ''));
  return Object.fromEntries(names.map((name) => [name, null]));
}

/** Puts the value, or removes it and every branch that it leaves empty. */
function put(branch: Branch, [member = '', ...rest]: readonly string[], value: JsonValue): void {
  if (rest.length === 0) {
    if (value === null) delete branch[member];
    else branch[member] = value;
    return;
  }
  const below = (branch[member] ??= {}) as Branch;
  put(below, rest, value);
  if (Object.keys(below).length === 0) delete branch[member];
}
