// `gateway staff`: the people who may act, their roles, and the session of the person who runs the command.
import type { Command } from 'commander';
import type { Registrar } from '../../context.js';
import { registerBreakGlass } from './break-glass.js';
import { registerLinks } from './links.js';
import { registerOidc } from './oidc.js';
import { registerPeople } from './people.js';
import { registerRole } from './role.js';
import { registerSession } from './session.js';

export function registerStaff(program: Command, run: Registrar): void {
  const staff = program.command('staff').description('Manage the people who may act, and sign in');
  registerPeople(staff, run);
  registerLinks(staff, run);
  registerRole(staff, run);
  registerOidc(staff, run);
  registerSession(staff, run);
  registerBreakGlass(staff, run);
}
