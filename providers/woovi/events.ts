// Woovi's documented events, by their subject. Each has the prefix `OPENPIX:` or `woovi:`, or neither.

/** `nothing`: an event about what the gateway does not use, or knows already. */
type Subject = 'charge' | 'payment' | 'return' | 'dispute' | 'nothing';

const SUBJECTS: Readonly<Record<string, Subject>> = {
  CHARGE_CREATED: 'nothing',
  CHARGE_COMPLETED: 'charge',
  CHARGE_COMPLETED_NOT_SAME_CUSTOMER_PAYER: 'charge',
  CHARGE_EXPIRED: 'nothing',
  TRANSACTION_RECEIVED: 'charge',
  TRANSACTION_REFUND_RECEIVED: 'nothing',
  PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED: 'return',
  PIX_TRANSACTION_REFUND_RECEIVED_REJECTED: 'return',
  PIX_TRANSACTION_REFUND_SENT_CONFIRMED: 'return',
  PIX_TRANSACTION_REFUND_SENT_REJECTED: 'return',
  MOVEMENT_CONFIRMED: 'payment',
  MOVEMENT_FAILED: 'payment',
  MOVEMENT_REMOVED: 'payment',
  DISPUTE_CREATED: 'dispute',
  DISPUTE_ACCEPTED: 'dispute',
  DISPUTE_REJECTED: 'dispute',
  DISPUTE_CANCELED: 'dispute',
  ACCOUNT_REGISTER_APPROVED: 'nothing',
  ACCOUNT_REGISTER_REJECTED: 'nothing',
  ACCOUNT_REGISTER_PENDING: 'nothing',
  PIX_AUTOMATIC_APPROVED: 'nothing',
  PIX_AUTOMATIC_REJECTED: 'nothing',
  PIX_AUTOMATIC_COBR_CREATED: 'nothing',
  PIX_AUTOMATIC_COBR_APPROVED: 'nothing',
  PIX_AUTOMATIC_COBR_REJECTED: 'nothing',
  PIX_AUTOMATIC_COBR_COMPLETED: 'nothing',
  PIX_AUTOMATIC_COBR_TRY_REJECTED: 'nothing',
  PIX_AUTOMATIC_COBR_TRY_REQUESTED: 'nothing',
  BOLETO_SETTLED: 'nothing',
};

export function subjectOf(event: string): Subject | 'unknown' {
  const name = event.replace(/^(openpix|woovi):/i, '');
  return Object.hasOwn(SUBJECTS, name) ? SUBJECTS[name]! : 'unknown';
}

/** The events that the gateway uses, as they are registered. `TRANSACTION_RECEIVED` repeats a charge's. */
export const EVENTS_TO_REGISTER: readonly string[] = Object.entries(SUBJECTS)
  .filter(([name, subject]) => subject !== 'nothing' && name !== 'TRANSACTION_RECEIVED')
  .map(([name]) => (name.startsWith('PIX_') ? name : `OPENPIX:${name}`));
