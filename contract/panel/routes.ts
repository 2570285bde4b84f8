// Every route of the panel: who may, what it takes, what it answers. A route without roles does not compile, and a
// handler without a route, or a route without a handler, neither.
import type { z } from 'zod';
import { STAFF_ROLES } from '../../domain/staff.js';
import { OPERATION_ROUTES } from './operation-routes.js';
import { actors, type FileAnswer, type PanelRoute } from './route.js';
import { SESSION_ROUTES } from './session-routes.js';
import * as access from './schemas/access.js';
import * as approvals from './schemas/approvals.js';
import * as cases from './schemas/cases.js';
import { paymentParams } from './schemas/common.js';
import * as operations from './schemas/operations.js';
import * as paymentList from './schemas/payment-list.js';
import * as payments from './schemas/payments.js';
import * as players from './schemas/players.js';
import * as queue from './schemas/queue.js';
import * as ruleChanges from './schemas/rule-changes.js';
import * as ruleTrials from './schemas/rule-trials.js';
import * as shift from './schemas/shift.js';
import * as staff from './schemas/staff.js';

/** All staff. */
const STAFF = STAFF_ROLES;
/** People who judge payments: they may reveal masked values, with a reason. */
const JUDGES = ['reviewer', 'approver', 'risk_manager'] as const;
/** People who decide something that takes two people, or audit it. Each sees only the kinds that they may see. */
const INBOX = ['reviewer', 'approver', 'risk_manager', 'admin', 'auditor'] as const;
/** People who read cases. */
const READERS_OF_PEOPLE = ['support', 'reviewer', 'approver', 'risk_manager', 'auditor'] as const;
const WATCHERS = ['admin', 'risk_manager', 'auditor'] as const;

