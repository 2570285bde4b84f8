// `npm run fuzz`: Schemathesis reads the served contract and tries to find an answer that breaks it.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { printError } from '../bootstrap/failure.mjs';
import { say } from '../bootstrap/progress.mjs';
import { inRoot } from '../bootstrap/root.mjs';
import { onTermination } from '../processes/termination.js';
import { JudgeUnavailable, resolveJudge } from './judge.js';
import { type FuzzOptions, readFuzzOptions } from './options.js';
import { type FuzzOperation, makeOperation, openTarget, type Target } from './target.js';

const WORK_FOLDER = inRoot('var', 'fuzz');
/** Past its own budget it finishes the request it is at, shrinks what it found, and reports. */
const GRACE_MS = 120_000;

/**
 * Judges the running stack, or one of its own.
 * @returns the exit code: 0 when nothing was found, and also when it had to be skipped, which the last line then says
 */
export async function fuzz(args: readonly string[]): Promise<number> {
  try {
    return await run(readFuzzOptions(args));
  } catch (error) {
    printError(error);
    return 1;
  }
}

async function run(options: FuzzOptions): Promise<number> {
  let python: string;
  try {
    python = await resolveJudge(process.env);
  } catch (error) {
    if (!(error instanceof JudgeUnavailable)) throw error;
    say(`SKIPPED: the outside judge of the contract did not run: ${error.message}`);
    return 0;
  }
  const target = await openTarget();
  try {
    const code = await judge(python, target, await makeOperation(target), options);
    say(code === 0 ? 'The outside judge of the contract found nothing.' : `The outside judge of the contract ended with code ${code}: see above.`);
    return code === 0 ? 0 : 1;
  } finally {
    await target.close();
  }
}

function judge(python: string, { baseUrl }: Target, operation: FuzzOperation, { count, seconds, seed }: FuzzOptions): Promise<number> {
  mkdirSync(WORK_FOLDER, { recursive: true });
  const folder = inRoot('dev', 'fuzz');
  const args = [
    '-m', 'schemathesis.cli', '--config-file', inRoot('dev', 'fuzz', 'schemathesis.toml'), 'run', `${baseUrl}/openapi.yaml`,
    '--max-examples', String(count), '--max-time', String(seconds), ...(seed === undefined ? [] : ['--seed', String(seed)]),
  ];
  const env = {
    ...process.env,
    PYTHONPATH: folder,
    PYTHONDONTWRITEBYTECODE: '1',
    SCHEMATHESIS_HOOKS: 'hooks',
    FUZZ_KEY_ID: operation.keyId,
    FUZZ_SECRET: operation.secret,
  };
  return new Promise((resolve, reject) => {
    const child = spawn(python, args, { cwd: WORK_FOLDER, env, stdio: ['ignore', 'inherit', 'inherit'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1_000 + GRACE_MS);
    onTermination(() => child.kill('SIGINT'));
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code ?? 1);
    });
  });
}
