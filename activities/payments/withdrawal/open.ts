// Opens a withdrawal: the rules decide, the holder of the key is looked up where they need it, and the row is inserted
// in its decided state together with the reservation of its money.
import { ApplicationFailure } from '@temporalio/activity';
import type { WithdrawalOrder } from '../../../contract/temporal/payment.js';
import { RULES_ELSEWHERE } from '../../../contract/temporal/payment-steps.js';
import type {
  Judgement,
  WithdrawalDecision,
  WithdrawalSnapshot,
  WithdrawalStatus,
} from '../../../domain/payments/withdrawal.js';
import type { WithoutVerdict } from '../../../domain/payments/withdrawal-verdicts.js';
import type { AutomaticUse } from '../../../domain/rules/automatic-limits.js';
import {
  isWithdrawalVerdict,
  type KeyOwnerFinding,
  type WithdrawalRefusal,
  type WithdrawalVerdict,
} from '../../../domain/rules/verdicts.js';
import type { DecisionRecord } from '../../../store/rules/decisions.js';
import type { KeyOwnerAnswer } from '../../provider/payouts.js';
import { askRules } from '../../rules.js';
import { assertProven, refuseOrder } from '../orders.js';
import { MAX_TRIES } from '../retries.js';
import type { WithdrawalOpening, WithdrawalRulesSteps } from '../types.js';
import { answerOf, type WithdrawalDependencies } from './ports.js';

const KEY_LOOK_UP_MS = 2_500;

interface KeyOwner {
  readonly finding: KeyOwnerFinding;
  readonly endToEndId: string | null;
}
const NOT_ASKED: KeyOwner = { finding: 'not_asked', endToEndId: null };

/** The rules' answer; `reason` says why there is no usable one. */
type Answer =
  | { readonly kind: 'verdict'; readonly verdict: WithdrawalVerdict; readonly record: DecisionRecord | null }
  | { readonly kind: 'none'; readonly reason: WithoutVerdict };

/** The state that a withdrawal is created in, and the verdict behind it. */
interface InitialState {
  readonly status: Extract<WithdrawalStatus, 'approved' | 'under_review' | 'requested'>;
  readonly decision: WithdrawalDecision;
  readonly judgement: Judgement;
  readonly playerRevision: string | null;
  readonly automaticUse: AutomaticUse | null;
  readonly record: DecisionRecord | null;
}

type Opening = Parameters<WithdrawalRulesSteps['openWithdrawal']>[0];

export async function openWithdrawal(dependencies: WithdrawalDependencies, input: Opening): Promise<WithdrawalOpening> {
  await assertProven(dependencies.withdrawals, dependencies.sealer, 'withdrawal', input.order);
  return input.rules === 'silent' ? createUndecided(dependencies, input) : new Decider(dependencies, input).open();
}

/** The rules do not answer anywhere: people decide, after the rules have judged it. */
async function createUndecided(
  dependencies: WithdrawalDependencies,
  { order, at }: Opening,
): Promise<WithdrawalOpening> {
  const opening = await create(dependencies, order, at, undecided('RULES_UNAVAILABLE', NOT_ASKED), NOT_ASKED);
  // Only the player's document is compared.
  return opening ?? refuse(dependencies, order, at, 'document_mismatch');
}

class Decider {
  private owner = NOT_ASKED;

  constructor(
    private readonly dependencies: WithdrawalDependencies,
    private readonly input: Opening,
  ) {}

  /** Decides and inserts. When facts change in between, it decides again; the last try does not compare them. */
  async open(): Promise<WithdrawalOpening> {
    const { order, at } = this.input;
    for (let decisions = 1; decisions <= MAX_TRIES + 1; decisions += 1) {
      const answer = await this.decide();
      if (answer.kind === 'verdict' && answer.verdict.kind === 'refuse')
        return refuse(this.dependencies, order, at, answer.verdict.code, answer.record);
      const isCompared = decisions <= MAX_TRIES;
      const initial = initialStateOf(answer, this.owner, isCompared, at);
      const opening = await create(this.dependencies, order, at, initial, this.owner);
      if (opening !== null) return opening;
    }
    // Only the player's document was compared.
    return refuse(this.dependencies, order, at, 'document_mismatch');
  }

  /** Asks the rules and, if they need it, the key directory, once. */
  private async decide(): Promise<Answer> {
    const first = await this.ask();
    if (!needsKeyOwner(first) || this.owner.finding !== 'not_asked') return first;
    this.owner = await this.lookUpKeyOwner();
    return this.owner.finding === 'unavailable' ? first : this.ask();
  }

  /**
   * Throws if the rules do not answer: another process may. A key of another holder is decided without the rules.
   */
  private async ask(): Promise<Answer> {
    const { order, at } = this.input;
    const { finding } = this.owner;
    // For the decision, a look-up without an answer counts as none: the key must still be checked.
    const question = {
      order,
      at,
      keyOwner: finding === 'unavailable' ? 'not_asked' : finding,
      stage: 'creation',
    } as const;
    try {
      const { verdict, record } = await askRules(this.dependencies.rules, (engine) =>
        engine.decideWithdrawal(question),
      );
      return isWithdrawalVerdict(verdict)
        ? { kind: 'verdict', verdict, record }
        : { kind: 'none', reason: 'RULES_INVALID_RESPONSE' };
    } catch (error) {
      if (finding !== 'mismatch' || isElsewhere(error)) throw error;
      return { kind: 'none', reason: 'RULES_UNAVAILABLE' };
    }
  }

