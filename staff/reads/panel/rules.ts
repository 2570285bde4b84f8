// The rules of an operation as the panel shows them: those in force, their history, and the requested changes.
import type { Answering } from '../../../contract/panel/routes.js';
import { isApiKey } from '../../../domain/identifiers.js';
import { writeJson } from '../../../domain/money.js';
import type { JsonValue } from '../../../domain/rules/canonical-json.js';
import { type EngineRules, NO_ENGINE_RULES } from '../../../domain/rules/engine-rules.js';
import { ENGINE_DEFAULTS, thresholdsOf } from '../../../domain/rules/thresholds.js';
import { defaultRuleSet, type RuleSet } from '../../../domain/rules/rule-set.js';
import type { Database } from '../../../store/database.js';
import { operationById } from '../../../store/operations/operations.js';
import { latestRuleChanges } from '../../../store/rules/rule-changes.js';
import { currentRuleSet, engineRulesOf, newestRuleSets } from '../../../store/rules/rule-sets.js';
import { may, sees, type Viewer } from '../../viewer.js';
import { possibility } from './possibilities.js';

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
  const [current, engine, history, changes] = await Promise.all([
    currentRuleSet(database, operationId),
    engineRulesOf(database, operationId),
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
      thresholds: thresholdsInForce(current?.rules ?? defaultRuleSet(1), engine),
    },
    may_propose: possibility(may(viewer, 'rules.set', operationId) ? null : 'not_your_role'),
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
      is_operators: isApiKey(change.requestedBy),
      created_at: change.createdAt,
      decided_at: change.decidedAt,
    })),
  };
}

type Threshold = Answering<'readRules'>['in_force']['thresholds'][number];

/** Every value that decides, by its place in the thresholds, as `engine.velocity.reviewAbove`. */
function thresholdsInForce(rules: RuleSet, engine: EngineRules): Threshold[] {
  return Object.keys(rules.currencies).flatMap((currency) => {
    const usual = flat({ ...thresholdsOf(defaultRuleSet(1), currency, NO_ENGINE_RULES), engine: ENGINE_DEFAULTS });
    const own = flat({ engine: ENGINE_DEFAULTS, ...thresholdsOf(rules, currency, engine) });
    return [...own].map(([name, value]) => {
      const isUsual = JSON.stringify(usual.get(name)) === JSON.stringify(value);
      const source = isUsual ? 'default' : name.startsWith('engine.') ? 'engine' : 'rules';
      return { currency, name, value, source };
    });
  });
}

/** Amounts as text: the page shows them. */
function flat(values: object): Map<string, JsonValue> {
  return flattened(JSON.parse(writeJson(values)) as object);
}

function flattened(values: object, before = ''): Map<string, JsonValue> {
  return new Map(
    Object.entries(values as Readonly<Record<string, JsonValue>>).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && name !== 'autoHours'
        ? [...flattened(value, `${before}${name}.`)]
        : [[`${before}${name}`, value] as const],
    ),
  );
}
