// The code of a creation that was refused, with the proof of the step that stored the refusal.
import assert from 'node:assert/strict';

export function refusalOf(creation: { readonly kind: string }): string {
  const { kind, code, proof } = creation as { kind: string; code?: unknown; proof?: unknown };
  assert.deepEqual([kind, typeof proof], ['refused', 'string']);
  return String(code);
}
