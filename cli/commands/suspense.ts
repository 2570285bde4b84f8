// `gateway suspense`: late and extra payments, one by one, with what is left of each and where the rest went.
import type { Command } from 'commander';
import { isEndToEndId } from '../../domain/pix.js';
import { changeOf } from '../change.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../context.js';
import { assertOperation } from '../inputs/existing.js';
import { readGivenReason, readId, readOperationFilter } from '../inputs/identifiers.js';
import { cut, sayMore } from '../limits.js';
import { examples, limitOption, operationFilterOption, operationOption, personOption } from '../options.js';
import { badInput, refused } from '../problem.js';
import { itemRefusalText, NO_ITEM } from './cash.js';

interface ListOptions {
  readonly operation?: string;
  readonly all: boolean;
  readonly limit: number;
}

export function registerSuspense(program: Command, run: Registrar): void {
  const suspense = program.command('suspense').description('See late and extra payments that wait in suspense');
  suspense
    .command('list')
    .summary('List payments in suspense')
    .description(
      'List late and extra payments of which something is left in suspense, oldest first, with their age and their ' +
        'exits. "gateway suspense return" sends one back to its payer; "gateway cash credit-suspense" and ' +
        '"assign-suspense" keep it; what the provider reports as returned leaves by itself. With --all also those of ' +
        'which nothing is left.',
    )
    .option('--all', 'include those of which nothing is left', false)
    .addOption(operationFilterOption())
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('suspense list', 'suspense list --all'))
    .action(
      run(async (context, { operation, all, limit }: ListOptions) => {
        const operationId = readOperationFilter(operation);
        const { presentItem, readItems } = await import('../../store/ledger/suspense.js');
        const read = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return readItems(database, { operationId, isOpen: !all, take: limit + 1 });
        });
        const { rows, more } = cut(read, limit);
        if (more) sayMore(context, 'payments', limit);
        return answer({ items: rows.map(presentItem), more });
      }),
    );
  registerReturn(suspense, run);
}

interface ReturnOptions {
  readonly operation: string;
  readonly reason: string;
  readonly as?: string;
}

function registerReturn(suspense: Command, run: Registrar): void {
  suspense
    .command('return')
    .summary('Return a payment in suspense to its payer')
    .description(
      'Have the provider return all that is left of a late or extra payment to its payer. The provider is asked until ' +
        'the return is done or refused; a refused one stays in suspense. In production this creates a request that a ' +
        'second person approves, in the panel.',
    )
    .argument('<payment>', 'its end-to-end id (gateway suspense list)')
    .addOption(operationOption())
    .requiredOption('--reason <text>', 'why; kept with the return, so no names, documents or addresses')
    .addOption(personOption('who asks for it'))
    .addHelpText(
      'after',
      examples(
        `suspense return E${'0'.repeat(31)} --operation op_0123456789abcdef0123456789abcdef --reason "paid twice"`,
      ),
    )
    .action(run(returnItem));
}

async function returnItem(context: CommandContext, payment: string, options: ReturnOptions): Promise<Answer> {
  const operationId = readId('operation', '--operation', options.operation);
  if (!isEndToEndId(payment)) throw badInput('PAYMENT', 'give the end-to-end id of one of "gateway suspense list"');
  const reason = readGivenReason(options.reason);
  const { findItem } = await import('../../store/ledger/suspense.js');
  const item = await context.withDatabase(async (database) => {
    await assertOperation(database, operationId);
    return findItem(database, operationId, payment);
  });
  if (item === null) throw refused(`operation ${operationId}: ${NO_ITEM}`);
  const { deposit, amount } = item;
  const payload = { deposit, payment, amount, reason };
  const changed = await changeOf(context, options.as, { kind: 'item_return', operationId, payload });
  const order = { operation_id: operationId, payment, deposit_id: deposit, amount };
  switch (changed.kind) {
    case 'requested':
      return answer({ ...order, ordered: false, requests: [changed.request] });
    case 'not_in_suspense':
      throw refused(`operation ${operationId}: ${itemRefusalText(changed)}`);
    case 'done':
      return answer({ ...order, ordered: true });
  }
}
