// Lint in `npm test`: the programs of `npm run lint`, each only when one of its inputs changed since it last passed.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printError } from '../bootstrap/failure.mjs';
import { say, step } from '../bootstrap/progress.mjs';
import { inRoot, root } from '../bootstrap/root.mjs';
import { mustRun } from '../bootstrap/run-command.mjs';
import { hashFiles, listFiles } from '../bootstrap/stamp.mjs';
import { cacheFolder } from '../bootstrap/tool-cache.mjs';
import { add, failed, NOTHING, PASSED } from './outcome.js';
import type { Outcome } from './outcome.js';

export interface Linter {
  readonly name: string;
  readonly args: readonly string[];
  /** Names of the files that its result depends on: what it reads, its configuration, and package-lock.json. */
  readonly inputs: RegExp;
}

/**
 * The types of one file decide what is wrong in another, so no file is skipped by itself: all of them are looked at
 * again when one changed.
 */
export const LINTERS: readonly Linter[] = [
  {
    // The rest of the project is checked by compiling it.
    name: 'types of the panel’s page',
    args: [inRoot('node_modules', 'typescript-7', 'bin', 'tsc'), '--noEmit', '-p', 'panel/web'],
    inputs: /\.(tsx?|json)$/,
  },
  {
    name: 'oxlint',
    args: [inRoot('node_modules', 'oxlint', 'bin', 'oxlint')],
    inputs: /\.([cm]?[jt]sx?|json)$/,
  },
  {
    name: 'oxfmt',
    args: [inRoot('node_modules', 'oxfmt', 'bin', 'oxfmt'), '--check'],
    // .oxfmtrc.json leaves out the others.
    inputs: /^(?!.*\.(md|ya?ml|html)$)/,
  },
  {
    name: 'knip (code that nothing uses)',
    args: [inRoot('node_modules', 'knip', 'bin', 'knip.js'), '--no-progress'],
    inputs: /\.([cm]?[jt]sx?|json|prisma)$/,
  },
];

const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'var', 'coverage', '.git']);
const TIMEOUT_MS = 10 * 60_000;
const SHOWN_LINES = 60;
const KEPT_DAYS = 30;

/** Runs the linters one after the other. */
export async function lint(environment: NodeJS.ProcessEnv = process.env): Promise<Outcome> {
  let total = NOTHING;
  for (const linter of LINTERS) {
    try {
      const ran = await onceFor(inputsHash(linter), join(cacheFolder(environment), 'lint'), () => runLinter(linter));
      if (!ran) say(`  ✓ ${linter.name} (no change since it passed)`);
      total = add(total, PASSED);
    } catch (error) {
      printError(error);
      total = add(total, failed(linter.name, error));
    }
  }
  return total;
}

/** A hash over everything that the linter's result depends on. */
export function inputsHash({ args, inputs }: Linter, folder = root): string {
  const files = listFiles(folder, (name) => inputs.test(name), SKIPPED_FOLDERS);
  return hashFiles(files, folder, [process.version, ...args.slice(1)].join(' '));
}

/**
 * Runs `check` unless it has passed with this hash, in any clone. A check that throws is not remembered.
 * @returns whether it ran
 */
export async function onceFor(hash: string, folder: string, check: () => Promise<void>): Promise<boolean> {
  const mark = join(folder, hash);
  if (existsSync(mark)) return false;
  await check();
  mkdirSync(folder, { recursive: true });
  for (const old of readdirSync(folder).map((name) => join(folder, name))) {
    if (Date.now() - statSync(old).mtimeMs > KEPT_DAYS * 86_400_000) rmSync(old, { force: true });
  }
  writeFileSync(mark, '');
  return true;
}

async function runLinter({ name, args }: Linter): Promise<void> {
  const logFile = inRoot('var', 'logs', `build-${name}.log`);
  const options = { what: name, logFile, timeoutMs: TIMEOUT_MS, cwd: inRoot(), shownLines: SHOWN_LINES };
  await step(name, () => mustRun(process.execPath, [...args], options));
}
