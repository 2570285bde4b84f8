// The review queue, its cases, and what a person decides about one.
import type { PanelErrorCode } from '../../contract/panel/errors.js';
import type { Answering } from '../../contract/panel/routes.js';
import { decideDeposit, decideWithdrawal } from '../../staff/acts/payments.js';
import { type CaseChange, type CaseChanged, workOnCase } from '../../staff/acts/case-work.js';
import { exportCase } from '../../staff/acts/case-export.js';
import { type BlockOrder, blockFrom } from '../../staff/acts/lists.js';
import { reveal } from '../../staff/acts/reveal.js';
import { approvalsOf, needsReason, readCase } from '../../staff/reads/panel/case.js';
import { type PaymentRow, visiblePayment } from '../../staff/reads/panel/payment.js';
import { readCaseWork } from '../../staff/reads/panel/case-work.js';
import { readMentions } from '../../staff/reads/panel/mentions.js';
import { readQueue } from '../../staff/reads/panel/queue.js';
import { readShift } from '../../staff/reads/panel/shift.js';
import type { Viewer } from '../../staff/viewer.js';
import { claimCase, releaseCase } from '../../store/support/review-claims.js';
import { confirmed } from '../confirmation.js';
import { paged } from '../paged.js';
import { measureDecision } from '../decision-metrics.js';
import { isRefusal, type Refusal, refuse } from '../refusal.js';
import type { HandlerRequest, Handlers } from '../request.js';
import { saved } from '../saved.js';
import { actServices, type PanelServices } from '../services.js';
import { decisionRefusal, stateOf } from './outcomes.js';

type CaseHandlers = Handlers<
  | 'readQueue'
  | 'readMentions'
  | 'readShift'
  | 'readCase'
  | 'exportCase'
  | 'claimCase'
  | 'workOnCase'
  | 'decideCase'
  | 'revealField'
>;

export function caseHandlers(services: PanelServices): CaseHandlers {
  const { database } = services;
  return {
    readQueue: async ({ viewer, query, now }) => paged(await readQueue(services, viewer, query, now)),
    readMentions: ({ viewer }) => readMentions(database, viewer),
    readShift: ({ viewer, query, now }) => readShift(services, viewer, query, now),
    readCase: async ({ viewer, params: { id }, now }) =>
      (await readCase(services, viewer, id, now)) ?? refuse('not_found'),
    exportCase: async ({ viewer, params: { id }, now }) =>
      saved(await exportCase(services, viewer, id, now), { name: `case-${id}.json`, type: 'application/json' }),
    claimCase: async ({ viewer, params: { id }, body: { claim } }) => {
      const payment = await visiblePayment(database, viewer, id);
      if (payment === null) return refuse('not_found');
      if (payment.row.status !== 'under_review') return refuse('other_state', { now: stateOf(payment) });
      return { claim: await (claim ? claimCase : releaseCase)(database, id, viewer.handle) };
    },
    workOnCase: async ({ viewer, params: { id }, body, now }) => {
      const payment = await visiblePayment(database, viewer, id);
      if (payment === null) return refuse('not_found');
      const outcome = await workOnCase(database, viewer, payment.row, changeOf(body, now));
      if (outcome !== 'done') return refuse(WORK_REFUSALS[outcome]);
      return { work: await readCaseWork(database, viewer, payment, now) };
    },
    decideCase: async (request) => {
      const payment = await visiblePayment(database, request.viewer, request.params.id);
      if (payment === null) return refuse('not_found');
      const answer = await decide(services, request, payment);
      measureDecision(payment, request, answer);
      return answer;
    },
    revealField: async ({ viewer, params: { id }, body: { field, reason }, now }) => {
      const payment = await visiblePayment(database, viewer, id);
      if (payment === null) return refuse('not_found');
      const revealed = await reveal(services, viewer, payment, { field, reason, now });
      if (revealed.kind === 'rate_limited')
        return refuse('rate_limited', { retry_after_seconds: revealed.retryAfterSeconds });
      return { field, value: revealed.value, until: revealed.until };
    },
  };
}

