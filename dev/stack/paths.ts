// Where the embedded stack keeps everything: all of it under var/.
import { inRoot } from '../bootstrap/root.mjs';

const inVar = (...parts: string[]): string => inRoot('var', ...parts);

export const PATHS = {
  folder: inVar(),
  logs: inVar('logs'),
  lock: inVar('stack.lock'),
  processes: inVar('processes.json'),
  secrets: inVar('secrets.json'),
  sandbox: inVar('sandbox.json'),
  stack: inVar('stack.json'),
  postgres: inVar('postgres'),
  temporalDatabase: inVar('temporal', 'temporal.db'),
  simulator: inVar('simulator'),
  demoOperator: inVar('demo-operator'),
} as const;

/** The log of one of the stack's processes. */
export function logFileOf(name: string): string {
  return inVar('logs', `${name}.log`);
}
