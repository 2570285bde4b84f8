// Runs Stryker over a few files of an area. Its incremental file keeps the results, so that only what changed is tested
// again.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../../tools/bootstrap/root.mjs';

const FOLDER = inRoot('var', 'mutants');

/**
 * Where an area's results are: a report in the mutation-testing-elements schema.
 * @param {string} area
 */
export function resultsOf(area) {
  return join(FOLDER, `${area}.json`);
}

/**
 * @typedef {object} Run
 * @property {string} area
 * @property {readonly string[]} files
 * @property {readonly string[]} tests
 * @property {readonly string[]} withoutTests
 * @property {boolean} ignoreStatic leaves out mutants of code that runs on import: each needs its own process
 */

/**
 * Tests every mutant of the files. Answers Stryker's exit code.
 * @param {Run} run
 * @returns {Promise<number>}
 */
export function runStryker(run) {
  const { area } = run;
  mkdirSync(FOLDER, { recursive: true });
  forgetSurvivors(run);
  const config = join(FOLDER, `${area}.config.json`);
  const temporary = join('var', 'mutants', `sandbox-${area}`);
  writeFileSync(config, JSON.stringify(configuration(run, temporary), null, 2));
  const child = spawn(process.execPath, [inRoot('node_modules', '.bin', 'stryker'), 'run', config], {
    cwd: inRoot(),
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  }).finally(() => rmSync(inRoot(temporary), { recursive: true, force: true }));
}

/**
 * Removes the survivors of the files from the earlier results. Stryker would keep those in code that runs on import,
 * whatever tests are new.
 * @param {Run} run
 */
function forgetSurvivors({ area, files }) {
  if (!existsSync(resultsOf(area))) return;
  const report = JSON.parse(readFileSync(resultsOf(area), 'utf8'));
  for (const file of files) {
    const result = report.files[file];
    if (result !== undefined)
      result.mutants = result.mutants.filter(({ status }) => status !== 'Survived' && status !== 'NoCoverage');
  }
  writeFileSync(resultsOf(area), JSON.stringify(report));
}

/**
 * @param {Run} run
 * @param {string} temporary
 */
function configuration({ area, files, tests, withoutTests, ignoreStatic }, temporary) {
  return {
    testRunner: 'mocha-12',
    plugins: ['./lab/mutants/mocha-runner.mjs', './lab/mutants/ignore-texts.mjs'],
    ignorers: ['texts'],
    buildCommand: 'node lab/mutants/compile.mjs',
    mochaRunner: { files: tests.map((file) => file.replace(/\.ts$/, '.js')), withoutTests },
    ignoreStatic,
    mutate: files,
    coverageAnalysis: 'perTest',
    tempDirName: temporary,
    ignorePatterns: ['/dist', '/var', '/coverage'],
    incremental: true,
    incrementalFile: resultsOf(area),
    reporters: ['progress-append-only'],
    allowConsoleColors: false,
    // A busy machine must not look like an endless loop.
    timeoutMS: 20_000,
    warnings: { unknownOptions: false, slow: false },
  };
}
