// A payment's page: what happened, what it waits for, what may safely be done. And the search that leads there.
import { z } from 'zod';
import { FOUND_BY } from '../../../domain/found-by.js';
import { WAITING_FOR } from '../../temporal/search-attributes.js';
import {
  confirmedPossibility,
  count,
  givenReason,
  instant,
  money,
  operationName,
  paymentKind,
  personalDecision,
  possibility,
  reason,
  traceless,
} from './common.js';
import { confirmation } from './confirmation.js';
import { ruleDecision } from './cases.js';

const delivery = z.object({
  attempt: z.int(),
  sent_at: instant,
  response_status: z.int().nullable(),
  error: z.string().nullable(),
  duration_ms: z.int(),
  next_attempt_at: instant.nullable(),
});

export const alertOf = z.object({
  id: z.string(),
  kind: z.string(),
  detail: z.string(),
  created_at: instant,
  resolved_at: instant.nullable(),
});

export const paymentAnswer = z.object({
  id: z.string(),
  kind: paymentKind,
  operation: z.object({ ...operationName.shape, time_zone: z.string() }),
  external_id: z.string(),
  player_ref: z.string(),
  provider: z.string(),
  /** The document by which the provider's last answer was read that changed the payment; null: none has yet. */
  contract: z.string().nullable(),
  status: z.string(),
  version: z.int(),
  is_closed: z.boolean(),
  amount: money,
  paid_amount: money.nullable(),
  fee: money.nullable(),
  /** What of its payments lies in suspense; null: nothing. */
  in_suspense: money.nullable(),
  reasons: z.array(reason),
  failure_code: z.string().nullable(),
  end_to_end_id: z.string().nullable(),
  /** Of the request that made it: its traces have every call to the provider and its callbacks. */
  traces: z.array(z.object({ id: z.string(), url: z.string().nullable() })),
  /** The reference under which the provider knows it. */
  provider_reference: z.string(),
  created_at: instant,
  updated_at: instant,
  paid_at: instant.nullable(),
  /** Of a deposit. */
  expires_at: instant.nullable(),
  /** Of a withdrawal: when the permission to send was taken; null: nothing has left. */
  send_claimed_at: instant.nullable(),
  /** Of a payout that may have left: its look-ups without a trace. Null otherwise. */
  traceless: traceless.nullable(),
  /** Events in their order, each with its deliveries. */
  timeline: z.array(
    z.object({
      event_id: z.string(),
      type: z.string(),
      version: z.int(),
      at: instant,
      deliveries: z.array(delivery),
    }),
  ),
  /** The newest requests to the provider, oldest first. They are kept for 30 days. */
  exchanges: z.array(
    z.object({
      call: z.string(),
      method: z.string(),
      path: z.string(),
      /** `null`: no answer, because of the fault. */
      status: z.int().nullable(),
      fault: z.string().nullable(),
      /** When its step began: before the events that followed from it. */
      step_at: instant,
      at: instant,
      duration_ms: count,
    }),
  ),
  /** Each transfer sums to zero: the server says whether it does. */
  ledger: z.array(
    z.object({
      step: z.string(),
      movement: z.string(),
      currency: z.string(),
      at: instant,
      entries: z.array(z.object({ account: z.string(), amount_minor: z.string() })),
      sums_to_zero: z.boolean(),
    }),
  ),
  decisions: z.array(ruleDecision),
  /** Of the operation's rules: the decisions can be replayed under every version up to it. */
  version_in_force: z.int(),
  decided: z.array(personalDecision),
  /** What people did about it, and what its provider refused, by the audit trail, oldest first. */
  people: z.array(
    z.object({
      key: z.string(),
      at: instant,
      /** A handle, or the provider's name in the trail. */
      person: z.string(),
      is_provider: z.boolean(),
      /** The action of the audit trail. */
      action: z.string(),
      reason: z.string().nullable(),
      evidence: z.string().nullable(),
      code: z.string().nullable(),
      /** Of the provider's refusal: who had asked. */
      requested_by: z.string().nullable(),
      given_to: z.string().nullable(),
      until: instant.nullable(),
      /** What was revealed, without its value. */
      field: z.string().nullable(),
    }),
  ),
  /** Write-offs of a lost payout. */
  write_offs: z.array(z.object({ ...personalDecision.shape, evidence: z.string() })),
  alerts: z.array(alertOf),
  acts: z.object({
    look_up: possibility,
    redeliver: possibility,
    cancel: possibility,
    write_off: confirmedPossibility,
  }),
});

