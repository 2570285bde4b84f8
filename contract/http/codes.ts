// The error codes that a route can return: its own, and those of the checks before its handler.
import type { ErrorCode } from './errors.js';
import type { RouteDefinition } from './route.js';

/** The codes that every signed route can return (specification, "Server verification order"). */
const SIGNED_CODES: readonly ErrorCode[] = [
  'invalid_signature',
  'timestamp_out_of_window',
  'replayed_nonce',
  'unknown_key',
  'ip_not_allowed',
  'insufficient_scope',
  'operation_suspended',
  'rate_limited',
  'internal_error',
  'service_unavailable',
];
const POST_CODES: readonly ErrorCode[] = ['validation_failed', 'idempotency_key_reused', 'idempotency_in_progress'];
const PUBLIC_CODES: readonly ErrorCode[] = ['rate_limited', 'internal_error', 'service_unavailable'];

/** Every error code that a route can return. */
export function codesOf(route: RouteDefinition): readonly ErrorCode[] {
  const common =
    route.access === 'public' ? PUBLIC_CODES : [...SIGNED_CODES, ...(route.method === 'POST' ? POST_CODES : [])];
  return [...new Set([...route.errors, ...(route.params === undefined ? [] : ['not_found' as const]), ...common])];
}
