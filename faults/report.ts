// docs/faults.md: what was played, what must hold, how often, and what came of it. Written by the run, never by hand.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from '../dev/bootstrap/root.mjs';
import { INVARIANTS } from './invariants/index.js';
import type { Outcome } from './play.js';
import { FAMILIES, type Family, type Scenario } from './scenario.js';
import { SCENARIOS } from './scenarios/index.js';

interface Kept {
  readonly runs: number;
  /** Seeds of the runs in which something did not hold. */
  readonly failedSeeds: readonly number[];
  readonly ranAt: string;
}

const RESULTS = inRoot('faults', 'results.json');
export const FAULTS_PAGE = inRoot('docs', 'faults.md');

/** Replaces what is kept of the scenarios that were played; the others keep their last result. */
export function keepOutcomes(outcomes: readonly Outcome[], ranAt = new Date()): void {
  const kept = readKept();
  for (const name of new Set(outcomes.map(({ scenario }) => scenario.name))) {
    const runs = outcomes.filter(({ scenario }) => scenario.name === name);
    kept[name] = { runs: runs.length, failedSeeds: runs.filter(({ problems }) => problems.length > 0).map(({ seed }) => seed), ranAt: ranAt.toISOString().slice(0, 10) };
  }
  const known = Object.fromEntries(SCENARIOS.flatMap(({ name }) => (kept[name] === undefined ? [] : [[name, kept[name]]])));
  writeFileSync(RESULTS, `${JSON.stringify(known, null, 2)}\n`);
  writeFaultsPage();
}

/** The page for what is kept and the scenarios that there are now. */
export function writeFaultsPage(): void {
  writeFileSync(FAULTS_PAGE, faultsPage());
}

/** The page for what is kept now; a test compares it with the file. */
export function faultsPage(): string {
  const kept = readKept();
  return [
    '# What was tried to break it', '',
    '`npm run faults` plays these scenarios against real processes: two api, two workers, the provider simulator, the demo operator, PostgreSQL and Temporal, with a',
    'TCP proxy on every link between them. Processes are killed at failpoints: places in the code that ask a desk whether to go on (`failpoints/`; production refuses to',
    'start with them). This page is written by the run (`faults/report.ts`).', '',
    '## What holds after every scenario', '',
    'Everything is healed first. Then payers pay, desks approve and banks settle whatever waits for them, and:', '',
    '| | |', '|---|---|',
    ...[...INVARIANTS].sort((a, b) => ORDER.indexOf(a.letter) - ORDER.indexOf(b.letter)).map(({ letter, holds }) => `| **${letter}** | ${holds} |`),
    ...(Object.keys(FAMILIES) as Family[]).flatMap((family) => familySection(family, kept)), '',
  ].join('\n');
}

const ORDER = 'MOSEVDKL';

function familySection(family: Family, kept: Readonly<Record<string, Kept>>): string[] {
  const scenarios = SCENARIOS.filter((scenario) => scenario.family === family);
  if (scenarios.length === 0) return [];
  return ['', `## ${FAMILIES[family]}`, '', '| scenario | must hold beside the invariants | in `npm test` | runs | result |', '|---|---|---|---|---|', ...scenarios.map((scenario) => row(scenario, kept[scenario.name]))];
}

function row({ name, holds, bounded }: Scenario, kept: Kept | undefined): string {
  const result = kept === undefined ? 'not played yet' : kept.failedSeeds.length === 0 ? `held (${kept.ranAt})` : `**did not hold** with seed ${kept.failedSeeds.join(', ')} (${kept.ranAt})`;
  return `| ${name} | ${holds} | ${bounded ? 'yes' : ''} | ${kept?.runs ?? 0} | ${result} |`;
}

function readKept(): Record<string, Kept> {
  return existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Record<string, Kept>) : {};
}
