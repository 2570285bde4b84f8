// `gateway player`: the payments of one player, and the erasure of the player's personal data.
import type { Command } from 'commander';
import { actorOf, changeServices, notPermitted } from '../actor.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../context.js';
import { assertOperation, noSuchOperation } from '../inputs/existing.js';
import { readId } from '../inputs/identifiers.js';
import { cut, sayMore } from '../limits.js';
import { examples, limitOption, operationOption, personOption } from '../options.js';
import { badInput, refused } from '../problem.js';

export function registerPlayer(program: Command, run: Registrar): void {
  const player = program.command('player').description('Show the payments of one player, and erase who it is');
  registerPayments(player, run);
  registerErase(player, run);
}

/** Why a player is not erased, for people. */
export const NOT_ERASED = {
  no_such_player: 'there is no such player',
  payments_open: 'a payment of the player is open; cancel it, or wait until it has ended',
} as const;

function registerErase(player: Command, run: Registrar): void {
  player
    .command('erase')
    .summary('Erase who a player is, for good')
    .description(
      'Erase the personal data of a player: document, name, addresses, keys and payers, in every payment, event and ' +
        'recorded answer. Payments, amounts and ledger entries stay, as the law asks. The histories in Temporal are ' +
        'deleted by the next daily housekeeping. Nobody can undo it, and the reference takes no other payment.' +
        '\n\nIn production this creates a request that a second person approves with "gateway request approve".',
    )
    .argument('<ref>', 'the operator’s reference of the player (player.external_ref)')
    .addOption(operationOption())
    .addOption(personOption('who erases'))
    .addHelpText('after', examples('player erase player-1001 --operation op_0123456789abcdef0123456789abcdef --as ana'))
    .action(run(erase));
}

async function erase(
  context: CommandContext,
  externalRef: string,
  options: { readonly operation: string; readonly as?: string },
): Promise<Answer> {
  const operationId = readId('operation', '--operation', options.operation);
  assertPlayerRef(externalRef);
  const actor = await actorOf(context, options.as);
  const { change } = await import('../../staff/acts/requests.js');
  const payload = { player: externalRef };
  const outcome = await context.withDatabase(async (database) =>
    change(await changeServices(context, database), actor, { kind: 'player_erasure', operationId, payload }),
  );
  const shown = { operation_id: operationId, player_ref: externalRef };
  switch (outcome.kind) {
    case 'done':
      return answer({ ...shown, erased: true, payments_erased: outcome.payments });
    case 'requested':
      return answer({ ...shown, erased: false, requests: [outcome.request] });
    case 'no_such_operation':
      throw noSuchOperation(operationId);
    case 'not_permitted':
      throw notPermitted(actor.handle, 'player.erase');
    case 'no_such_player':
    case 'payments_open':
      throw refused(`operation ${operationId}: ${NOT_ERASED[outcome.kind]}`);
  }
}

function assertPlayerRef(externalRef: string): void {
  if (!/^[A-Za-z0-9_.:-]{1,64}$/.test(externalRef))
    throw badInput('REF', 'must be the operator’s reference of a player: 1 to 64 of A-Z a-z 0-9 _ . : -');
}

interface Options {
  readonly operation: string;
  readonly limit: number;
}

function registerPayments(player: Command, run: Registrar): void {
  player
    .command('payments')
    .summary('List the payments of a player')
    .description('List the deposits and withdrawals of a player, newest first, with totals by status over all of them.')
    .argument('<ref>', 'the operator’s reference of the player (player.external_ref)')
    .addOption(operationOption())
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('player payments player-1001 --operation op_0123456789abcdef0123456789abcdef'))
    .action(run(showPayments));
}

async function showPayments(context: CommandContext, externalRef: string, options: Options): Promise<Answer> {
  const operationId = readId('operation', '--operation', options.operation);
  assertPlayerRef(externalRef);
  const { readPlayerPayments } = await import('../../store/support/player-payments.js');
  const read = await context.withDatabase(async (database) => {
    await assertOperation(database, operationId);
    return readPlayerPayments(database, { operationId, externalRef, take: options.limit + 1 });
  });
  if (read === null) throw refused(`operation ${operationId}: there is no such player`);
  const [deposits, withdrawals] = [cut(read.deposits, options.limit), cut(read.withdrawals, options.limit)];
  const more = deposits.more || withdrawals.more;
  if (more) sayMore(context, 'deposits or withdrawals', options.limit);
  return answer({
    operation_id: operationId,
    player_ref: externalRef,
    known_since: read.knownSince,
    totals: read.totals,
    deposits: deposits.rows,
    withdrawals: withdrawals.rows,
    more,
  });
}
