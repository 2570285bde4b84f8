// `gateway player`: the payments of one player.
import type { Command } from 'commander';
import { type Answer, answer, type CommandContext, type Registrar } from '../context.js';
import { assertOperation } from '../inputs/existing.js';
import { readId } from '../inputs/identifiers.js';
import { cut, sayMore } from '../limits.js';
import { examples, limitOption, operationOption } from '../options.js';
import { badInput, refused } from '../problem.js';

export function registerPlayer(program: Command, run: Registrar): void {
  const player = program.command('player').description('Show the payments of one player');
  registerPayments(player, run);
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
  if (!/^[A-Za-z0-9_.:-]{1,64}$/.test(externalRef))
    throw badInput('REF', 'must be the operator’s reference of a player: 1 to 64 of A-Z a-z 0-9 _ . : -');
  const { readPlayerPayments } = await import('../../store/payments/player-payments.js');
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
