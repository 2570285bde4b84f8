// What the parts of a payment's page share.
import type { Answered } from '../../../../contract/panel/routes.js';

export type Payment = Answered<'readPayment'>;

export interface PaymentProps {
  readonly payment: Payment;
}
