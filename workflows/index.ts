// The workflows of the payments and webhooks task queues, by their registered names.
export { deposit } from './deposit.js';
export { webhookDelivery } from './webhook-delivery.js';
export { withdrawal } from './withdrawal.js';
