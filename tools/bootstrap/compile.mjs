// Step 4: TypeScript into dist/, with the statements of store/. Skipped when no source changed; outputs of sources that
// are gone are removed.
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { inRoot, root } from './root.mjs';
import { runCommand } from './run-command.mjs';
import { hashFiles, isStamped, listFiles, writeStamp } from './stamp.mjs';
import { Failure } from './failure.mjs';
import { step } from './progress.mjs';

const DIST = inRoot('dist');
const STAMP = inRoot('dist', '.compiled-by-bootstrap');
const BUILD_INFO = inRoot('dist', '.tsbuildinfo');
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'var', 'coverage', '.git']);
/** The panel's page is for browsers: page.mjs builds it. */
const PAGE_SOURCES = `${inRoot('panel', 'web')}${sep}`;
const COMPILE_TIMEOUT_MS = 10 * 60_000;
const SHOWN_ERRORS = 30;

/**
 * Compiles. Files with type errors are emitted too, so a caller may continue with them.
 * @param {string} logFile
 * @returns {Promise<{ typeErrors: string | undefined }>} the compiler's messages (shortened) when there are type errors
 */
export async function ensureCompiled(logFile) {
  const sources = listSources();
  const statements = listStatements();
  const hash = hashOf(sources, statements);
  const outputs = [...sources.filter((file) => file.endsWith('.ts')), ...statements].map(outputOf);
  const isComplete = outputs.every((file) => existsSync(file));
  if (isComplete && isStamped(STAMP, hash)) return { typeErrors: undefined };
  // The compiler trusts its record of what it emitted: without it, it emits everything again.
  if (!isComplete) rmSync(BUILD_INFO, { force: true });
  rmSync(STAMP, { force: true });
  const typeErrors = await step('compiling (tsc)', () => compile(logFile));
  statements.forEach(copyStatement);
  removeOrphans();
  if (typeErrors === undefined) writeStamp(STAMP, hash);
  return { typeErrors };
}

/** Takes dist/ for what the sources are compiled to: somebody has brought it up to date by other means. */
export function stampCompiled() {
  writeStamp(STAMP, hashOf(listSources(), listStatements()));
}

function listSources() {
  const isSource = (/** @type {string} */ name) => /\.(ts|mts|mjs)$/.test(name) && !name.endsWith('.d.ts');
  return listFiles(root, isSource, SKIPPED_FOLDERS).filter((file) => !file.startsWith(PAGE_SOURCES));
}

function listStatements() {
  return listFiles(inRoot('store'), (name) => name.endsWith('.sql'));
}

/**
 * @param {readonly string[]} sources
 * @param {readonly string[]} statements
 */
function hashOf(sources, statements) {
  return hashFiles([...sources, ...statements, inRoot('tsconfig.json'), inRoot('package-lock.json')], root);
}

/**
 * @param {string} logFile
 * @returns {Promise<string | undefined>}
 */
async function compile(logFile) {
  const { code, output } = await runCommand(
    process.execPath,
    [inRoot('node_modules', 'typescript-7', 'bin', 'tsc'), '-p', 'tsconfig.json', '--pretty', 'false'],
    {
      cwd: root,
      logFile,
      timeoutMs: COMPILE_TIMEOUT_MS,
    },
  );
  if (code === 0) return undefined;
  if (!output.includes('error TS')) throw new Failure(`tsc failed (exit code ${code}).`, logFile);
  const lines = output.trimEnd().split('\n');
  const more = lines.length > SHOWN_ERRORS ? [`… and ${lines.length - SHOWN_ERRORS} more lines`] : [];
  return [...lines.slice(0, SHOWN_ERRORS), ...more].join('\n');
}

/** @param {string} source */
function outputOf(source) {
  return join(DIST, relative(root, source)).replace(/\.ts$/, '.js');
}

/** @param {string} source */
function copyStatement(source) {
  mkdirSync(dirname(outputOf(source)), { recursive: true });
  copyFileSync(source, outputOf(source));
}

/** A deleted or renamed test must not keep running from its old output. */
function removeOrphans() {
  for (const output of listFiles(DIST, (name) => /\.(js|js\.map|sql)$/.test(name))) {
    const source = join(root, relative(DIST, output)).replace(/\.js(\.map)?$/, '.ts');
    const path = relative(DIST, output);
    const isBundle = path.startsWith('workflow-bundle') || path.startsWith(join('panel', 'web', sep));
    if (!isBundle && !existsSync(source)) rmSync(output, { force: true });
  }
}
