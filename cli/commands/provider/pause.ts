// `gateway provider pause|resume|pauses`: stopping what goes to a provider, and letting it go again.
import type { Command } from 'commander';
import { actorOf, changeServices, notPermitted } from '../../actor.js';
import { changeOf } from '../../change.js';
import { answer, type CommandContext, type Registrar } from '../../context.js';
import { readGivenReason } from '../../inputs/identifiers.js';
import { ACCOUNT_HELP, readAccount } from '../../inputs/provider-account.js';
import { examples, personOption, reasonOption } from '../../options.js';

export function registerPause(provider: Command, run: Registrar): void {
  provider
    .command('pause')
    .summary('Pause a slot: no charge is created and nothing is sent there')
    .description(
      'Pause a slot at once, for every operation, also for those with an account of their own there; or pause one such ' +
        'account. New deposits through it are answered 503, approved withdrawals ' +
        'wait. What was charged or sent goes on: payments are looked up, called back and returned.',
    )
    .argument('<slot>', ACCOUNT_HELP)
    .addOption(reasonOption().makeOptionMandatory())
    .addOption(personOption('who pauses it'))
    .addHelpText('after', examples('provider pause a --reason "the bank reports an incident"'))
    .action(run(pauseSlot));
  provider
    .command('resume')
    .summary('Resume a paused slot')
    .description(
      'Let charges and payouts go to a paused slot again. Withdrawals that waited for it are checked at once.\n\n' +
        'In production this creates a request that a second person approves with "gateway request approve".',
    )
    .argument('<slot>', ACCOUNT_HELP)
    .addOption(personOption('who resumes it'))
    .addHelpText('after', examples('provider resume a'))
    .action(run(resumeSlot));
  provider
    .command('pauses')
    .description('List the slots that are paused, with who paused them, when and why')
    .addHelpText('after', examples('provider pauses'))
    .action(run(listPauses));
}

async function pauseSlot(context: CommandContext, text: string, options: { reason: string; as?: string }) {
  const provider = readAccount('SLOT', text);
  const reason = readGivenReason(options.reason);
  const actor = await actorOf(context, options.as);
  const { pause } = await import('../../../staff/acts/stops.js');
  const paused = await context.withDatabase(async (database) =>
    pause(await changeServices(context, database), actor, { provider, reason }),
  );
  if (paused.kind === 'not_permitted') throw notPermitted(actor.handle, 'provider.pause');
  return answer({ provider, provider_status: 'paused' });
}

async function resumeSlot(context: CommandContext, text: string, options: { as?: string }) {
  const provider = readAccount('SLOT', text);
  const order = { kind: 'provider_resume', operationId: null, payload: { provider } } as const;
  const changed = await changeOf(context, options.as, order);
  return changed.kind === 'requested'
    ? answer({ provider, provider_status: 'paused', requests: [changed.request] })
    : answer({ provider, provider_status: 'active' });
}

async function listPauses(context: CommandContext) {
  const { readPauses } = await import('../../../store/operations/provider-pauses.js');
  const pauses = await context.withDatabase((database) => readPauses(database));
  return answer({
    pauses: pauses.map(({ provider, pausedAt, pausedBy, reason }) => ({
      provider,
      paused_at: pausedAt,
      paused_by: pausedBy,
      reason,
    })),
  });
}
