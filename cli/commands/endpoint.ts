// `gateway endpoint`: operations whose webhooks fail.
import type { Command } from 'commander';
import { answer, type Registrar } from '../context.js';
import { assertOperation } from '../inputs/existing.js';
import { readOperationFilter } from '../inputs/identifiers.js';
import { cut, sayMore } from '../limits.js';
import { examples, limitOption, operationFilterOption } from '../options.js';

export function registerEndpoint(program: Command, run: Registrar): void {
  const endpoint = program.command('endpoint').description('Find webhook endpoints that fail');
  registerList(endpoint, run);
}

function registerList(endpoint: Command, run: Registrar): void {
  endpoint
    .command('list')
    .summary('List operations whose webhooks fail')
    .description(
      'List operations whose webhooks fail: how many events wait, since when, and the last response of the endpoint. ' +
        'The list is empty while every event was delivered.',
    )
    .addOption(operationFilterOption())
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('endpoint list'))
    .action(
      run(async (context, { operation, limit }: { operation?: string; limit: number }) => {
        const operationId = readOperationFilter(operation);
        const { readFailingEndpoints } = await import('../../store/events/failing-endpoints.js');
        const read = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return readFailingEndpoints(database, { operationId, take: limit + 1 });
        });
        const { rows, more } = cut(read, limit);
        if (more) sayMore(context, 'endpoints', limit);
        return answer({ endpoints: rows, more });
      }),
    );
}
