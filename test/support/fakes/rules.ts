// The rules engine for workflow tests: the real pure rules over facts that a test sets, per payment. It can be down or
// answer nonsense at any of its questions.
import { ApplicationFailure } from '@temporalio/common';
import type { Decision } from '../../../activities/rules.js';
import { automaticUseAt } from '../../../domain/rules/automatic-limits.js';
import { type DepositFacts, limitsHistory, type PaymentFacts } from '../../../domain/rules/deposit-rules.js';
import type { DispatchFacts } from '../../../domain/rules/dispatch-rules.js';
import {
  evaluateDeposit,
  evaluateDispatch,
  evaluatePayment,
  evaluateWithdrawal,
} from '../../../domain/rules/engine.js';
import { defaultRuleSet } from '../../../domain/rules/rule-set.js';
import { type Thresholds, thresholdsOf } from '../../../domain/rules/thresholds.js';
import type { WithdrawalFacts } from '../../../domain/rules/withdrawal-rules.js';
import type { DecisionRecord } from '../../../store/rules/decisions.js';
import { Gate } from './gate.js';
import type { RulesEngine } from '../../../activities/rules.js';

export type RulesQuestion = 'creation' | 'payment' | 'dict' | 'review' | 'dispatch';
const RULE_SET_VERSION = 7;

/** What the rules say of one payment. */
export class FakeRuling {
  /** Questions that find nobody. */
  readonly down = new Set<RulesQuestion>();
  /** Answers that are given instead of a verdict, whatever they are. */
  readonly nonsense = new Map<RulesQuestion, unknown>();
  readonly thresholds: { -readonly [Name in keyof Thresholds]?: Thresholds[Name] } = {};
  deposit: { -readonly [Name in keyof DepositFacts]?: DepositFacts[Name] } = {};
  payment: { -readonly [Name in keyof PaymentFacts]?: PaymentFacts[Name] } = {};
  withdrawal: { -readonly [Name in keyof WithdrawalFacts]?: WithdrawalFacts[Name] } = {};
  dispatch: { -readonly [Name in keyof DispatchFacts]?: DispatchFacts[Name] } = {};
  readonly dispatchGate = new Gate();
  /** Called after each verdict, before anybody learns of it. */
  afterVerdict: () => void = () => undefined;
  readonly asked: RulesQuestion[] = [];
}

/** What the rules read: a fake's, or Postgres'. */
export interface RulesStore {
  balance(operationId: string, account: 'available'): bigint | Promise<bigint>;
  playerRevision(order: { readonly operationId: string; readonly playerRef: string }): string | Promise<string>;
}

export class FakeRules {
  private readonly rulings = new Map<string, FakeRuling>();

  constructor(private readonly store: RulesStore) {}

  of(objectId: string): FakeRuling {
    const ruling = this.rulings.get(objectId) ?? new FakeRuling();
    this.rulings.set(objectId, ruling);
    return ruling;
  }

  heal(): void {
    for (const ruling of this.rulings.values()) {
      ruling.down.clear();
      ruling.nonsense.clear();
      ruling.dispatchGate.open();
      ruling.afterVerdict = () => undefined;
    }
  }

