// docs/faults.md: the scenarios, what must hold, and the results. Written by the run, never by hand.
import { BEFORE_RELEASE } from './before-release.js';
import { writeFileSync } from 'node:fs';
import { inRoot } from '../bootstrap/root.mjs';
import { INVARIANTS } from './invariants/index.js';
import { FAMILIES, type Family, isPlayedAt } from './scenario.js';
import { SCENARIOS } from './scenarios/index.js';
import { readResults, type Results } from './results.js';
import { SETTING_NAMES, SETTINGS } from './settings.js';
import { resultText, summaryTable } from './summary.js';

export const FAULTS_PAGE = inRoot('docs', 'faults.md');

/** Writes the page from the kept results and the present scenarios. */
export function writeFaultsPage(): void {
  writeFileSync(FAULTS_PAGE, faultsPage());
}

/** The page as the kept results make it; a test compares it with the file. */
export function faultsPage(): string {
  const results = readResults();
  return [
    '# Faults: what the gateway survives',
    '',
    '`npm run faults` runs these scenarios on real processes: two api, two workers, the provider simulator, the demo',
    'operator, PostgreSQL and Temporal, with a network link (a TCP proxy) between any two. Processes are killed at',
    'random, or at failpoints: places in the code that call a failpoint server (`platform/failpoints/`; production',
    'refuses to start with them). Temporal is its dev server. `--at cluster` runs it as in production: four roles on',
    'PostgreSQL, and the TLS edge with client certificates in front of the apis; webhooks have workers of their own.',
    '`--at efi`, `--at woovi` and `--at api-pix` use those dialects; the last one is any bank of the standard, and',
    'only receives. The run writes this page (`tools/faults/report.ts`).',
    '',
    '## What was run',
    '',
    'Below, each scenario has the day and the commit of its last run in each environment (`+`: with uncommitted',
    'changes of the product). Empty: not run yet. –: not in that environment. A result without a commit is from',
    'before commits were recorded, and says nothing about later code.',
    '',
    ...summaryTable(SCENARIOS, results),
    '',
    '## What holds after every scenario',
    '',
    'First every fault ends. Then payers pay, staff approve and banks settle what is open. These invariants must hold:',
    '',
    '| | |',
    '|---|---|',
    ...[...INVARIANTS]
      .sort((a, b) => ORDER.indexOf(a.letter) - ORDER.indexOf(b.letter))
      .map(({ letter, holds }) => `| **${letter}** | ${holds} |`),
    ...(Object.keys(FAMILIES) as Family[]).flatMap((family) => familySection(family, results)),
    '',
    ...ELSEWHERE,
    '',
  ].join('\n');
}

const ORDER = 'MOSEVDKL';

/** What needs another environment. */
const ELSEWHERE = [
  '## Played elsewhere',
  '',
  'These need another environment, and have their own checks:',
  '',
  '| what | where |',
  '|---|---|',
  '| two builds of the workers at once, a deploy during payments, the old build drained | ' +
    '`test/fault/deploy.spec.ts` "a deploy in the middle of payments"; `npm run cluster -- --deploy` behind the TLS edge |',
  '| the vault is unreachable or wrong; keys rotated and values resealed; keys from a file | ' +
    '`test/fault/keys.spec.ts` "keys from a vault, in the real processes" |',
  '| the identity provider is down, silent or never stops sending; ID tokens are forged, repeated or another browser’s | ' +
    '`test/integration/panel/oidc.spec.ts` "panel: the identity provider" |',
  '| the rules engine is down, slow, or answers invalidly | ' +
    '`test/fault/rules-engine.spec.ts` "a withdrawal waits for people, a deposit is answered 503, a payment is held" |',
  '| PostgreSQL is killed; the hourly limits of players still count | ' +
    '`test/fault/player-limits.spec.ts` "survive a kill -9 of PostgreSQL" |',
  '| all data is lost, and restored to an instant | `npm run cluster -- --restore-drill` |',
  '| api nodes restarted one by one behind the TLS edge | `npm run cluster -- --roll` |',
  '| a Temporal client with full rights and nothing else: forged orders, invented and reopened payments | ' +
    '`test/proof/crafted.spec.ts` "a Temporal client without the database" |',
  '| the same: every activity scheduled by hand, signals, updates, resets, checks that were not done | ' +
    '`test/proof/by-hand.spec.ts` "schedules every activity by hand" |',
  '| the database’s roles, each trying every verb on every table and column, and to switch triggers off | ' +
    '`test/integration/store/roles.spec.ts` "every table, column and verb that is granted passes, every other one is refused" |',
  '| rows changed by a process that was taken over: payouts approved and returns decided by hand | ' +
    '`test/proof/tampered.spec.ts` "is not sent, and staff hear of it once" |',
  '| the limits of the TLS edge for one certificate and for callbacks | ' +
    '`test/integration/edge/limits.spec.ts` "limits of the TLS edge" |',
  '| one operation whose requests wait for locks, or keep connections busy | ' +
    '`test/integration/api-pipeline/tenants.spec.ts` "one operation floods" |',
  '| headers, certificates and addresses at the TLS edge | `test/integration/edge/edge.spec.ts` "says whose the client’s certificate is" |',
  '| Idempotency-Keys at day 29 and day 31 | `test/integration/api-pipeline/idempotency.spec.ts` ' +
    '"after 30 days the key is new, for any request" |',
  '| random lives of several operations and payments, with lost workers, answers and clocks that differ | ' +
    '`test/property/lives.spec.ts` "replay from their seed, step by step" |',
];

const TITLES = SETTING_NAMES.map((name) => SETTINGS[name].title);

function familySection(family: Family, results: Results): string[] {
  const scenarios = SCENARIOS.filter((scenario) => scenario.family === family);
  return [
    '',
    `## ${FAMILIES[family]}`,
    '',
    `| scenario | must also hold | before a release | ${TITLES.join(' | ')} |`,
    `|---|---|---|${TITLES.map(() => '---|').join('')}`,
    ...scenarios.map((scenario) => {
      const { name, holds } = scenario;
      const texts = SETTING_NAMES.map((one) => (isPlayedAt(scenario, one) ? resultText(results[one][name]) : '–'));
      return `| ${name} | ${holds} | ${BEFORE_RELEASE.has(name) ? 'yes' : ''} | ${texts.join(' | ')} |`;
    }),
  ];
}
