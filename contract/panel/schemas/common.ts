// What several answers of the panel share: money, instants, reasons, decisions of people, pages.
import { z } from 'zod';
import { isId } from '../../../domain/identifiers.js';
import type { JsonValue } from '../../../domain/rules/canonical-json.js';
import { isReason, looksPersonal } from '../../../domain/people.js';

/** Minor units as a string; how many decimals they have is in the currency registry. */
export const money = z.object({ amount: z.string(), currency: z.string() });

/** RFC 3339 in UTC. The server may answer a Date. */
export const instant = z
  .union([z.date(), z.iso.datetime()])
  .transform((at) => (typeof at === 'string' ? at : at.toISOString()));

/** A stored number that may exceed what JSON can say. */
export const count = z.int().min(0);

export const paymentKind = z.enum(['deposit', 'withdrawal']);

export const operationName = z.object({ id: z.string(), name: z.string() });

/** What a rule compared: amounts (`…Minor`) in minor units as strings, counts, times and booleans. */
export const compared = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** Why a payment waits for people: a rule's code, or the operator's own words, which are text and never markup. */
export const reason = z.discriminatedUnion('from', [
  z.object({
    from: z.literal('rules'),
    /** The key of its words. */
    code: z.string(),
    /** Its numbers; null if no stored decision has them. */
    compared: compared.nullable(),
  }),
  /** `OP:` and the operator's text. */
  z.object({ from: z.literal('operator'), text: z.string() }),
]);

/** What people decide, wherever the panel shows it. */
const PERSONAL_DECISIONS = [
  'approve',
  'refuse',
  'return',
  'return_requested',
  'return_refused',
  'return_withdrawn',
  'reject',
  'request_conclusion',
  'confirm_conclusion',
] as const;

/** What a person decided. */
export type PersonalDecision = (typeof PERSONAL_DECISIONS)[number];
export const personalDecision = z.object({
  /** A handle, never a civil name. */
  person: z.string(),
  decision: z.enum(PERSONAL_DECISIONS),
  reason: z.string(),
  /** Of a return that the provider refused: its code. */
  code: z.string().nullable().default(null),
  at: instant,
});

/** Why a person decides: one line without personal data. It is stored with the decision and in the audit trail. */
export const personsReason = z
  .string()
  .trim()
  .max(500)
  .refine((text) => isReason(text), { error: 'must be one line' })
  .refine((text) => !looksPersonal(text), { error: 'must not hold a document, e-mail address or phone number' });
export const givenReason = personsReason.min(3);

/** Stored JSON: ids, codes, settings. */
export const json = z.custom<JsonValue>((value) => value !== undefined);

/** Opaque: send it back for the next page. */
export const cursor = z.string().max(400);
export const nextPage = cursor.nullable();

/** What the look-ups of a lost payout found: nothing, so often in a row. */
export const traceless = z.object({
  look_ups: count,
  /** When the first and the last of them was answered; null before it. */
  since: instant.nullable(),
  last_at: instant.nullable(),
});

const paymentId = z.string().refine((text) => isId('deposit', text) || isId('withdrawal', text));
export const paymentParams = z.object({ id: paymentId });
export const operationId = z.string().refine((text) => isId('operation', text));

/** An act that a page offers, and why not if it is not possible. */
const WHY_NOT = [
  'not_your_role',
  'other_state',
  'approved_before',
  'refused_by_rules',
  'not_judged',
  'amount_mismatch',
  'return_under_way',
  'send_has_left',
  'not_lost',
  'own_request',
  'command_line_only',
  'no_report',
  'report_broken',
  'about_you',
  'open_too_short',
  'money_held',
] as const;
export const whyNot = z.enum(WHY_NOT);
export type WhyNot = z.output<typeof whyNot>;
export const possibility = z.object({ possible: z.boolean(), why_not: whyNot.nullable() });

/**
 * An act for which money moves or an access opens. `confirm`: what the person types before it, so that it is this one
 * and no slip; null: nothing. It is sent back as `confirm`.
 */
export const confirmedPossibility = z.object({ ...possibility.shape, confirm: z.string().nullable() });
export const confirm = z.string().trim().max(64).optional();
