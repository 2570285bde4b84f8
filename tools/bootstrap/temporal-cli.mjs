// Builds the Temporal CLI from its pinned source. `npm start` begins with it before packages are installed, because on
// an empty machine it takes longest.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.mjs';
import { findOnPath, outputOf } from './programs.mjs';
import { step } from './progress.mjs';
import { inRoot } from './root.mjs';
import { runCommand } from './run-command.mjs';
import { cachedTool, isCached } from './tool-cache.mjs';

/** @typedef {import('./programs.mjs').Environment} Environment */
/** @typedef {import('./tool-cache.mjs').CachedToolSpec} CachedToolSpec */

// The last tag that plain `go install` takes; later ones have a local `replace`. Server 1.29.1, UI 2.42.1.
const VERSION = '1.5.1';
const MODULE = `github.com/temporalio/cli/cmd/temporal@v${VERSION}`;
const BUILD_TIMEOUT_MS = 30 * 60_000;
const COUNT_EVERY_MS = 5_000;
// The build is faster without debugging symbols and with a lazier garbage collector.
const FAST_BUILD = ['-gcflags=all=-dwarf=false', '-ldflags=-s -w'];
const FAST_COMPILER = { GOGC: '400' };

/** Where the Temporal SDK downloads the dev server from. */
const DOWNLOAD_URL = 'https://temporal.download/cli/default?platform=linux&arch=amd64&format=tar.gz';
const DOWNLOAD_CHECK_TIMEOUT_MS = 3_000;

export const HOW_TO_CHOOSE_TEMPORAL =
  'Install Go or the Temporal CLI (https://docs.temporal.io/cli), name a binary with TEMPORAL_CLI_PATH, or name ' +
  'a running server with TEMPORAL_ADDRESS.';

/**
 * @param {string} path
 * @returns {boolean}
 */
export function hasDevServer(path) {
  return outputOf(path, ['server', 'start-dev', '--help']) !== undefined;
}

/**
 * The CLI as a cached tool.
 * @param {(folder: string) => Promise<string>} make
 * @returns {CachedToolSpec}
 */
export function temporalCliSpec(make) {
  return { name: 'temporal-cli', version: VERSION, executable: 'temporal', make, runs: hasDevServer };
}

/**
 * Builds the CLI into the cache when it is needed, is not there yet, and cannot be downloaded. A later request for the
 * CLI waits for this build. A failure is not reported here: the later request tries again and reports it.
 * @param {Environment} environment
 * @returns {Promise<void>} resolves when the build has ended
 */
export async function buildTemporalCliEarly(environment) {
  if (environment['TEMPORAL_ADDRESS'] || environment['TEMPORAL_CLI_PATH']) return;
  if (findOnPath('temporal', environment) !== undefined || findOnPath('go', environment) === undefined) return;
  const spec = temporalCliSpec(buildTemporalCli);
  try {
    if ((await isCached(spec, environment)) || (await canBeDownloaded())) return;
    await cachedTool(spec, environment);
  } catch {
    // See above.
  }
}

async function canBeDownloaded() {
  try {
    const { ok } = await fetch(DOWNLOAD_URL, {
      method: 'HEAD',
      signal: AbortSignal.timeout(DOWNLOAD_CHECK_TIMEOUT_MS),
    });
    return ok;
  } catch {
    return false;
  }
}

/**
 * Builds the CLI into a folder. Throws a {@link Failure} when Go cannot.
 * @param {string} folder
 * @returns {Promise<string>} where it came from
 */
export async function buildTemporalCli(folder) {
  const logFile = inRoot('var', 'logs', 'build-temporal-cli.log');
  await step(`building Temporal CLI ${VERSION} from source (once, takes minutes)`, async (detail) => {
    const counting = setInterval(() => detail(`${packagesIn(logFile)} packages compiled`), COUNT_EVERY_MS);
    try {
      const { code } = await runCommand('go', ['install', '-v', ...FAST_BUILD, MODULE], {
        logFile,
        timeoutMs: BUILD_TIMEOUT_MS,
        cwd: folder,
        env: { ...FAST_COMPILER, GOBIN: folder, CGO_ENABLED: '0' },
      });
      if (code === 0) return;
      const target = join(folder, 'temporal');
      throw new Failure(`go could not build ${MODULE} into ${target}. ${HOW_TO_CHOOSE_TEMPORAL}`, logFile);
    } finally {
      clearInterval(counting);
    }
  });
  return `built from source (Temporal CLI ${VERSION})`;
}

/**
 * `go install -v` prints a line per package.
 * @param {string} logFile
 */
function packagesIn(logFile) {
  try {
    return readFileSync(logFile, 'utf8').split('\n').length - 1;
  } catch {
    return 0;
  }
}
