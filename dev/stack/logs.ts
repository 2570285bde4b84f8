// Logs of the stack's processes: each start writes new ones and keeps the last start's beside them.
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { PATHS } from './paths.js';

const PREVIOUS = '.previous.log';

export function setAsideLastLogs(): void {
  if (!existsSync(PATHS.logs)) return;
  for (const name of readdirSync(PATHS.logs)) {
    if (name.startsWith('build-') || name.endsWith(PREVIOUS) || !name.endsWith('.log')) continue;
    renameSync(join(PATHS.logs, name), join(PATHS.logs, name.replace(/\.log$/, PREVIOUS)));
  }
}
