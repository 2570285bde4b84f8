// `gateway provider balance|statement`: what the account can send, and what it received and sent.
import type { Command } from 'commander';
import { ACCOUNT_HELP } from '../../inputs/provider-account.js';
import { toMoney } from '../../../domain/money.js';
import {
  isListedPayout,
  isListedReturn,
  type ListedMovement,
  type ListedPayout,
  type ListedReturn,
} from '../../../domain/listed-payouts.js';
import type { AccountList, Receipt } from '../../../providers/port.js';
import { answer, type CommandContext, type Registrar } from '../../context.js';
import { readInstant } from '../../inputs/instants.js';
import { sayMore } from '../../limits.js';
import { examples, limitOption } from '../../options.js';
import { refused } from '../../problem.js';
import { type Slot, withSlot } from './slot.js';

interface StatementOptions {
  readonly from: string;
  readonly to?: string;
  readonly limit: number;
}

export function registerAccount(provider: Command, run: Registrar): void {
  provider
    .command('balance')
    .summary('Ask what the account can send')
    .description('Ask the provider what the account can send now, and what is blocked in it.')
    .argument('<slot>', ACCOUNT_HELP)
    .addHelpText('after', examples('provider balance a'))
    .action(run((context: CommandContext, text: string) => withSlot(context, text, balance)));
  provider
    .command('statement')
    .summary('List what the account received and sent, from its lists')
    .description(
      'List the PIX that the account received and sent in a span of time, as the provider reports them: ours, and what ' +
        'somebody paid or sent without the gateway. These are the lists that the sweeps read, not the statement of ' +
        'the account: no fee, no transfer, no balance. Download that at the provider, and compare it by "statement ' +
        'import". Nothing is stored; payers and receivers are not printed.',
    )
    .argument('<slot>', ACCOUNT_HELP)
    .requiredOption('--from <instant>', 'as 2026-11-23T00:00:00Z')
    .option('--to <instant>', 'now by default')
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('provider statement a --from 2026-11-23T00:00:00Z'))
    .action(
      run((context: CommandContext, text: string, options: StatementOptions) =>
        withSlot(context, text, (slot) => statement(context, slot, options)),
      ),
    );
}

async function balance({ name, provider, settings }: Slot) {
  const balance = await provider.readBalance();
  if (balance.kind === 'unsupported') throw refused(`${settings.dialect}: this dialect reports no balance`);
  if (balance.kind === 'unknown')
    throw refused(`slot ${name}: the provider did not report its balance (${balance.reason})`);
  const { availableMinor, blockedMinor } = balance;
  const blocked = blockedMinor === null ? null : toMoney(blockedMinor, 'BRL');
  return answer({ slot: name, available: toMoney(availableMinor, 'BRL'), blocked });
}

async function statement(context: CommandContext, { name, provider }: Slot, { limit, ...options }: StatementOptions) {
  const span = {
    from: readInstant('--from', options.from),
    to: readInstant('--to', options.to ?? new Date().toISOString()),
  };
  const received = await readAll<Receipt>(
    name,
    limit,
    (cursor) => provider.listReceived({ part: 'payments', ...span, cursor }),
    ({ endToEndId }) => endToEndId,
  );
  const sent = provider.lists.includes('payouts')
    ? await readAll<ListedMovement>(
        name,
        limit,
        (cursor) => provider.listPayouts({ part: 'payouts', ...span, cursor }),
        (movement) => (isListedPayout(movement) ? movement.payoutId : movement.returnId),
      )
    : null;
  if (received.isMore) sayMore(context, 'payments', limit);
  if (sent?.isMore === true) sayMore(context, 'payouts', limit);
  return answer({
    slot: name,
    ...span,
    unreadable: received.unreadable + (sent?.unreadable ?? 0),
    payments: received.items.map(presentReceipt),
    payouts: sent?.items.filter(isListedPayout).map(presentPayout) ?? null,
    returns: sent?.items.filter(isListedReturn).map(presentReturn) ?? null,
  });
}

/** Every page, up to the limit. A page may repeat what another had. */
async function readAll<Item>(
  slot: string,
  limit: number,
  read: (cursor: string | null) => Promise<AccountList<Item>>,
  idOf: (item: Item) => string,
): Promise<{ items: readonly Item[]; isMore: boolean; unreadable: number }> {
  const found = new Map<string, Item>();
  let [cursor, unreadable]: [string | null, number] = [null, 0];
  do {
    const page = await read(cursor);
    if (page.kind !== 'page') throw refused(`slot ${slot}: the list was not given (${page.reason})`);
    for (const item of page.items) found.set(idOf(item), item);
    ({ next: cursor } = page);
    unreadable += page.unreadable;
  } while (cursor !== null && found.size <= limit);
  return { items: [...found.values()].slice(0, limit), isMore: found.size > limit, unreadable };
}

const presentReceipt = ({ receivedAt, endToEndId, reference, amountMinor, returns }: Receipt) => ({
  received_at: receivedAt,
  end_to_end_id: endToEndId,
  amount: toMoney(amountMinor, 'BRL'),
  reference,
  returns,
});

const presentPayout = ({ sentAt, endToEndId, reference, amountMinor, isSettled, returns }: ListedPayout) => ({
  sent_at: sentAt,
  end_to_end_id: endToEndId,
  amount: toMoney(amountMinor, 'BRL'),
  reference,
  settled: isSettled,
  returns,
});

const presentReturn = ({ returnedAt, returnId, amountMinor }: ListedReturn) => ({
  returned_at: returnedAt,
  return_id: returnId,
  amount: toMoney(amountMinor, 'BRL'),
});
