// Watches sources, compiles what is saved, and restarts the programs that use it.
import { watch } from 'node:fs';
import { join, relative } from 'node:path';
import { formatDuration } from '../bootstrap/progress.mjs';
import { compileFile } from './compile.js';
import { filesOf } from './imports.js';

export interface Program {
  readonly name: string;
  /** Its compiled entry files. Absolute paths. */
  readonly entries: readonly string[];
  /** Prepares a restart, for example by bundling. */
  readonly prepare?: (changed: ReadonlySet<string>) => Promise<void>;
  /** Ends the running process and starts a new one. Resolves when it is ready. */
  readonly restart: () => Promise<void>;
}

export interface ReloadOptions {
  readonly root: string;
  /** Folders of sources below the root. */
  readonly folders: readonly string[];
  readonly programs: readonly Program[];
  /** Prints one line. */
  readonly print: (line: string) => void;
}

// An editor writes a file in several steps, and saves several files at once.
const SETTLE_MS = 100;

/** @returns a function that stops watching */
export function reloadOnSave({ root, folders, programs, print }: ReloadOptions): () => void {
  const saved = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();
  const settle = () => {
    const files = [...saved];
    saved.clear();
    // One after the other: a process is never restarted while it restarts.
    working = working.then(() => reload(files, { root, programs, print }));
  };
  const watchers = folders.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_, name) => {
      if (name === null || !(/(?<!\.d)\.ts$/.test(name) || (folder === 'store' && name.endsWith('.sql')))) return;
      saved.add(join(root, folder, name));
      clearTimeout(timer);
      timer = setTimeout(settle, SETTLE_MS);
    }),
  );
  return () => {
    clearTimeout(timer);
    watchers.forEach((watcher) => watcher.close());
  };
}

type Reload = Pick<ReloadOptions, 'root' | 'programs' | 'print'>;

async function reload(sources: readonly string[], { root, programs, print }: Reload): Promise<void> {
  const names = sources.map((source) => relative(root, source)).join(', ');
  const compiled = sources.map((source) => compileFile(root, source));
  const problems = compiled.flatMap((one) => (one.kind === 'broken' ? [one.problem] : []));
  if (problems.length > 0) return problems.forEach((problem) => print(`  ✗ ${problem}; nothing is restarted`));
  const changed = new Set(compiled.flatMap((one) => (one.kind === 'written' ? [one.output] : [])));
  if (changed.size === 0) return;
  const users = programs.filter(({ entries }) => [...filesOf(entries)].some((file) => changed.has(file)));
  if (users.length === 0) return print(`  · ${names}: no running process uses it`);
  await Promise.all(users.map((program) => restart(program, changed, names, print)));
}

async function restart(
  { name, prepare, restart: restartProcess }: Program,
  changed: ReadonlySet<string>,
  names: string,
  print: (line: string) => void,
): Promise<void> {
  const startedAt = performance.now();
  try {
    await prepare?.(changed);
    await restartProcess();
    print(`  ↻ ${name} restarted in ${formatDuration(performance.now() - startedAt)} (${names})`);
  } catch (error) {
    print(`  ✗ ${name} does not start: ${error instanceof Error ? error.message : String(error)}`);
  }
}
