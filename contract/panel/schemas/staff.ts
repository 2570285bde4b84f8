// The people who may act: their roles, passkeys and sign-ins, and what an admin takes away from them.
import { z } from 'zod';
import { isPersonName } from '../../../domain/people.js';
import { ROLES } from '../../../domain/staff.js';
import { count, instant, operationId, operationName } from './common.js';

const role = z.enum(ROLES);

const person = z.object({
  handle: z.string(),
  /** `operation` null: in every one. */
  roles: z.array(z.object({ role, operation: operationName.nullable() })),
  created_at: instant,
  disabled_at: instant.nullable(),
  passkeys: count,
  /** What the identity provider that signs them in calls them. */
  account: z.string().nullable(),
  /** Sign-ins that have not ended. */
  sessions: count,
  last_seen_at: instant.nullable(),
  /** The caller, or the only admin: nothing can be taken from them here. */
  kept: z.enum(['yourself', 'last_admin']).nullable(),
});

export const staffAnswer = z.object({
  items: z.array(person),
  /** There are more people than are shown. */
  more: z.boolean(),
  /** Whether the caller may take something away. */
  manages: z.boolean(),
});

export const personParams = z.object({ handle: z.string().refine(isPersonName) });

/** What takes something away. Giving is done with the command. */
export const staffBody = z.discriminatedUnion('act', [
  z.object({ act: z.literal('take_role'), role, operation: operationId.nullable() }),
  z.object({ act: z.literal('end_sessions') }),
  z.object({ act: z.literal('disable') }),
]);

export const staffActed = z.object({ handle: z.string(), done: z.boolean() });
