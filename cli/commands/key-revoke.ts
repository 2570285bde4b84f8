// `gateway key revoke`: ends a key at once, in every environment by one person.
import type { Command } from 'commander';
import { answer } from '../context.js';
import { badInput, refused } from '../problem.js';
import { readPerson } from '../inputs/identifiers.js';
import { examples, personOption } from '../options.js';
import type { Registrar } from '../program.js';

export function registerKeyRevoke(parent: Command, run: Registrar): void {
  parent
    .command('revoke')
    .description('Revokes a key: its requests are answered 401 unknown_key on every node. It cannot be undone.')
    .argument('<key-id>', 'the key (key_test_… or key_live_…)')
    .addOption(personOption('who revokes it'))
    .addHelpText('after', examples('key revoke key_test_AbCdEfGhIjKlMnOpQrStUvWx'))
    .action(
      run(async (context, keyId: string, options: { as?: string }) => {
        if (!/^key_(test|live)_[A-Za-z0-9]{1,64}$/.test(keyId))
          throw badInput('KEY_ID', 'must be the id of a key (key_test_… or key_live_…)');
        const person = readPerson(options.as);
        const { revokeKey } = await import('../../store/operations/access-changes.js');
        const revoked = await context.withDatabase((database) => revokeKey(database, { keyId, person }));
        if (revoked === null) throw refused(`key ${keyId}: there is no such key`);
        return answer({ key_id: keyId, operation_id: revoked.operationId, revoked_at: revoked.revokedAt });
      }),
    );
}