export const PANEL_ROUTES = {
  ...SESSION_ROUTES,

  readQueue: {
    method: 'GET',
    path: '/queue',
    who: STAFF,
    query: queue.queueQuery,
    answer: queue.queuePage,
    errors: [],
  },
  readMentions: { method: 'GET', path: '/mentions', who: actors('case.work'), answer: queue.mentions, errors: [] },
  readShift: {
    method: 'GET',
    path: '/shift',
    who: READERS_OF_PEOPLE,
    query: shift.shiftQuery,
    answer: shift.shiftAnswer,
    errors: [],
  },
  readCase: {
    method: 'GET',
    path: '/cases/:id',
    who: READERS_OF_PEOPLE,
    params: paymentParams,
    answer: cases.caseAnswer,
    errors: ['not_found'],
  },
  exportCase: {
    method: 'GET',
    path: '/cases/:id/export',
    who: READERS_OF_PEOPLE,
    params: paymentParams,
    answer: 'file',
    errors: ['not_found'],
  },
  claimCase: {
    method: 'POST',
    path: '/cases/:id/claim',
    who: JUDGES,
    params: queue.claimParams,
    body: queue.claimBody,
    answer: queue.claimed,
    errors: ['not_found', 'other_state'],
  },
  workOnCase: {
    method: 'POST',
    path: '/cases/:id/work',
    who: actors('case.work'),
    params: paymentParams,
    body: cases.workBody,
    answer: cases.worked,
    errors: ['not_found', 'stale', 'not_a_person', 'not_yours'],
  },
  decideCase: {
    method: 'POST',
    path: '/cases/:id/decision',
    who: actors('deposit.approve', 'deposit.return', 'withdrawal.approve', 'withdrawal.refuse'),
    params: paymentParams,
    body: cases.decisionBody,
    answer: cases.decided,
    errors: [
      'not_found',
      'reason_needed',
      'not_confirmed',
      'not_signed',
      'passkey_new',
      'proof_not_valid',
      'stale',
      'other_state',
      'same_person',
      'too_close',
      'refused_by_rules',
      'not_judged',
      'amount_mismatch',
      'return_under_way',
      'provider_silent',
      'act_not_taken',
      'outcome_unknown',
      'unreached',
    ],
  },
  revealField: {
    method: 'POST',
    path: '/payments/:id/reveal',
    who: JUDGES,
    params: paymentParams,
    body: cases.revealBody,
    answer: cases.revealed,
    errors: ['not_found'],
  },
  readPayment: {
    method: 'GET',
    path: '/payments/:id',
    who: STAFF,
    params: paymentParams,
    answer: payments.paymentAnswer,
    errors: ['not_found'],
  },
  readWait: {
    method: 'GET',
    path: '/payments/:id/wait',
    who: STAFF,
    params: paymentParams,
    answer: payments.waitAnswer,
    errors: ['not_found'],
  },
  readReplay: {
    method: 'GET',
    path: '/payments/:id/replay',
    who: STAFF,
    params: paymentParams,
    query: cases.replayQuery,
    answer: cases.replayAnswer,
    errors: ['not_found'],
  },
  actOnPayment: {
    method: 'POST',
    path: '/payments/:id/acts',
    // An operator's people redeliver events, and see no payment here.
    who: actors('workflow.refresh', 'withdrawal.write_off', 'deposit.cancel', 'withdrawal.cancel'),
    params: paymentParams,
    body: payments.actBody,
    answer: payments.acted,
    errors: [
      'not_found',
      'not_confirmed',
      'not_signed',
      'passkey_new',
      'proof_not_valid',
      'stale',
      'other_state',
      'same_person',
      'too_close',
      'too_early',
      'other_evidence',
      'lapsed',
      'provider_silent',
      'act_not_taken',
      'outcome_unknown',
      'unreached',
    ],
  },
  search: {
    // What is looked for may be a document: it stays out of addresses, which servers between log.
    method: 'POST',
    path: '/search',
    who: STAFF,
    body: payments.searchBody,
    answer: payments.searchAnswer,
    errors: [],
  },

  readPayments: {
    method: 'GET',
    path: '/operations/:operation/payments',
    who: STAFF,
    params: operations.operationParams,
    query: paymentList.paymentsQuery,
    answer: paymentList.paymentsPage,
    errors: ['not_found'],
  },
  exportPayments: {
    method: 'GET',
    path: '/operations/:operation/payments/export',
    who: READERS_OF_PEOPLE,
    params: operations.operationParams,
    query: paymentList.paymentsExportQuery,
    answer: 'file',
    errors: ['not_found'],
  },
  readPlayer: {
    method: 'GET',
    path: '/operations/:operation/players/:ref',
    who: STAFF,
    params: players.playerParams,
    answer: players.playerAnswer,
    errors: ['not_found'],
  },

  readApprovals: {
    method: 'GET',
    path: '/approvals',
    who: INBOX,
    query: approvals.approvalsQuery,
    answer: approvals.approvalsPage,
    errors: [],
  },
  readWriteOffs: {
    method: 'GET',
    path: '/write-offs',
    who: INBOX,
    answer: approvals.writeOffsAnswer,
    errors: [],
  },
  decideApproval: {
    method: 'POST',
    path: '/approvals/:id',
    who: actors('access.approve', 'access.reject', 'risk.approve', 'risk.reject', 'staff.manage'),
    params: approvals.approvalParams,
    body: approvals.approvalBody,
    answer: approvals.approvalDecided,
    errors: [
      'not_found',
      'not_confirmed',
      'not_signed',
      'passkey_new',
      'proof_not_valid',
      'decided_before',
      'own_request',
      'own_code',
      'too_close',
      'yourself',
      'requester_not_permitted',
      'overtaken',
      'stale',
      'not_covered',
      'not_in_suspense',
      'already_in_books',
      'account_in_use',
      'account_taken',
      'too_many_keys',
      'command_line_only',
    ],
  },

  readAlerts: {
    method: 'GET',
    path: '/alerts',
    who: STAFF,
    query: operations.alertsQuery,
    answer: operations.alertsPage,
    errors: [],
  },
  actOnAlert: {
    method: 'POST',
    path: '/alerts/:id',
    who: actors('alert.resolve'),
    params: operations.alertParams,
    body: operations.alertBody,
    answer: operations.alert,
    errors: ['not_found', 'stale', 'decided_before', 'about_you', 'open_too_short', 'money_held'],
  },
  readAudit: {
    method: 'GET',
    path: '/audit',
    who: WATCHERS,
    query: operations.auditQuery,
    answer: operations.auditPage,
    errors: [],
  },
  exportAudit: {
    method: 'GET',
    path: '/audit/export',
    who: WATCHERS,
    query: operations.auditExportQuery,
    answer: 'file',
    errors: [],
  },
  readRules: {
    method: 'GET',
    path: '/rules/:operation',
    who: STAFF,
    params: operations.operationParams,
    answer: operations.rulesAnswer,
    errors: ['not_found'],
  },
  tryRules: {
    method: 'POST',
    path: '/operations/:operation/rules/trials',
    who: actors('rules.set'),
    params: operations.operationParams,
    body: ruleTrials.trialBody,
    answer: ruleTrials.trialAnswer,
    errors: ['not_found'],
  },
  proposeRules: {
    method: 'POST',
    path: '/operations/:operation/rules/proposals',
    who: actors('rules.set'),
    params: operations.operationParams,
    body: ruleTrials.proposalBody,
    answer: ruleTrials.proposed,
    errors: ['not_found', 'stale'],
  },
  readRuleChanges: {
    method: 'GET',
    path: '/rule-changes',
    who: INBOX,
    answer: ruleChanges.ruleChangesAnswer,
    errors: [],
  },
  readRuleChange: {
    method: 'GET',
    path: '/rule-changes/:id',
    who: STAFF,
    params: ruleChanges.ruleChangeParams,
    answer: ruleChanges.ruleChangeAnswer,
    errors: ['not_found'],
  },
  actOnRuleChange: {
    method: 'POST',
    path: '/rule-changes/:id',
    who: actors('rule_change.approve', 'rule_change.reject', 'rule_change.recompute'),
    params: ruleChanges.ruleChangeParams,
    body: ruleChanges.ruleChangeBody,
    answer: ruleChanges.ruleChangeActed,
    errors: [
      'not_found',
      'not_confirmed',
      'not_signed',
      'passkey_new',
      'proof_not_valid',
      'stale',
      'other_state',
      'same_person',
      'too_close',
      'decided_before',
      'outcome_unknown',
      'unreached',
    ],
  },
  readLists: {
    method: 'GET',
    path: '/lists/:operation',
    who: ['reviewer', 'approver', 'risk_manager', 'auditor'],
    params: operations.operationParams,
    query: operations.listsQuery,
    answer: operations.listsAnswer,
    errors: ['not_found'],
  },
  changeList: {
    method: 'POST',
    path: '/lists/:operation/changes',
    who: actors('list.change'),
    params: operations.operationParams,
    body: operations.listChangeBody,
    answer: operations.listChanged,
    errors: ['not_found'],
  },
  ...OPERATION_ROUTES,
  stopOperation: {
    method: 'POST',
    path: '/operations/:operation/stops',
    who: actors('operation.suspend', 'automatic.stop'),
    params: operations.operationParams,
    body: access.stopBody,
    answer: access.stopped,
    errors: ['not_found'],
  },
  changeOperation: {
    method: 'POST',
    path: '/operations/:operation/changes',
    who: actors(
      'operation.resume',
      'automatic.resume',
      'key.request',
      'allowlist.request',
      'operation.webhook',
      'webhook_secret.rotate',
      'cash.move',
    ),
    params: operations.operationParams,
    body: access.changeBody,
    answer: access.changed,
    errors: [
      'not_found',
      'stale',
      'too_many_keys',
      'two_secrets',
      'not_in_suspense',
      'not_covered',
      'already_in_books',
      'account_in_use',
      'account_taken',
    ],
  },
  revokeKey: {
    method: 'POST',
    path: '/keys/:key/revocation',
    who: actors('key.revoke'),
    params: access.keyParams,
    body: access.revokeBody,
    answer: access.revoked,
    errors: ['not_found'],
  },
  readStaff: { method: 'GET', path: '/staff', who: ['admin', 'auditor'], answer: staff.staffAnswer, errors: [] },
  actOnPerson: {
    method: 'POST',
    path: '/staff/:handle',
    who: actors('staff.manage'),
    params: staff.personParams,
    body: staff.staffBody,
    answer: staff.staffActed,
    errors: ['not_found', 'yourself', 'last_admin'],
  },
  stream: { method: 'GET', path: '/stream', who: 'signed_in', answer: 'events', errors: [] },
} as const satisfies Readonly<Record<string, PanelRoute>>;

export type PanelRouteName = keyof typeof PANEL_ROUTES;

type Route<Name extends PanelRouteName> = (typeof PANEL_ROUTES)[Name];
type Field<Name extends PanelRouteName, Key extends 'params' | 'query' | 'body'> =
  Route<Name> extends Readonly<Record<Key, infer Schema extends z.ZodType>> ? Schema : null;
type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;

/** What a handler gets, parsed. */
export interface Asked<Name extends PanelRouteName> {
  readonly params: OutputOf<Field<Name, 'params'>>;
  readonly query: OutputOf<Field<Name, 'query'>>;
  readonly body: OutputOf<Field<Name, 'body'>>;
}

/** What the page sends. */
export interface Asking<Name extends PanelRouteName> {
  readonly params: InputOf<Field<Name, 'params'>>;
  readonly query: InputOf<Field<Name, 'query'>>;
  readonly body: InputOf<Field<Name, 'body'>>;
}

/** What a handler answers. */
export type Answering<Name extends PanelRouteName> = Route<Name>['answer'] extends 'file'
  ? FileAnswer
  : InputOf<Route<Name>['answer']>;

/** What the page receives. */
export type Answered<Name extends PanelRouteName> = OutputOf<Route<Name>['answer']>;
