// Shows one field of personal data to a person, for a reason. The audit entry is written before the person sees the
// field: which field of which payment, by whom and why; never the value.
import type { Actor } from '../../store/staff/acts.js';
import { appendAudit } from '../../store/audit/audit.js';
import { takeToken } from '../../store/rate-buckets.js';
import { clearField, personsOf, type RevealedField } from '../reads/panel/people.js';
import type { PaymentReads, PaymentRow } from '../reads/panel/payment.js';

/** How long the value may be shown. */
export const REVEAL_SECONDS = 60;
/** A reviewer looks at some fields of each case, but not at a field every second. */
const RATE = { perSecond: 1 / 6, burst: 20 } as const;

export type RevealResult =
  | { readonly kind: 'revealed'; readonly value: string | null; readonly until: Date }
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number };

export async function reveal(
  { database, sealer }: PaymentReads,
  person: Actor,
  payment: PaymentRow,
  { field, reason, now }: { readonly field: RevealedField; readonly reason: string; readonly now: Date },
): Promise<RevealResult> {
  const retryAfterSeconds = await takeToken(database, `reveal:${person.handle}`, RATE);
  if (retryAfterSeconds > 0) return { kind: 'rate_limited', retryAfterSeconds };
  const value = clearField(personsOf(sealer, payment), field);
  const { id: subject, operationId } = payment.row;
  await appendAudit(database, { person, action: 'payment.reveal', operationId, subject, detail: { field, reason } });
  return { kind: 'revealed', value, until: new Date(now.getTime() + REVEAL_SECONDS * 1_000) };
}
