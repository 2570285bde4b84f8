// What people save as a file: the audit trail, a list of payments, a case.

/** What became of an export. `not_found`: there is no such thing, or not for this person. */
export type Export =
  | { readonly kind: 'exported'; readonly text: AsyncIterable<string> }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number };
