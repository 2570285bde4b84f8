// How far the campaign was played in each setting, and on which code: the table at the head of docs/faults.md.
import type { Kept, Results } from './results.js';
import { isPlayedAt, type Scenario } from './scenario.js';
import { SETTING_NAMES, SETTINGS } from './settings.js';

type Placed = Pick<Scenario, 'name' | 'at'>;

/** The lines of the table. Counts only what each setting has. */
export function summaryTable(scenarios: readonly Placed[], results: Results): string[] {
  return [
    '| environment | scenarios | held | did not hold | not played yet | played at |',
    '|---|---|---|---|---|---|',
    ...SETTING_NAMES.map((setting) => {
      const all = scenarios.filter((scenario) => isPlayedAt(scenario, setting));
      const played = all.flatMap(({ name }) => results[setting][name] ?? []);
      const held = played.filter(({ failedSeeds }) => failedSeeds.length === 0).length;
      const counts = [all.length, held, played.length - held, all.length - played.length];
      return `| ${SETTINGS[setting].title} | ${counts.join(' | ')} | ${placesOf(played).join('; ')} |`;
    }),
  ];
}

/** The cell of one scenario; empty if it was not played yet. */
export function resultText(kept: Kept | undefined): string {
  if (kept === undefined) return '';
  const { runs, failedSeeds, ranAt, commit } = kept;
  const when = commit === null ? ranAt : `${ranAt}, ${commit}`;
  if (failedSeeds.length > 0) return `**did not hold** with seed ${failedSeeds.join(', ')} (${when})`;
  return `held${runs === 1 ? '' : ` ${runs} times`} (${when})`;
}

/** The newest first: `55 at 018ac41a (2026-11-25)`. */
function placesOf(played: readonly Kept[]): string[] {
  const commits = new Map<string | null, string[]>();
  for (const { commit, ranAt } of played) commits.set(commit, [...(commits.get(commit) ?? []), ranAt]);
  return [...commits]
    .map(([commit, days]) => ({ commit, days: days.toSorted() }))
    .toSorted((one, other) => (other.days.at(-1) ?? '').localeCompare(one.days.at(-1) ?? ''))
    .map(({ commit, days }) => `${days.length} at ${commit ?? 'an older commit'} (${spanOf(days)})`);
}

function spanOf(days: readonly string[]): string {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  return first === last ? first : `${first} to ${last}`;
}
