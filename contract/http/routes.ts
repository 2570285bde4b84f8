// The table of routes (specification, "Endpoints" and "Scopes"). The router, the scope check, the OpenAPI document,
// the handlers' types and the tests are derived from it.
import { z } from 'zod';
import type { RouteDefinition, RouteHandler } from './route.js';
import { SANDBOX_ROUTES } from './sandbox-routes.js';
import { TOOL_ROUTES } from './tool-routes.js';
import { emptyBody } from './schemas/sandbox.js';
import {
  createDepositBody,
  deposit,
  depositPage,
  listDepositsQuery,
  DEPOSIT_ID,
  ONE_DEPOSIT,
} from './schemas/deposits.js';
import { listReceiptsQuery, quoteBody, receiptPage } from './schemas/disabled.js';
import { eventPage, listEventsQuery } from './schemas/events.js';
import { balanceList, currencyList, ping, playerLimits, playerLimitsQuery } from './schemas/operation.js';
import { reconciliation, reconciliationQuery } from './schemas/reconciliation.js';
import { ruleChange, ruleChangeBody, ruleSet } from './schemas/rules.js';
import {
  createWithdrawalBody,
  listWithdrawalsQuery,
  recallBody,
  withdrawal,
  withdrawalPage,
  WITHDRAWAL_ID,
  ONE_WITHDRAWAL,
} from './schemas/withdrawals.js';

const QUOTE_ID = { id: /^fxq_[A-Za-z0-9]+$/ };
const RECEIPT_ID = { id: /^rcv_[A-Za-z0-9]+$/ };

const DEPOSIT_CREATION_ERRORS = [
  'validation_failed',
  'method_not_enabled',
  'document_invalid',
  'duplicate_external_id',
  'currency_not_enabled',
  'amount_below_minimum',
  'amount_above_maximum',
  'document_mismatch',
  'player_blocked',
  'destination_blocked',
  'velocity_exceeded',
] as const;

