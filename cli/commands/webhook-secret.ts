// `gateway webhook-secret`: rotate the secret that webhooks are signed with.
import type { Command } from 'commander';
import { actorOf, changeServices, notPermitted } from '../actor.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../context.js';
import { noSuchOperation } from '../inputs/existing.js';
import { readId } from '../inputs/identifiers.js';
import { examples, operationOption, personOption } from '../options.js';
import { refused } from '../problem.js';

export function registerWebhookSecret(program: Command, run: Registrar): void {
  const secret = program.command('webhook-secret').description('Rotate the secret that webhooks are signed with');
  registerRotate(secret, run);
}

interface Options {
  readonly operation: string;
  readonly revokeEarlier: boolean;
  readonly as?: string;
}

function registerRotate(secret: Command, run: Registrar): void {
  secret
    .command('rotate')
    .summary('Rotate a webhook secret')
    .description(
      'Create a new webhook secret and print it (only once). For seven days deliveries carry both signatures. ' +
        'Use --revoke-earlier if the secret leaked: the earlier secrets stop signing at once.\n\n' +
        'In production this creates a request that a second person approves with "gateway request approve". Then run ' +
        'the same command again, within seven days.',
    )
    .addOption(operationOption())
    .option('--revoke-earlier', 'stop signing with the earlier secrets at once', false)
    .addOption(personOption('who rotates it'))
    .addHelpText('after', examples('webhook-secret rotate --operation op_0123456789abcdef0123456789abcdef'))
    .action(run(rotate));
}

async function rotate(context: CommandContext, options: Options): Promise<Answer> {
  const operationId = readId('operation', '--operation', options.operation);
  const actor = await actorOf(context, options.as);
  const { rotateSecret } = await import('../../staff/acts/operations.js');
  const { revokeEarlier } = options;
  const rotation = await context.withDatabase(async (database) =>
    rotateSecret(await changeServices(context, database), actor, { operationId, revokeEarlier }),
  );
  switch (rotation.kind) {
    case 'rotated':
      return answer({
        operation_id: operationId,
        webhook_secret: rotation.secret,
        previous_expires_at: rotation.previousExpiresAt,
      });
    case 'requested':
      return answer({
        operation_id: operationId,
        webhook_secret: null,
        previous_expires_at: null,
        requests: [rotation.request],
      });
    case 'two_active':
      throw refused(
        `two webhook secrets are valid until ${rotation.until.toISOString()}; wait, or use --revoke-earlier`,
      );
    case 'not_permitted':
      throw notPermitted(actor.handle, 'webhook_secret.rotate');
    case 'no_such_operation':
      throw noSuchOperation(operationId);
  }
}
