// `gateway reconcile`: closed days, and a provider's references.
import type { Command } from 'commander';
import type { Registrar } from '../../context.js';
import { registerClose, registerShow } from './days.js';
import { registerReferences } from './references.js';
import { registerVerify } from './verify.js';

export function registerReconcile(program: Command, run: Registrar): void {
  const reconcile = program.command('reconcile').description('Show, verify and close days');
  registerShow(reconcile, run);
  registerVerify(reconcile, run);
  registerClose(reconcile, run);
  registerReferences(reconcile, run);
}