/** The current state of the payment's workflow. A separate call, so that it does not delay the page. */
export const waitAnswer = z.object({
  /** `workflow`: it said so itself. `database`: it did not answer, or has ended; the row says so. */
  said_by: z.enum(['workflow', 'database']),
  /** The key of its words. */
  for: z.enum(WAITING_FOR),
  since: instant,
  /** Plain text; null: nothing more is known. */
  next: z.string().nullable(),
  next_at: instant.nullable(),
  last_error: z.string().nullable(),
  attempts: count,
  /** `running`, `completed`, …; null: Temporal did not answer, or knows none. */
  workflow_status: z.string().nullable(),
  /** Its page in the Temporal UI; null without one. */
  temporal_url: z.string().nullable(),
});

export const actBody = z.discriminatedUnion('act', [
  z.strictObject({ act: z.literal('look_up') }),
  z.strictObject({ act: z.literal('redeliver'), event_id: z.string().max(100) }),
  z.strictObject({ act: z.literal('cancel'), reason: givenReason, version: z.int().min(1) }),
  z.strictObject({
    act: z.literal('write_off'),
    reason: givenReason,
    /** Where the provider states that it never accepted the payout. */
    evidence: givenReason,
    version: z.int().min(1),
    ...confirmation,
  }),
]);

export const acted = z.object({
  /** `requested`: a second person must confirm. */
  outcome: z.enum(['done', 'requested', 'under_way']),
  status: z.string(),
  version: z.int().nullable(),
  /** After a look-up: what the books say by the provider's answer. Null after every other act. */
  looked_up: z
    .object({
      /** By this look-up, or while it was made. */
      is_changed: z.boolean(),
      /** What was paid, else what is to be paid. */
      amount: money,
      /** When it was paid; else since when it has been so. */
      at: instant,
      failure_code: z.string().nullable(),
    })
    .nullable()
    .default(null),
});

export const searchBody = z.strictObject({ q: z.string().trim().min(1).max(200) });

const HIT_TYPES = [
  'deposit',
  'withdrawal',
  'event',
  'operation',
  'key',
  'alert',
  'rule_change',
  'request_for_approval',
  'act',
  'request',
  'refused_payment',
  'cash_movement',
  'item_return',
  'player',
] as const;

/** The page that shows what was found, and what of it. */
const lead = z.discriminatedUnion('page', [
  z.object({ page: z.literal('payment'), id: z.string() }),
  z.object({ page: z.literal('player'), operation: z.string(), ref: z.string() }),
  z.object({ page: z.literal('rule_change'), id: z.string() }),
  z.object({ page: z.literal('alert'), id: z.string() }),
  z.object({ page: z.literal('access'), operation: z.string() }),
  z.object({ page: z.literal('money'), operation: z.string() }),
  z.object({ page: z.literal('approvals') }),
  z.object({ page: z.literal('audit'), subject: z.string() }),
]);
export type Lead = z.output<typeof lead>;

const hit = z.object({
  /** What the text was recognised as. */
  found_by: z.array(z.enum(FOUND_BY)),
  type: z.enum(HIT_TYPES),
  id: z.string(),
  /** `null` if it is about the whole gateway. */
  operation: operationName.nullable(),
  status: z.string().nullable(),
  amount: money.nullable(),
  external_id: z.string().nullable(),
  player_ref: z.string().nullable(),
  /** What it is about. */
  object_id: z.string().nullable(),
  /** Null: no page shows it, or only `closed_page`. */
  leads_to: lead.nullable(),
  /** The page that shows it and that no role of the person opens there. */
  closed_page: z.enum(['approvals', 'audit']).nullable(),
  at: instant.nullable(),
});
export type Hit = z.output<typeof hit>;
export const searchAnswer = z.object({ hits: z.array(hit), more: z.boolean() });
