// `gateway staff break-glass`: an hour in which payments are decided here without a signature, while no one can sign.
import type { Command } from 'commander';
import { BREAK_GLASS_MINUTES } from '../../../domain/staff.js';
import { actorOf, notPermitted } from '../../actor.js';
import { answer, type CommandContext, type Registrar } from '../../context.js';
import { readReason } from '../../inputs/identifiers.js';
import { examples, personOption } from '../../options.js';
import { badInput } from '../../problem.js';

interface Options {
  readonly ticket: string;
  readonly reason: string;
  readonly as?: string;
}

export function registerBreakGlass(staff: Command, run: Registrar): void {
  staff
    .command('break-glass')
    .summary('Decide payments for an hour while nobody can sign')
    .description(
      'Begin a session of an hour, in place of yours, in which payments can be decided by this command although ' +
        'production asks for a passkey. For when the panel is away, or passkeys are lost.\n\n' +
        'Every admin is alerted at once, and the ticket is in the audit trail with everything that you do. The session is ' +
        'never the second person of a payment that needs two, and neither opens an access nor changes rules.',
    )
    .requiredOption('--ticket <id>', 'the incident, as your tracker names it')
    .requiredOption('--reason <text>', 'why it cannot wait')
    .addOption(personOption('who acts'))
    .addHelpText('after', examples('staff break-glass --ticket INC-4711 --reason "the panel is down since 14:00"'))
    .action(run(breakTheGlass));
}

async function breakTheGlass(context: CommandContext, options: Options) {
  const ticket = readTicket(options.ticket);
  const reason = readReason(options.reason);
  const path = await context.session.place();
  const { handle } = await actorOf(context, options.as);
  const { beginBreakGlass } = await import('../../../staff/acts/break-glass.js');
  const session = await context.withDatabase((database) => beginBreakGlass(database, { handle, ticket, reason }));
  if (session === null) throw notPermitted(handle, 'staff.break_glass');
  await context.session.keep(session.token);
  return answer({ handle, ticket, minutes: BREAK_GLASS_MINUTES, session_file: path });
}

function readTicket(text: string): string {
  const ticket = text.trim();
  if (!/^[\p{L}\p{N}][\p{L}\p{N}#/_.-]{0,63}$/u.test(ticket))
    throw badInput('--ticket', 'must be the id of an incident: up to 64 letters, digits, #, /, _, . or -');
  return ticket;
}