  private async lookUpKeyOwner(): Promise<KeyOwner> {
    const { order } = this.input;
    const { payouts, brief } = this.dependencies;
    const call = () => payouts.lookUpKeyOwner({ order });
    const answer: KeyOwnerAnswer | null = await brief.keyOwners.ask(order.provider, KEY_LOOK_UP_MS, call);
    return answer ?? { finding: 'unavailable', endToEndId: null };
  }
}

/** Without a code it was refused before. A withdrawal that an earlier attempt created still exists. */
async function refuse(
  { withdrawals, sealer }: WithdrawalDependencies,
  { id, operationId, proof }: WithdrawalOrder,
  at: string,
  code: WithdrawalRefusal | null,
  record: DecisionRecord | null = null,
): Promise<WithdrawalOpening> {
  const refusing = { store: withdrawals, sealer, kind: 'withdrawal', order: { id, operationId, proof } } as const;
  const refused = await refuseOrder(refusing, code, record);
  return refused ?? { kind: 'created', ...answerOf(await withdrawals.read({ id, operationId }), at) };
}

/** The rules may still answer in another process. */
function isElsewhere(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === RULES_ELSEWHERE;
}

function needsKeyOwner(answer: Answer): boolean {
  return answer.kind === 'verdict' && answer.verdict.kind !== 'refuse' && answer.verdict.keyCheckNeeded;
}

/** Inserts the withdrawal. `null` if the facts of its decision are out of date. */
async function create(
  dependencies: WithdrawalDependencies,
  order: WithdrawalOrder,
  at: string,
  initial: InitialState,
  { finding, endToEndId: lookupEndToEndId }: KeyOwner,
): Promise<WithdrawalOpening | null> {
  const { judgement, playerRevision, automaticUse, record: decision } = initial;
  const keyOwner = finding === 'unavailable' ? 'not_asked' : finding;
  const snapshot = newSnapshot(order, initial, at);
  const record = { snapshot, revision: 1, keyOwner, lookupEndToEndId, judgement, send: null, returnedParts: [] };
  const inserted = await dependencies.withdrawals.insert({ order, record, playerRevision, automaticUse, decision });
  switch (inserted.kind) {
    case 'inserted':
    case 'found':
      return { kind: 'created', ...answerOf(inserted.row, at) };
    case 'duplicate':
      return inserted;
    case 'insufficient_balance':
      return refuse(dependencies, order, at, 'insufficient_operation_balance');
    case 'order_refused':
      return refuse(dependencies, order, at, null);
    case 'stale':
      return null;
  }
}

/**
 * With `isCompared` the insert compares the facts. If it does not, because they changed during every try, people
 * decide.
 */
function initialStateOf(answer: Answer, owner: KeyOwner, isCompared: boolean, at: string): InitialState {
  if (answer.kind === 'none') return undecided(answer.reason, owner);
  const { verdict, record } = answer;
  if (verdict.kind === 'refuse') throw new Error('a refused withdrawal is not created');
  const { ruleSetVersion } = verdict;
  const manual = { mode: 'manual', ruleSetVersion, decidedBy: [], decidedAt: null } as const;
  const playerRevision = isCompared ? verdict.playerRevision : null;
  const byPeople = { judgement: 'passed', playerRevision, automaticUse: null, record } as const;
  if (verdict.keyCheckNeeded)
    return { ...byPeople, status: 'requested', judgement: 'none', decision: { ...manual, reasons: [] } };
  if (verdict.kind === 'review')
    return { ...byPeople, status: 'under_review', decision: { ...manual, reasons: verdict.reasons } };
  if (!isCompared)
    // Facts that change at every try are other payments of the same player at the same time.
    return { ...byPeople, status: 'under_review', decision: { ...manual, reasons: ['VELOCITY_WITHDRAWALS'] } };
  const decision = { mode: 'automatic', reasons: [], ruleSetVersion, decidedBy: [], decidedAt: at } as const;
  return { ...byPeople, status: 'approved', automaticUse: verdict.automaticUse ?? null, decision };
}

/** It cannot be approved before the rules have judged it, and never if the key belongs to another holder. */
function undecided(reason: WithoutVerdict, { finding }: KeyOwner): InitialState {
  const isAnothers = finding === 'mismatch';
  const reasons = isAnothers ? ['DOCUMENT_MISMATCH', reason] : [reason];
  const decision = { mode: 'manual', reasons, ruleSetVersion: 0, decidedBy: [], decidedAt: null } as const;
  const judgement = isAnothers ? 'refused' : 'none';
  return { status: 'under_review', decision, judgement, playerRevision: null, automaticUse: null, record: null };
}

function newSnapshot(order: WithdrawalOrder, { status, decision }: InitialState, at: string): WithdrawalSnapshot {
  return {
    id: order.id,
    operationId: order.operationId,
    externalId: order.externalId,
    status,
    version: 1,
    amountMinor: order.amountMinor,
    currency: order.currency,
    feeMinor: null,
    method: 'pix',
    playerRef: order.playerRef,
    provider: order.provider,
    decision,
    pspReference: null,
    failureCode: null,
    createdAt: at,
    updatedAt: at,
    paidAt: null,
  };
}
