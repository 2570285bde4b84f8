// `gateway cash`: money that moves into or out of an operation's accounts and is no payment.
import { type Command, Option } from 'commander';
import { accountsOf, type CashMovementKind, isOfItem } from '../../domain/cash-movements.js';
import { ENABLED_CURRENCIES } from '../../domain/currencies.js';
import { formatBrl, isAmount, type Money } from '../../domain/money.js';
import { isReturnId } from '../../domain/payments/returns.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import type { CashMovementOrder, CashRefusal } from '../../store/ledger/cash-movements.js';
import { changeOf } from '../change.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../context.js';
import { assertOperation, noSuchOperation } from '../inputs/existing.js';
import { readDocumentReference, readGivenReason, readId, readOperationFilter } from '../inputs/identifiers.js';
import { ACCOUNT_HELP, ACCOUNT_TAKEN, readAccount, refuseSimulator } from '../inputs/provider-account.js';
import { cut, sayMore } from '../limits.js';
import { examples, limitOption, operationFilterOption, operationOption, personOption } from '../options.js';
import { badInput, refused } from '../problem.js';

interface MovementCommand {
  readonly kind: CashMovementKind | Readonly<Record<'up' | 'down', CashMovementKind>>;
  readonly summary: string;
  readonly description: string;
}

const COMMANDS: Readonly<Record<string, MovementCommand>> = {
  fund: {
    kind: 'funding',
    summary: 'Enter money that an operator sent for its cash box',
    description:
      "Enter money that arrived on the provider's account for the operation's cash box. Withdrawals that wait for it " +
      'are checked at once.',
  },
  settle: {
    kind: 'settlement',
    summary: 'Enter money that was paid out to the operator',
    description:
      "Take money out of the operation's cash box that is settled to the operator. The cash box must cover it. The " +
      'gateway sends nothing: send the transfer when the movement is approved.',
  },
  move: {
    kind: 'moved',
    summary: 'Enter money that was moved to another account at a provider',
    description:
      "Enter that the operation's money was moved from one account at a provider to another, when it has arrived " +
      'there. The gateway sends nothing. The account that it leaves must cover it, and must not be the one that the ' +
      'operation uses: its withdrawals are paid from it meanwhile. To take money out of that one, use "cash settle" ' +
      'before the transfer and "cash fund" after it.',
  },
  'return-suspense': {
    kind: 'suspense_returned',
    summary: 'Enter the return of a payment in suspense',
    description:
      'Take what went back to its payer out of suspense, if the provider has not reported it. When it does, that is ' +
      'matched with this and not counted again. The gateway sends nothing.',
  },
  'credit-suspense': {
    kind: 'suspense_credited',
    summary: 'Give money in suspense to the cash box',
    description:
      "Move a payment from suspense into the operation's cash box: the operator has credited it to its player.",
  },
  'assign-suspense': {
    kind: 'suspense_assigned',
    summary: 'Make money in suspense funding of the cash box',
    description: "Move a payment from suspense into the operation's cash box: it was meant as funding.",
  },
  correct: {
    kind: { up: 'correction_up', down: 'correction_down' },
    summary: 'Correct the cash box',
    description:
      'Correct the cash box, up or down: a movement that was entered wrongly, or a charge of the bank. A correction ' +
      'says what is true, so it may leave the cash box below zero; withdrawals then wait.',
  },
};

export function registerCash(program: Command, run: Registrar): void {
  const cash = program.command('cash').description('Move money that is no payment: funding, settlement, suspense');
  for (const [name, movement] of Object.entries(COMMANDS)) registerMovement(cash, run, name, movement);
  registerList(cash, run);
}

interface MovementOptions {
  readonly operation: string;
  readonly direction?: 'up' | 'down';
  readonly account?: string;
  readonly from?: string;
  readonly to?: string;
  readonly currency: string;
  readonly document: string;
  readonly returnId?: string;
  readonly reason: string;
  readonly dryRun: boolean;
  readonly as?: string;
}

