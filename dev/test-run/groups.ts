// The groups of tests, one folder under test/ each, in the order they run: the quick ones first.

export interface TestGroup {
  readonly name: string;
  /** Whether it is given PostgreSQL, a Temporal dev server and the time-skipping server. */
  readonly needsServers: boolean;
}

export const GROUPS: readonly TestGroup[] = [
  { name: 'unit', needsServers: false },
  { name: 'convention', needsServers: true },
  { name: 'workflow', needsServers: true },
  { name: 'replay', needsServers: true },
  { name: 'proof', needsServers: true },
  { name: 'integration', needsServers: true },
  { name: 'property', needsServers: true },
  { name: 'fault', needsServers: true },
  { name: 'browser', needsServers: true },
  { name: 'judge', needsServers: true },
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

/** Reads the arguments: names of groups, spec files, `--serve`; the rest goes to mocha. */
export function readSelection(args: readonly string[]): TestSelection {
  const names = args.filter((arg) => GROUPS.some((group) => group.name === arg));
  const files = args.filter((arg) => arg.endsWith('.spec.ts'));
  const mochaArguments = args.filter((arg) => !names.includes(arg) && !files.includes(arg) && arg !== '--serve');
  const wanted = new Set([...names, ...files.map((file) => groupNameOf(file))]);
  return {
    groups: wanted.size === 0 ? GROUPS : GROUPS.filter((group) => wanted.has(group.name)),
    files,
    mochaArguments,
    isComplete: args.length === 0,
    serveOnly: args.includes('--serve'),
  };
}

/** "test/unit/dev/lock.spec.ts" → "unit" */
export function groupNameOf(file: string): string {
  return /(?:^|\/)test\/([^/]+)\//.exec(file)?.[1] ?? '';
}
