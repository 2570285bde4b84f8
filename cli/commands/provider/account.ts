// `gateway provider balance|received`: what the account can send, and what it received.
import type { Command } from 'commander';
import { toMoney } from '../../../domain/money.js';
import type { Receipt } from '../../../providers/port.js';
import { answer, type CommandContext, type Registrar } from '../../context.js';
import { readInstant } from '../../inputs/instants.js';
import { sayMore } from '../../limits.js';
import { examples, limitOption } from '../../options.js';
import { refused } from '../../problem.js';
import { type Slot, withSlot } from './slot.js';

interface ReceivedOptions {
  readonly from: string;
  readonly to?: string;
  readonly limit: number;
}

export function registerAccount(provider: Command, run: Registrar): void {
  provider
    .command('balance')
    .summary('Ask what the account can send')
    .description('Ask the provider what the account can send now.')
    .argument('<slot>', 'simulator, a or b')
    .addHelpText('after', examples('provider balance a'))
    .action(run((context: CommandContext, text: string) => withSlot(context, text, balance)));
  provider
    .command('received')
    .summary('List what the account received')
    .description(
      'List the PIX that the account received in a span of time, as the provider tells it: with and without a charge of ' +
        'ours. Payers are not printed.',
    )
    .argument('<slot>', 'simulator, a or b')
    .requiredOption('--from <instant>', 'as 2026-11-23T00:00:00Z')
    .option('--to <instant>', 'now by default')
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('provider received a --from 2026-11-23T00:00:00Z'))
    .action(
      run((context: CommandContext, text: string, options: ReceivedOptions) =>
        withSlot(context, text, (slot) => received(context, slot, options)),
      ),
    );
}

async function balance({ name, provider, settings }: Slot) {
  const told = await provider.readBalance();
  if (told.kind === 'not_told') throw refused(`${settings.dialect}: this dialect tells no balance`);
  if (told.kind === 'unknown') throw refused(`slot ${name}: the provider did not tell its balance (${told.reason})`);
  return answer({ slot: name, available: toMoney(told.availableMinor, 'BRL') });
}

async function received(context: CommandContext, { name, provider }: Slot, { limit, ...options }: ReceivedOptions) {
  const span = {
    from: readInstant('--from', options.from),
    to: readInstant('--to', options.to ?? new Date().toISOString()),
  };
  const found = new Map<string, Receipt>();
  let [cursor, unreadable]: [string | null, number] = [null, 0];
  do {
    const page = await provider.listReceived({ part: 'payments', ...span, cursor });
    if (page.kind !== 'page') throw refused(`slot ${name}: the list was not given (${page.reason})`);
    // A page may repeat what another had.
    for (const receipt of page.items) found.set(receipt.endToEndId, receipt);
    ({ next: cursor } = page);
    unreadable += page.unreadable;
  } while (cursor !== null && found.size <= limit);
  if (found.size > limit) sayMore(context, 'payments', limit);
  const payments = [...found.values()]
    .slice(0, limit)
    .map(({ receivedAt, endToEndId, reference, amountMinor, returns }) => ({
      received_at: receivedAt,
      end_to_end_id: endToEndId,
      amount: toMoney(amountMinor, 'BRL'),
      reference,
      returns,
    }));
  return answer({ slot: name, ...span, unreadable, payments });
}
