// The spec files that `npm test` leaves out, so that it ends within ten minutes on two processors.

/**
 * `long`: run by `npm test -- long`, and by CI after `npm test`. These search, break servers, or start a gateway with
 * settings of its own; together they are a third of all the work.
 * `named`: run only by name or with their group. Each starts whole stacks several times.
 */
export type Rarity = 'long' | 'named';

export const RARE_FILES: Readonly<Record<string, Rarity>> = {
  'test/browser/focus.spec.ts': 'long',
  'test/browser/keyboard.spec.ts': 'long',
  'test/browser/leaving.spec.ts': 'long',
  'test/browser/misuse.spec.ts': 'long',
  'test/browser/pages.spec.ts': 'long',
  'test/browser/stack.spec.ts': 'long',
  'test/browser/states.spec.ts': 'long',
  'test/fault/campaign.spec.ts': 'long',
  'test/fault/dependencies-down.spec.ts': 'long',
  'test/fault/deploy.spec.ts': 'named',
  'test/fault/keys.spec.ts': 'named',
  'test/fault/player-limits.spec.ts': 'long',
  'test/fault/rules-engine.spec.ts': 'named',
  'test/fault/worker-killed.spec.ts': 'named',
  'test/integration/bench/interruption.spec.ts': 'named',
  'test/integration/bench/plans.spec.ts': 'long',
  'test/integration/networks/temporal-grants.spec.ts': 'long',
  'test/integration/stack/account-lists.spec.ts': 'named',
  'test/integration/stack/account-sweep.spec.ts': 'long',
  'test/integration/stack/broken-workflow.spec.ts': 'named',
  'test/integration/stack/bulkheads.spec.ts': 'long',
  'test/integration/stack/moved-operation.spec.ts': 'long',
  'test/integration/stack/observed.spec.ts': 'long',
  'test/integration/stack/own-account.spec.ts': 'long',
  'test/integration/stack/several-processes.spec.ts': 'long',
  'test/integration/stack/statement-cost.spec.ts': 'long',
  'test/integration/stack/traces.spec.ts': 'long',
  'test/judge/contract.spec.ts': 'long',
  'test/proof/interleavings.spec.ts': 'long',
  'test/workflow/bounded-history.spec.ts': 'long',
};
