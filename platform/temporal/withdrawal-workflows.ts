// The api's client of the withdrawal workflow (contract/temporal/payment.ts).
import {
  cancelWithdrawal,
  payoutNotice,
  refreshWithdrawal,
  reviewWithdrawal,
  WITHDRAWAL_WORKFLOW,
  withdrawalCreation,
  type WithdrawalOrder,
  withdrawalQuery,
  type WithdrawalReview,
} from '../../contract/temporal/payment.js';
import type { TemporalClient } from './calls.js';
import type { Deadlines } from './deadlines.js';
import { PaymentWorkflows } from './payment-workflows.js';

const CONTRACT = {
  kind: WITHDRAWAL_WORKFLOW,
  created: { status: 'processing', waitingFor: 'payout_result' },
  creation: withdrawalCreation,
  query: withdrawalQuery,
  cancel: cancelWithdrawal,
  review: reviewWithdrawal,
  refresh: refreshWithdrawal,
  notice: payoutNotice,
} as const;

export class WithdrawalWorkflows extends PaymentWorkflows<WithdrawalOrder, WithdrawalReview['decision']> {
  constructor(temporal: TemporalClient, deadlines: Deadlines, nowMs?: () => number, panelUrl?: string) {
    super(CONTRACT, temporal, deadlines, nowMs, panelUrl);
  }
}
