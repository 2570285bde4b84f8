// `gateway key list`: keys with their age, and which of them have to be rotated.
import type { Command } from 'commander';
import { answer } from '../context.js';
import { readId } from '../inputs/identifiers.js';
import { assertOperation } from '../inputs/existing.js';
import { listed } from '../limits.js';
import { examples, limitOption } from '../options.js';
import type { Registrar } from '../program.js';

export function registerKeyList(parent: Command, run: Registrar): void {
  parent
    .command('list')
    .description(
      'Lists the keys that work now, the oldest first, with their age in days and whether they have to be rotated.',
    )
    .option('--operation <id>', 'only this operation (op_…)')
    .option('--all', 'also those that were revoked or have expired', false)
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('key list', 'key list --operation op_0123456789abcdef0123456789abcdef --all'))
    .action(
      run(async (context, { operation, all, limit }: { operation?: string; all: boolean; limit: number }) => {
        const operationId = operation === undefined ? null : readId('operation', '--operation', operation);
        const { readKeys } = await import('../../store/operations/keys.js');
        return context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          const keys = await readKeys(database, { operationId, all, limit: limit + 1, now: new Date() });
          return answer({ keys: listed(context, 'keys', keys, limit) });
        });
      }),
    );
}