async function decide(
  services: PanelServices,
  { viewer, params: { id }, body, now }: HandlerRequest<'decideCase'>,
  payment: PaymentRow,
): Promise<Answering<'decideCase'> | Refusal> {
  const { decision, reason, version: seenVersion } = body;
  if (reason === '' && needsReason(services, payment)) return refuse('reason_needed');
  // Refusing a payment stops it, which needs no signature.
  const actor = decision === 'refuse' ? viewer : await confirmed(services, viewer, actOf(payment, body), body);
  if (isRefusal(actor)) return actor;
  const order = { id, reason, seenVersion };
  // A block comes first: it protects whatever becomes of the decision, and repeated it changes nothing.
  const blocked = body.block.length === 0 ? [] : await blockFrom(services, actor, payment, blockOrder(body, now));
  if (blocked === null) return refuse('not_permitted');
  const acts = actServices(services);
  if (payment.kind === 'deposit') {
    if (decision === 'refuse') return refuse('other_state', { now: stateOf(payment) });
    const outcome = await decideDeposit(acts, actor, { ...order, decision });
    return answer(services, viewer, payment, { outcome, blocked });
  }
  if (decision === 'return') return refuse('other_state', { now: stateOf(payment) });
  const outcome = await decideWithdrawal(acts, actor, { ...order, decision });
  return answer(services, viewer, payment, { outcome, blocked });
}

const WORK_REFUSALS = {
  not_permitted: 'not_permitted',
  no_such_person: 'not_a_person',
  not_decided: 'not_yours',
  stale: 'stale',
} as const satisfies Readonly<Record<Exclude<CaseChanged, 'done'>, PanelErrorCode>>;

const HOUR_MS = 3_600_000;

function changeOf(body: HandlerRequest<'workOnCase'>['body'], now: Date): CaseChange {
  switch (body.act) {
    case 'snooze':
      return { act: 'snooze', until: new Date(now.getTime() + body.hours * HOUR_MS), text: body.text };
    case 'escalate':
      return { act: 'escalate', isEscalated: body.is_escalated, text: body.text };
    case 'note':
    case 'ask':
    case 'answer':
    case 'wake':
    case 'assign':
    case 'flag':
      return body;
  }
}

function actOf(
  { kind: payment, row }: PaymentRow,
  { decision, reason, version }: HandlerRequest<'decideCase'>['body'],
) {
  const kind =
    payment === 'withdrawal' ? 'withdrawal.approve' : decision === 'approve' ? 'deposit.approve' : 'deposit.return';
  return { kind, subjectId: row.id, subjectVersion: version, reason } as const;
}

type Blocked = Readonly<Answering<'decideCase'>['blocked']>;

function blockOrder({ block, block_days: days, reason }: HandlerRequest<'decideCase'>['body'], now: Date): BlockOrder {
  return { kinds: [...new Set(block)], days: days ?? null, reason, now };
}

/** The outcome, with the payment's current state, which shows what another person has decided. */
async function answer(
  { database }: PanelServices,
  viewer: Viewer,
  before: PaymentRow,
  { outcome, blocked }: { readonly outcome: Parameters<typeof decisionRefusal>[0]; readonly blocked: Blocked },
): Promise<Answering<'decideCase'> | Refusal> {
  const { id } = before.row;
  const payment = (await visiblePayment(database, viewer, id)) ?? before;
  const refusal = decisionRefusal(outcome, payment);
  if (refusal !== null) return refusal;
  const { status, version } = payment.row;
  const isWaiting = status === 'under_review';
  const taken = outcome.kind === 'done' ? (isWaiting ? 'noted' : 'done') : 'under_way';
  return { outcome: taken, id, status, version, approvals: approvalsOf(payment), blocked: [...blocked] };
}
