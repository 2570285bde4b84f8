// The file of `--rules` and `rules set`: strict JSON (a repeated key is an error, not a silent choice), then a rule set.
import { parseStrictJson } from '../../contract/http/strict-json.js';
import { parseRuleSetDraft, type RuleSet, RuleSetError } from '../../domain/rules/rule-set.js';
import { badInput } from '../problem.js';
import { readBytes } from './files.js';

const MOST_BYTES = 64 * 1024;

/** The rule set in the file; its own `version` may be missing and is replaced when it is stored. */
export async function readRuleSetFile(field: string, path: string): Promise<RuleSet> {
  const parsed = parseStrictJson(await readBytes(field, path, MOST_BYTES));
  const problem = parsed.ok ? parsed.problems[0] : parsed.error;
  if (problem !== undefined) throw badInput(field, `${problem.field === '' ? '' : `${problem.field}: `}${problem.message}`);
  try {
    return parseRuleSetDraft(parsed.ok ? parsed.value : null);
  } catch (error) {
    throw error instanceof RuleSetError ? badInput(field, error.message) : error;
  }
}
