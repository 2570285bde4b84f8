// An operation's rules: read-only here. A change is only proposed; two people approve it with the gateway command.
import { invalidField, type Problem, problem } from '../../contract/http/errors.js';
import type { RouteHandlers } from '../../contract/http/routes.js';
import { RULE_CHANGE_WORKFLOW, type RuleChangeInput, ruleChangeStart } from '../../contract/temporal/rule-change.js';
import { maskPersonalData } from '../../domain/rules/operator-reasons.js';
import { defaultRuleSet, servedRuleSet } from '../../domain/rules/rule-set.js';
import type { Database } from '../../store/database.js';
import { insertRuleChange, isRuleChangeStored } from '../../store/rules/rule-changes.js';
import { currentRuleSet } from '../../store/rules/rule-sets.js';
import { ask } from '../../platform/temporal/calls.js';
import { ok, unavailable, type ApiDependencies, reservedId } from './handler.js';

type RuleChangeWorkflow = (input: RuleChangeInput) => Promise<unknown>;

export function ruleHandlers({
  database,
  temporal,
  deadlines,
}: ApiDependencies): Pick<RouteHandlers, 'getRules' | 'proposeRuleChange'> {
  return {
    getRules: async ({ caller: { operation } }) => {
      const rules = await activeRules(database, operation.id);
      return ok(rules, { ETag: etagOf(rules.version) });
    },

    proposeRuleChange: async (request) => {
      const {
        caller: { operation, keyId },
        body,
        headers,
      } = request;
      const id = reservedId(request);
      // A repeat of a stored, interrupted request continues where it stopped, even if other rules are in force now.
      if (!(await isRuleChangeStored(database, operation.id, id))) {
        const { version } = await activeRules(database, operation.id);
        const refused = preconditionProblem(headers['if-match'], etagOf(version));
        if (refused !== null) return refused;
        await insertRuleChange(database, {
          id,
          operationId: operation.id,
          baseVersion: version,
          rules: body.rules,
          engine: null,
          justification: maskPersonalData(body.justification),
          requestedBy: keyId,
        });
      }
      const started = await ask(temporal, Date.now() + deadlines.signalMs, () =>
        temporal.start<RuleChangeWorkflow>(
          RULE_CHANGE_WORKFLOW,
          ruleChangeStart({ changeId: id, operationId: operation.id }, operation.name),
        ),
      );
      // `closed`: already decided. `unavailable`: the key is released, and a repeat starts the stored request.
      return started.kind === 'unavailable' ? unavailable() : { status: 202, body: { id, status: 'pending_approval' } };
    },
  };
}

async function activeRules(database: Database, operationId: string) {
  const stored = await currentRuleSet(database, operationId);
  return stored === null ? defaultRuleSet(1) : servedRuleSet(stored);
}

/** A strong ETag: a version of a rule set never changes. */
function etagOf(version: number): string {
  return `"rules-${version}"`;
}

/** Strong comparison only: a weak or wildcard match would allow a change based on rules the caller has not read. */
function preconditionProblem(ifMatch: string | undefined, current: string): Problem | null {
  if (ifMatch === undefined || ifMatch.trim() === '')
    return invalidField('If-Match', 'required', 'is required: the ETag of GET /rules');
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return tags.includes(current) ? null : problem('etag_mismatch');
}
