// What rules would have changed in the decisions of the last 30 days, compared with those in force. Stores nothing.
import type { Database } from '../../store/database.js';
import { currentRuleSet, engineRulesOf } from '../../store/rules/rule-sets.js';
import { proveRuleChange } from '../../store/rules/rule-change-proof.js';
import type { ProposedRules } from '../acts/rule-sets.js';
import { ruleSetChanges } from './rule-set-changes.js';

/** The report that a change to these rules would have; `null` if there is no such operation. */
export async function previewRules(database: Database, { operationId, rules, engine }: ProposedRules) {
  const current = await currentRuleSet(database, operationId);
  if (current === null) return null;
  const { version: baseVersion } = current;
  const through = new Date().toISOString();
  const proof = await proveRuleChange(database, { operationId, baseVersion, rules, engine, through });
  const before = { ...current.rules, engine: await engineRulesOf(database, operationId) };
  return { baseVersion, changes: ruleSetChanges(before, { ...rules, engine: proof.proposal.engine }), proof };
}
