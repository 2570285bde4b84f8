// Asks the rules from a step. A step that runs in its workflow's own task has no time to wait for them: it fails with
// RULES_ELSEWHERE, and continues where the rules are served.
import { ApplicationFailure, asyncLocalStorage } from '@temporalio/activity';
import { RULES_ELSEWHERE } from '../../contract/temporal/payment-steps.js';
import { within } from '../within.js';
import type { Decision, RulesEngine } from './types.js';

const LOCAL_PATIENCE_MS = 1_500;

/** Throws RULES_ELSEWHERE if the rules are slow or not served here. Passes on what the engine throws. */
export async function askRules<Verdict>(
  rules: RulesEngine | null,
  ask: (rules: RulesEngine) => Promise<Decision<Verdict>>,
): Promise<Decision<Verdict>> {
  if (rules === null) throw elsewhere('this process does not serve the rules');
  const asked = ask(rules);
  if (!isLocal()) return asked;
  const answer = await within(LOCAL_PATIENCE_MS, asked);
  if (answer === null) throw elsewhere('the rules are slow');
  return answer;
}

/** Whether the step runs as a local activity. */
function isLocal(): boolean {
  return asyncLocalStorage.getStore()?.info.isLocal ?? true;
}

function elsewhere(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, RULES_ELSEWHERE);
}
