// `gateway rules`: an operation's rule set, and the changes that two people approve.
import type { Command } from 'commander';
import type { Registrar } from '../../context.js';
import { registerChanges } from './changes.js';
import { registerSet } from './set.js';
import { registerShow } from './show.js';

export function registerRules(program: Command, run: Registrar): void {
  const rules = program.command('rules').description('Manage rule sets');
  registerSet(rules, run);
  registerShow(rules, run);
  registerChanges(rules, run);
}