export const ROUTES = [
  {
    name: 'ping',
    method: 'GET',
    path: '/ping',
    tag: 'Operation',
    summary: 'Check the credential and the clock',
    access: 'any_key',
    success: { 200: { description: 'The credential works.', schema: ping } },
    errors: [],
  },
  {
    name: 'getOpenApi',
    method: 'GET',
    path: '/openapi.yaml',
    tag: 'Operation',
    summary: 'Read this document',
    access: 'public',
    success: {
      200: {
        description: 'The contract, restricted to what is implemented.',
        schema: z.string(),
        contentType: 'application/yaml',
      },
    },
    errors: [],
  },
  {
    name: 'listCurrencies',
    method: 'GET',
    path: '/currencies',
    tag: 'Operation',
    summary: 'List currencies and methods',
    description: 'Read `method_details` at boot and periodically: requirements depend on the operation’s provider.',
    access: ['read'],
    success: { 200: { description: 'Enabled currencies.', schema: currencyList } },
    errors: [],
  },
  {
    name: 'listBalances',
    method: 'GET',
    path: '/balances',
    tag: 'Operation',
    summary: 'Read the operation’s balances',
    access: ['read'],
    success: { 200: { description: 'One item per enabled currency.', schema: balanceList } },
    errors: [],
  },
  {
    name: 'getPlayerLimits',
    method: 'GET',
    path: '/players/:external_ref/limits',
    tag: 'Operation',
    summary: 'Read what a player may still withdraw automatically',
    access: ['read'],
    query: playerLimitsQuery,
    success: { 200: { description: 'The player’s limits.', schema: playerLimits } },
    errors: ['validation_failed', 'currency_not_enabled', 'not_found'],
  },
  {
    name: 'listEvents',
    method: 'GET',
    path: '/events',
    tag: 'Events',
    summary: 'Replay events',
    description: 'In creation order, each event once; the same envelope as the webhook.',
    access: ['read'],
    listing: true,
    query: listEventsQuery,
    success: {
      200: { description: 'Events after the given one; page on with `after` = `next_cursor`.', schema: eventPage },
    },
    errors: ['validation_failed'],
  },
  {
    name: 'getReconciliation',
    method: 'GET',
    path: '/reconciliation',
    tag: 'Operation',
    summary: 'Read a closed day',
    access: ['read'],
    query: reconciliationQuery,
    success: {
      200: {
        description: 'The day’s items, sorted by `object_id` and `kind`.',
        schema: reconciliation,
        headers: { 'Svc-Signature': 'Signature of the digest, on the last page.' },
      },
    },
    errors: ['validation_failed', 'currency_not_enabled', 'day_open'],
  },
  {
    name: 'getRules',
    method: 'GET',
    path: '/rules',
    tag: 'Rules',
    summary: 'Read the active rule set',
    access: ['read'],
    success: {
      200: {
        description: 'The active rule set.',
        schema: ruleSet,
        headers: { ETag: 'Changes with every version; send it as `If-Match`.' },
      },
    },
    errors: [],
  },
  {
    name: 'proposeRuleChange',
    method: 'POST',
    path: '/rules/change-requests',
    tag: 'Rules',
    summary: 'Propose a change of the rules',
    description: 'Takes effect only after approval by two people. Needs `If-Match` with the ETag of `GET /rules`.',
    access: ['rules:propose'],
    creates: 'ruleChange',
    body: ruleChangeBody,
    success: { 202: { description: 'Waiting for approval.', schema: ruleChange } },
    errors: ['validation_failed', 'etag_mismatch'],
  },
  {
    name: 'createDeposit',
    method: 'POST',
    path: '/deposits',
    tag: 'Deposits',
    summary: 'Create a deposit',
    access: ['deposits:write'],
    creates: 'deposit',
    body: createDepositBody,
    success: {
      201: { description: '`pending` with instructions, or `failed`.', schema: deposit },
      202: {
        description: '`created`: the provider takes longer; wait for `deposit.pending`, do not create another.',
        schema: deposit,
      },
    },
    errors: DEPOSIT_CREATION_ERRORS,
  },
  {
    name: 'listDeposits',
    method: 'GET',
    path: '/deposits',
    tag: 'Deposits',
    summary: 'List deposits, newest first',
    access: ['read'],
    listing: true,
    query: listDepositsQuery,
    success: { 200: { description: 'A page of deposits.', schema: depositPage } },
    errors: ['validation_failed'],
  },
  {
    name: 'getDeposit',
    method: 'GET',
    path: '/deposits/:id',
    tag: 'Deposits',
    summary: 'Read a deposit (the authoritative fetch-back)',
    access: ['read'],
    params: DEPOSIT_ID,
    success: ONE_DEPOSIT,
    errors: ['not_found'],
  },
  {
    name: 'cancelDeposit',
    method: 'POST',
    path: '/deposits/:id/cancel',
    tag: 'Deposits',
    summary: 'Cancel a pending deposit',
    access: ['deposits:write'],
    params: DEPOSIT_ID,
    body: emptyBody,
    bodyOptional: true,
    success: ONE_DEPOSIT,
    errors: ['validation_failed', 'not_found', 'invalid_state_transition'],
  },
  {
    name: 'createWithdrawal',
    method: 'POST',
    path: '/withdrawals',
    tag: 'Withdrawals',
    summary: 'Request a withdrawal',
    access: ['withdrawals:write'],
    creates: 'withdrawal',
    body: createWithdrawalBody,
    success: { 201: { description: '`approved`, `under_review` or `requested`.', schema: withdrawal } },
    errors: [...DEPOSIT_CREATION_ERRORS, 'insufficient_operation_balance'],
  },
  {
    name: 'listWithdrawals',
    method: 'GET',
    path: '/withdrawals',
    tag: 'Withdrawals',
    summary: 'List withdrawals, newest first',
    access: ['read'],
    listing: true,
    query: listWithdrawalsQuery,
    success: { 200: { description: 'A page of withdrawals.', schema: withdrawalPage } },
    errors: ['validation_failed'],
  },
  {
    name: 'getWithdrawal',
    method: 'GET',
    path: '/withdrawals/:id',
    tag: 'Withdrawals',
    summary: 'Read a withdrawal',
    access: ['read'],
    params: WITHDRAWAL_ID,
    success: ONE_WITHDRAWAL,
    errors: ['not_found'],
  },
  {
    name: 'cancelWithdrawal',
    method: 'POST',
    path: '/withdrawals/:id/cancel',
    tag: 'Withdrawals',
    summary: 'Cancel a withdrawal whose send has not left',
    access: ['withdrawals:write'],
    params: WITHDRAWAL_ID,
    body: emptyBody,
    bodyOptional: true,
    success: ONE_WITHDRAWAL,
    errors: ['validation_failed', 'not_found', 'invalid_state_transition'],
  },
  {
    name: 'recallWithdrawal',
    method: 'POST',
    path: '/withdrawals/:id/recall',
    tag: 'Withdrawals',
    summary: 'Recall a transfer (not for PIX)',
    description: 'On a PIX withdrawal always 409 `invalid_state_transition`, with no change.',
    access: ['withdrawals:write'],
    params: WITHDRAWAL_ID,
    body: recallBody,
    success: { 202: { description: 'The withdrawal.', schema: withdrawal } },
    errors: ['validation_failed', 'not_found', 'invalid_state_transition'],
  },
  {
    name: 'createFxQuote',
    method: 'POST',
    path: '/fx/quotes',
    tag: 'FX (disabled)',
    summary: 'Request a quote (disabled)',
    access: ['deposits:write', 'withdrawals:write'],
    body: quoteBody,
    // The answer does not depend on the body, whose shape is not defined.
    bodyOptional: true,
    success: { 201: { description: 'Not served: no operation has currency exchange enabled.' } },
    errors: ['validation_failed', 'fx_not_enabled'],
  },
  {
    name: 'getFxQuote',
    method: 'GET',
    path: '/fx/quotes/:id',
    tag: 'FX (disabled)',
    summary: 'Read a quote (disabled)',
    access: ['read'],
    params: QUOTE_ID,
    success: { 200: { description: 'Not served: there are no quotes.' } },
    errors: ['not_found'],
  },
  {
    name: 'listReceipts',
    method: 'GET',
    path: '/receipts',
    tag: 'Receipts (disabled)',
    summary: 'List unmatched bank credits (always empty)',
    access: ['read'],
    query: listReceiptsQuery,
    success: { 200: { description: 'An empty page.', schema: receiptPage } },
    errors: ['validation_failed'],
  },
  {
    name: 'getReceipt',
    method: 'GET',
    path: '/receipts/:id',
    tag: 'Receipts (disabled)',
    summary: 'Read an unmatched bank credit (disabled)',
    access: ['read'],
    params: RECEIPT_ID,
    success: { 200: { description: 'Not served: there are no receipts.' } },
    errors: ['not_found'],
  },
  ...TOOL_ROUTES,
  ...SANDBOX_ROUTES,
] as const satisfies readonly RouteDefinition[];

type Route = (typeof ROUTES)[number];
/** Name of a route: its OpenAPI operation id and the key of its handler. */
export type RouteName = Route['name'];
type RouteNamed<Name extends RouteName> = Extract<Route, { name: Name }>;

/** The parsed body of a route: undefined when an optional body is absent, unknown for a route without a body. */
export type BodyOf<Name extends RouteName> =
  RouteNamed<Name> extends { body: infer Body extends z.ZodType }
    ? RouteNamed<Name> extends { bodyOptional: true }
      ? z.output<Body> | undefined
      : z.output<Body>
    : unknown;

/** The parsed query of a route. */
export type QueryOf<Name extends RouteName> =
  RouteNamed<Name> extends { query: infer Query extends z.ZodType } ? z.output<Query> : unknown;

/** The handler of a route, typed by the route's schemas. */
export type HandlerOf<Name extends RouteName> = RouteHandler<BodyOf<Name>, QueryOf<Name>>;

/** The handlers by route. A missing or surplus handler does not compile. */
export type RouteHandlers = { readonly [Name in RouteName]: HandlerOf<Name> };
