// Runs the `gateway` command as a user would, against this stack.
import { execFile } from 'node:child_process';
import { inRoot } from '../bootstrap/root.mjs';

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/** Never throws: a command that cannot run has an exit code and a message like any other that fails. */
export function gatewayCommand(
  environment: Readonly<Record<string, string>>,
): (args: string[]) => Promise<CommandResult> {
  return (args) =>
    new Promise((resolve) => {
      execFile(
        process.execPath,
        [inRoot('dist', 'cli', 'main.js'), ...args],
        { env: { ...process.env, ...environment }, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES },
        (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
          resolve({ code, stdout, stderr: stderr || (error?.message ?? '') });
        },
      );
    });
}
