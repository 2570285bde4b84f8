// The Temporal server with the gateway's authorizer (ops/temporal/server), and Temporal's UI, as separate programs
// built from pinned sources: what `npm run cluster` runs on PostgreSQL. The dev server of `npm start` is another
// program.
import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../tools/bootstrap/failure.mjs';
import { step } from '../../tools/bootstrap/progress.mjs';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import { mustRun, runCommand } from '../../tools/bootstrap/run-command.mjs';
import { hashFiles, listFiles } from '../../tools/bootstrap/stamp.mjs';
import { cachedTool } from '../../tools/bootstrap/tool-cache.mjs';
import { findOnPath, outputOf } from '../../tools/bootstrap/programs.mjs';
import type { Environment } from '../../tools/bootstrap/programs.mjs';

const SERVER_VERSION = '1.29.1';
const UI_VERSION = '2.42.1';
const SERVER_MODULE = 'go.temporal.io/server';
const BUILD_TIMEOUT_MS = 30 * 60_000;
const POSTGRES_SCHEMA = ['schema', 'postgresql', 'v12'] as const;

/** Where the server's own Go sources are, with the sums of everything that they need. */
export const SERVER_SOURCES = inRoot('ops', 'temporal', 'server');

export interface TemporalPrograms {
  readonly server: string;
  /** Sets up and updates the schema. */
  readonly sqlTool: string;
  /** The versioned schema of each database. */
  readonly schemas: { readonly main: string; readonly visibility: string };
  readonly ui: string;
}

/** The programs, built first when they are not in the cache. Throws a {@link Failure} when there is no Go. */
export async function resolveTemporalServer(environment: Environment): Promise<TemporalPrograms> {
  const server = await cachedTool(
    {
      name: 'temporal-server',
      version: `${SERVER_VERSION}-${sourcesDigest()}`,
      executable: 'temporal-server',
      runs: hasVersion,
      make: (folder) => makeServer(folder, environment),
    },
    environment,
  );
  const ui = await cachedTool(
    {
      name: 'temporal-ui',
      version: UI_VERSION,
      executable: 'temporal-ui',
      runs: hasVersion,
      make: (folder) => makeUi(folder, environment),
    },
    environment,
  );
  const folder = join(server.path, '..');
  return {
    server: server.path,
    sqlTool: join(folder, 'temporal-sql-tool'),
    schemas: {
      main: join(folder, 'schema', 'temporal', 'versioned'),
      visibility: join(folder, 'schema', 'visibility', 'versioned'),
    },
    ui: ui.path,
  };
}

const hasVersion = (path: string) => outputOf(path, ['--version']) !== undefined;

/** A change of the sources makes another program. */
function sourcesDigest(): string {
  const files = listFiles(SERVER_SOURCES, (name) => /(?<!_test)\.go$|^go\.(mod|sum)$/.test(name));
  return hashFiles(files, SERVER_SOURCES).slice(0, 12);
}

async function makeServer(folder: string, environment: Environment): Promise<string> {
  await step(`building the Temporal server ${SERVER_VERSION} from source (once; takes some minutes)`, async () => {
    const target = join(folder, 'temporal-server');
    // What go.sum does not know is refused.
    await mustRun(goProgram(environment), ['build', '-mod=readonly', '-buildvcs=false', '-o', target, '.'], {
      what: 'building the Temporal server',
      logFile: inRoot('var', 'logs', 'build-temporal-server.log'),
      timeoutMs: BUILD_TIMEOUT_MS,
      cwd: SERVER_SOURCES,
      env: { CGO_ENABLED: '0' },
    });
    await install(
      `${SERVER_MODULE}/cmd/tools/sql@v${SERVER_VERSION}`,
      'sql',
      join(folder, 'temporal-sql-tool'),
      environment,
    );
  });
  const modules = outputOf(goProgram(environment), ['env', 'GOMODCACHE'])?.trim();
  if (modules === undefined) throw new Failure('"go env GOMODCACHE" does not say where the sources are');
  cpSync(join(modules, `${SERVER_MODULE}@v${SERVER_VERSION}`, ...POSTGRES_SCHEMA), join(folder, 'schema'), {
    recursive: true,
  });
  return `built from source (Temporal server ${SERVER_VERSION})`;
}

async function makeUi(folder: string, environment: Environment): Promise<string> {
  await step(`building the Temporal UI ${UI_VERSION} from source (once)`, () =>
    install(
      `github.com/temporalio/ui-server/v2/cmd/server@v${UI_VERSION}`,
      'server',
      join(folder, 'temporal-ui'),
      environment,
    ),
  );
  return `built from source (Temporal UI ${UI_VERSION})`;
}

function goProgram(environment: Environment): string {
  const go = findOnPath('go', environment);
  if (go === undefined)
    throw new Failure(
      'The Temporal server has to be built, and there is no "go" on PATH. Install Go (https://go.dev/dl).',
    );
  return go;
}

/** `go install` names a program after its folder; it is moved to where it is wanted. */
async function install(module: string, builtName: string, target: string, environment: Environment): Promise<void> {
  const folder = `${target}.build`;
  const logFile = inRoot('var', 'logs', 'build-temporal-server.log');
  const { code } = await runCommand(goProgram(environment), ['install', module], {
    logFile,
    timeoutMs: BUILD_TIMEOUT_MS,
    cwd: join(folder, '..'),
    env: { GOBIN: folder, CGO_ENABLED: '0' },
  });
  if (code !== 0) throw new Failure(`go could not build ${module}`, logFile);
  renameSync(join(folder, builtName), target);
  rmSync(folder, { recursive: true });
}
