// Where a stack keeps everything: below one folder, var/ for `npm start`.
import { join } from 'node:path';
import { inRoot } from '../bootstrap/root.mjs';

export type StackPaths = ReturnType<typeof pathsBelow>;

export function pathsBelow(folder: string) {
  const logs = join(folder, 'logs');
  return {
    folder,
    logs,
    /** The log of one of the stack's processes. */
    logFileOf: (name: string): string => join(logs, `${name}.log`),
    lock: join(folder, 'stack.lock'),
    processes: join(folder, 'processes.json'),
    secrets: join(folder, 'secrets.json'),
    sandbox: join(folder, 'sandbox.json'),
    sampleDay: join(folder, 'sample-day.json'),
    stack: join(folder, 'stack.json'),
    postgres: join(folder, 'postgres'),
    temporalDatabase: join(folder, 'temporal', 'temporal.db'),
    auditSeals: join(folder, 'audit-seals'),
    simulator: join(folder, 'simulator'),
    demoOperator: join(folder, 'demo-operator'),
  } as const;
}

/** `npm start`'s. */
export const PATHS = pathsBelow(inRoot('var'));
