// The inbox of requests that take two people: keys, networks, webhook addresses, resumptions, certificates, lists.
import { z } from 'zod';
import { SIGNED_ACTS } from '../../../domain/staff.js';
import { REQUEST_KINDS, type RequestKind } from '../../../domain/approvals.js';
import { createdKey } from './access.js';
import {
  confirmedPossibility,
  cursor,
  instant,
  money,
  nextPage,
  operationName,
  personsReason,
  traceless,
  possibility,
  json,
} from './common.js';
import { confirmation } from './confirmation.js';

const APPROVALS = REQUEST_KINDS as [RequestKind, ...RequestKind[]];

export const approvalsQuery = z.strictObject({ cursor: cursor.optional() });

const approval = z.object({
  id: z.string(),
  kind: z.enum(APPROVALS),
  /** `null` for the whole gateway. */
  operation: operationName.nullable(),
  /** What is requested, by kind: no secrets and no personal data. */
  asks_for: json,
  requested_by: z.string(),
  requested_at: instant,
  is_own: z.boolean(),
  /** The act that approves it, if it is one that people sign. */
  approves: z.enum(SIGNED_ACTS).nullable(),
  approve: confirmedPossibility,
  reject: possibility,
});
/** Lost payouts that one person has asked to write off; a second person does so on their pages. */
export const writeOffsAnswer = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      operation: operationName,
      amount: money,
      player_ref: z.string(),
      /** When the permission to send was taken. */
      sent_at: instant.nullable(),
      traceless,
      requested_by: z.string(),
      reason: z.string(),
      /** Where the provider states that it never accepted the payout. */
      evidence: z.string(),
      requested_at: instant,
      lapses_at: instant,
      is_own: z.boolean(),
    }),
  ),
  more: z.boolean(),
});

export const approvalsPage = z.object({ items: z.array(approval), next: nextPage });

export const approvalParams = z.object({ id: z.string().regex(/^apr_[A-Za-z0-9]{1,64}$/) });
export const approvalBody = z.strictObject({
  decision: z.enum(['approve', 'reject']),
  reason: personsReason,
  ...confirmation,
});
export const approvalDecided = z.object({
  id: z.string(),
  status: z.enum(['approved', 'rejected']),
  /** Of a key: shown once, never stored by the page. */
  key: createdKey.nullable(),
});
