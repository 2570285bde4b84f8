// The workflows of the payments and webhooks task queues, by their registered names.
export { dayClose } from './day-close.js';
export { deposit } from './deposit.js';
export { housekeeping } from './housekeeping.js';
export { openCheck } from './open-check.js';
export { accountSweep } from './account-sweep.js';
export { ruleChange } from './rule-change.js';
export { verification } from './verification.js';
export { webhookDelivery } from './webhook-delivery.js';
export { withdrawal } from './withdrawal.js';
