// `gateway operation set-webhook`: moves an operation's webhooks to another address.
import type { Command } from 'commander';
import { answer } from '../context.js';
import { readId, readPerson } from '../inputs/identifiers.js';
import { readWebhookUrl } from '../inputs/webhook-url.js';
import { examples, operationOption, personOption } from '../options.js';
import { refused } from '../problem.js';
import type { Registrar } from '../program.js';

export function registerOperationSetWebhook(parent: Command, run: Registrar): void {
  parent
    .command('set-webhook')
    .description("Delivers the operation's events to another address from the next attempt on.")
    .addOption(operationOption())
    .argument('<url>', 'https in production, http or https in the sandbox; no credentials in it')
    .addOption(personOption('who changes it'))
    .addHelpText(
      'after',
      examples('operation set-webhook --operation op_0123456789abcdef0123456789abcdef https://acme.example/hooks'),
    )
    .action(
      run(async (context, url: string, options: { operation: string; as?: string }) => {
        const operationId = readId('operation', '--operation', options.operation);
        const person = readPerson(options.as);
        const { setWebhookUrl } = await import('../../store/operations/operations.js');
        return context.withDatabase(async (database) => {
          const operation = await database.operation.findUnique({ where: { id: operationId } });
          if (operation === null) throw refused(`operation ${operationId}: there is no such operation`);
          const webhookUrl = await readWebhookUrl(
            context,
            'URL',
            url,
            operation.environment as 'sandbox' | 'production',
          );
          await setWebhookUrl(database, { operationId, webhookUrl, person });
          return answer({ operation_id: operationId, webhook_url: webhookUrl });
        });
      }),
    );
}
