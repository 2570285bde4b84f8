// What is mutated and which tests must notice, area by area; what is left out, and why.

/**
 * @typedef {object} Area
 * @property {string} name
 * @property {RegExp} sources paths below the project's root
 * @property {RegExp} tests spec files that run without servers; a small set keeps mutants of top-level code fast
 * @property {readonly string[]} [withoutTests] titles of tests that try many values: they take seconds for each mutant
 * @property {number} goal per cent of mutants that tests must notice
 */

/** @type {readonly Area[]} */
export const AREAS = [
  {
    name: 'signatures',
    sources: /^(api\/.*\/signature|client\/(signing|webhooks)|activities\/webhooks\/signature)\.ts$/,
    tests: /^test\/unit\/((api|webhooks)\/.*signature|client\/(signing|webhooks))\.spec\.ts$/,
    goal: 90,
  },
  {
    name: 'sealing',
    sources: /^store\/(.*\/)?(sealer|keys|orders|key-material)\.ts$/,
    tests: /^test\/unit\/store\/.*\.spec\.ts$/,
    goal: 90,
  },
  {
    name: 'egress',
    sources: /^activities\/(.*\/)?egress\.ts$/,
    tests: /^test\/unit\/webhooks\/egress.*\.spec\.ts$/,
    goal: 90,
  },
  {
    name: 'strict-json',
    sources: /^contract\/http\/(.*\/)?strict-json\.ts$/,
    tests: /^test\/unit\/http\/.*\.spec\.ts$/,
    goal: 90,
  },
  {
    name: 'domain',
    sources: /^domain\/(payments\/)?[^/]+\.ts$/,
    tests: /^test\/unit\/domain\/.*\.spec\.ts$/,
    goal: 90,
  },
  {
    name: 'rule-tables',
    sources: /^domain\/rules\/((deposit|dispatch|withdrawal|risk)-rules|rule|engine|verdicts)\.ts$/,
    tests: /^test\/unit\/rules\/((deposit|withdrawal)-(rules|reasons)|explanations|verdicts)\.spec\.ts$/,
    goal: 90,
  },
  {
    name: 'rule-values',
    sources:
      /^domain\/rules\/(?!(deposit|dispatch|withdrawal|risk)-rules|rule\.|engine\.|verdicts|counterfactual)[^/]+\.ts$/,
    tests: /^test\/unit\/rules\/(automatic-use|bounds|engine-rules|local-time|lookup-values|rule-set)\.spec\.ts$/,
    withoutTests: [
      'next opening is the first open minute, whatever the clocks do',
      'a network contains an address exactly when node:net says so',
    ],
    goal: 90,
  },
  {
    name: 'rule-proofs',
    sources: /^domain\/rules\/(counterfactual|proof\/.*)\.ts$/,
    tests: /^test\/unit\/rules\/(counterfactual.*|proof.*)\.spec\.ts$/,
    withoutTests: ['is true and the most, for any amounts', 'is the same in any order of the decisions'],
    goal: 90,
  },
  {
    name: 'client',
    sources: /^client\/(?!signing|webhooks).*\.ts$/,
    tests: /^test\/unit\/client\/.*\.spec\.ts$/,
    goal: 90,
  },
];

/** Files that only hold texts for people or generated code. The reason is printed in docs/mutants.md. */
export const LEFT_OUT = [
  { file: /(^|\/)alerts\.ts$/, reason: 'texts for staff: no decision depends on them' },
  { file: /(^|\/)(issue-messages|reason-sentences)\.ts$/, reason: 'texts for people: no decision depends on them' },
  { file: /^client\/(types|verdicts)\.ts$/, reason: 'generated from the contract; a convention test compares them' },
];
