// What is kept of every scenario's last play, in each setting: tools/faults/results.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from '../bootstrap/root.mjs';
import type { Outcome } from './play.js';
import { SETTING_NAMES, type SettingName } from './settings.js';

export interface Kept {
  readonly runs: number;
  /** Seeds of the failed runs. */
  readonly failedSeeds: readonly number[];
  /** The day. */
  readonly ranAt: string;
  /** See `playedCode`; `null` also if it was not recorded. */
  readonly commit: string | null;
}

/** By setting, then by the scenario's name. */
export type Results = Record<SettingName, Record<string, Kept>>;

const FILE = inRoot('tools', 'faults', 'results.json');

/** Replaces the results of these scenarios in that setting; all others of `names` keep their last result. */
export function keepOutcomes(
  outcomes: readonly Outcome[],
  { setting, commit, names }: { setting: SettingName; commit: string | null; names: readonly string[] },
  ranAt = new Date(),
): void {
  const results = readResults();
  for (const name of new Set(outcomes.map(({ scenario }) => scenario.name))) {
    const runs = outcomes.filter(({ scenario }) => scenario.name === name);
    results[setting][name] = {
      runs: runs.length,
      failedSeeds: runs.filter(({ problems }) => problems.length > 0).map(({ seed }) => seed),
      ranAt: ranAt.toISOString().slice(0, 10),
      commit,
    };
  }
  const known = (kept: Record<string, Kept>) =>
    Object.fromEntries(names.flatMap((name) => (kept[name] === undefined ? [] : [[name, kept[name]]])));
  writeFileSync(
    FILE,
    `${JSON.stringify(Object.fromEntries(SETTING_NAMES.map((one) => [one, known(results[one])])), null, 2)}\n`,
  );
}

/** Of these names, those whose result in that setting names no commit or is missing. Those never played come first. */
export function staleIn(kept: Readonly<Record<string, Kept>>, names: readonly string[]): string[] {
  const stale = names.filter((name) => kept[name]?.commit == null);
  return [...stale.filter((name) => kept[name] === undefined), ...stale.filter((name) => kept[name] !== undefined)];
}

export function readResults(): Results {
  const kept = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Partial<Results>) : {};
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, kept[name] ?? {}])) as Results;
}
