// `gateway review approve|refuse|return`: deposits are approved or returned, withdrawals approved or refused.
import type { Command } from 'commander';
import type { DepositActionOutcome, WithdrawalActionOutcome } from '../../../contract/temporal/payment.js';
import type { DepositSnapshot } from '../../../domain/payments/deposit.js';
import { toMoney } from '../../../domain/money.js';
import { isStaffActRefusal } from '../../../domain/staff.js';
import type { NotAsked } from '../../../staff/acts/payments.js';
import type { Database } from '../../../store/database.js';
import type { Actor } from '../../../store/staff/acts.js';
import { actorOf } from '../../actor.js';
import { type Answer, answer, type CommandContext, type Register, type Registrar } from '../../context.js';
import { readReason } from '../../inputs/identifiers.js';
import { namedPayment, paymentArgument, type PaymentKind } from '../../inputs/payment.js';
import { examples, personOption, reasonOption } from '../../options.js';
import { badInput, type CommandProblem, refused } from '../../problem.js';
import { reached } from '../../unreached.js';
import { refusedAct } from './act-refusal.js';

type Decision = 'approve' | 'refuse' | 'return';

const KINDS: Record<Decision, readonly PaymentKind[]> = {
  approve: ['deposit', 'withdrawal'],
  refuse: ['withdrawal'],
  return: ['deposit'],
};

interface Options {
  readonly as?: string;
  readonly reason?: string;
  readonly operation?: string;
}

export const registerApprove: Register = (review, run) =>
  registerDecision(review, run, 'approve', 'wdr_0123456789abcdef0123456789abcdef')
    .summary('Approve a payment under review')
    .description(
      'Approve a payment under review. A deposit is paid; a withdrawal is sent once enough people approved it.',
    );

export const registerRefuse: Register = (review, run) =>
  registerDecision(review, run, 'refuse', 'wdr_0123456789abcdef0123456789abcdef')
    .summary('Refuse a withdrawal under review')
    .description('Refuse a withdrawal under review: it is rejected and its money released.');

export const registerReturn: Register = (review, run) =>
  registerDecision(review, run, 'return', 'dep_0123456789abcdef0123456789abcdef').description(
    'Return a deposit under review to its payer',
  );

function registerDecision(review: Command, run: Registrar, decision: Decision, exampleId: string): Command {
  return paymentArgument(review.command(decision), KINDS[decision])
    .addOption(personOption('who decides'))
    .addOption(reasonOption())
    .addHelpText('after', examples(`review ${decision} ${exampleId} --as ana --reason "documents checked"`))
    .action(
      run(async (context, text: string, { operation, ...options }: Options) => {
        const reason = readReason(options.reason);
        const actor = await actorOf(context, options.as);
        const payment = await namedPayment(context, {
          kinds: ['deposit', 'withdrawal'],
          preferred: KINDS[decision],
          text,
          operation,
        });
        assertKind(payment.kind, decision);
        return decide(context, { ...payment, decision, actor, reason });
      }),
    );
}

const PARTICIPLES: Record<Decision, string> = { approve: 'approved', refuse: 'refused', return: 'returned' };
const ALTERNATIVES = { deposit: 'approve or return it', withdrawal: 'approve or refuse it' } as const;

function assertKind(kind: PaymentKind, decision: Decision): void {
  if (!KINDS[decision].includes(kind))
    throw badInput('ID', `a ${kind} cannot be ${PARTICIPLES[decision]}; ${ALTERNATIVES[kind]}`);
}

interface Order {
  readonly kind: PaymentKind;
  readonly id: string;
  readonly decision: Decision;
  readonly actor: Actor;
  readonly reason: string;
}

async function decide(context: CommandContext, order: Order): Promise<Answer> {
  const { decideDeposit, decideWithdrawal } = await import('../../../staff/acts/payments.js');
  const { kind, id, actor, reason } = order;
  return context.withDatabase(async (database) => {
    const services = { database, withTemporal: context.withTemporal };
    if (kind === 'deposit') {
      const decision = order.decision as 'approve' | 'return';
      const outcome = reached(id, await decideDeposit(services, actor, { id, decision, reason }));
      return presentDeposit(order, outcome, await peopleOf(database, order));
    }
    const decision = order.decision as 'approve' | 'refuse';
    const outcome = reached(id, await decideWithdrawal(services, actor, { id, decision, reason }));
    return presentWithdrawal(order, outcome, await peopleOf(database, order));
  });
}

