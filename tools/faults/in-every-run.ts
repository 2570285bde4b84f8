// What `npm test` plays of the campaign: one scenario of each kind of fault, and the quick ones of security.
// `npm run faults` plays all of them.

/** Names of scenarios. */
export const IN_EVERY_RUN: ReadonlySet<string> = new Set([
  'api killed at a withdrawal after the workflow has answered',
  'worker killed before sendPayout of a withdrawal',
  'Temporal killed after a payout was sent',
  'PostgreSQL killed twice in the middle of a load',
  'postgres-worker: dead on the way back',
  'a receiver that takes it, and its answer is lost',
  '200 × the same key for a deposit over two api, half with another body',
  'callbacks that are garbage, oversized, forged, or of nobody',
  'a person and all secrets go through whole life cycles, refusals and faults',
  'another tenant’s ids, cursors, events, references and keys on every route',
  'signatures that are forged, bent, old or of another algorithm',
]);
