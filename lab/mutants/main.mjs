// `npm run mutants`: chooses the files, tests their mutants within the time given, and reports.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Failure, printError } from '../../tools/bootstrap/failure.mjs';
import { inRoot, root } from '../../tools/bootstrap/root.mjs';
import { listFiles } from '../../tools/bootstrap/stamp.mjs';
import { AREAS, LEFT_OUT } from './areas.mjs';
import { HELP, readMutantOptions } from './options.mjs';
import { figures, scoreOf, writePage } from './report.mjs';
import { mutantsOf } from './results.mjs';
import { runStryker } from './stryker.mjs';

const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'var', 'coverage', '.git']);
const DONE = inRoot('var', 'mutants', 'done.json');
/** Starting Stryker takes seconds, so small files share a run. */
const LINES_PER_RUN = 300;

try {
  process.exitCode = await mutants(process.argv.slice(2));
} catch (error) {
  printError(error);
  process.exitCode = 1;
}

/**
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
async function mutants(args) {
  const { help, report, withStatic, minutes, wanted } = readMutantOptions(args);
  if (help) {
    process.stdout.write(`${HELP}\n`);
    return 0;
  }
  const areas = filesByArea();
  const chosen = report ? [] : choose(areas, wanted);
  const endsAt = Date.now() + minutes * 60_000;
  const isComplete = await runAll(chosen, withStatic, endsAt);
  const results = areas.map(({ name, goal, files }) => ({ name, goal, mutants: mutantsOf(name, files) }));
  writePage(results);
  process.stdout.write(`\n${figures(results)}\n\ndocs/mutants.md lists every survivor.\n`);
  if (!isComplete) process.stdout.write('The time is over: run it again to go on.\n');
  const names = new Set(chosen.map(({ name }) => name));
  return results.some(({ name, goal, mutants: found }) => names.has(name) && scoreOf(found) < goal) ? 1 : 0;
}

/** Every area with its source files and tests, as paths below the root. */
function filesByArea() {
  const all = listFiles(root, (name) => name.endsWith('.ts'), SKIPPED_FOLDERS)
    .map((file) => file.slice(root.length + 1).replaceAll('\\', '/'))
    .sort();
  return AREAS.map(({ name, goal, sources, tests, withoutTests = [] }) => ({
    name,
    goal,
    withoutTests,
    files: all.filter((file) => sources.test(file) && !LEFT_OUT.some((left) => left.file.test(file))),
    tests: all.filter((file) => tests.test(file)),
  }));
}

/** The areas and files that were asked for; all of them where nothing was. */
function choose(areas, wanted) {
  const unknown = wanted.find(
    (word) => !areas.some(({ name, files }) => name === word || files.some((file) => isBelow(file, word))),
  );
  if (unknown !== undefined)
    throw new Failure(
      `"${unknown}" is no area (${areas.map(({ name }) => name).join(', ')}) and no file or folder of one.`,
    );
  if (wanted.length === 0) return areas;
  return areas
    .map((area) => ({
      ...area,
      files: area.files.filter((file) => wanted.some((word) => word === area.name || isBelow(file, word))),
    }))
    .filter(({ files }) => files.length > 0);
}

function isBelow(file, word) {
  const path = word.replace(/\/+$/, '');
  return file === path || file.startsWith(`${path}/`);
}

/** Answers whether everything was tested before the time was over. */
async function runAll(areas, withStatic, endsAt) {
  for (const { name, files, tests, withoutTests } of areas) {
    const stale = files.filter((file) => doneStamps()[file] !== stampOf(file, tests, withStatic));
    for (const group of groupsOf(stale)) {
      if (Date.now() >= endsAt) return false;
      process.stdout.write(`\n${name}: ${group.join(', ')}\n`);
      const code = await runStryker({ area: name, files: group, tests, withoutTests, ignoreStatic: !withStatic });
      if (code !== 0) throw new Failure(`Stryker failed with exit code ${code}; its messages are above.`);
      const stamps = Object.fromEntries(group.map((file) => [file, stampOf(file, tests, withStatic)]));
      mkdirSync(inRoot('var', 'mutants'), { recursive: true });
      writeFileSync(DONE, JSON.stringify({ ...doneStamps(), ...stamps }, null, 2));
    }
  }
  return true;
}

function groupsOf(files) {
  const groups = [];
  let lines = Infinity;
  for (const file of files) {
    const own = readFileSync(inRoot(file), 'utf8').split('\n').length;
    if (lines + own > LINES_PER_RUN) {
      groups.push([]);
      lines = 0;
    }
    groups.at(-1).push(file);
    lines += own;
  }
  return groups;
}

function doneStamps() {
  return existsSync(DONE) ? JSON.parse(readFileSync(DONE, 'utf8')) : {};
}

/** Changes when the file or a test of its area does. */
function stampOf(file, tests, withStatic) {
  const hash = createHash('sha256').update(String(withStatic));
  for (const path of [file, ...tests]) hash.update(path).update(readFileSync(inRoot(path)));
  return hash.digest('hex');
}
