// Rule changes and the day close as the workflows see Postgres, in memory: one rule set version per operation,
// requests, and books with days to freeze. A step can be made to fail.
import { createHash } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type {
  Book,
  OpenCheckActivities,
  ReconciliationActivities,
  RetentionActivities,
  RotationActivities,
  RuleChangeActivities,
  VerificationActivities,
} from '../../../activities/types.js';
import { createRuleChangeSteps, type RuleChangeStore } from '../../../activities/operations/rule-changes.js';
import { alertOf } from '../../../domain/alert-records.js';
import { type RuleChangeDecision, type RuleChangeSnapshot, subjectOf, usedBy } from '../../../domain/rule-change.js';
import type { RuleChangeActKind } from '../../../domain/staff.js';
import type { FakeDatabase } from './database.js';
import { Gate } from './gate.js';

/** The gateway's checks of itself: operations by id, each with what a check of it finds. */
export class FakeChecks {
  /** Open objects without a workflow, by operation. */
  readonly orphans = new Map<string, number>();
  readonly ledgerProblems = new Map<string, number>();
  readonly finished: object[] = [];
  readonly ledgersNoted: number[] = [];
  readonly broken = new Set<'ledger' | 'audit' | 'decisions' | 'signatures'>();
  operationsPerPage = 20;

  readonly activities: OpenCheckActivities & VerificationActivities = {
    checkOpenPage: async ({ progress }) => {
      const { after, sum } = progressOf(progress, { compared: 0, reopened: 0, failed: 0 });
      const ids = next([...this.orphans.keys()], after, this.operationsPerPage);
      const reopened = ids.reduce((number, id) => number + (this.orphans.get(id) ?? 0), 0);
      const found = { compared: ids.length, reopened, failed: 0 };
      const last = ids.at(-1) ?? null;
      const all = { ...sum, compared: sum.compared + found.compared, reopened: sum.reopened + reopened };
      if (ids.length === this.operationsPerPage)
        return { found, last, progress: JSON.stringify({ after: last, sum: all }) };
      this.finished.push(all);
      return { found, last, progress: null };
    },
    verifyLedger: async ({ progress }) => {
      this.assertSound('ledger');
      const { after, sum } = progressOf(progress, 0);
      const [operationId = null] = next([...this.ledgerProblems.keys()], after, 1);
      const problems = sum + (this.ledgerProblems.get(operationId ?? '') ?? 0);
      if (operationId !== null)
        return { operationId, problems, progress: JSON.stringify({ after: operationId, sum: problems }) };
      this.ledgersNoted.push(problems);
      return { operationId, problems, progress: null };
    },
    verifyAuditChain: async () => {
      this.assertSound('audit');
      return { problems: 0 };
    },
    verifyDecisions: async () => {
      this.assertSound('decisions');
      return { problems: 0 };
    },
    verifySignatures: async () => {
      this.assertSound('signatures');
      return { problems: 0 };
    },
  };

  private assertSound(check: 'ledger' | 'audit' | 'decisions' | 'signatures'): void {
    if (this.broken.has(check)) throw ApplicationFailure.nonRetryable('damaged', 'Damaged');
  }
}

/** What a step of the gateway would prove. */
function progressOf<Sum>(progress: string | null, nothing: Sum): { after: string | null; sum: Sum } {
  return progress === null ? { after: null, sum: nothing } : (JSON.parse(progress) as { after: string; sum: Sum });
}

function next(ids: readonly string[], after: string | null, limit: number): string[] {
  return [...ids]
    .sort()
    .filter((id) => id > (after ?? ''))
    .slice(0, limit);
}

export class FakeOperations {
  readonly changes = new Map<string, RuleChangeSnapshot>();
  /** The rule set version in force, by operation; 1 where nothing is said. */
  readonly versions = new Map<string, number>();
  /** Days left to freeze, by operation. */
  readonly openDays = new Map<string, number>();
  /** Every freeze that was asked for. */
  readonly freezes: { readonly operationId: string; readonly at: string }[] = [];
  /** Every report that was asked for. */
  readonly proofs: { readonly changeId: string; readonly number: number }[] = [];
  /** Holds reports back. */
  readonly proofGate = new Gate();
  /** Operations whose freeze fails. */
  readonly damaged = new Set<string>();

  constructor(private readonly database: FakeDatabase) {}

  heal(): void {
    this.damaged.clear();
    this.proofGate.open();
  }

  readonly checks = new FakeChecks();

