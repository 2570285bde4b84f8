// Finds the Temporal command line, whose dev server (with UI) the stack and the tests run: named in the environment, on PATH,
// downloaded by the SDK, or built from its pinned source.
import { join } from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import { say, step } from '../bootstrap/progress.mjs';
import { inRoot } from '../bootstrap/root.mjs';
import { runCommand } from '../bootstrap/run-command.mjs';
import { downloadWithSdk } from './sdk-download.js';
import { cachedTool } from './tool-cache.js';
import { findOnPath, outputOf } from './tools.js';
import type { Environment, Tool } from './tools.js';

// The last tag that plain `go install` takes; later ones carry a local `replace`. Server 1.29.1, UI 2.42.1.
const VERSION = '1.5.1';
const MODULE = `github.com/temporalio/cli/cmd/temporal@v${VERSION}`;
const BUILD_TIMEOUT_MS = 30 * 60_000;
const HOW_TO_CHOOSE =
  'Install Go or the Temporal CLI (https://docs.temporal.io/cli), name a binary with TEMPORAL_CLI_PATH, or give a running server with TEMPORAL_ADDRESS.';

/** The `temporal` program to use. Throws a {@link Failure} that says how to get one when there is none. */
export async function resolveTemporalCli(environment: Environment): Promise<Tool> {
  const named = environment['TEMPORAL_CLI_PATH'];
  if (named) {
    if (!hasDevServer(named))
      throw new Failure(`TEMPORAL_CLI_PATH names ${named}, which does not run "server start-dev".`);
    return { path: named, origin: 'TEMPORAL_CLI_PATH' };
  }
  const onPath = findOnPath('temporal', environment);
  if (onPath !== undefined) {
    if (hasDevServer(onPath)) return { path: onPath, origin: 'PATH' };
    say(`  ! ${onPath} does not run "server start-dev"; looking elsewhere.`);
  }
  return cachedTool(
    {
      name: 'temporal-cli',
      version: VERSION,
      executable: 'temporal',
      make: (folder) => make(folder, environment),
      runs: hasDevServer,
    },
    environment,
  );
}

function hasDevServer(path: string): boolean {
  return outputOf(path, ['server', 'start-dev', '--help']) !== undefined;
}

async function make(folder: string, environment: Environment): Promise<string> {
  const problem = await step("trying the Temporal SDK's own download of the dev server", () =>
    downloadWithSdk('dev-server', folder, 'temporal'),
  );
  if (problem === undefined) return "the Temporal SDK's download";
  say(`    the SDK could not fetch it: ${problem}`);
  if (findOnPath('go', environment) === undefined) {
    throw new Failure(
      `There is no Temporal dev server: no "temporal" on PATH, no download, and no "go" to build it. ${HOW_TO_CHOOSE}`,
    );
  }
  await step(`building Temporal CLI ${VERSION} from source (once; takes some minutes)`, () => build(folder));
  return `built from source (Temporal CLI ${VERSION})`;
}

async function build(folder: string): Promise<void> {
  const logFile = inRoot('var', 'logs', 'build-temporal-cli.log');
  const { code } = await runCommand('go', ['install', '-v', MODULE], {
    logFile,
    timeoutMs: BUILD_TIMEOUT_MS,
    cwd: folder,
    env: { GOBIN: folder, CGO_ENABLED: '0' },
  });
  if (code !== 0)
    throw new Failure(`go could not build ${MODULE} into ${join(folder, 'temporal')}. ${HOW_TO_CHOOSE}`, logFile);
}
