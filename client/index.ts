// Everything an operator needs from this folder.
export { createGatewayClient } from './client.js';
export type {
  DeliveryFilter,
  EventFilter,
  GatewayClient,
  Idempotent,
  ListFilter,
  ReconciliationQuery,
  RequestFilter,
  SandboxClient,
} from './client.js';
export { NoAnswerError, ProblemError } from './errors.js';
export { newIdempotencyKey } from './http.js';
export type { ClientTls } from './connections.js';
export type { GatewayResponse, TransportOptions } from './http.js';
export {
  canonicalListBytes,
  compareReconciliation,
  isReconciliationOrdered,
  readReconciliationDay,
  reconciliationDigest,
  reconciliationSignedText,
  reconciliationTotals,
  verifyReconciliationSignature,
} from './reconciliation.js';
export type { OperatorRecord, ReconciliationDay, ReconciliationDifference } from './reconciliation.js';
export type * from './types.js';
export type { Verdict } from './verdicts.js';
export { isGatewayEvent, verifyWebhook, WEBHOOK_REFUSAL_STATUS } from './webhooks.js';
export type { WebhookDelivery, WebhookRefusal, WebhookResult, WebhookVerification } from './webhooks.js';
