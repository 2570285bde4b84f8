// `gateway key create`: another key for an operation, or in production the request for one.
import type { Command } from 'commander';
import { answer } from '../context.js';
import { readId, readPerson } from '../inputs/identifiers.js';
import { readScopes } from '../inputs/scopes.js';
import { examples, operationOption, personOption } from '../options.js';
import { refused } from '../problem.js';
import type { Registrar } from '../program.js';

export function registerKeyCreate(parent: Command, run: Registrar): void {
  parent
    .command('create')
    .summary('make a key')
    .description(
      'Makes an API key and prints its secret this one time. At most two keys of the same scopes are active at once:\none and its successor, from whose first use the earlier one has seven more days.\n' +
        'In production the key is only requested: a second person approves it by "gateway request approve".',
    )
    .addOption(operationOption())
    .requiredOption('--scopes <scopes>', 'comma-separated: read, deposits:write, withdrawals:write, rules:propose')
    .addOption(personOption('who asks'))
    .addHelpText(
      'after',
      examples('key create --operation op_0123456789abcdef0123456789abcdef --scopes read,deposits:write'),
    )
    .action(
      run(async (context, options: { operation: string; scopes: string; as?: string }) => {
        const order = {
          operationId: readId('operation', '--operation', options.operation),
          scopes: readScopes('--scopes', options.scopes),
          requestedBy: readPerson(options.as),
        };
        const sealer = await context.sealer();
        const { createKey } = await import('../../store/operations/access-changes.js');
        const created = await context.withDatabase((database) => createKey(database, sealer, order));
        switch (created.kind) {
          case 'granted':
            return answer({ key_id: created.key.keyId, secret: created.key.secret, scopes: created.key.scopes });
          case 'requested':
            return answer({ key_id: null, secret: null, scopes: order.scopes, requests: [created.request] });
          case 'no_such_operation':
            throw refused(`operation ${order.operationId}: there is no such operation`);
          case 'too_many_keys':
            throw refused(tooManyKeys(created.activeKeyIds));
        }
      }),
    );
}

/** Shared with the approval of a requested key. */
export function tooManyKeys(activeKeyIds: readonly string[]): string {
  return `two keys with these scopes are active already (${activeKeyIds.join(', ')}); revoke one first`;
}