  readonly activities: RuleChangeActivities &
    ReconciliationActivities &
    RetentionActivities &
    RotationActivities &
    OpenCheckActivities &
    VerificationActivities = {
    ...this.checks.activities,
    checkSecretAges: async () => ({ raised: 0, resolved: 0 }),
    applyRetention: async () => ({ callbacksRemoved: 0, playersErased: 0, playersLeft: 0 }),
    ...createRuleChangeSteps(this.createRuleChangeStore()),
    proveRuleChange: async ({ changeId }) => {
      const number = this.proofs.filter((earlier) => earlier.changeId === changeId).length + 1;
      this.proofs.push({ changeId, number });
      await this.proofGate.passed();
      const proof = {
        digest: createHash('sha256').update(`${changeId} ${number}`).digest('hex'),
        number,
        summary: `report ${number}`,
      };
      this.changes.set(changeId, { ...this.changeOf(changeId), proof });
      return proof;
    },
    booksToFreeze: async ({ after, limit }) => {
      const open = [...this.openDays]
        .filter(([id, days]) => days > 0 && id > (after?.operationId ?? ''))
        .map(([operationId]): Book => ({ operationId, currency: 'BRL' }));
      return open.sort((a, b) => (a.operationId < b.operationId ? -1 : 1)).slice(0, limit);
    },
    freezeDays: async ({ operationId, at }) => {
      this.freezes.push({ operationId, at });
      if (this.damaged.has(operationId)) throw ApplicationFailure.nonRetryable('damaged', 'Damaged');
      const open = this.openDays.get(operationId) ?? 0;
      const days = Math.min(open, 31);
      this.openDays.set(operationId, open - days);
      return { days, caughtUp: open === days };
    },
    raiseFreezeAlert: async ({ operationId, currency }) =>
      this.database.raise(
        { ...alertOf('DAY_NOT_FROZEN', 'open', { currency, day: '2026-11-27' }), occasion: null },
        operationId,
        operationId,
      ),
  };

  /** Stores what the gateway's own steps decide, as its statements do. */
  private createRuleChangeStore(): RuleChangeStore {
    return {
      readAct: async (id) => this.database.acts.read(id),
      read: async ({ changeId }) => this.changeOf(changeId),
      storeDecision: async ({ before, decision, status }) => {
        const decidedAt = status === 'pending_approval' ? null : decision.at;
        return this.decide(before, decision, { status, decidedAt });
      },
      apply: async ({ before, decision, eventId }) => {
        const { id, operationId, baseVersion } = before;
        if ((this.versions.get(operationId) ?? 1) !== baseVersion) return 'superseded';
        const version = baseVersion + 1;
        const applied = { status: 'approved', appliedVersion: version, decidedAt: decision.at } as const;
        const event = { id: eventId, type: 'rules.updated', operationId, objectId: operationId, version };
        return this.decide(before, decision, applied, () => {
          this.versions.set(operationId, version);
          this.database.publish({ ...event, object: this.changeOf(id) as never });
        })
          ? 'applied'
          : 'changed';
      },
      voidProof: async ({ before, act }) => {
        if (!this.isUsed(before, act.id, 'rule_change.recompute')) return false;
        this.changes.set(before.id, { ...before, proof: null });
        return true;
      },
      expire: async ({ changeId, at }) => {
        const change = this.changeOf(changeId);
        if (change.status === 'pending_approval')
          this.changes.set(changeId, { ...change, status: 'expired', decidedAt: at });
      },
    };
  }

  private decide(
    before: RuleChangeSnapshot,
    decision: RuleChangeDecision,
    change: Partial<RuleChangeSnapshot>,
    effects: () => void = () => undefined,
  ): boolean {
    if (!this.isUsed(before, decision.actId, `rule_change.${decision.decision}`)) return false;
    this.changes.set(before.id, { ...before, ...change, decisions: [...before.decisions, decision] });
    effects();
    return true;
  }

  private isUsed(before: RuleChangeSnapshot, actId: string, kind: RuleChangeActKind): boolean {
    if (this.changeOf(before.id) !== before) return false;
    return this.database.acts.use(
      usedBy(before, { id: actId, means: 'claim', address: null }, kind),
      subjectOf(before, kind),
    );
  }

  private changeOf(id: string): RuleChangeSnapshot {
    const change = this.changes.get(id);
    if (change === undefined) throw ApplicationFailure.nonRetryable('no such rule change', 'RuleChangeMissing');
    return change;
  }
}
