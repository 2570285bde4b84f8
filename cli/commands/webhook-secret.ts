// `gateway webhook-secret rotate`.
import type { Command } from 'commander';
import { answer } from '../context.js';
import { readId, readPerson } from '../inputs/identifiers.js';
import { examples, operationOption, personOption } from '../options.js';
import { refused } from '../problem.js';
import type { Registrar } from '../program.js';

export function registerWebhookSecretRotate(parent: Command, run: Registrar): void {
  parent
    .command('rotate')
    .description(
      'Makes a new webhook secret and prints it this one time. For seven days deliveries carry both signatures;\n' +
        'with --revoke-earlier the earlier secrets stop at once, which is for a secret that leaked.',
    )
    .addOption(operationOption())
    .option('--revoke-earlier', 'the earlier secrets sign nothing any more', false)
    .addOption(personOption('who rotates it'))
    .addHelpText('after', examples('webhook-secret rotate --operation op_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, options: { operation: string; revokeEarlier: boolean; as?: string }) => {
        const operationId = readId('operation', '--operation', options.operation);
        const person = readPerson(options.as);
        const sealer = await context.sealer();
        const { rotateWebhookSecret } = await import('../../store/operations/webhook-secrets.js');
        const rotation = await context.withDatabase((database) =>
          rotateWebhookSecret(database, sealer, { operationId, revokeEarlier: options.revokeEarlier, person }),
        );
        switch (rotation.kind) {
          case 'rotated':
            return answer({
              operation_id: operationId,
              webhook_secret: rotation.secret,
              previous_expires_at: rotation.previousExpiresAt,
            });
          case 'two_active':
            throw refused(
              `two webhook secrets are valid until ${rotation.until.toISOString()}; wait, or use --revoke-earlier`,
            );
          case 'no_such_operation':
            throw refused(`operation ${operationId}: there is no such operation`);
        }
      }),
    );
}
