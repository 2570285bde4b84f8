// Decides a withdrawal: looks up the holder of its PIX key where the rules need it, and asks the rules.
import { ActivityFailure } from '@temporalio/workflow';
import type { WithdrawalOrder } from '../../contract/temporal/withdrawal.js';
import { isWithdrawalVerdict, type KeyOwnerFinding, type WithdrawalVerdict } from '../../domain/rules/verdicts.js';
import { REJECTING_REASONS } from '../../domain/withdrawal.js';
import { keyDirectory, rules } from '../steps/activity-proxies.js';
import { errorCodeOf } from '../steps/call-until-answered.js';
import { now } from '../steps/clock.js';
import { askRules, type RulesAnswer } from '../steps/rules-answer.js';
import type { WithdrawalRecord } from './record.js';

/** The result of a key look-up. */
export interface KeyOwner {
  readonly finding: KeyOwnerFinding;
  readonly endToEndId: string | null;
  /** The error code of a look-up without an answer; null otherwise. */
  readonly reason: string | null;
}

/** A verdict of the rules, or the review that replaces it when the rules gave none. */
export type Verdict = WithdrawalVerdict | UndecidedVerdict;

interface UndecidedVerdict {
  readonly kind: 'review';
  readonly reasons: readonly string[];
  readonly ruleSetVersion: number;
  readonly keyCheckNeeded: false;
  readonly playerRevision: null;
}

/** The summary of each decision's activity, by stage. */
const DECISIONS = {
  creation: 'decide the withdrawal',
  dict: 'decide the withdrawal again, with the holder of its key',
} as const;

const NO_VERDICT_REASONS = {
  unavailable: 'RULES_UNAVAILABLE',
  invalid: 'RULES_INVALID_RESPONSE',
} as const satisfies Record<Exclude<RulesAnswer<unknown>['kind'], 'verdict'>, string>;

/** Asks the rules. Without a usable answer the withdrawal goes to review, never to a 503. */
export async function decideWithdrawal(
  order: WithdrawalOrder,
  keyOwner: KeyOwnerFinding,
  stage: keyof typeof DECISIONS,
): Promise<Verdict> {
  const question = { order, at: now(), keyOwner, stage };
  const answer = await askRules(() => rules.decideWithdrawal(DECISIONS[stage], question), isWithdrawalVerdict);
  if (answer.kind === 'verdict') return answer.verdict;
  const reasons = [NO_VERDICT_REASONS[answer.kind]];
  return { kind: 'review', reasons, ruleSetVersion: 0, keyCheckNeeded: false, playerRevision: null };
}

/** Looks the key up in the directory once. Without an answer the finding is `unavailable`. */
export async function lookUpKeyOwner(order: WithdrawalOrder): Promise<KeyOwner> {
  try {
    return await keyDirectory.lookUpKeyOwner('look up the holder of the PIX key', { order });
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return { finding: 'unavailable', endToEndId: null, reason: errorCodeOf(error) };
  }
}

/**
 * Applies the verdict to a withdrawal in `requested`. Returns false when the operation's automatic cap has no room
 * left: then nothing changes, and the withdrawal must be decided again.
 */
export async function decideRequested(record: WithdrawalRecord, verdict: Verdict): Promise<boolean> {
  const { ruleSetVersion, reasons } = verdict;
  const decision = { mode: 'manual', reasons, ruleSetVersion, decidedBy: [], decidedAt: null } as const;
  switch (verdict.kind) {
    case 'automatic':
      return record.moveWithin(verdict.automaticUse ?? null, 'decided_automatic', {
        decision: { ...decision, mode: 'automatic', decidedAt: now() },
      });
    case 'refuse':
      if (reasons.some(isRejecting)) {
        await record.move('blocked', { decision: { ...decision, decidedAt: now() } });
        return true;
      }
      break;
    case 'review':
  }
  await record.move('decided_manual', { decision });
  return true;
}

function isRejecting(reason: string): boolean {
  return (REJECTING_REASONS as readonly string[]).includes(reason);
}
