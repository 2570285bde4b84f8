// Runs the searcher on every chosen fault that has no result yet, and reports.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../tools/bootstrap/failure.mjs';
import { say, step } from '../../tools/bootstrap/progress.mjs';
import { inRoot, root } from '../../tools/bootstrap/root.mjs';
import { GOAL, HELP, readPlantedOptions } from './options.mjs';
import { copyTree } from './plant.mjs';
import { report, shareFound } from './report.mjs';
import { codeHash, forgetResult, logOf, questionOf, readResult, writeResult } from './results.mjs';
import { withPostgres } from './postgres.mjs';
import { buildUnchanged, searchFor } from './search.mjs';

/** The name of the run on the unchanged tree. */
const CONTROL = 'unchanged';

/**
 * @typedef {import('./faults/index.mjs').PlantedFault} PlantedFault
 * @typedef {import('./options.mjs').PlantedOptions} PlantedOptions
 */

/**
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
export async function plantedFaults(args) {
  const options = readPlantedOptions(args);
  if (options.task === 'help') {
    say(HELP);
    return 0;
  }
  if (options.task === 'list') {
    for (const { name, file, harm } of options.chosen) say(`${name}  ${file}\n    ${harm}`);
    return 0;
  }
  const code = options.task === 'run' ? await runAll(options) : codeHash(root);
  const answers = options.chosen.map((fault) => ({ fault, result: answerOf(fault, options, code) }));
  say(`\n${report(answers)}`);
  return answers.length > 0 && shareFound(answers) >= GOAL ? 0 : 1;
}

/**
 * @param {PlantedOptions} options
 * @returns {Promise<string>} the hash of the code that it ran on
 */
async function runAll(options) {
  const home = mkdtempSync(join(tmpdir(), 'gateway-planted-'));
  // PostgreSQL may run as another user, with its binaries below node_modules.
  chmodSync(home, 0o755);
  const ending = new AbortController();
  const end = () => ending.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    const tree = join(home, 'tree');
    copyTree(root, tree, inRoot('node_modules'));
    const { by, isSeeded } = options;
    const code = codeHash(tree);
    await step('building a copy', () => buildUnchanged({ tree, signal: ending.signal }));
    await withPostgres(tree, async (postgres) => {
      const search = { tree, by, isSeeded, env: { TEST_POSTGRES_URL: postgres.url }, signal: ending.signal };
      if (options.withControl) await control(search, options, code);
      for (const [index, fault] of options.chosen.entries()) {
        if (options.anew) forgetResult(fault.name);
        const title = `${index + 1}/${options.chosen.length} ${fault.name}`;
        if (isToDo(fault, options, code)) await searchOne(search, { title, fault, options, code });
        await postgres.dropLives();
      }
    });
    return code;
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * The searcher on the unchanged tree: one that fails there too would find every fault.
 * @param {import('./search.mjs').Search} search
 * @param {PlantedOptions} options
 * @param {string} code
 */
async function control(search, options, code) {
  if (options.anew) forgetResult(CONTROL);
  if (isToDo({ name: CONTROL }, options, code)) await searchOne(search, { title: CONTROL, fault: null, options, code });
  const outcome = readResult(CONTROL)?.outcome;
  if (outcome === 'not_found') return;
  forgetResult(CONTROL);
  throw new Failure(`The searcher does not pass on the unchanged tree (${outcome}).`, logOf(CONTROL));
}

/**
 * @param {import('./search.mjs').Search} search
 * @param {{ title: string, fault: PlantedFault | null, options: PlantedOptions, code: string }} order
 */
async function searchOne(search, { title, fault, options, code }) {
  const name = fault?.name ?? CONTROL;
  const earlier = answerOf(fault ?? { name }, options, code)?.processorSeconds ?? 0;
  const more = options.isSeeded ? `--processor-seconds ${options.processorSeconds - earlier}` : '';
  const found = await step(title, () => searchFor(search, name, fault, more));
  if (search.signal.aborted) throw new Failure('Ended. The next run goes on from here.');
  const asked = { by: search.by, question: questionOf(fault ?? { name }, search.by), code };
  const processorSeconds = found.processorSeconds === null ? null : found.processorSeconds + earlier;
  const result = { ...found, processorSeconds, ...asked, at: new Date().toISOString() };
  writeResult(name, result);
  const seed = found.seed === null ? '' : `, seed ${found.seed}`;
  say(`    ${found.outcome}${seed}, ${result.processorSeconds ?? '?'} s of processors in all, ${found.seconds} s`);
}

/**
 * Whether it is not found yet and has processor time left.
 * @param {{ name: string, from?: string, to?: string }} fault
 * @param {PlantedOptions} options
 * @param {string} code
 */
function isToDo(fault, options, code) {
  const result = answerOf(fault, options, code);
  if (result === null) return true;
  if (result.outcome !== 'not_found' || result.processorSeconds === null) return false;
  return result.processorSeconds < options.processorSeconds;
}

/**
 * The result of a fault, if it is about the same question and the same code.
 * @param {{ name: string, from?: string, to?: string }} fault
 * @param {PlantedOptions} options
 * @param {string} code
 */
function answerOf(fault, { by, earlierCode }, code) {
  const result = readResult(fault.name);
  if (result === null || result.question !== questionOf(fault, by)) return null;
  return earlierCode || result.code === code ? result : null;
}
