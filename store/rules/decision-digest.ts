// The digest of a decision: evaluating the same facts must give it again.
import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '../../domain/rules/canonical-json.js';
import type { Thresholds } from '../../domain/rules/thresholds.js';

export interface DigestInput {
  readonly facts: object;
  readonly thresholds: Thresholds;
  readonly ruleSetVersion: number;
  readonly outcome: object;
}

/** SHA-256, in lower-case hex, of the canonical JSON of {facts, outcome, rule_set_version, thresholds}. */
export function decisionDigest({ facts, thresholds, ruleSetVersion, outcome }: DigestInput): string {
  const digested = { facts, thresholds, outcome, rule_set_version: ruleSetVersion } as unknown as JsonValue;
  return createHash('sha256').update(canonicalJson(digested), 'utf8').digest('hex');
}