function registerMovement(cash: Command, run: Registrar, name: string, movement: MovementCommand): void {
  const { kind, summary, description } = movement;
  const command = cash
    .command(name)
    .summary(summary)
    .description(
      `${description}\n\nIn production this creates a request that a second person approves, in the panel. The money ` +
        'moves in the ledger with the approval.',
    )
    .addOption(operationOption())
    .argument('<amount>', 'in the smallest unit: 500000 is R$ 5.000,00');
  if (typeof kind !== 'string')
    command.addOption(
      new Option('--direction <direction>', 'whether the cash box has more, or less')
        .choices(['up', 'down'])
        .makeOptionMandatory(),
    );
  if (kind === 'moved')
    command
      .requiredOption('--from <slot>', `where it was: ${ACCOUNT_HELP}`)
      .requiredOption('--to <slot>', 'where it is now');
  else if (typeof kind !== 'string' || !isOfItem(kind))
    command.option(
      '--account <slot>',
      `where the money is: ${ACCOUNT_HELP} (default: the one that the operation uses)`,
    );
  command
    .addOption(
      new Option('--currency <code>', 'the currency')
        .choices(ENABLED_CURRENCIES.map(({ code }) => code))
        .default('BRL'),
    )
    .requiredOption('--document <text>', documentHelp(kind));
  if (kind === 'suspense_returned')
    command.option('--return-id <id>', 'the id of the return in PIX (D…); without it, all that is left went back');
  command
    .requiredOption('--reason <text>', 'why; kept with the movement, so no names, documents or addresses')
    .option('--dry-run', 'show what would move, and change nothing', false)
    .addOption(personOption('who asks for it'))
    .addHelpText('after', examples(exampleOf(name, kind)))
    .action(run((context, amount: string, options: MovementOptions) => move(context, kind, amount, options)));
}

function documentHelp(kind: MovementCommand['kind']): string {
  return typeof kind === 'string' && isOfItem(kind)
    ? 'the end-to-end id of the payment in suspense (gateway suspense list)'
    : 'where it is written: a transfer slip, a letter, a ticket; of a PIX, its end-to-end id';
}

function exampleOf(name: string, kind: MovementCommand['kind']): string {
  const more = typeof kind !== 'string' ? ' --direction up' : kind === 'moved' ? ' --from a --to b' : '';
  return (
    `cash ${name} --operation op_0123456789abcdef0123456789abcdef 500000${more} ` +
    `--document ${typeof kind === 'string' && isOfItem(kind) ? `E${'0'.repeat(31)}` : '"slip 4711"'} ` +
    '--reason "as agreed" --dry-run'
  );
}

async function move(
  context: CommandContext,
  kinds: MovementCommand['kind'],
  text: string,
  options: MovementOptions,
): Promise<Answer> {
  const operationId = readId('operation', '--operation', options.operation);
  const amount = readAmount(text, options.currency);
  const document = readDocumentReference(options.document);
  const reason = readGivenReason(options.reason);
  const kind = typeof kinds === 'string' ? kinds : kinds[options.direction ?? 'up'];
  const { provider, to } = await readPlaces(context, { operationId, kind, document }, options);
  const returnId = options.returnId === undefined ? null : readReturnId(options.returnId);
  if (options.dryRun) return preview(context, { operationId, kind, amount, provider, to, document, returnId, reason });
  const returned = returnId === null ? {} : { return_id: returnId };
  const payload = { movement: kind, amount, provider, to_provider: to, document, ...returned, reason };
  const changed = await changeOf(context, options.as, { kind: 'cash_movement', operationId, payload });
  const order = { operation_id: operationId, movement: kind, amount, provider, to_provider: to };
  switch (changed.kind) {
    case 'requested':
      return answer({ ...order, movement_id: null, requests: [changed.request] });
    case 'not_covered':
    case 'not_in_suspense':
    case 'already_in_books':
    case 'account_in_use':
    case 'account_taken':
      throw refused(`operation ${operationId}: ${cashRefusalText(changed)}`);
    case 'done':
      return answer({ ...order, movement_id: changed.movementId });
  }
}

function readReturnId(text: string): string {
  if (!isReturnId(text))
    throw badInput('--return-id', 'give the id of the return as the statement has it: D and 31 letters and digits');
  return text;
}

/** The accounts that are named; otherwise where the money in suspense is, or the one that the operation uses. */
async function readPlaces(
  context: CommandContext,
  { operationId, kind, document }: Pick<CashMovementOrder, 'operationId' | 'kind' | 'document'>,
  { account, from, to }: Pick<MovementOptions, 'account' | 'from' | 'to'>,
): Promise<{ readonly provider: AccountName; readonly to: AccountName | null }> {
  const { operationById } = await import('../../store/operations/operations.js');
  const { findItem } = await import('../../store/ledger/suspense.js');
  const { row, itemsAccount } = await context.withDatabase(async (database) => ({
    row: await operationById(database, operationId),
    itemsAccount: isOfItem(kind) ? ((await findItem(database, operationId, document))?.account ?? null) : null,
  }));
  if (row === null) throw noSuchOperation(operationId);
  const read = (option: string, text: string | undefined) => {
    if (text === undefined) return null;
    const name = readAccount(option, text);
    refuseSimulator(option, name, row.environment);
    return name;
  };
  const target = read('--to', to);
  const named = read('--account', account) ?? read('--from', from) ?? (row.provider as AccountName);
  const provider = itemsAccount ?? named;
  if (provider === target) throw badInput('--to', 'must be another account than --from');
  return { provider, to: target };
}

