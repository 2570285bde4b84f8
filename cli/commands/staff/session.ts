// `gateway staff login|logout|whoami`: the session of the person who runs the commands.
import type { Command } from 'commander';
import { actorOf } from '../../actor.js';
import { answer, type CommandContext, type Registrar } from '../../context.js';
import { examples } from '../../options.js';
import { codeAsArgument } from '../../elsewhere.js';
import { refused } from '../../problem.js';
import { withStaff } from './people.js';

export function registerSession(staff: Command, run: Registrar): void {
  staff
    .command('login')
    .summary('Sign in with a code')
    .description(
      'Sign in with a code: in production one that you make in the panel, beside your passkeys, and sign; in a sandbox ' +
        'also one of "gateway staff create" or "staff code". The command asks for it, or takes the first line of ' +
        'standard input. The session is kept in a file that only you ' +
        'can read. It ends after 30 minutes without a command, and after 10 hours.',
    )
    .argument('[code]', 'the code, in a sandbox; production refuses it here, where every process list shows it')
    .addHelpText('after', examples('staff login'))
    .action(run(login));
  staff
    .command('logout')
    .description('End the session')
    .addHelpText('after', examples('staff logout'))
    .action(run(logout));
  staff
    .command('whoami')
    .summary('Print who you are to the gateway')
    .description('Print who you are to the gateway, and how it knows.')
    .addHelpText('after', examples('staff whoami'))
    .action(
      run(async (context: CommandContext) => {
        const { handle, means } = await actorOf(context, undefined);
        return answer({ handle, means });
      }),
    );
}

async function login(context: CommandContext, argument: string | undefined) {
  const path = await context.session.place();
  const { beginSession } = await import('../../../store/staff/sessions.js');
  const { staffEnvironment } = await import('../../../store/staff/policy.js');
  const { session, environment } = await withStaff(context, async ({ database, deployment }) => {
    const managed = await staffEnvironment(database, deployment);
    // A code that somebody else gave is none of the person's.
    if (managed === 'production' && argument !== undefined) throw codeAsArgument();
    const code = argument ?? (await context.readCode());
    const purposes = managed === 'production' ? (['command'] as const) : (['sign_in', 'command'] as const);
    return { session: await beginSession(database, code, 'command_line', purposes), environment: managed };
  });
  if (session === null)
    throw refused(
      environment === 'production'
        ? 'the code is unknown, used or too old, or not yours; make one in the panel, beside your passkeys'
        : 'the code is unknown, used or too old; an admin prints another with "staff code"',
    );
  await context.session.keep(session.token);
  return answer({ handle: session.handle, session_file: path });
}

async function logout(context: CommandContext) {
  const token = await context.session.read();
  if (token === null) throw refused('nobody is signed in here');
  const { actorOfSession, endSession } = await import('../../../store/staff/sessions.js');
  await context.withDatabase(async (database) => {
    const actor = await actorOfSession(database, token);
    if (actor?.sessionId != null) await endSession(database, actor.handle, actor.sessionId);
  });
  await context.session.forget();
  return answer({ signed_in: false });
}
