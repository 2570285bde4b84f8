// The activities as workflows see them: types only, so that no I/O gets into replayed code.
export type * from './account-sweep/sweep-page.js';
export type * from './operations/types.js';
export type * from './payments/types.js';
export type * from './webhooks/deliver.js';
