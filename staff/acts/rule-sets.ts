// Rules that a person sets: stored at once where one person may, otherwise requested as a change that two people
// approve.
import { newId } from '../../domain/identifiers.js';
import type { EngineRules } from '../../domain/rules/engine-rules.js';
import type { RuleSet } from '../../domain/rules/rule-set.js';
import { appendAudit } from '../../store/audit/audit.js';
import type { Database } from '../../store/database.js';
import { operationById } from '../../store/operations/operations.js';
import { engineRulesOf, setAndPublishRules } from '../../store/rules/rule-sets.js';
import { insertRuleChange, type NewRuleChange } from '../../store/rules/rule-changes.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { Actor } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';
import { inTransaction } from '../../store/transactions.js';
import { startChange } from './rule-changes.js';
import { wakeWaiting } from './wake.js';
import type { ActServices, Unreached } from './workflow-updates.js';

/** `engine` is `null` to keep the current engine thresholds. */
export interface ProposedRules {
  readonly operationId: string;
  readonly rules: RuleSet;
  readonly engine: EngineRules | null;
}

export type RulesSet =
  /** In force. Its event is in the outbox. */
  | { readonly kind: 'stored'; readonly version: number; readonly engine: EngineRules }
  /** `unreached`: nothing computes the change's report yet. */
  | {
      readonly kind: 'requested';
      readonly changeId: string;
      readonly baseVersion: number;
      readonly unreached: Unreached | null;
    }
  | { readonly kind: 'unknown_operation' | 'not_permitted' };

/**
 * Sets the operation's rules. In production one person may only replace the first version, and only before the first
 * payment.
 */
export async function setRules(
  services: ActServices & { readonly sealer: Sealer },
  actor: Actor,
  proposal: ProposedRules,
  reason: string,
): Promise<RulesSet> {
  const { database, sealer } = services;
  const { operationId } = proposal;
  const operation = await operationById(database, operationId);
  if (operation === null) return { kind: 'unknown_operation' };
  if (!(await mayNow(database, actor, 'rules.set', operationId))) return { kind: 'not_permitted' };
  const stored = await setAndPublishRules(database, sealer, {
    ...proposal,
    createdBy: actor.handle,
    eventId: newId('event'),
    at: new Date().toISOString(),
    isFirstOnly: operation.environment === 'production',
  });
  switch (stored.kind) {
    case 'unknown_operation':
      return stored;
    case 'stored':
      await wakeWaiting(services, operationId, 'automatic_hours');
      return { kind: 'stored', version: stored.version, engine: await engineRulesOf(database, operationId) };
    case 'stale':
      return request(services, operation.name, {
        ...proposal,
        id: newId('ruleChange'),
        baseVersion: stored.currentVersion,
        requestedBy: actor.handle,
        justification: reason,
      });
  }
}

/** Requests the rules as a change that two people approve, also where one could set them. */
export async function proposeRules(
  services: ActServices,
  actor: Actor,
  { baseVersion, ...proposal }: ProposedRules & { readonly baseVersion: number },
  justification: string,
): Promise<Exclude<RulesSet, { kind: 'stored' }>> {
  const { database } = services;
  const { operationId } = proposal;
  const operation = await operationById(database, operationId);
  if (operation === null) return { kind: 'unknown_operation' };
  if (!(await mayNow(database, actor, 'rules.set', operationId))) return { kind: 'not_permitted' };
  const id = newId('ruleChange');
  return request(services, operation.name, { ...proposal, id, baseVersion, requestedBy: actor.handle, justification });
}

/** Requests the rules as a change, like one that an operator proposes. */
async function request(
  { database, withTemporal }: ActServices,
  name: string,
  change: NewRuleChange,
): Promise<Extract<RulesSet, { kind: 'requested' }>> {
  const { id: changeId, operationId, baseVersion } = change;
  await storeRequest(database, change);
  const unreached = await withTemporal((client) => startChange(client, { changeId, operationId }, name));
  return { kind: 'requested', changeId, baseVersion, unreached };
}

async function storeRequest(database: Database, change: NewRuleChange): Promise<void> {
  const { id: subject, operationId, requestedBy: person, baseVersion } = change;
  const detail = { base_version: baseVersion };
  await inTransaction(database, async (transaction) => {
    await insertRuleChange(transaction, change);
    await appendAudit(transaction, { person, action: 'rule_change.request', operationId, subject, detail });
  });
}
