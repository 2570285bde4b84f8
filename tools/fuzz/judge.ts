// Schemathesis, in a virtual environment of its own beside the other cached tools: pinned, every package with its hash.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import { step } from '../bootstrap/progress.mjs';
import { inRoot } from '../bootstrap/root.mjs';
import { lastLines, runCommand } from '../bootstrap/run-command.mjs';
import { cachedTool } from '../bootstrap/tool-cache.mjs';
import { type Environment, findOnPath, isExecutable } from '../bootstrap/programs.mjs';

const REQUIREMENTS = inRoot('tools', 'fuzz', 'requirements.txt');
const INSTALL_TIMEOUT_MS = 10 * 60_000;
const VERSION_TIMEOUT_MS = 20_000;

/** It cannot be had on this machine: a reason to skip, and to say so; a wrong hash is none. */
export class JudgeUnavailable extends Error {
  override readonly name = 'JudgeUnavailable';
}

/** The Python that has it. Throws {@link JudgeUnavailable} without python3 or its packages. */
export async function resolveJudge(environment: Environment): Promise<string> {
  const python = findOnPath('python3', environment);
  if (python === undefined) throw new JudgeUnavailable('there is no python3 on PATH');
  await requireVersion(python);
  const version = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  const executable = join('venv', 'bin', 'python');
  const tool = await cachedTool(
    { name: 'schemathesis', version, executable, make: (folder) => install(python, folder), runs: isExecutable },
    environment,
  );
  return tool.path;
}

async function requireVersion(python: string): Promise<void> {
  const program = 'import sys; sys.exit(0 if sys.version_info >= (3, 10) else 1)';
  const { code } = await runCommand(python, ['-c', program], {
    logFile: inRoot('var', 'logs', 'build-python.log'),
    timeoutMs: VERSION_TIMEOUT_MS,
  });
  if (code !== 0) throw new JudgeUnavailable(`${python} is older than 3.10`);
}

async function install(python: string, folder: string): Promise<string> {
  const log = (name: string) => ({
    logFile: inRoot('var', 'logs', `build-${name}.log`),
    timeoutMs: INSTALL_TIMEOUT_MS,
  });
  const venv = join(folder, 'venv');
  const made = await runCommand(python, ['-m', 'venv', venv], log('venv'));
  if (made.code !== 0)
    throw new JudgeUnavailable(`python3 cannot make a virtual environment:\n${lastLines(made.output, 3)}`);
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-input',
    '--disable-pip-version-check',
    '--require-hashes',
    '--only-binary',
    ':all:',
    '-r',
    REQUIREMENTS,
  ];
  const { code, output } = await step('installing Schemathesis (once)', () =>
    runCommand(join(venv, 'bin', 'python'), pip, log('schemathesis')),
  );
  if (/DO NOT MATCH THE HASHES/.test(output))
    throw new Failure('A Python package is not what tools/fuzz/requirements.txt says.', log('schemathesis').logFile);
  if (code !== 0) throw new JudgeUnavailable(`its Python packages cannot be installed:\n${lastLines(output, 3)}`);
  return 'PyPI, tools/fuzz/requirements.txt';
}
