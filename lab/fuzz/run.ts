// One run of Schemathesis in its own process, bounded in time. Its event file has the results (report.ts).
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import type { FuzzOperation } from './operation.js';
import type { FuzzOptions } from './options.js';
import { type JudgeReport, readReport } from './report.js';

const SOURCES = inRoot('lab', 'fuzz');
/** Past its own budget it finishes the request it is at, shrinks what it found, and reports. */
const GRACE_MS = 120_000;

/** Needs Python and a package index, which nothing else here does. */
export const SCHEMATHESIS = { name: 'schemathesis', requirements: 'lab/fuzz/requirements.txt' } as const;

export interface JudgeRun {
  readonly python: string;
  /** Ends in `/v1`; the document is read there. */
  readonly baseUrl: string;
  readonly operation: FuzzOperation;
  readonly options: FuzzOptions;
  /** Everything that the run writes is in here; emptied first. */
  readonly folder: string;
  /** Gets what Schemathesis prints. */
  readonly print: (text: string) => void;
  /** Ends the run in good order. */
  readonly signal?: AbortSignal;
}

export async function runJudge(run: JudgeRun): Promise<JudgeReport> {
  const { folder, options } = run;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const events = join(folder, 'events.ndjson');
  const exitCode = await spawnJudge(run, ['--report', 'ndjson', '--report-ndjson-path', events, ...argumentsOf(run)]);
  return readReport(events, { exitCode, limitSeconds: options.limitSeconds });
}

function argumentsOf({ options: { count, repeatSeconds, seed, deterministic } }: JudgeRun): string[] {
  return [
    ...['--max-examples', String(count), '--seed', String(seed)],
    ...(repeatSeconds === undefined ? [] : ['--max-time', String(repeatSeconds)]),
    ...(deterministic ? ['--generation-deterministic'] : ['--generation-database', 'none']),
  ];
}

/** The exit code, undefined when it had to be ended. */
function spawnJudge(
  { python, baseUrl, operation, folder, options, print, signal }: JudgeRun,
  args: readonly string[],
): Promise<number | undefined> {
  const environment = {
    ...process.env,
    PYTHONPATH: SOURCES,
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONHASHSEED: '0',
    HYPOTHESIS_STORAGE_DIRECTORY: join(folder, 'hypothesis'),
    SCHEMATHESIS_HOOKS: 'hooks',
    FUZZ_KEYS: JSON.stringify(operation.keys),
    FUZZ_KNOWN: JSON.stringify(operation.known),
  };
  const command = [
    '-m',
    'schemathesis.cli',
    '--config-file',
    configurationIn(folder, options),
    'run',
    `${baseUrl}/openapi.yaml`,
    '--no-color',
    ...args,
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(python, command, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    let timedOut = false;
    const timer = setTimeout(
      () => {
        timedOut = true;
        child.kill('SIGKILL');
      },
      options.limitSeconds * 1_000 + GRACE_MS,
    );
    signal?.addEventListener('abort', () => child.kill('SIGINT'), { once: true });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', print);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve(timedOut ? undefined : (code ?? 1));
    });
  });
}

/** The settings of every run, and those of a deterministic one behind them. */
function configurationIn(folder: string, { deterministic }: FuzzOptions): string {
  const file = join(folder, 'schemathesis.toml');
  const parts = ['schemathesis.toml', ...(deterministic ? ['deterministic.toml'] : [])];
  writeFileSync(file, parts.map((part) => readFileSync(join(SOURCES, part), 'utf8')).join('\n'));
  return file;
}
