// `gateway staff create|list|code|disable|forget-passkeys`: people, their sign-in codes and their passkeys.
import type { Command } from 'commander';
import { isHandle } from '../../../domain/staff.js';
import { actorOf } from '../../actor.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../../context.js';
import { listed } from '../../limits.js';
import { examples, limitOption, personOption } from '../../options.js';
import { badInput, refused } from '../../problem.js';

export function registerPeople(staff: Command, run: Registrar): void {
  registerCreate(staff, run);
  registerList(staff, run);
  registerCode(staff, run);
  registerDisable(staff, run);
  registerForgetPasskeys(staff, run);
}

interface CreateOptions {
  readonly firstAdmin: boolean;
  readonly as?: string;
}

function registerCreate(staff: Command, run: Registrar): void {
  staff
    .command('create')
    .summary('Create a person')
    .description(
      'Create a person without roles and print a code that signs them in once, within 15 minutes. Hand it to nobody ' +
        'else.\n\n' +
        'The handle never changes and is what operators see. It cannot look like the handle of somebody else.',
    )
    .argument('<handle>', 'the person’s handle: 2 to 32 small letters, digits, dots, underscores or hyphens')
    .option('--first-admin', 'make this person the first admin; only while there is none', false)
    .addOption(personOption('who creates the person'))
    .addHelpText('after', examples('staff create ana.souza --first-admin', 'staff create ben.lima --as ana.souza'))
    .action(run(create));
}

async function create(context: CommandContext, text: string, options: CreateOptions): Promise<Answer> {
  const handle = readHandle(text);
  const created = await (options.firstAdmin
    ? createFirst(context, handle)
    : createAnother(context, handle, options.as));
  switch (created.kind) {
    case 'created':
      return answer({ handle, code: created.code, expires_at: created.expiresAt });
    case 'exists':
      throw refused(`${handle}: ${created.handle} is a person already, and the two names are one`);
    case 'admin_exists':
      throw refused('there is an admin already, who creates the others');
    case 'not_permitted':
      throw notPermitted();
  }
}

async function createFirst({ withDatabase }: CommandContext, handle: string) {
  const { createFirstAdmin } = await import('../../../store/staff/roster.js');
  return withDatabase((database) => createFirstAdmin(database, handle));
}

async function createAnother(context: CommandContext, handle: string, name: string | undefined) {
  const actor = await actorOf(context, name);
  const { addPerson } = await import('../../../staff/acts/people.js');
  return context.withDatabase((database) => addPerson(database, actor, handle));
}

function registerList(staff: Command, run: Registrar): void {
  staff
    .command('list')
    .summary('List people and their roles')
    .description('List people by handle, with their roles: `role` in every operation, `role@operation` in one.')
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('staff list'))
    .action(
      run(async (context, { limit }: { limit: number }) => {
        const { listStaff } = await import('../../../store/staff/roster.js');
        const rows = await context.withDatabase((database) => listStaff(database, limit + 1));
        return answer({ staff: listed(context, 'people', rows, limit) });
      }),
    );
}

function registerCode(staff: Command, run: Registrar): void {
  staff
    .command('code')
    .summary('Print a new sign-in code for a person')
    .description('Print a code that signs a person in once, within 15 minutes. Codes that were given before are void.')
    .argument('<handle>', 'the person')
    .addOption(personOption('who asks for it'))
    .addHelpText('after', examples('staff code ben.lima --as ana.souza'))
    .action(
      run(async (context, handle: string, options: { as?: string }) => {
        const actor = await actorOf(context, options.as);
        const { newSignInCode } = await import('../../../staff/acts/people.js');
        const issued = await context.withDatabase((database) => newSignInCode(database, actor, handle));
        switch (issued.kind) {
          case 'issued':
            return answer({ handle, code: issued.code, expires_at: issued.expiresAt });
          case 'no_such_person':
            throw noSuchPerson(handle);
          case 'not_permitted':
            throw notPermitted();
        }
      }),
    );
}

function registerDisable(staff: Command, run: Registrar): void {
  staff
    .command('disable')
    .summary('Disable a person at once')
    .description('Disable a person: their sessions end, and acts of theirs that are not done yet never will be.')
    .argument('<handle>', 'the person')
    .addOption(personOption('who disables the person'))
    .addHelpText('after', examples('staff disable ben.lima --as ana.souza'))
    .action(
      run(async (context, handle: string, options: { as?: string }) => {
        const actor = await actorOf(context, options.as);
        const { disable } = await import('../../../staff/acts/people.js');
        const disabled = await context.withDatabase((database) => disable(database, actor, handle));
        switch (disabled.kind) {
          case 'disabled':
            return answer({ handle, disabled_at: disabled.at });
          case 'last_admin':
            throw lastAdmin(handle);
          case 'no_such_person':
            throw noSuchPerson(handle);
          case 'not_permitted':
            throw notPermitted();
        }
      }),
    );
}

function registerForgetPasskeys(staff: Command, run: Registrar): void {
  staff
    .command('forget-passkeys')
    .summary('Remove the passkeys of a person who lost a device')
    .description(
      'Remove all passkeys of a person, end their sessions, and print a code with which they make another passkey in ' +
        'the panel, within 15 minutes. Hand it to nobody else. It is in the audit trail.',
    )
    .argument('<handle>', 'the person')
    .addOption(personOption('who removes them'))
    .addHelpText('after', examples('staff forget-passkeys ben.lima --as ana.souza'))
    .action(
      run(async (context, handle: string, options: { as?: string }) => {
        const actor = await actorOf(context, options.as);
        const { forgetPasskeys } = await import('../../../staff/acts/people.js');
        const forgotten = await context.withDatabase((database) => forgetPasskeys(database, actor, handle));
        switch (forgotten.kind) {
          case 'forgotten':
            return answer({
              handle,
              removed: forgotten.removed,
              code: forgotten.code,
              expires_at: forgotten.expiresAt,
            });
          case 'own_passkeys':
            throw refused(`${handle}: nobody removes all of their own; another admin must`);
          case 'no_such_person':
            throw noSuchPerson(handle);
          case 'not_permitted':
            throw notPermitted();
        }
      }),
    );
}

function readHandle(text: string): string {
  if (!isHandle(text))
    throw badInput('HANDLE', 'must be 2 to 32 small letters, digits, dots, underscores or hyphens, a letter first');
  return text;
}

export function noSuchPerson(handle: string) {
  return refused(`${handle}: there is no such person, or they are disabled`);
}

export function notPermitted() {
  return refused('only an admin manages the staff');
}

export function lastAdmin(handle: string) {
  return refused(`${handle}: is the last admin`);
}
