// What a creation answered, with the proof of the step that stored it.
import assert from 'node:assert/strict';

/** The code of a refusal. */
export function refusalOf(creation: { readonly kind: string }): string {
  const { kind, code, proof } = creation as { kind: string; code?: unknown; proof?: unknown };
  assert.deepEqual([kind, typeof proof], ['refused', 'string']);
  return String(code);
}

/** The snapshot of a payment that was created. */
export function createdOf(creation: { readonly kind: string }): unknown {
  const { kind, snapshot, proof } = creation as { kind: string; snapshot?: unknown; proof?: unknown };
  assert.deepEqual([kind, typeof proof], ['created', 'string']);
  return snapshot;
}
