// Finding programs: named in the environment, on PATH, and whether one that was found can be used.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A program that was found, and where it came from (said to the user). */
export interface Tool {
  readonly path: string;
  readonly origin: string;
}

const CHECK_TIMEOUT_MS = 20_000;

/** The first executable file of that name on PATH. */
export function findOnPath(name: string, environment: Environment): string | undefined {
  return (environment['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Runs a short command and gives its output; undefined when it fails or does not end in time. */
export function outputOf(
  command: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; uid?: number; gid?: number } = {},
): string | undefined {
  const { uid, gid, env } = options;
  const result = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: CHECK_TIMEOUT_MS,
    cwd: '/',
    ...(env === undefined ? {} : { env }),
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  });
  return result.status === 0 ? result.stdout : undefined;
}
