// `gateway endpoint list`: operations whose webhooks fail now.
import type { Command } from 'commander';
import { answer } from '../context.js';
import { readId } from '../inputs/identifiers.js';
import { assertOperation } from '../inputs/existing.js';
import { cut, sayMore } from '../limits.js';
import { examples, limitOption } from '../options.js';
import type { Registrar } from '../program.js';

export function registerEndpointList(parent: Command, run: Registrar): void {
  parent
    .command('list')
    .description(
      'Lists the operations whose webhooks fail now: how many events wait, since when, and what the endpoint ' +
        'answered last. Nothing is listed while every event was delivered.',
    )
    .option('--operation <id>', 'only this operation (op_…)')
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('endpoint list'))
    .action(
      run(async (context, options: { operation?: string; limit: number }) => {
        const operationId =
          options.operation === undefined ? null : readId('operation', '--operation', options.operation);
        const { readFailingEndpoints } = await import('../../store/events/failing-endpoints.js');
        const read = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return readFailingEndpoints(database, { operationId, take: options.limit + 1 });
        });
        const { rows, more } = cut(read, options.limit);
        if (more) sayMore(context, 'endpoints', options.limit);
        return answer({ endpoints: rows, more });
      }),
    );
}
