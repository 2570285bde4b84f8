// `gateway review approve|refuse|return`: deposits are approved or returned, withdrawals approved or refused.
import type { Command } from 'commander';
import { type DepositSnapshot, peopleOf } from '../../../domain/deposit.js';
import { toMoney } from '../../../domain/money.js';
import type { WithdrawalSnapshot } from '../../../domain/withdrawal.js';
import { type Answer, answer, type CommandContext } from '../../context.js';
import { isSamePerson, readPerson, readReason } from '../../inputs/identifiers.js';
import { examples, personOption } from '../../options.js';
import { namedPayment, paymentArgument } from '../../inputs/payment.js';
import { badInput, refused } from '../../problem.js';
import type { Registrar } from '../../program.js';

type Decision = 'approve' | 'refuse' | 'return';

const DECISIONS: Record<
  Decision,
  { description: string; kinds: readonly ('deposit' | 'withdrawal')[]; exampleId: string }
> = {
  approve: {
    description:
      'Approves a payment under review: a deposit is paid, a withdrawal is sent once enough different people approved.',
    kinds: ['deposit', 'withdrawal'],
    exampleId: 'wdr_0123456789abcdef0123456789abcdef',
  },
  refuse: {
    description: 'Refuses a withdrawal under review: it is rejected and its money released.',
    kinds: ['withdrawal'],
    exampleId: 'wdr_0123456789abcdef0123456789abcdef',
  },
  return: {
    description: 'Returns a deposit under review to its payer.',
    kinds: ['deposit'],
    exampleId: 'dep_0123456789abcdef0123456789abcdef',
  },
};

interface Options {
  readonly as?: string;
  readonly reason?: string;
  readonly operation?: string;
}

export function registerReviewDecisions(parent: Command, run: Registrar): void {
  for (const [name, { description, kinds, exampleId }] of Object.entries(DECISIONS)) {
    paymentArgument(parent.command(name), kinds)
      .description(description)
      .addOption(personOption('who decides'))
      .option('--reason <text>', 'why; kept in the history, so no names, documents or addresses')
      .addHelpText('after', examples(`review ${name} ${exampleId} --as ana --reason "documents checked"`))
      .action(
        run(async (context, text: string, { operation, ...options }: Options) => {
          const said = {
            decision: name as Decision,
            person: readPerson(options.as),
            reason: readReason(options.reason),
          };
          const both = ['deposit', 'withdrawal'] as const;
          const payment = await namedPayment(context, { kinds: both, preferred: kinds, text, operation });
          if (!kinds.includes(payment.kind))
            throw badInput(
              'ID',
              `a ${payment.kind} cannot be ${PARTICIPLES[name as Decision]}; ${ALTERNATIVES[payment.kind]}`,
            );
          const order = { ...payment, ...said };
          return decide(context, order);
        }),
      );
  }
}

const PARTICIPLES: Record<Decision, string> = { approve: 'approved', refuse: 'refused', return: 'returned' };
const ALTERNATIVES = { deposit: 'approve or return it', withdrawal: 'approve or refuse it' } as const;

interface Order {
  readonly kind: 'deposit' | 'withdrawal';
  readonly id: string;
  readonly decision: Decision;
  readonly person: string;
  readonly reason: string;
}

async function decide(context: CommandContext, order: Order): Promise<Answer> {
  // The row tells at once what needs no workflow: an unknown id, another state, a person who decided before.
  const row = await context.withDatabase((database) => readRow(database, order));
  if (row === null) throw refused(`${order.kind} ${order.id}: there is no such ${order.kind}`);
  if (row.status !== 'under_review') throw refused(notUnderReview(order, row.status));
  const earlier = row.people.find((person) => isSamePerson(person, order.person));
  // Whoever approved may still refuse.
  if (order.decision === 'approve' && earlier !== undefined) throw refused(samePerson(order, earlier));
  const { decideDeposit, decideWithdrawal } = await import('../../staff/payment-decisions.js');
  const { id, person, reason } = order;
  return context.withTemporal(async (client) =>
    order.kind === 'deposit'
      ? presentDeposit(
          order,
          await decideDeposit(client, id, { decision: order.decision as 'approve' | 'return', person, reason }),
        )
      : presentWithdrawal(
          order,
          await decideWithdrawal(client, id, { decision: order.decision as 'approve' | 'refuse', person, reason }),
        ),
  );
}

type Database = Parameters<Parameters<CommandContext['withDatabase']>[0]>[0];

async function readRow(
  database: Database,
  { kind, id }: Order,
): Promise<{ status: string; people: readonly string[] } | null> {
  const select = { status: true, decidedBy: true } as const;
  const row =
    kind === 'deposit'
      ? await database.deposit.findUnique({ where: { id }, select })
      : await database.withdrawal.findUnique({ where: { id }, select });
  return row === null
    ? null
    : { status: row.status, people: (row.decidedBy as unknown as { person: string }[]).map(({ person }) => person) };
}

type Outcome<Key extends 'deposit' | 'withdrawal', Snapshot> =
  | ({ readonly kind: 'done' | 'invalid_state' | 'same_person' } & Readonly<Record<Key, Snapshot>>)
  | { readonly kind: 'under_way' };

function presentDeposit(order: Order, outcome: Outcome<'deposit', DepositSnapshot>): Answer {
  if (outcome.kind === 'under_way') return underWay(order);
  const { deposit } = outcome;
  if (outcome.kind !== 'done') throw refused(depositRefusal(order, deposit));
  return answer({
    id: deposit.id,
    status: deposit.status,
    version: deposit.version,
    amount: toMoney(BigInt(deposit.amountMinor), deposit.currency),
    decided_by: peopleOf(deposit.decidedBy),
  });
}

function depositRefusal(order: Order, deposit: DepositSnapshot): string {
  if (deposit.status !== 'under_review') return notUnderReview(order, deposit.status);
  if (order.decision === 'approve' && deposit.reviewReasons.includes('AMOUNT_MISMATCH')) {
    return `deposit ${order.id}: another amount than charged was paid, so it can only be returned`;
  }
  if (order.decision === 'return')
    return `deposit ${order.id}: the provider refused the return, or one is under way; see "gateway deposit show ${order.id}"`;
  return `deposit ${order.id}: it is being returned`;
}

function presentWithdrawal(order: Order, outcome: Outcome<'withdrawal', WithdrawalSnapshot>): Answer {
  if (outcome.kind === 'under_way') return underWay(order);
  const { withdrawal } = outcome;
  if (outcome.kind === 'same_person') throw refused(samePerson(order, order.person));
  if (outcome.kind === 'invalid_state') throw refused(notUnderReview(order, withdrawal.status));
  return answer({
    id: withdrawal.id,
    status: withdrawal.status,
    version: withdrawal.version,
    amount: toMoney(BigInt(withdrawal.amountMinor), withdrawal.currency),
    reasons: withdrawal.decision.reasons,
    decided_by: peopleOf(withdrawal.decision.decidedBy),
    /** Still under review: another person must approve too. */
    approvals_missing: withdrawal.status === 'under_review',
  });
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
