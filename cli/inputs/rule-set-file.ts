// Reads the file of `--rules` and `rules set`: strict JSON (repeated keys are errors) with a rule set.
import { parseStrictJson } from '../../contract/http/strict-json.js';
import { type EngineRules, parseEngineRules } from '../../domain/rules/engine-rules.js';
import { parseRuleSetDraft, type RuleSet, RuleSetError } from '../../domain/rules/rule-set.js';
import type { CommandContext } from '../context.js';
import { badInput } from '../problem.js';
import { MOST_RULES_BYTES } from './sizes.js';

/**
 * The rule set in the file. Its `version` is optional and replaced when it is stored. Its member `engine` has the
 * engine's thresholds and is not part of the rule set; null if it is absent.
 */
export async function readRuleSetFile(
  context: CommandContext,
  field: string,
  path: string,
): Promise<{ rules: RuleSet; engine: EngineRules | null }> {
  const parsed = parseStrictJson(await context.readFile(field, path, MOST_RULES_BYTES));
  const problem = parsed.ok ? parsed.problems[0] : parsed.error;
  if (problem !== undefined)
    throw badInput(field, `${problem.field === '' ? '' : `${problem.field}: `}${problem.message}`);
  try {
    const { engine, document } = split(parsed.ok ? parsed.value : null);
    return { rules: parseRuleSetDraft(document), engine: engine === undefined ? null : parseEngineRules(engine) };
  } catch (error) {
    throw error instanceof RuleSetError ? badInput(field, error.message) : error;
  }
}

function split(value: unknown): { engine?: unknown; document: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !('engine' in value))
    return { document: value };
  const { engine, ...document } = value;
  return { engine, document };
}
