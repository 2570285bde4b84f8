// `gateway operation suspend|resume`: a suspended operation is answered 403 on every route.
import type { Command } from 'commander';
import { answer } from '../context.js';
import { readId, readPerson } from '../inputs/identifiers.js';
import { examples, personOption } from '../options.js';
import { refused } from '../problem.js';
import type { Registrar } from '../program.js';

const STATUS_COMMANDS = {
  suspend: {
    status: 'suspended',
    description: 'Suspends an operation: every route answers it 403 operation_suspended. Payments under way go on.',
  },
  resume: { status: 'active', description: 'Lets a suspended operation call again.' },
} as const;

export function registerOperationStatus(parent: Command, run: Registrar): void {
  for (const [name, { status, description }] of Object.entries(STATUS_COMMANDS)) {
    parent
      .command(name)
      .description(description)
      .argument('<id>', 'the operation (op_…)')
      .addOption(personOption('who decides'))
      .addHelpText('after', examples(`operation ${name} op_0123456789abcdef0123456789abcdef`))
      .action(
        run(async (context, id: string, options: { as?: string }) => {
          const operationId = readId('operation', 'ID', id);
          const person = readPerson(options.as);
          const { setOperationStatus } = await import('../../store/operations/operations.js');
          const exists = await context.withDatabase((database) =>
            setOperationStatus(database, { operationId, status, person }),
          );
          if (!exists) throw refused(`operation ${operationId}: there is no such operation`);
          return answer({ operation_id: operationId, status });
        }),
      );
  }
}
