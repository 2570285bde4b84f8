// `gateway provider register-webhook`: registers the address for callbacks at the provider.
import type { Command } from 'commander';
import { ACCOUNT_HELP } from '../../inputs/provider-account.js';
import {
  type KnownWebhook,
  type ProviderAccount,
  type RegisteredWebhook,
  type WebhookOrder,
  withoutQuery,
} from '../../../providers/dialect-entry.js';
import { answer, type CommandContext, type Registrar } from '../../context.js';
import { examples } from '../../options.js';
import { badInput, refused } from '../../problem.js';
import { type EdgeOptions, edgeOptions, webhookOrder } from './edge.js';
import { withSlot } from './slot.js';

interface Options extends EdgeOptions {
  readonly dryRun: boolean;
  readonly replace: boolean;
}

export function registerWebhook(provider: Command, run: Registrar): void {
  const command = provider
    .command('register-webhook')
    .summary('Tell the provider where callbacks go')
    .description(
      'Register the address of callbacks at the provider. PROVIDER_<SLOT>_CALLBACK_SECRET, as the ingress has it, goes ' +
        'into it where the dialect proves callbacks by a text; it is not printed. What is registered already stays, ' +
        'with the secret of its time: after a new one use --replace.\n\n' +
        'Efí tries the address at once: the ingress must answer there.',
    )
    .argument('<slot>', ACCOUNT_HELP)
    .option('--replace', 'register all of them anew, then remove those that they replace', false)
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
    const before = await registeredAt(account);
    const isWanted = (one: RegisteredWebhook) => wanted.some((other) => isSame(one, other));
    const missing = wanted.filter((one) => options.replace || !before.some((other) => isSame(one, other)));
    const replaced = options.replace ? before.filter((one) => one.id !== null && isWanted(one)) : [];
    if (!options.dryRun) {
      await registerAll(account, missing, order);
      // Removed only now: until then both addresses get every event, so none is lost.
      await removeAll(account, replaced);
    }
    return answer({
      slot: name,
      dry_run: options.dryRun,
      kept: wanted.length - missing.length,
      registered: missing.map(shownWhole),
      removed: replaced.map(shownWhole),
      before: before.map(shownWhole),
    });
  });
}

async function registeredAt(account: ProviderAccount): Promise<readonly KnownWebhook[]> {
  const known = await account.readWebhooks();
  if (known.kind === 'unknown')
    throw refused(`the registered webhooks are unknown (${known.reason}); nothing was changed`);
  return known.kind === 'webhooks' ? known.webhooks : [];
}

async function registerAll(
  account: ProviderAccount,
  webhooks: readonly RegisteredWebhook[],
  order: WebhookOrder,
): Promise<void> {
  for (const webhook of webhooks) {
    const outcome = await account.registerWebhook(webhook, order);
    if (outcome.kind !== 'registered')
      throw refused(
        `${shown(webhook)}: not registered (${outcome.kind === 'unsupported' ? 'no call' : outcome.reason})`,
      );
  }
}

async function removeAll(account: ProviderAccount, webhooks: readonly KnownWebhook[]): Promise<void> {
  for (const webhook of webhooks) {
    const outcome = await account.removeWebhook(webhook.id ?? '');
    if (outcome.kind !== 'removed')
      throw refused(
        `${shown(webhook)}: the new one is registered, the old one is not removed (${outcome.reason}); run this again, ` +
          'or remove it in the provider’s panel',
      );
  }
}

function shownWhole({ event, url }: RegisteredWebhook) {
  return { event, url: withoutQuery(url) };
}

function isSame(one: RegisteredWebhook, other: RegisteredWebhook): boolean {
  return one.event === other.event && one.url === other.url;
}

function shown({ event, url }: RegisteredWebhook): string {
  return event ?? withoutQuery(url);
}
