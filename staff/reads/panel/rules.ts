// The rules of an operation as the panel shows them: those in force, their history, and the requested changes.
import type { Answering } from '../../../contract/panel/routes.js';
import type { JsonValue } from '../../../domain/rules/canonical-json.js';
import { defaultRuleSet } from '../../../domain/rules/rule-set.js';
import type { Database } from '../../../store/database.js';
import { operationById } from '../../../store/operations/operations.js';
import { latestRuleChanges } from '../../../store/rules/rule-change-requests.js';
import { currentRuleSet, newestRuleSets } from '../../../store/rules/rule-sets.js';
import { sees, type Viewer } from '../../viewer.js';

/** The number of the newest versions and of the newest requests. */
const PAGE_SIZE = 50;

/** The rules in force, their history, and the requested changes. `null` if the viewer may not see the operation. */
export async function readRules(
  database: Database,
  viewer: Viewer,
  operationId: string,
): Promise<Answering<'readRules'> | null> {
  const operation = sees(viewer, operationId) ? await operationById(database, operationId) : null;
  if (operation === null) return null;
  const [current, history, changes] = await Promise.all([
    currentRuleSet(database, operationId),
    newestRuleSets(database, operationId, PAGE_SIZE),
    latestRuleChanges(database, operationId, PAGE_SIZE),
  ]);
  return {
    operation: { id: operationId, name: operation.name },
    in_force: {
      version: current?.version ?? 1,
      rules: (current?.rules ?? defaultRuleSet(1)) as unknown as JsonValue,
      created_at: current?.createdAt ?? null,
      created_by: current?.createdBy ?? null,
    },
    history: history.map(({ version, createdAt, createdBy }) => ({
      version,
      created_at: createdAt,
      created_by: createdBy,
    })),
    changes: changes.map((change) => ({
      id: change.id,
      status: change.status,
      base_version: change.baseVersion,
      applied_version: change.appliedVersion,
      justification: change.justification,
      requested_by: change.requestedBy,
      created_at: change.createdAt,
      decided_at: change.decidedAt,
    })),
  };
}
