// Python programs that judge the product, each in an own virtual environment next to the other cached tools:
// pinned, every package with its hash.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../tools/bootstrap/failure.mjs';
import { step } from '../../tools/bootstrap/progress.mjs';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import { lastLines, runCommand } from '../../tools/bootstrap/run-command.mjs';
import { cachedTool } from '../../tools/bootstrap/tool-cache.mjs';
import { type Environment, findOnPath, isExecutable } from '../../tools/bootstrap/programs.mjs';

export interface PythonPackages {
  readonly name: string;
  /** The pinned requirements, from the project's root. */
  readonly requirements: string;
}

const INSTALL_TIMEOUT_MS = 10 * 60_000;
const VERSION_TIMEOUT_MS = 20_000;

/** It cannot be had on this machine: a reason to skip, and to say so; a wrong hash is none. */
export class PythonUnavailable extends Error {
  override readonly name = 'PythonUnavailable';
}

/** The Python that has them. Throws {@link PythonUnavailable} without python3 or the packages. */
export async function resolvePython(packages: PythonPackages, environment: Environment): Promise<string> {
  const python = findOnPath('python3', environment);
  if (python === undefined) throw new PythonUnavailable('there is no python3 on PATH');
  await requireVersion(python);
  const requirements = readFileSync(inRoot(packages.requirements));
  const version = createHash('sha256').update(requirements).digest('hex').slice(0, 12);
  const executable = join('venv', 'bin', 'python');
  const make = (folder: string) => install(python, folder, packages);
  const tool = await cachedTool({ name: packages.name, version, executable, make, runs: isExecutable }, environment);
  return tool.path;
}

async function requireVersion(python: string): Promise<void> {
  const program = 'import sys; sys.exit(0 if sys.version_info >= (3, 10) else 1)';
  const { code } = await runCommand(python, ['-c', program], {
    logFile: inRoot('var', 'logs', 'build-python.log'),
    timeoutMs: VERSION_TIMEOUT_MS,
  });
  if (code !== 0) throw new PythonUnavailable(`${python} is older than 3.10`);
}

async function install(python: string, folder: string, { name, requirements }: PythonPackages): Promise<string> {
  const log = (of: string) => ({ logFile: inRoot('var', 'logs', `build-${of}.log`), timeoutMs: INSTALL_TIMEOUT_MS });
  const venv = join(folder, 'venv');
  const made = await runCommand(python, ['-m', 'venv', venv], log(`${name}-venv`));
  if (made.code !== 0)
    throw new PythonUnavailable(`python3 cannot make a virtual environment:\n${lastLines(made.output, 3)}`);
  const pip = [
    ...['-m', 'pip', 'install', '--quiet', '--no-input', '--disable-pip-version-check'],
    ...['--require-hashes', '--only-binary', ':all:', '-r', inRoot(requirements)],
  ];
  const { code, output } = await step(`installing ${name} (once)`, () =>
    runCommand(join(venv, 'bin', 'python'), pip, log(name)),
  );
  if (/DO NOT MATCH THE HASHES/.test(output))
    throw new Failure(`A Python package is not what ${requirements} says.`, log(name).logFile);
  if (code !== 0) throw new PythonUnavailable(`its Python packages cannot be installed:\n${lastLines(output, 3)}`);
  return `PyPI, ${requirements}`;
}
