// Finds the Temporal CLI, whose dev server (with UI) the stack and the tests run: named in the environment, on PATH,
// downloaded by the SDK, or built from its pinned source.
import { Failure } from '../bootstrap/failure.mjs';
import { type Environment, findOnPath, type Tool } from '../bootstrap/programs.mjs';
import { say, step } from '../bootstrap/progress.mjs';
import { buildTemporalCli, hasDevServer, HOW_TO_CHOOSE_TEMPORAL, temporalCliSpec } from '../bootstrap/temporal-cli.mjs';
import { cachedTool } from '../bootstrap/tool-cache.mjs';
import { downloadWithSdk } from './sdk-download.js';

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
    temporalCliSpec((folder) => make(folder, environment)),
    environment,
  );
}

async function make(folder: string, environment: Environment): Promise<string> {
  const problem = await step("trying the Temporal SDK's own download of the dev server", () =>
    downloadWithSdk('dev-server', folder, 'temporal'),
  );
  if (problem === undefined) return "the Temporal SDK's download";
  say(`    the SDK could not fetch it: ${problem}`);
  if (findOnPath('go', environment) === undefined) {
    throw new Failure(
      'There is no Temporal dev server: no "temporal" on PATH, no download, and no "go" to build it. ' +
        `${HOW_TO_CHOOSE_TEMPORAL}`,
    );
  }
  return buildTemporalCli(folder);
}
