// Logs of the stack's processes: each start writes new ones and keeps those of the last start.
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const PREVIOUS = '.previous.log';

export function setAsideLastLogs(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (name.startsWith('build-') || name.endsWith(PREVIOUS) || !name.endsWith('.log')) continue;
    renameSync(join(folder, name), join(folder, name.replace(/\.log$/, PREVIOUS)));
  }
}
