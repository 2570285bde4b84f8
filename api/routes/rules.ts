// The rules of an operation: read-only here; a change is only proposed (two people approve it elsewhere).
import { invalidField, type Problem, problem } from '../../contract/http/errors.js';
import type { RouteHandlers } from '../../contract/http/routes.js';
import { defaultRuleSet, servedRuleSet } from '../../domain/rules/rule-set.js';
import type { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../../store/client.js';
import { currentRuleSet } from '../../store/rule-sets.js';
import { ok } from './answers.js';
import type { ApiDependencies } from './dependencies.js';
import { reservedId } from './reserved-id.js';

export function ruleHandlers({ database }: ApiDependencies): Pick<RouteHandlers, 'getRules' | 'proposeRuleChange'> {
  return {
    getRules: async ({ caller: { operation } }) => {
      const rules = await activeRules(database, operation.id);
      return ok(rules, { ETag: etagOf(rules.version) });
    },

    proposeRuleChange: async (request) => {
      const { caller, body, headers } = request;
      const { version } = await activeRules(database, caller.operation.id);
      const refused = preconditionProblem(headers['if-match'], etagOf(version));
      if (refused !== null) return refused;
      const change = {
        id: reservedId(request),
        operationId: caller.operation.id,
        baseVersion: version,
        rules: body.rules as unknown as Prisma.InputJsonValue,
        justification: body.justification,
        requestedBy: caller.keyId,
        decidedBy: [],
      };
      // A repeat after a crash carries the same id.
      await database.ruleChangeRequest.createMany({ data: [change], skipDuplicates: true });
      return { status: 202, body: { id: change.id, status: 'pending_approval' } };
    },
  };
}

async function activeRules(database: Database, operationId: string) {
  const stored = await currentRuleSet(database, operationId);
  return stored === null ? defaultRuleSet(1) : servedRuleSet(stored);
}

/** A strong ETag: versions of a rule set are written once. */
function etagOf(version: number): string {
  return `"rules-${version}"`;
}

/** Strong comparison only: a weak or a wildcard match would let a change be based on rules nobody has read. */
function preconditionProblem(ifMatch: string | undefined, current: string): Problem | null {
  if (ifMatch === undefined || ifMatch.trim() === '') return invalidField('If-Match', 'required', 'is required: the ETag of GET /rules');
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return tags.includes(current) ? null : problem('etag_mismatch');
}