function readAmount(text: string, currency: string): Money {
  if (!isAmount(text) || BigInt(text) === 0n)
    throw badInput('AMOUNT', 'must be a whole number of the smallest unit above zero, such as 500000 for R$ 5.000,00');
  return { amount: text, currency };
}

async function preview(context: CommandContext, order: CashMovementOrder): Promise<Answer> {
  const { operationId, kind, amount } = order;
  const { balanceOf, refusalToMove } = await import('../../store/ledger/cash-movements.js');
  const accounts = accountsOf(kind);
  const from = { provider: order.provider, account: accounts.from };
  const to = { provider: order.to ?? order.provider, account: accounts.to };
  const { refusal, before } = await context.withDatabase(async (database) => ({
    refusal: await refusalToMove(database, order),
    before: {
      from: await balanceOf(database, { ...order, ...from }),
      to: await balanceOf(database, { ...order, ...to }),
    },
  }));
  if (refusal !== null) throw refused(`operation ${operationId}: ${cashRefusalText(refusal)}`);
  const moved = BigInt(amount.amount);
  const money = (minor: bigint) => ({ amount: minor.toString(), currency: amount.currency });
  return answer({
    dry_run: true,
    operation_id: operationId,
    movement: kind,
    amount,
    balances: [
      { ...from, before: money(before.from), after: money(before.from - moved) },
      { ...to, before: money(before.to), after: money(before.to + moved) },
    ],
  });
}

/** Why a movement is refused. */
export function cashRefusalText(refusal: CashRefusal): string {
  switch (refusal.kind) {
    case 'not_covered': {
      const name = refusal.account === 'available' ? 'the cash box' : `"${refusal.account}"`;
      return `${name} does not cover it: it has ${formatBrl(refusal.balanceMinor)} in the account ${refusal.provider}`;
    }
    case 'account_in_use':
      return (
        `its withdrawals are paid from the account ${refusal.provider}: move the operation first, or use "cash settle" ` +
        'before the transfer and "cash fund" after it'
      );
    case 'account_taken':
      return ACCOUNT_TAKEN;
    case 'already_in_books':
      return refusal.as === 'in_suspense'
        ? 'the PIX is in suspense: "gateway cash assign-suspense" makes it funding'
        : 'the PIX is in the books already';
    case 'not_in_suspense':
      return itemRefusalText(refusal);
  }
}

export const NO_ITEM = 'it names no payment in suspense: give the end-to-end id of one of "gateway suspense list"';

export function itemRefusalText({
  why,
  payment,
  leftMinor,
}: Extract<CashRefusal, { kind: 'not_in_suspense' }>): string {
  switch (why) {
    case 'no_item':
      return NO_ITEM;
    case 'less_left':
      return `${payment} does not cover it: ${formatBrl(leftMinor)} is left in suspense`;
    case 'return_unnamed':
      return `only a part of ${payment} went back: give the return's id in PIX (--return-id), or all that is left`;
    case 'return_in_books':
      return `this return of ${payment} is in the books already`;
    case 'return_under_way':
      return `a return of ${payment}, or of another payment of its deposit, is under way`;
  }
}

function registerList(cash: Command, run: Registrar): void {
  cash
    .command('list')
    .summary('List cash movements')
    .description('List the movements that were made, newest first. "gateway request list" lists those that wait.')
    .addOption(operationFilterOption())
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('cash list --operation op_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, { operation, limit }: { operation?: string; limit: number }) => {
        const operationId = readOperationFilter(operation);
        const { readCashMovements } = await import('../../store/ledger/cash-movements.js');
        const read = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return readCashMovements(database, { operationId, take: limit + 1 });
        });
        const { rows, more } = cut(read, limit);
        if (more) sayMore(context, 'movements', limit);
        return answer({ movements: rows, more });
      }),
    );
}
