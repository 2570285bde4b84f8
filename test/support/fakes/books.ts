// Rule changes and the day close as the workflows see Postgres, in memory: one rule set version per operation,
// requests, and books with days to freeze. A step can be made to fail.
import { createHash } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type {
  Book,
  OpenCheckActivities,
  ReconciliationActivities,
  RotationActivities,
  RuleChangeActivities,
  VerificationActivities,
} from '../../../activities/types.js';
import type { RuleChangeSnapshot } from '../../../domain/rule-change.js';
import type { FakeDatabase } from './database.js';
import { Gate } from './gate.js';

/** The gateway's checks of itself: operations by id, each with what a check of it finds. */
export class FakeChecks {
  /** Open objects without a workflow, by operation. */
  readonly orphans = new Map<string, number>();
  readonly ledgerProblems = new Map<string, number>();
  readonly concluded: object[] = [];
  readonly ledgersNoted: number[] = [];
  readonly broken = new Set<'ledger' | 'audit' | 'decisions'>();
  operationsPerPage = 20;

  readonly activities: OpenCheckActivities & VerificationActivities = {
    checkOpenPage: async ({ after }) => {
      const ids = next([...this.orphans.keys()], after, this.operationsPerPage);
      const reopened = ids.reduce((sum, id) => sum + (this.orphans.get(id) ?? 0), 0);
      const last = ids.length < this.operationsPerPage ? null : (ids.at(-1) ?? null);
      return { found: { compared: ids.length, reopened, failed: 0 }, last };
    },
    concludeOpenCheck: async (input) => void this.concluded.push(input),
    verifyLedger: async ({ after }) => {
      this.assertSound('ledger');
      const [operationId = null] = next([...this.ledgerProblems.keys()], after, 1);
      return { operationId, problems: this.ledgerProblems.get(operationId ?? '') ?? 0 };
    },
    noteLedger: async ({ problems }) => void this.ledgersNoted.push(problems),
    verifyAuditChain: async () => {
      this.assertSound('audit');
      return { problems: 0 };
    },
    verifyDecisions: async () => {
      this.assertSound('decisions');
      return { problems: 0 };
    },
  };

  private assertSound(check: 'ledger' | 'audit' | 'decisions'): void {
    if (this.broken.has(check)) throw ApplicationFailure.nonRetryable('damaged', 'Damaged');
  }
}

function next(ids: readonly string[], after: string | null, limit: number): string[] {
  return [...ids]
    .sort()
    .filter((id) => id > (after ?? ''))
    .slice(0, limit);
}

export class FakeBooks {
  readonly changes = new Map<string, RuleChangeSnapshot>();
  /** The rule set version in force, by operation; 1 where nothing is said. */
  readonly versions = new Map<string, number>();
  /** Days left to freeze, by operation. */
  readonly openDays = new Map<string, number>();
  /** Every freeze that was asked for. */
  readonly freezes: { readonly operationId: string; readonly throughDay: string; readonly at: string }[] = [];
  /** Every report that was asked for. */
  readonly proofs: { readonly changeId: string; readonly number: number; readonly person: string | null }[] = [];
  /** Holds reports back. */
  readonly proofGate = new Gate();
  /** Operations whose freeze fails. */
  readonly damaged = new Set<string>();
  /** How many of the next steps on a rule change write and then lose their answer. */
  answersLost = 0;

  constructor(private readonly database: FakeDatabase) {}

  heal(): void {
    this.damaged.clear();
    this.proofGate.open();
    this.answersLost = 0;
  }

  readonly checks = new FakeChecks();

  readonly activities: RuleChangeActivities &
    ReconciliationActivities &
    RotationActivities &
    OpenCheckActivities &
    VerificationActivities = {
    ...this.checks.activities,
    checkSecretAges: async () => ({ raised: 0, resolved: 0 }),
    loadRuleChange: async ({ changeId }) => this.changeOf(changeId),
    storeRuleChange: async ({ change }) => {
      if (this.changeOf(change.id).status === 'pending_approval') this.changes.set(change.id, change);
      this.maybeLose();
    },
    proveRuleChange: async ({ changeId, number, person }) => {
      this.proofs.push({ changeId, number, person });
      await this.proofGate.passed();
      const proof = {
        digest: createHash('sha256').update(`${changeId} ${number}`).digest('hex'),
        number,
        summary: `report ${number}`,
      };
      this.changes.set(changeId, { ...this.changeOf(changeId), proof });
      return proof;
    },
    applyRuleChange: async ({ change, eventId }) => {
      const { operationId, baseVersion } = change;
      const stored = this.changeOf(change.id);
      if (stored.appliedVersion !== null) return { kind: 'applied', version: stored.appliedVersion };
      const current = this.versions.get(operationId) ?? 1;
      if (current !== baseVersion) return { kind: 'superseded', currentVersion: current };
      const version = current + 1;
      this.versions.set(operationId, version);
      this.changes.set(change.id, { ...change, status: 'approved', appliedVersion: version });
      this.database.events.push({
        id: eventId,
        type: 'rules.updated',
        operationId,
        objectId: operationId,
        version,
        object: change as never,
      });
      this.maybeLose();
      return { kind: 'applied', version };
    },
    booksToFreeze: async ({ after, limit }) => {
      const open = [...this.openDays]
        .filter(([id, days]) => days > 0 && id > (after?.operationId ?? ''))
        .map(([operationId]): Book => ({ operationId, currency: 'BRL' }));
      return open.sort((a, b) => (a.operationId < b.operationId ? -1 : 1)).slice(0, limit);
    },
    freezeDays: async ({ operationId, throughDay, at }) => {
      this.freezes.push({ operationId, throughDay, at });
      if (this.damaged.has(operationId)) throw ApplicationFailure.nonRetryable('damaged', 'Damaged');
      const open = this.openDays.get(operationId) ?? 0;
      const days = Math.min(open, 31);
      this.openDays.set(operationId, open - days);
      return { days, caughtUp: open === days };
    },
    raiseFreezeAlert: async ({ operationId, throughDay }) =>
      this.database.raise({ kind: 'DAY_NOT_FROZEN', detail: throughDay, occasion: null }, operationId, operationId),
  };

  private changeOf(id: string): RuleChangeSnapshot {
    const change = this.changes.get(id);
    if (change === undefined) throw ApplicationFailure.nonRetryable('no such rule change', 'RuleChangeMissing');
    return change;
  }

  private maybeLose(): void {
    if (this.answersLost === 0) return;
    this.answersLost -= 1;
    throw ApplicationFailure.retryable('the answer was lost', 'DatabaseDown');
  }
}
