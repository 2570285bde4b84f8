// The spec files that `npm test` leaves out, so that CI ends within twenty minutes on two slow processors.

/**
 * `long`: run by `npm test -- long`, and by CI (`npm test -- --with-long`). These break servers, search, or see every
 * page.
 * `release`: run by `npm test -- release`, before a release. Each is a search, a campaign of faults, or a gateway with
 * settings of its own whose parts other tests see one by one.
 */
export const RARITIES = ['long', 'release'] as const;
export type Rarity = (typeof RARITIES)[number];

export const RARE_FILES: Readonly<Record<string, Rarity>> = {
  'test/browser/docs-site.spec.ts': 'release',
  'test/browser/focus.spec.ts': 'release',
  'test/browser/keyboard.spec.ts': 'release',
  'test/browser/leaving.spec.ts': 'release',
  'test/browser/misuse.spec.ts': 'release',
  'test/browser/pages.spec.ts': 'long',
  'test/browser/stack.spec.ts': 'release',
  'test/browser/states.spec.ts': 'release',
  'test/browser/widths.spec.ts': 'long',
  'test/fault/campaign.spec.ts': 'release',
  'test/fault/deploy.spec.ts': 'release',
  'test/fault/keys.spec.ts': 'release',
  'test/fault/rules-engine.spec.ts': 'release',
  'test/integration/bench/plans.spec.ts': 'long',
  'test/integration/networks/temporal-grants.spec.ts': 'release',
  'test/integration/networks/tls.spec.ts': 'release',
  'test/integration/stack/account-lists.spec.ts': 'release',
  'test/integration/stack/account-sweep.spec.ts': 'release',
  'test/integration/stack/broken-workflow.spec.ts': 'release',
  'test/integration/stack/bulkheads.spec.ts': 'release',
  'test/integration/stack/healing.spec.ts': 'release',
  'test/integration/stack/observed.spec.ts': 'release',
  'test/integration/stack/own-account.spec.ts': 'release',
  'test/integration/stack/separate-webhooks.spec.ts': 'release',
  'test/integration/stack/several-processes.spec.ts': 'release',
  'test/integration/stack/statement-cost.spec.ts': 'long',
  'test/integration/stack/traces.spec.ts': 'release',
  'test/integration/tools/orphans.spec.ts': 'release',
  'test/integration/tools/postgres.spec.ts': 'release',
  'test/judge/client-package.spec.ts': 'release',
  'test/judge/catches.spec.ts': 'release',
  'test/judge/clients.spec.ts': 'long',
  'test/judge/contract.spec.ts': 'long',
  'test/judge/generated-clients.spec.ts': 'release',
  'test/proof/by-hand.spec.ts': 'release',
  'test/workflow/run-ends.spec.ts': 'release',
};
