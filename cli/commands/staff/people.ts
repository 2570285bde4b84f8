// `gateway staff create|list|code|disable|enable|forget-passkeys`: people, their sign-in codes and their passkeys.
import type { Command } from 'commander';
import { isHandle } from '../../../domain/staff.js';
import type { StaffServices } from '../../../staff/acts/people.js';
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
  registerEnable(staff, run);
  registerForgetPasskeys(staff, run);
}

interface CreateOptions {
  readonly firstAdmin: boolean;
  readonly secondAdmin?: string;
  readonly as?: string;
}

function registerCreate(staff: Command, run: Registrar): void {
  staff
    .command('create')
    .summary('Create a person')
    .description(
      'Create a person without roles and print a code, good once and for 15 minutes: in a sandbox it signs them in, in ' +
        'production it makes their first passkey, which a third person confirms. In production a second person ' +
        'approves it in the panel; then the same command creates the person.\n\n' +
        'The handle never changes and is what operators see. It cannot look like the handle of somebody else.',
    )
    .argument('<handle>', 'the person’s handle: 2 to 32 small letters, digits, dots, underscores or hyphens')
    .option('--first-admin', 'make this person the first admin; once, when the gateway is installed', false)
    .option('--second-admin <handle>', 'with --first-admin: the other one, whom production asks for')
    .addOption(personOption('who creates the person'))
    .addHelpText(
      'after',
      examples('staff create ana.souza --first-admin --second-admin eva.reis', 'staff create ben.lima --as ana.souza'),
    )
    .action(run(create));
}

async function create(context: CommandContext, text: string, options: CreateOptions): Promise<Answer> {
  const handle = readHandle(text);
  if (options.firstAdmin) return createFirst(context, handle, options.secondAdmin);
  if (options.secondAdmin !== undefined) throw badInput('--second-admin', 'goes with --first-admin');
  const actor = await actorOf(context, options.as);
  const { addPerson } = await import('../../../staff/acts/people.js');
  const created = await withStaff(context, (services) => addPerson(services, actor, handle));
  switch (created.kind) {
    case 'created':
      return answer({ handle, code: created.code, expires_at: created.expiresAt });
    case 'requested':
      return answer({ handle, code: null, requests: [created.request] });
    case 'exists':
      throw isThere(handle, created.handle);
    case 'not_permitted':
      throw notPermitted();
  }
}

/** The ceremony of the installation: says what it has done, and is done once. */
async function createFirst(context: CommandContext, handle: string, second: string | undefined): Promise<Answer> {
  const [{ createFirstAdmins }, { staffEnvironment }] = await Promise.all([
    import('../../../store/staff/roster.js'),
    import('../../../store/staff/policy.js'),
  ]);
  const others = second === undefined ? [] : [readHandle(second)];
  const { created, environment } = await withStaff(context, async ({ database, deployment }) => {
    const managed = await staffEnvironment(database, deployment);
    if (managed === 'production' && others.length === 0)
      throw badInput(
        '--second-admin',
        'must name the second admin: in production one alone can give nothing to anybody',
      );
    const purpose = managed === 'production' ? 'enrolment' : 'sign_in';
    return { created: await createFirstAdmins(database, [handle, ...others], purpose), environment: managed };
  });
  switch (created.kind) {
    case 'created': {
      const [first, other] = created.people.map(({ code, expiresAt, ...person }) => ({
        ...person,
        code,
        expires_at: expiresAt,
      }));
      const did = created.people.map((person) => `created ${person.handle}, with the role admin in every operation`);
      const what = environment === 'production' ? 'makes a first passkey' : 'signs in';
      did.push(`gave a code that ${what}, once, to each: hand it to nobody else`);
      return answer({ ...first, ...(other === undefined ? {} : { second_admin: other }), did });
    }
    case 'exists':
      throw isThere(handle, created.handle);
    case 'admin_exists':
      throw refused('there is an admin already, who creates the others');
  }
}

function isThere(handle: string, known: string) {
  return refused(`${handle}: ${known} is a person already, and the two names are one`);
}

/** With what managing people needs, in addition to the person who does it. */
export async function withStaff<Result>(
  { environment, withDatabase }: CommandContext,
  work: (services: StaffServices) => Promise<Result>,
): Promise<Result> {
  const { readStaffConfig } = await import('../../../platform/config/cli.js');
  const { environment: deployment } = readStaffConfig(environment);
  return withDatabase((database) => work({ database, deployment }));
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
    .description(
      'Print a code, good once and for 15 minutes: in a sandbox it signs a person in, in production it makes their ' +
        'first passkey. Codes that were given before are void. In production a second person approves it first.',
    )
    .argument('<handle>', 'the person')
    .addOption(personOption('who asks for it'))
    .addHelpText('after', examples('staff code ben.lima --as ana.souza'))
    .action(
      run(async (context, handle: string, options: { as?: string }) => {
        const actor = await actorOf(context, options.as);
        const { newSignInCode } = await import('../../../staff/acts/people.js');
        const issued = await withStaff(context, (services) => newSignInCode(services, actor, handle));
        switch (issued.kind) {
          case 'issued':
            return answer({ handle, code: issued.code, expires_at: issued.expiresAt });
          case 'requested':
            return answer({ handle, code: null, requests: [issued.request] });
          case 'has_passkey':
            throw refused(`${handle}: signs in with a passkey; one who lost it needs "staff forget-passkeys"`);
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

function registerEnable(staff: Command, run: Registrar): void {
  staff
    .command('enable')
    .summary('Let a disabled person in again')
    .description(
      'Let a disabled person in again, with the roles and passkeys that they had. In production a second person ' +
        'approves it first.',
    )
    .argument('<handle>', 'the person')
    .addOption(personOption('who enables the person'))
    .addHelpText('after', examples('staff enable ben.lima --as ana.souza'))
    .action(
      run(async (context, handle: string, options: { as?: string }) => {
        const actor = await actorOf(context, options.as);
        const { enable } = await import('../../../staff/acts/people.js');
        const enabled = await withStaff(context, (services) => enable(services, actor, handle));
        switch (enabled.kind) {
          case 'changed':
          case 'unchanged':
            return answer({ handle, enabled: enabled.kind === 'changed' });
          case 'requested':
            return answer({ handle, enabled: false, requests: [enabled.request] });
          case 'no_such_person':
            throw refused(`${handle}: there is no such person`);
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
        'the panel, within 15 minutes. Hand it to nobody else. It is in the audit trail. In production a second person ' +
        'approves it first.',
    )
    .argument('<handle>', 'the person')
    .addOption(personOption('who removes them'))
    .addHelpText('after', examples('staff forget-passkeys ben.lima --as ana.souza'))
    .action(
      run(async (context, handle: string, options: { as?: string }) => {
        const actor = await actorOf(context, options.as);
        const { forgetPasskeys } = await import('../../../staff/acts/people.js');
        const forgotten = await withStaff(context, (services) => forgetPasskeys(services, actor, handle));
        switch (forgotten.kind) {
          case 'requested':
            return answer({ handle, removed: 0, code: null, requests: [forgotten.request] });
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
