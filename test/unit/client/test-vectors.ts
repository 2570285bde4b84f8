// Loads client/test-vectors.json, typed for the tests.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReconciliationItem } from '../../../client/index.js';
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

export const vectors = JSON.parse(readFileSync(join(projectRoot(), 'client', 'test-vectors.json'), 'utf8')) as {
  readonly requests: readonly RequestVector[];
  readonly webhooks: readonly WebhookVector[];
  readonly reconciliation: readonly ReconciliationVector[];
};
