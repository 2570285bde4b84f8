// What the demo operator writes down, one JSON line a record. Replaying them in order gives its whole state.
// No personal data: players are known by their opaque reference only.
import { z } from 'zod';

const reference = z.string().regex(/^[A-Za-z0-9_.:-]{1,64}$/);
const amount = z.string().regex(/^(0|[1-9][0-9]{0,37})$/);
const currency = z.string().regex(/^[A-Z0-9]{3,12}(\.[A-Z0-9]{2,12})?$/);
const money = z.strictObject({ amount, currency });
const kind = z.enum(['deposit', 'withdrawal']);
const at = z.iso.datetime();

/** An intended payment, recorded before the request and later compared with the gateway's state. */
export const intentSchema = z.strictObject({ external_id: reference, amount: money, player_ref: reference });

/**
 * The part of a deposit or withdrawal that decides money. Everything else the gateway sends is ignored, and not kept.
 */
export const paymentSchema = z.object({
  id: z.string().min(1).max(128),
  external_id: z.string().max(64),
  status: z.string().min(1).max(64),
  version: z.number().int().min(1),
  amount: z.object({ amount, currency }),
  player_ref: z.string().max(64),
  /** The day on which the gateway's reconciliation lists it. */
  paid_at: z.string().max(40).nullable().default(null),
});

/** Why a person should look. Open questions, never money moves. */
const ALERTS = [
  'unknown_external_id',
  'amount_differs',
  'player_differs',
  'another_object',
  'refunded_after_credit',
  'chargeback_after_credit',
  'withdrawal_returned',
  'paid_after_give_back',
  'fetch_back_refused',
  'event_cursor_unknown',
] as const;
const alert = z.enum(ALERTS);

export const recordSchema = z.discriminatedUnion('record', [
  z.strictObject({ record: z.literal('intended'), at, kind, intent: intentSchema }),
  z.strictObject({ record: z.literal('released'), at, external_id: reference }),
  z.strictObject({
    record: z.literal('event'),
    at,
    id: z.string(),
    type: z.string(),
    object_id: z.string(),
    object_version: z.number().int(),
    via: z.enum(['webhook', 'recovery']),
  }),
  z.strictObject({ record: z.literal('repeated_event'), at, id: z.string() }),
  z.strictObject({
    record: z.literal('applied'),
    at,
    kind,
    payment: paymentSchema,
    effect: z.enum(['none', 'credit', 'settle', 'give_back']),
    alert: alert.nullable(),
  }),
  z.strictObject({ record: z.literal('alert'), at, code: alert, object_id: z.string().nullable() }),
  z.strictObject({ record: z.literal('recovered'), at, after: z.string().nullable() }),
]);

export type PaymentKind = z.output<typeof kind>;
export type Intent = z.output<typeof intentSchema>;
export type Payment = z.output<typeof paymentSchema>;
export type Alert = z.output<typeof alert>;
export type LedgerRecord = z.output<typeof recordSchema>;
export type Effect = Extract<LedgerRecord, { record: 'applied' }>['effect'];
