// Every check, in the order of the report.
import type { Check } from './check.js';
import { CREATION_CHECKS } from './creation.js';
import { DEPOSIT_CHECKS } from './deposits.js';
import { RECONCILIATION_CHECKS } from './reconciliation.js';
import { REQUEST_CHECKS } from './requests.js';
import { SERVICE_CHECKS } from './service.js';
import { WEBHOOK_CHECKS } from './webhooks.js';
import { WITHDRAWAL_CHECKS } from './withdrawals.js';

export const CHECKS: readonly Check[] = [
  ...REQUEST_CHECKS,
  ...CREATION_CHECKS,
  ...DEPOSIT_CHECKS,
  ...WITHDRAWAL_CHECKS,
  ...WEBHOOK_CHECKS,
  ...SERVICE_CHECKS,
  ...RECONCILIATION_CHECKS,
];
