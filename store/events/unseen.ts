// The events of a payment that are left to its process to deliver, as part of the statement that reads the payment.
import { NOTHING_SEEN } from '../../contract/temporal/payment-steps.js';
import { Prisma } from '../../prisma/generated/client.js';

/**
 * A condition on `event`. The process that stored an event has it delivered, or this one does. A process that lost its
 * state gets the payment's latest event, if there was no attempt to deliver it. Earlier events were handed over before
 * the next transition.
 */
export function isUnseenSql(payment: { readonly id: Prisma.Sql; readonly version: Prisma.Sql }, seenVersion: number) {
  if (seenVersion !== NOTHING_SEEN)
    return Prisma.sql`
    event.object_id = ${payment.id} AND event.object_version > ${seenVersion} AND NOT event.is_attempted_at_once`;
  return Prisma.sql`
    event.object_id = ${payment.id} AND event.object_version = ${payment.version} AND NOT event.is_attempted_at_once
    AND NOT EXISTS (SELECT FROM webhook_delivery WHERE webhook_delivery.event_id = event.id)`;
}
