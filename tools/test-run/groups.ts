// The groups of tests, one folder under test/ each, in the order they run: the quick ones first.
import { Failure } from '../bootstrap/failure.mjs';

export interface TestGroup {
  readonly name: string;
  /** Whether it is given PostgreSQL, a Temporal dev server and the time-skipping server. */
  readonly needsServers: boolean;
  /** Whether its tests wait for real servers and processes, so that a machine that stalls for seconds can fail them. */
  readonly isInRealTime: boolean;
}

export const GROUPS: readonly TestGroup[] = [
  { name: 'unit', needsServers: false, isInRealTime: false },
  { name: 'convention', needsServers: true, isInRealTime: false },
  { name: 'workflow', needsServers: true, isInRealTime: true },
  { name: 'replay', needsServers: true, isInRealTime: false },
  { name: 'proof', needsServers: true, isInRealTime: true },
  { name: 'integration', needsServers: true, isInRealTime: true },
  { name: 'property', needsServers: true, isInRealTime: true },
  { name: 'fault', needsServers: true, isInRealTime: true },
  { name: 'browser', needsServers: true, isInRealTime: true },
  { name: 'judge', needsServers: true, isInRealTime: true },
];

/** What `npm test -- …` asks for. */
export interface TestSelection {
  readonly groups: readonly TestGroup[];
  /** Only these files (as given, `test/…/x.spec.ts`); empty: all of the groups. */
  readonly files: readonly string[];
  /** Everything else, for mocha. */
  readonly mochaArguments: readonly string[];
  /** A run of everything also checks types and lint. */
  readonly isComplete: boolean;
  /** Only start the servers and say where they are. */
  readonly serveOnly: boolean;
}

/** Reads the arguments: names of groups, spec files, `--serve`; options, each with its value, go to mocha. Throws for any other word. */
export function readSelection(args: readonly string[]): TestSelection {
  const names = args.filter((arg) => GROUPS.some((group) => group.name === arg));
  const files = args.filter((arg) => arg.endsWith('.spec.ts'));
  const mochaArguments = args.filter((arg) => !names.includes(arg) && !files.includes(arg) && arg !== '--serve');
  // Mocha would take a misspelt name for a file that it does not find, and everything would run.
  const strayIndex = mochaArguments.findIndex(
    (arg, index) => !arg.startsWith('-') && mochaArguments[index - 1]?.startsWith('-') !== true,
  );
  if (strayIndex >= 0) {
    throw new Failure(
      `There is no group of tests "${mochaArguments[strayIndex]}". Groups: ${GROUPS.map(({ name }) => name).join(', ')}; a file goes by its path, test/<group>/….spec.ts.`,
    );
  }
  const wanted = new Set([...names, ...files.map((file) => groupNameOf(file))]);
  return {
    groups: wanted.size === 0 ? GROUPS : GROUPS.filter((group) => wanted.has(group.name)),
    files,
    mochaArguments,
    isComplete: args.length === 0,
    serveOnly: args.includes('--serve'),
  };
}

/** "test/unit/tools/lock.spec.ts" → "unit" */
export function groupNameOf(file: string): string {
  return /(?:^|\/)test\/([^/]+)\//.exec(file)?.[1] ?? '';
}
