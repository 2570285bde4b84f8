// The routes about operations and their money: cash movements, suspense, days, disputes, statements and webhooks.
import { STAFF_ROLES } from '../../domain/staff.js';
import { paymentParams } from './schemas/common.js';
import { actors, type PanelRoute } from './route.js';
import * as integration from './schemas/integration.js';
import * as operations from './schemas/operations.js';
import * as questions from './schemas/questions.js';
import * as webhooks from './schemas/webhooks.js';

/** All staff. */
const STAFF = STAFF_ROLES;
/** All staff, and the operator's people who integrate. */
const ALL = [...STAFF_ROLES, 'integrator'] as const;
/** The people of the operator's desk. What they say is the operator's: staff note an answer on the case. */
const DESK = ['operator_desk'] as const;

export const OPERATION_ROUTES = {
  readOperations: { method: 'GET', path: '/operations', who: ALL, answer: operations.operationsAnswer, errors: [] },
  readOperation: {
    method: 'GET',
    path: '/operations/:operation',
    who: ALL,
    params: operations.operationParams,
    answer: operations.operationAnswer,
    errors: ['not_found'],
  },
  readCashMovements: {
    method: 'GET',
    path: '/operations/:operation/cash-movements',
    who: STAFF,
    params: operations.operationParams,
    query: operations.cashQuery,
    answer: operations.cashPage,
    errors: ['not_found'],
  },
  readSuspense: {
    method: 'GET',
    path: '/operations/:operation/suspense',
    who: STAFF,
    params: operations.operationParams,
    query: operations.suspenseQuery,
    answer: operations.suspensePage,
    errors: ['not_found'],
  },
  readDays: {
    method: 'GET',
    path: '/operations/:operation/days',
    who: STAFF,
    params: operations.operationParams,
    query: operations.daysQuery,
    answer: operations.daysPage,
    errors: ['not_found'],
  },
  readDayExceptions: {
    method: 'GET',
    path: '/operations/:operation/days/:day/:currency/exceptions',
    who: STAFF,
    params: operations.dayParams,
    answer: operations.dayExceptions,
    errors: ['not_found'],
  },
  readDisputes: {
    method: 'GET',
    path: '/operations/:operation/disputes',
    who: STAFF,
    params: operations.operationParams,
    query: operations.disputesQuery,
    answer: operations.disputesPage,
    errors: ['not_found'],
  },
  readStatements: {
    method: 'GET',
    path: '/statements',
    who: STAFF,
    answer: operations.statementsAnswer,
    errors: [],
  },
  readStatement: {
    method: 'GET',
    path: '/statements/:provider/:day',
    who: STAFF,
    params: operations.statementParams,
    answer: operations.statementDifferences,
    errors: ['not_found'],
  },
  readDeliveries: {
    method: 'GET',
    path: '/operations/:operation/deliveries',
    who: ALL,
    params: operations.operationParams,
    query: webhooks.deliveriesQuery,
    answer: webhooks.deliveriesPage,
    errors: ['not_found'],
  },
  readCalls: {
    method: 'GET',
    path: '/operations/:operation/calls',
    who: ALL,
    params: operations.operationParams,
    query: integration.callsQuery,
    answer: integration.callsPage,
    errors: ['not_found'],
  },
  readGoLive: {
    method: 'GET',
    path: '/operations/:operation/go-live',
    who: ALL,
    params: operations.operationParams,
    answer: integration.goLiveAnswer,
    errors: ['not_found'],
  },
  readQuestions: { method: 'GET', path: '/questions', who: DESK, answer: questions.questionsAnswer, errors: [] },
  answerQuestion: {
    method: 'POST',
    path: '/questions/:id/answer',
    who: DESK,
    params: paymentParams,
    body: questions.answerBody,
    answer: questions.answered,
    errors: ['not_found', 'stale'],
  },
  redeliverRange: {
    method: 'POST',
    path: '/operations/:operation/redeliveries',
    who: actors('event.redeliver'),
    params: operations.operationParams,
    body: webhooks.redeliveryBody,
    answer: webhooks.redelivered,
    errors: ['not_found', 'too_many_events', 'redelivery_under_way'],
  },
  readEvent: {
    method: 'GET',
    path: '/events/:id',
    who: STAFF,
    params: webhooks.eventParams,
    answer: webhooks.eventAnswer,
    errors: ['not_found'],
  },
  redeliverEvent: {
    method: 'POST',
    path: '/events/:id/redeliveries',
    who: actors('event.redeliver'),
    params: webhooks.eventParams,
    answer: webhooks.redelivered,
    errors: ['not_found'],
  },
} as const satisfies Readonly<Record<string, PanelRoute>>;
