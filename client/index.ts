// Everything an operator needs from this folder.
export { createGatewayClient } from './client.js';
export type {
  EventFilter,
  GatewayClient,
  Idempotent,
  ListFilter,
  ReconciliationQuery,
  SandboxClient,
} from './client.js';
export { NoAnswerError, ProblemError } from './errors.js';
export { newIdempotencyKey } from './http.js';
export type { ClientTls, GatewayResponse, TransportOptions } from './http.js';
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
