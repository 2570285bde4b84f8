// `gateway provider register-webhook`: tells the provider where callbacks go.
import type { Command } from 'commander';
import { ACCOUNT_HELP } from '../../inputs/provider-account.js';
import { type RegisteredWebhook, withoutQuery } from '../../../providers/account.js';
import { answer, type CommandContext, type Registrar } from '../../context.js';
import { examples } from '../../options.js';
import { badInput, refused } from '../../problem.js';
import { type EdgeOptions, edgeOptions, webhookOrder } from './edge.js';
import { withSlot } from './slot.js';

interface Options extends EdgeOptions {
  readonly dryRun: boolean;
}

export function registerWebhook(provider: Command, run: Registrar): void {
  const command = provider
    .command('register-webhook')
    .summary('Tell the provider where callbacks go')
    .description(
      'Register the address of callbacks at the provider. PROVIDER_<SLOT>_CALLBACK_SECRET, as the ingress has it, goes ' +
        'into it where the dialect proves callbacks by a text; it is not printed. What is registered already stays.\n\n' +
        'Efí tries the address at once: the ingress must answer there.',
    )
    .argument('<slot>', ACCOUNT_HELP)
    .option('--dry-run', 'print what would be registered, and register nothing', false);
  for (const option of edgeOptions('the provider reaches it')) command.addOption(option);
  command
    .addHelpText('after', examples('provider register-webhook a --edge https://edge.example:8443 --dry-run'))
    .action(run(register));
}

async function register(context: CommandContext, text: string, options: Options) {
  const { edge } = options;
  if (edge === undefined) throw badInput('--edge', 'is required: where the edge takes callbacks');
  const order = await webhookOrder(context, text, { ...options, edge });
  return withSlot(context, text, async ({ name, account, settings }) => {
    const wanted = account.webhooksFor(order);
    if (wanted.length === 0) throw refused(`${settings.dialect}: callbacks are not registered by a call here`);
    const known = await account.readWebhooks();
    if (known.kind === 'unknown')
      throw refused(`what is registered is not told (${known.reason}); nothing was changed`);
    const registered = known.kind === 'webhooks' ? known.webhooks : [];
    const missing = wanted.filter((one) => !registered.some((other) => isSame(one, other)));
    if (!options.dryRun)
      for (const webhook of missing) {
        const outcome = await account.registerWebhook(webhook, order);
        if (outcome.kind !== 'registered')
          throw refused(
            `${shown(webhook)}: not registered (${outcome.kind === 'not_told' ? 'no call' : outcome.reason})`,
          );
      }
    return answer({
      slot: name,
      dry_run: options.dryRun,
      kept: wanted.length - missing.length,
      registered: missing.map((webhook) => ({ event: webhook.event, url: withoutQuery(webhook.url) })),
      before: registered.map(({ event, url }) => ({ event, url: withoutQuery(url) })),
    });
  });
}

function isSame(one: RegisteredWebhook, other: RegisteredWebhook): boolean {
  return one.event === other.event && one.url === other.url;
}

function shown({ event, url }: RegisteredWebhook): string {
  return event ?? withoutQuery(url);
}
