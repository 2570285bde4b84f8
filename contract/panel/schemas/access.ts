// What people stop at once in an operation, and what they ask for: a second person approves it in production.
import { z } from 'zod';
import { MOST_NETWORKS, readAllowedNetwork } from '../../../domain/allowed-networks.js';
import { webhookUrlProblem } from '../../../domain/webhook-url.js';
import { KEY_ID } from '../../../domain/identifiers.js';
import { SCOPES } from '../../http/route.js';
import { isAmount } from '../../../domain/money.js';
import { isEndToEndId } from '../../../domain/pix.js';
import { givenReason, instant } from './common.js';

/** One person stops at once, so a reason may wait; the audit trail keeps one that is given. */
const reasonIfAny = { reason: givenReason.optional() };
export const stopBody = z.strictObject({ what: z.enum(['operation', 'automatic']), ...reasonIfAny });
export const stopped = z.object({ stopped: z.literal(true) });

/** In canonical spelling. */
const network = z
  .string()
  .trim()
  .max(64)
  .transform((text, context) => {
    const read = readAllowedNetwork(text);
    if ('network' in read) return read.network;
    context.addIssue({ code: 'custom', message: read.problem });
    return z.NEVER;
  });

/** Production asks for more (panel/handlers/access.ts). */
const webhookUrl = z.string().superRefine((text, context) => {
  const problem = webhookUrlProblem(text, 'sandbox');
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

const item = {
  payment: z.string().refine(isEndToEndId),
  left: z.string().refine(isAmount),
  reason: givenReason,
};

export const changeBody = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('resume') }),
  z.strictObject({ kind: z.literal('automatic_resume') }),
  z.strictObject({ kind: z.literal('key'), scopes: z.array(z.enum(SCOPES)).min(1) }),
  /** Replaces them all. An empty list allows every address in the sandbox, and none in production. */
  z.strictObject({
    kind: z.literal('allowlist'),
    networks: z.array(network).max(MOST_NETWORKS),
    /** Those that the person saw: if others are in force by now, nothing is replaced. */
    seen: z.array(z.string().max(64)).max(MOST_NETWORKS),
  }),
  /**
   * A payment in suspense goes back to its payer: all that is left of it, as the person saw it, in minor units.
   */
  z.strictObject({ kind: z.literal('item_return'), ...item }),
  /** It goes to the cash box: the operator has credited it to its player, or it was meant as funding. */
  z.strictObject({
    kind: z.enum(['item_credit', 'item_funding']),
    ...item,
    /** So much of what is left; absent: all of it. */
    amount: z
      .string()
      .refine((text) => isAmount(text) && text !== '0')
      .optional(),
  }),
  z.strictObject({ kind: z.literal('webhook'), url: webhookUrl }),
  /** Once approved, the same again makes the secret. `revoke_earlier`: the earlier ones stop signing at once. */
  z.strictObject({ kind: z.literal('webhook_secret'), revoke_earlier: z.boolean() }),
]);

/** Shown once, never stored by the page. */
export const createdKey = z.object({ key_id: z.string(), secret: z.string(), scopes: z.array(z.string()) });

/** Shown once, never stored by the page. The earlier secret signs beside it until then; null: it does not any more. */
const createdSecret = z.object({ secret: z.string(), previous_expires_at: instant.nullable() });

export const changed = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('done'),
    key: createdKey.nullable(),
    webhook_secret: createdSecret.optional(),
  }),
  /** Another person decides. */
  z.object({ status: z.literal('requested'), request_id: z.string() }),
]);

export const keyParams = z.object({ key: z.string().regex(KEY_ID) });
export const revokeBody = z.strictObject(reasonIfAny).optional();
export const revoked = z.object({ revoked_at: instant });
