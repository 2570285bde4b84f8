// The step that deposits and withdrawals have in common.
import type { ProcessAlertOrder } from '../../contract/temporal/payment-steps.js';

export interface AlertActivities {
  raiseAlert(input: ProcessAlertOrder & { readonly at: string }): Promise<void>;
}
