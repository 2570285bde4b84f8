// Loads client/test-vectors.json, typed for the tests.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReconciliationItem, Verdict } from '../../../client/index.js';
import type { EndpointKind } from '../../../client/verdicts.js';
import { projectRoot } from '../../../platform/config/project-root.js';

export interface RequestVector {
  readonly name: string;
  readonly key_id: string;
  readonly secret: string;
  readonly timestamp: number;
  readonly nonce: string;
  readonly method: string;
  readonly target: string;
  readonly body: string;
  readonly body_sha256: string;
  readonly canonical_request: string;
  readonly signature_header: string;
}

export interface WebhookVector {
  readonly name: string;
  readonly signing_secrets: readonly string[];
  readonly verifying_secrets: readonly string[];
  readonly headers: Readonly<Record<'Svc-Event-Id' | 'Svc-Timestamp' | 'Svc-Signature', string>>;
  readonly body: string;
  readonly body_sha256: string;
  readonly signed_text: string;
}

export interface ReconciliationVector {
  readonly name: string;
  readonly date: string;
  readonly currency: string;
  readonly items: readonly ReconciliationItem[];
  readonly canonical_list: string;
  readonly digest: string;
  readonly signed_text: string;
  readonly signing_secrets: readonly string[];
  readonly signature_header: string;
}

/** A delivery that must be refused at `now`. */
export interface RefusedWebhookVector {
  readonly name: string;
  readonly verifying_secrets: readonly string[];
  readonly now: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly refusal: string;
  /** What the operator answers. */
  readonly answer: number;
}

/** A day whose signature must be refused. */
export interface RefusedReconciliationVector {
  readonly name: string;
  readonly date: string;
  readonly currency: string;
  readonly digest: string;
  readonly signature_header: string | null;
  readonly verifying_secrets: readonly string[];
}

/** A refusal, and what it says about the payment. */
export interface VerdictVector {
  readonly endpoint: EndpointKind;
  readonly status: number;
  readonly code: string;
  readonly retryable: boolean | null;
  readonly fields: readonly string[];
  readonly verdict: Verdict;
}

export const vectors = JSON.parse(readFileSync(join(projectRoot(), 'client', 'test-vectors.json'), 'utf8')) as {
  readonly requests: readonly RequestVector[];
  readonly webhooks: readonly WebhookVector[];
  readonly reconciliation: readonly ReconciliationVector[];
  readonly refused_webhooks: readonly RefusedWebhookVector[];
  readonly refused_reconciliation: readonly RefusedReconciliationVector[];
  readonly verdicts: readonly VerdictVector[];
};
