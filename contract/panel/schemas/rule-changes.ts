// Proposed changes of rules: what differs, what the last 30 days would have been under them, and what people do about
// it.
import { z } from 'zod';
import { RULE_CHANGE_STATUSES } from '../../../domain/rule-change.js';
import type { RuleChangeReport } from '../../../domain/rules/proof/report.js';
import {
  confirmedPossibility,
  count,
  givenReason,
  instant,
  json,
  operationName,
  personalDecision,
  personsReason,
  possibility,
} from './common.js';
import { confirmation } from './confirmation.js';

const status = z.enum(RULE_CHANGE_STATUSES);

const change = z.object({
  id: z.string(),
  operation: operationName,
  status,
  /** The version that it was made from. */
  base_version: z.int(),
  applied_version: z.int().nullable(),
  /** A key of the operator, or a person. */
  requested_by: z.string(),
  /** An operator proposed it: what it says is from outside. Staff proposed the others. */
  is_operators: z.boolean(),
  justification: z.string(),
  created_at: instant,
  expires_at: instant,
  decided_at: instant.nullable(),
  /** Who has approved the report that is there now. */
  approvals: z.object({ given: z.array(z.string()), needed: z.int() }),
});

/** Those that wait, longest waiting first. */
export const ruleChangesAnswer = z.object({ items: z.array(change), more: z.boolean() });

export const ruleChangeParams = z.object({ id: z.string().regex(/^chg_[A-Za-z0-9]{1,64}$/) });

export const ruleChangeAnswer = z.object({
  ...change.shape,
  operation: z.object({ ...operationName.shape, time_zone: z.string() }),
  /** Another one than the base: approving it would change nothing. */
  version_in_force: z.int(),
  differences: z.array(z.object({ path: z.string(), from: json, to: json })),
  decided: z.array(personalDecision),
  /** Null until its process has computed it. */
  proof: z
    .object({
      digest: z.string(),
      /** Whether what is stored still has that digest. */
      is_intact: z.boolean(),
      report: z.custom<RuleChangeReport>((value) => typeof value === 'object' && value !== null),
    })
    .nullable(),
  acts: z.object({ approve: confirmedPossibility, reject: possibility, recompute: possibility }),
});

const digest = z.string().regex(/^[0-9a-f]{64}$/);
/** What the person saw: a report that was computed again, or an approval that came since, is not passed over. */
const seen = { digest: digest.nullable(), approvals: count };

export const ruleChangeBody = z.discriminatedUnion('act', [
  z.strictObject({
    act: z.literal('approve'),
    reason: personsReason,
    /** Of the report that the person has read. */
    digest,
    ...confirmation,
  }),
  z.strictObject({ act: z.literal('reject'), reason: givenReason, ...seen }),
  z.strictObject({ act: z.literal('recompute'), ...seen }),
]);
export const ruleChangeActed = z.object({ outcome: z.enum(['done', 'under_way']), status });
