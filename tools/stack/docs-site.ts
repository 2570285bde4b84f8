// The documentation site of `npm start`: built while the stack already runs, unless nothing has changed. Until then the
// api answers /docs with the API reference alone.
import { spawn } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { inRoot } from '../bootstrap/root.mjs';

/** Starts the build at the lowest priority. It ends by itself, or with this process; its output is in var/logs. */
export function buildDocsBeside(): void {
  const log = inRoot('var', 'logs', 'build-docs.log');
  mkdirSync(dirname(log), { recursive: true });
  const output = openSync(log, 'w');
  const program = inRoot('dist', 'tools', 'docs', 'site', 'main.js');
  const child = spawn(process.execPath, [program], { cwd: inRoot(), stdio: ['ignore', output, output] });
  // Without it the reference is still there: a stack that runs is worth more than its documentation.
  child.on('error', () => undefined);
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  child.unref();
  process.once('exit', () => child.kill());
}
