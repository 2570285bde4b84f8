// `gateway key`: create, list and revoke API keys.
import type { Command } from 'commander';
import { actorOf, changeServices, notPermitted } from '../actor.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../context.js';
import { changeOf } from '../change.js';
import { assertOperation } from '../inputs/existing.js';
import { readGivenReason, readId, readKeyId, readOperationFilter } from '../inputs/identifiers.js';
import { readScopes } from '../inputs/scopes.js';
import { listed } from '../limits.js';
import { examples, limitOption, operationFilterOption, operationOption, personOption } from '../options.js';
import { refused } from '../problem.js';

export function registerKey(program: Command, run: Registrar): void {
  const key = program.command('key').description('Manage API keys');
  registerCreate(key, run);
  registerList(key, run);
  registerRevoke(key, run);
}

interface CreateOptions {
  readonly operation: string;
  readonly scopes: string;
  readonly as?: string;
}

function registerCreate(key: Command, run: Registrar): void {
  key
    .command('create')
    .summary('Create an API key')
    .description(
      'Create an API key and print its secret. The secret is printed only once.\n\n' +
        'At most two keys with the same scopes are active at once: a key and its successor. The earlier key is ' +
        'valid for seven more days after the first use of its successor.\n\n' +
        'In production this creates a request that a second person approves with "gateway request approve".',
    )
    .addOption(operationOption())
    .requiredOption('--scopes <scopes>', 'comma-separated: read, deposits:write, withdrawals:write, rules:propose')
    .addOption(personOption('who requests it'))
    .addHelpText(
      'after',
      examples('key create --operation op_0123456789abcdef0123456789abcdef --scopes read,deposits:write'),
    )
    .action(run(create));
}

async function create(context: CommandContext, options: CreateOptions): Promise<Answer> {
  const operationId = readId('operation', '--operation', options.operation);
  const scopes = readScopes('--scopes', options.scopes);
  const created = await changeOf(context, options.as, { kind: 'key', operationId, payload: { scopes } });
  switch (created.kind) {
    case 'done':
      return answer({ key_id: created.key.keyId, secret: created.key.secret, scopes: created.key.scopes });
    case 'requested':
      return answer({ key_id: null, secret: null, scopes, requests: [created.request] });
    case 'too_many_keys':
      throw tooManyKeys(created.activeKeyIds);
  }
}

function registerList(key: Command, run: Registrar): void {
  key
    .command('list')
    .summary('List API keys, oldest first')
    .description('List the valid API keys, oldest first, with their age in days and whether to rotate them.')
    .addOption(operationFilterOption())
    .option('--all', 'include revoked and expired keys', false)
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('key list', 'key list --operation op_0123456789abcdef0123456789abcdef --all'))
    .action(
      run(async (context, { operation, all, limit }: { operation?: string; all: boolean; limit: number }) => {
        const operationId = readOperationFilter(operation);
        const { readKeys } = await import('../../store/operations/keys.js');
        return context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          const keys = await readKeys(database, { operationId, all, limit: limit + 1, now: new Date() });
          return answer({ keys: listed(context, 'keys', keys, limit) });
        });
      }),
    );
}

function registerRevoke(key: Command, run: Registrar): void {
  key
    .command('revoke')
    .summary('Revoke an API key')
    .description('Revoke an API key. Its requests get 401 unknown_key. A revocation cannot be undone.')
    .argument('<key-id>', 'the key (key_test_… or key_live_…)')
    .option('--reason <text>', 'why; kept in the audit trail, so no names, documents or addresses')
    .addOption(personOption('who revokes it'))
    .addHelpText('after', examples('key revoke key_test_AbCdEfGhIjKlMnOpQrStUvWx'))
    .action(
      run(async (context, text: string, options: { reason?: string; as?: string }) => {
        const keyId = readKeyId('KEY_ID', text);
        const reason = options.reason === undefined ? undefined : readGivenReason(options.reason);
        const actor = await actorOf(context, options.as);
        const { revokeKey } = await import('../../staff/acts/stops.js');
        const revoked = await context.withDatabase(async (database) =>
          revokeKey(await changeServices(context, database), actor, { keyId, reason }),
        );
        switch (revoked.kind) {
          case 'done':
            return answer({ key_id: keyId, operation_id: revoked.operationId, revoked_at: revoked.revokedAt });
          case 'no_such_key':
            throw refused(`key ${keyId}: there is no such key`);
          case 'not_permitted':
            throw notPermitted(actor.handle, 'key.revoke');
        }
      }),
    );
}

/** The problem of a third active key. Approving a requested key can fail with it too. */
export function tooManyKeys(activeKeyIds: readonly string[]) {
  return refused(`two keys with these scopes are active already (${activeKeyIds.join(', ')}); revoke one first`);
}
