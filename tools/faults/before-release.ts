// What `npm test -- release` plays of the campaign: a killed api and worker, a dead link, a storm, and what leaks to
// others.
// `npm run faults` plays all of them; other tests kill PostgreSQL and Temporal, lose answers of receivers, and forge
// signatures and callbacks.

/** Names of scenarios. */
export const BEFORE_RELEASE: ReadonlySet<string> = new Set([
  'api killed at a withdrawal after the workflow has answered',
  'worker killed before sendPayout of a withdrawal',
  'postgres-worker: dead on the way back',
  '200 × the same key for a deposit over two api, half with another body',
  'a person and all secrets go through whole life cycles, refusals and faults',
  'another tenant’s ids, cursors, events, references and keys on every route',
]);
