// `npm run compose-check`: docker-compose.yml, really run. Follows the page's commands in a copy of the project, then
// kills, scales and replaces what runs. Where no Docker engine answers it starts one of its own, with stand-ins for the
// public images.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { Failure } from '../../tools/bootstrap/failure.mjs';
import { say, step } from '../../tools/bootstrap/progress.mjs';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import { onTermination } from '../../tools/processes/termination.js';
import { resolveTemporalServer } from '../cluster/temporal-server.js';
import { breakThings } from './breaking.js';
import { followPage } from './page.js';
import { Report } from './report.js';
import { Shell } from './shell.js';

const HELP = `npm run compose-check [-- options]

Runs docker-compose.yml as docs/running.md (Containers) says, command by command, in a copy of the project, until a
deposit is paid; then kills every part, scales, replaces both apis under load and looks at rights and sizes. Uses the
Docker engine that answers; where none does (and this is root on Debian) one of its own, with stand-ins for the public
images. Some minutes.

  --own-engine   start an engine of its own although one answers
  --keep         leave containers and engine running, to look at
  --folder DIR   where its files are kept (default: the cache)
  --help         this text
`;

/** @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { 'own-engine': flag, keep: flag, folder: { type: 'string' }, help: { ...flag, short: 'h' } },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const folder =
    values.folder ??
    join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'operator-payments-gateway', 'compose-check');
  mkdirSync(folder, { recursive: true });
  const engine = values['own-engine'] || !answers(process.env) ? await startEngine(folder) : null;
  const checkout = join(folder, 'checkout');
  const shell = new Shell(checkout, { ...process.env, ...engine?.environment }, join(folder, 'check.log'));
  const report = new Report();
  const end = async () => {
    if (values.keep)
      return say(
        `\nStill running: ${checkout}; ${engine === null ? '' : `${engine.variables} `}docker compose --profile ` +
          `'*' down -v ends it.`,
      );
    await shell.run('docker compose --profile "*" logs --no-color --timestamps', { quiet: true });
    await shell.run('docker compose --profile "*" down --volumes --timeout 10', { quiet: true });
    engine?.stop();
  };
  onTermination(() => void end().finally(() => process.exit(130)));
  try {
    copyProject(checkout);
    await followPage(shell, report);
    await breakThings(shell, report);
  } finally {
    await end();
  }
  say(`\nlog: ${join(folder, 'check.log')}\n${report.summary()}`);
  return report.hasFailed ? 1 : 0;
}

function answers(environment: NodeJS.ProcessEnv): boolean {
  try {
    execFileSync('docker', ['info'], { env: environment, stdio: 'ignore', timeout: 10_000 });
    execFileSync('docker', ['compose', 'version'], { env: environment, stdio: 'ignore', timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}

interface Engine {
  readonly environment: Readonly<Record<string, string>>;
  /** For a shell. */
  readonly variables: string;
  stop(): void;
}

async function startEngine(folder: string): Promise<Engine> {
  if (process.getuid?.() !== 0)
    throw new Failure(
      'No Docker engine answers, and only root can start one here. Start Docker, or run this as root on Debian.',
    );
  const [script, engineFolder] = [inRoot('lab', 'compose-check', 'engine.sh'), join(folder, 'engine')];
  const stop = () => void execFileSync(script, ['stop', engineFolder], { stdio: 'ignore' });
  const started = await step('a Docker engine of its own (the first time takes some minutes)', () =>
    runScript(script, ['start', engineFolder], {}),
  );
  const lines = started.trim().split('\n');
  const environment = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  try {
    const { server, ui } = await resolveTemporalServer(process.env);
    const variables = { ...environment, TEMPORAL_PROGRAMS: dirname(server), TEMPORAL_UI: ui };
    await step('stand-ins for the public images', () =>
      runScript(inRoot('lab', 'compose-check', 'stand-ins.sh'), [inRoot(), join(folder, 'stand-ins')], variables),
    );
  } catch (error) {
    stop();
    throw error;
  }
  return { environment, variables: lines.join(' '), stop };
}

/** Its standard output. Throws a {@link Failure} with its standard error. */
async function runScript(
  script: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const env = { ...process.env, ...variables };
  try {
    return (await promisify(execFile)(script, args, { env, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw new Failure(`"${script} ${args.join(' ')}" failed: ${stderr.trim().split('\n').slice(-5).join(' | ')}`);
  }
}

/** What a person has who cloned the project: everything that git knows or would take, and nothing that was built. */
function copyProject(checkout: string): void {
  rmSync(checkout, { recursive: true, force: true });
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: inRoot(),
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter((name) => name !== '')) cpSync(inRoot(file), join(checkout, file));
}
