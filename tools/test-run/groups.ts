// The groups of tests, one folder under test/ each, and what the arguments of `npm test` select of them.
import { existsSync } from 'node:fs';
import { Failure } from '../bootstrap/failure.mjs';
import { inRoot } from '../bootstrap/root.mjs';
import { listFiles } from '../bootstrap/stamp.mjs';
import { RARE_FILES, RARITIES, type Rarity } from './rare-files.js';

export interface TestGroup {
  readonly name: string;
  /** Whether its tests use PostgreSQL, the Temporal dev server or the time-skipping server. */
  readonly needsServers: boolean;
  /** Whether its tests keep a processor busy; the others mostly wait for servers and processes. */
  readonly isComputing: boolean;
}

export const GROUPS: readonly TestGroup[] = [
  { name: 'unit', needsServers: false, isComputing: true },
  { name: 'convention', needsServers: true, isComputing: true },
  { name: 'workflow', needsServers: true, isComputing: false },
  { name: 'replay', needsServers: true, isComputing: true },
  { name: 'proof', needsServers: true, isComputing: false },
  { name: 'integration', needsServers: true, isComputing: false },
  { name: 'property', needsServers: true, isComputing: false },
  { name: 'fault', needsServers: true, isComputing: false },
  { name: 'browser', needsServers: true, isComputing: false },
  { name: 'judge', needsServers: true, isComputing: false },
];

/** Of the named groups only what `npm test` runs: without {@link RARE_FILES}. */
const USUAL = '--usual';
/** What `npm test` runs and the `long` files, in one run: what CI waits for. */
const WITH_LONG = '--with-long';

/** What `npm test -- …` asks for. */
export interface TestSelection {
  readonly groups: readonly TestGroup[];
  /** Whether the rare files of the groups are left out. */
  readonly isUsual: boolean;
  /** Further single files, as paths of their sources: `test/…/x.spec.ts`. */
  readonly files: readonly string[];
  /** Everything else, for mocha. */
  readonly mochaArguments: readonly string[];
  /** A run of everything also checks types and lint. */
  readonly isComplete: boolean;
  /** Only start the servers and say where they are. */
  readonly serveOnly: boolean;
}

/**
 * Reads the arguments: names of groups, `long` or `release` ({@link RARE_FILES}), spec files, `--with-long`, `--serve`,
 * `--usual`; options, each with its value, go to mocha. Groups and files add up. Throws a {@link Failure} for any other
 * word.
 */
export function readSelection(args: readonly string[]): TestSelection {
  const isComplete = args.every((arg) => arg === WITH_LONG);
  const rarities = RARITIES.filter((rarity) => args.includes(rarity));
  const names = [...rarities, ...args.filter((arg) => GROUPS.some((group) => group.name === arg))];
  const named = args.filter((arg) => arg.endsWith('.spec.ts'));
  const ours = [...names, ...named, '--serve', USUAL, WITH_LONG];
  const mochaArguments = args.filter((arg) => !ours.includes(arg));
  const wanted: readonly Rarity[] = args.includes(WITH_LONG) ? ['long', ...rarities] : rarities;
  const rare = Object.keys(RARE_FILES).filter((file) => wanted.some((rarity) => RARE_FILES[file] === rarity));
  // Mocha would take a misspelt name for a file that it does not find, and everything would run.
  const strayIndex = mochaArguments.findIndex(
    (arg, index) => !arg.startsWith('-') && mochaArguments[index - 1]?.startsWith('-') !== true,
  );
  if (strayIndex >= 0) {
    throw new Failure(
      `There is no group of tests "${mochaArguments[strayIndex]}". Groups: ` +
        `${[...GROUPS.map(({ name }) => name), ...RARITIES].join(', ')}; a file goes by its path, test/<group>/….spec.ts.`,
    );
  }
  return {
    groups: names.length + named.length === 0 ? GROUPS : GROUPS.filter(({ name }) => names.includes(name)),
    isUsual: isComplete || args.includes(USUAL),
    files: [...named.map(sourcePath), ...rare],
    mochaArguments,
    isComplete,
    serveOnly: args.includes('--serve'),
  };
}

/** A compiled spec file and its group. */
export interface SpecFile {
  readonly group: TestGroup;
  /** Absolute, in dist/. */
  readonly path: string;
  /** "test/unit/tools/lock.spec.ts" */
  readonly source: string;
}

/** The spec files that a selection asks for, each once. Throws a {@link Failure} when one of them does not exist. */
export function specFilesOf({ groups, files, isUsual }: TestSelection): SpecFile[] {
  const ofGroups = groups.flatMap(({ name }) => {
    const folder = inRoot('dist', 'test', name);
    return existsSync(folder) ? listFiles(folder, (file) => file.endsWith('.spec.js')) : [];
  });
  const single = files.map((file) => inRoot('dist', file.replace(/\.ts$/, '.js')));
  const missing = single.find((path) => !existsSync(path));
  if (missing !== undefined) throw new Failure(`There is no spec file ${sourceOf(missing)}.`);
  const wanted = ofGroups.filter((path) => !isUsual || !(sourceOf(path) in RARE_FILES));
  return [...new Set([...wanted, ...single])].map((path) => {
    const name = groupOfFile(path);
    const group = GROUPS.find((candidate) => candidate.name === name);
    if (group === undefined) throw new Failure(`${sourceOf(path)} is in no group of tests.`);
    return { group, path, source: sourceOf(path) };
  });
}

/** "…/test/unit/tools/lock.spec.js" → "unit" */
export function groupOfFile(file: string): string {
  return /(?:^|\/)test\/([^/]+)\//.exec(file)?.[1] ?? '';
}

/** "./test/x.spec.ts", "/home/…/test/x.spec.ts" → "test/x.spec.ts" */
function sourcePath(file: string): string {
  return file.slice(Math.max(file.lastIndexOf('/test/') + 1, file.startsWith('test/') ? 0 : file.indexOf('test/')));
}

function sourceOf(compiled: string): string {
  return sourcePath(compiled).replace(/\.js$/, '.ts');
}
