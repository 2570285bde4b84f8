// docs/faults.md: the scenarios, what must hold, and the results. Written by the run, never by hand.
import { IN_EVERY_RUN } from './in-every-run.js';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from '../bootstrap/root.mjs';
import { INVARIANTS } from './invariants/index.js';
import type { Outcome } from './play.js';
import { FAMILIES, type Family, isPlayedAt } from './scenario.js';
import { SCENARIOS } from './scenarios/index.js';
import { DEFAULT_SETTING, SETTING_NAMES, type SettingName, SETTINGS } from './settings.js';

interface Kept {
  readonly runs: number;
  /** Seeds of the failed runs. */
  readonly failedSeeds: readonly number[];
  readonly ranAt: string;
}

const RESULTS = inRoot('tools', 'faults', 'results.json');
export const FAULTS_PAGE = inRoot('docs', 'faults.md');

type Results = Record<SettingName, Record<string, Kept>>;

/** Replaces the results of these scenarios in that setting; all others keep their last result. */
export function keepOutcomes(outcomes: readonly Outcome[], setting: SettingName, ranAt = new Date()): void {
  const results = readResults();
  for (const name of new Set(outcomes.map(({ scenario }) => scenario.name))) {
    const runs = outcomes.filter(({ scenario }) => scenario.name === name);
    results[setting][name] = {
      runs: runs.length,
      failedSeeds: runs.filter(({ problems }) => problems.length > 0).map(({ seed }) => seed),
      ranAt: ranAt.toISOString().slice(0, 10),
    };
  }
  const known = (kept: Record<string, Kept>) =>
    Object.fromEntries(SCENARIOS.flatMap(({ name }) => (kept[name] === undefined ? [] : [[name, kept[name]]])));
  writeFileSync(
    RESULTS,
    `${JSON.stringify(Object.fromEntries(SETTING_NAMES.map((one) => [one, known(results[one])])), null, 2)}\n`,
  );
  writeFaultsPage();
}

/** Writes the page from the kept results and the present scenarios. */
export function writeFaultsPage(): void {
  writeFileSync(FAULTS_PAGE, faultsPage());
}

/** The page as the kept results make it; a test compares it with the file. */
export function faultsPage(): string {
  const results = readResults();
  return [
    '# What was tried to break it',
    '',
    '`npm run faults` runs these scenarios in an environment of real processes: two api, two workers, the ' +
      'provider simulator, the',
    'demo operator, PostgreSQL and Temporal, with a network link (a TCP proxy) between any two. Processes are ' +
      'killed at random, or',
    'at failpoints: places in the code that call a failpoint server (`platform/failpoints/`; production refuses ' +
      'to start with',
    'them). Temporal is its dev server. With `--at cluster` it runs as in production: four roles on ' +
      'PostgreSQL, and the TLS edge',
    'with client certificates in front of the apis. With `--at efi` and `--at woovi` those banks stand behind the slot. The ' +
      'run',
    'writes this page (`tools/faults/report.ts`).',
    '',
    '## What holds after every scenario',
    '',
    'First everything is healed. Then payers pay, staff approve and banks settle what is open. These invariants ' +
      'must hold:',
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
  'Each with checks of its own:',
  '',
  '| what | where |',
  '|---|---|',
  '| two builds of the workers at once, a deploy in the middle of payments, the old build drained | ' +
    '`test/fault/deploy.spec.ts` "a deploy in the middle of payments"; `npm run cluster -- --deploy` behind the TLS edge |',
  '| the vault is unreachable or wrong; keys rotated and values sealed anew; keys from a file | ' +
    '`test/fault/keys.spec.ts` "keys from a vault, in the real processes" |',
  '| the identity provider is away, silent or endless; ID tokens are forged, repeated or another browser’s | ' +
    '`test/integration/panel/oidc.spec.ts` "panel: the identity provider" |',
  '| the rules engine is down, slow, or answers nonsense | ' +
    '`test/fault/rules-engine.spec.ts` "a withdrawal waits for people, a deposit is answered 503, a payment is held" |',
  '| PostgreSQL is killed; the hourly limits of players still count | ' +
    '`test/fault/player-limits.spec.ts` "survive a kill -9 of PostgreSQL" |',
  '| all data is lost, and restored to an instant | `npm run cluster -- --restore-drill` |',
  '| api nodes restarted one by one behind the TLS edge | `npm run cluster -- --roll` |',
  '| a Temporal client of full rights and nothing else: crafted orders, invented and reopened payments | ' +
    '`test/proof/crafted.spec.ts` "a Temporal client without the database" |',
  '| the same: every activity scheduled by hand, signals, updates, resets, checks that were not made | ' +
    '`test/proof/by-hand.spec.ts` "schedules every activity by hand" |',
  '| the database’s roles, each trying every verb on every table and column, and the guards switched off | ' +
    '`test/integration/store/roles.spec.ts` "every table, column and verb that is granted passes, every other one is refused" |',
  '| rows changed by whoever took a process over: payouts approved and returns decided by hand | ' +
    '`test/proof/tampered.spec.ts` "is not sent, and staff hear of it once" |',
  '| the limits of the TLS edge for one certificate and for callbacks | ' +
    '`test/integration/edge/limits.spec.ts` "limits of the TLS edge" |',
  '| one operation whose requests wait for locks, or keep connections busy | ' +
    '`test/integration/api-pipeline/tenants.spec.ts` "one operation floods" |',
  '| headers, certificates and addresses at the TLS edge | `test/integration/edge/edge.spec.ts` "says whose the client’s certificate is" |',
  '| Idempotency-Keys at day 29 and day 31 | `test/integration/api-pipeline/idempotency.spec.ts` ' +
    '"after 30 days the key is new, for any request" |',
  '| random interleavings of several payments, with lost workers and lost completions | ' +
    '`test/proof/interleavings.spec.ts` "hold the books and end where they may" |',
];

const TITLES = SETTING_NAMES.map((name) => SETTINGS[name].title);

function familySection(family: Family, results: Results): string[] {
  const scenarios = SCENARIOS.filter((scenario) => scenario.family === family);
  return [
    '',
    `## ${FAMILIES[family]}`,
    '',
    `| scenario | must hold beside the invariants | in \`npm test\` | ${TITLES.join(' | ')} |`,
    `|---|---|---|${TITLES.map(() => '---|').join('')}`,
    ...scenarios.map((scenario) => {
      const { name, holds } = scenario;
      const texts = SETTING_NAMES.map((one) => (isPlayedAt(scenario, one) ? resultText(results[one][name], one) : '–'));
      return `| ${name} | ${holds} | ${IN_EVERY_RUN.has(name) ? 'yes' : ''} | ${texts.join(' | ')} |`;
    }),
  ];
}

function resultText(kept: Kept | undefined, setting: SettingName): string {
  if (kept === undefined) return setting === DEFAULT_SETTING ? 'not played yet' : '';
  const { runs, failedSeeds, ranAt } = kept;
  const times = runs === 1 ? '' : ` ${runs} times`;
  return failedSeeds.length === 0
    ? `held${times} (${ranAt})`
    : `**did not hold** with seed ${failedSeeds.join(', ')} (${ranAt})`;
}

function readResults(): Results {
  const kept = existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Partial<Results>) : {};
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, kept[name] ?? {}])) as Results;
}