  /** Of its decisions only those on withdrawals are stored: the permission to send asks for them. */
  readonly engine: RulesEngine = {
    decideDeposit: async ({ order, at }) => {
      const playerRevision = await this.store.playerRevision(order);
      return this.answer(order.id, 'creation', (ruling, thresholds) => {
        const facts = {
          at,
          amountMinor: order.amountMinor,
          document: 'first_use',
          playerBlocked: false,
          documentBlocked: false,
          history: { recent: [], windows: { d7: NONE, d30: NONE }, unpaidAt: [] },
          ...ruling.deposit,
        } as const;
        return {
          ...evaluateDeposit(facts, thresholds).outcome,
          ...(limitsHistory(thresholds) ? { playerRevision } : {}),
        };
      });
    },
    assessPayment: async (question) =>
      this.answer(question.id, 'payment', (ruling, thresholds) => {
        const { payerMatch: payer, at, paidAt, expiresAt, chargedAmountMinor, paidAmountMinor } = question;
        const facts = {
          at,
          paidAt,
          expiresAt,
          chargedAmountMinor,
          paidAmountMinor,
          payer,
          payerBlocked: false,
          playerBlocked: false,
          ...ruling.payment,
        };
        return evaluatePayment(facts, thresholds).outcome;
      }),
    decideWithdrawal: async ({ order, at, keyOwner, stage }) => {
      const playerRevision = await this.store.playerRevision(order);
      const balance = await this.store.balance(order.operationId, 'available');
      const about = { operationId: order.operationId, objectId: order.id, playerRef: order.playerRef };
      let record: DecisionRecord | null = null;
      const { verdict } = this.answer(order.id, stage, (ruling, thresholds) => {
        const base = {
          ...EASY_WITHDRAWAL,
          at,
          createdAt: at,
          keyOwner,
          amountMinor: order.amountMinor,
          hasPlayerIp: order.hasPlayerIp,
          reviewRequested: order.reviewRequested,
        };
        const available = balance + (stage !== 'creation' ? order.amountMinor : 0n);
        const facts = { ...base, availableMinor: available, ...ruling.withdrawal };
        const { outcome, reports } = evaluateWithdrawal(stage, facts, thresholds);
        record = { ...about, stage, ruleSetVersion: RULE_SET_VERSION, facts, thresholds, reports, outcome, at };
        return {
          ...outcome,
          playerRevision,
          automaticUse: automaticUseAt(facts.createdAt, thresholds),
        };
      });
      return { verdict, record };
    },
    decideDispatch: async ({ id, operationId, at }) => {
      await this.of(id).dispatchGate.passed();
      const available = await this.store.balance(operationId, 'available');
      return this.answer(id, 'dispatch', (ruling, thresholds) => {
        const facts = {
          at,
          playerBlocked: false,
          documentBlocked: false,
          destinationBlocked: false,
          operationSuspended: false,
          automaticStopped: false,
          providerPaused: false,
          availableMinor: available,
        };
        return evaluateDispatch({ ...facts, ...ruling.dispatch }, thresholds).outcome;
      });
    },
  };

  private answer<Outcome extends object>(
    objectId: string,
    question: RulesQuestion,
    decide: (ruling: FakeRuling, thresholds: Thresholds) => Outcome,
  ): Decision<Outcome & { ruleSetVersion: number }> {
    const ruling = this.of(objectId);
    ruling.asked.push(question);
    if (ruling.down.has(question)) throw ApplicationFailure.retryable('the rules engine is down', 'RulesDown');
    if (ruling.nonsense.has(question))
      return { verdict: ruling.nonsense.get(question) as Outcome & { ruleSetVersion: number }, record: null };
    const thresholds = {
      ...thresholdsOf(defaultRuleSet(RULE_SET_VERSION), 'BRL'),
      firstWithdrawalManual: false,
      ...ruling.thresholds,
    };
    const verdict = { ...decide(ruling, thresholds), ruleSetVersion: RULE_SET_VERSION };
    ruling.afterVerdict();
    return { verdict, record: null };
  }
}

const NONE = { amountMinor: 0n, count: 0 };

/** A known player with plenty of settled deposits who withdraws to the own CPF key: goes out automatically. */
const EASY_WITHDRAWAL: Omit<
  WithdrawalFacts,
  'at' | 'createdAt' | 'amountMinor' | 'hasPlayerIp' | 'reviewRequested' | 'keyOwner' | 'availableMinor'
> = {
  documentUsable: true,
  document: 'same',
  documentShared: false,
  playerBlocked: false,
  documentBlocked: false,
  destinationBlocked: false,
  playerOnReviewList: false,
  destinationOnReviewList: false,
  ipListed: false,
  deviceListed: false,
  keyWellFormed: true,
  keyHolder: 'player',
  keyFirstUsedAt: null,
  hadOtherKeyBefore: false,
  keyPaidBefore: false,
  keyUsedByOthers: false,
  ipSeenBefore: true,
  deviceSeenBefore: true,
  settledDepositCount: 9,
  settledDepositsMinor: 100000000n,
  paidWithdrawalCount: 1,
  countedWithdrawalsMinor: 0n,
  recentWithdrawals: [],
  risk: {
    windows: { d7: NONE, d30: NONE },
    withdrawals: [],
    requestedAt: [],
    destinations30d: 1,
    deposits: [],
    payers30d: 1,
    playersOfPayers: 1,
    vipTier: null,
    automatic: { hourMinor: 0n, dayMinor: 0n },
    netGamingResult: 'unreported',
  },
};