/** The people who decided, without repetition, in the order of their first decision. */
async function peopleOf(database: Database, { kind, id }: Order): Promise<string[]> {
  const { readReviewState } = await import('../../../store/payments/reviews.js');
  return [...new Set((await readReviewState(database, kind, id))?.people ?? [])];
}

type Outcome<Answered> = Answered | { readonly kind: 'under_way' } | NotAsked;

function presentDeposit(order: Order, outcome: Outcome<DepositActionOutcome>, people: readonly string[]): Answer {
  if (outcome.kind === 'under_way' || outcome.kind === 'returning') return underWay(order);
  if (!('snapshot' in outcome)) throw notAsked(order, outcome);
  const { snapshot: deposit } = outcome;
  if (isStaffActRefusal(outcome.kind)) throw refusedAct(order, outcome.kind);
  if (outcome.kind === 'provider_silent')
    throw refused(
      `deposit ${order.id}: the provider does not answer the look-up before the approval; approve again when it does`,
    );
  if (outcome.kind !== 'done') throw refused(depositRefusal(order, deposit));
  return answer({
    id: deposit.id,
    status: deposit.status,
    version: deposit.version,
    amount: toMoney(deposit.amountMinor, deposit.currency),
    decided_by: people,
  });
}

function depositRefusal(order: Order, deposit: DepositSnapshot): string {
  if (deposit.status !== 'under_review') return notUnderReview(order, deposit.status);
  if (order.decision === 'approve' && deposit.reviewReasons.includes('AMOUNT_MISMATCH')) {
    return `deposit ${order.id}: another amount than charged was paid, so it can only be returned`;
  }
  if (order.decision === 'return')
    return (
      `deposit ${order.id}: the provider refused the return, or one is under way; ` +
      `see "gateway deposit show ${order.id}"`
    );
  return (
    `deposit ${order.id}: it is being returned, or a part of the payment went back already, so it can only be ` +
    `returned; see "gateway deposit show ${order.id}"`
  );
}

function presentWithdrawal(order: Order, outcome: Outcome<WithdrawalActionOutcome>, people: readonly string[]): Answer {
  if (outcome.kind === 'under_way') return underWay(order);
  if (!('snapshot' in outcome)) throw notAsked(order, outcome);
  const { snapshot: withdrawal } = outcome;
  if (isStaffActRefusal(outcome.kind)) throw refusedAct(order, outcome.kind);
  if (outcome.kind === 'same_person') throw refused(samePerson(order, order.actor.handle));
  if (outcome.kind === 'rules_unavailable')
    throw refused(
      `withdrawal ${order.id}: the rules have not judged it and do not answer; approve it when they are back, or refuse it`,
    );
  if (outcome.kind === 'refused_by_rules')
    throw refused(
      `withdrawal ${order.id}: the rules forbid it (${withdrawal.decision.reasons.join(', ')}); it can only be refused`,
    );
  if (outcome.kind === 'invalid_state') throw refused(notUnderReview(order, withdrawal.status));
  return answer({
    id: withdrawal.id,
    status: withdrawal.status,
    version: withdrawal.version,
    amount: toMoney(withdrawal.amountMinor, withdrawal.currency),
    reasons: withdrawal.decision.reasons,
    decided_by: people,
    // Still under review: another person must approve too.
    approvals_missing: withdrawal.status === 'under_review',
  });
}

/** Why nothing was sent to the payment's workflow. */
function notAsked(order: Order, outcome: NotAsked): CommandProblem {
  switch (outcome.kind) {
    case 'unknown_payment':
      return refused(`${order.kind} ${order.id}: there is no such ${order.kind}`);
    case 'other_state':
      return refused(notUnderReview(order, outcome.status));
    case 'approved_already':
      return refused(samePerson(order, outcome.person));
    case 'not_permitted':
      return refusedAct(order, 'not_permitted');
  }
}

function underWay({ id, decision }: Order): Answer {
  return answer({ id, status: 'under_review', under_way: decision });
}

function notUnderReview({ kind, id }: Order, status: string): string {
  return `${kind} ${id}: is ${status}; only what is under_review can be decided`;
}

function samePerson({ id }: Order, person: string): string {
  return `withdrawal ${id}: ${person} has decided already; another person must (--as)`;
}
