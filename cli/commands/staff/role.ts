// `gateway staff role grant|revoke`: what a person may do.
import { Argument, type Command } from 'commander';
import { canHold, ROLES, type StaffRole } from '../../../domain/staff.js';
import type { RoleChange } from '../../../staff/acts/people.js';
import { actorOf } from '../../actor.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../../context.js';
import { assertOperation } from '../../inputs/existing.js';
import { readOperationFilter } from '../../inputs/identifiers.js';
import { examples, operationFilterOption, personOption } from '../../options.js';
import { badInput, refused } from '../../problem.js';
import { lastAdmin, noSuchPerson, notPermitted, withStaff } from './people.js';

const CHANGES = {
  grant: { summary: 'Give a person a role', changed: 'granted' },
  revoke: { summary: 'Take a role from a person', changed: 'revoked' },
} as const;

interface Options {
  readonly operation?: string;
  readonly as?: string;
}

export function registerRole(staff: Command, run: Registrar): void {
  const role = staff.command('role').description('Give and take roles');
  for (const name of ['grant', 'revoke'] as const) {
    const { summary, changed } = CHANGES[name];
    role
      .command(name)
      .summary(summary)
      .description(
        `${summary}, in one operation or in every one. If there is nothing to change, "${changed}" is false. ` +
          'Nobody gives a role to themselves. In production a second person approves that a role is given.',
      )
      .argument('<handle>', 'the person')
      .addArgument(new Argument('<role>', 'the role').choices(ROLES))
      .addOption(operationFilterOption())
      .addOption(personOption('who decides'))
      .addHelpText('after', examples(`staff role ${name} ben.lima reviewer --as ana.souza`))
      .action(
        run((context, handle: string, text: StaffRole, options: Options) =>
          change(context, name, handle, text, options),
        ),
      );
  }
}

async function change(
  context: CommandContext,
  name: keyof typeof CHANGES,
  handle: string,
  role: StaffRole,
  options: Options,
): Promise<Answer> {
  const operationId = readOperationFilter(options.operation);
  if (!canHold(role, operationId))
    throw badInput(
      '--operation',
      role === 'admin' ? 'an admin is one in every operation' : `the role ${role} needs its operation`,
    );
  const actor = await actorOf(context, options.as);
  const { giveRole, revokeRole } = await import('../../../staff/acts/people.js');
  const outcome = await withStaff(context, async (services) => {
    await assertOperation(services.database, operationId);
    const grant = { handle, role, operationId };
    return name === 'grant' ? giveRole(services, actor, grant) : revokeRole(services.database, actor, grant);
  });
  const shown = { handle, role, operation_id: operationId };
  const { changed } = CHANGES[name];
  if (outcome.kind === 'requested') return answer({ ...shown, [changed]: false, requests: [outcome.request] });
  return answer({ ...shown, [changed]: isChanged(handle, outcome) });
}

function isChanged(handle: string, outcome: RoleChange): boolean {
  switch (outcome.kind) {
    case 'changed':
      return true;
    case 'unchanged':
      return false;
    case 'own_role':
      throw refused(`${handle}: nobody gives a role to themselves; another admin must`);
    case 'last_admin':
      throw lastAdmin(handle);
    case 'no_such_person':
      throw noSuchPerson(handle);
    case 'not_permitted':
      throw notPermitted();
  }
}
