// `gateway allowlist set`: replaces the networks an operation may call from, or in production requests it.
import type { Command } from 'commander';
import { answer } from '../context.js';
import { readId, readPerson } from '../inputs/identifiers.js';
import { readNetworks } from '../inputs/networks.js';
import { examples, operationOption, personOption } from '../options.js';
import { refused } from '../problem.js';
import type { Registrar } from '../program.js';

export function registerAllowlistSet(parent: Command, run: Registrar): void {
  parent
    .command('set')
    .description(
      "Replaces the operation's allowlist by these networks; without any, by an empty list (any address in the sandbox, nobody in production).\n" +
        'In production the list is only requested: a second person approves it by "gateway request approve".',
    )
    .addOption(operationOption())
    .argument('[cidr...]', 'not wider than /24 (IPv4) or /56 (IPv6); an address alone is a network of one')
    .addOption(personOption('who asks'))
    .addHelpText(
      'after',
      examples('allowlist set --operation op_0123456789abcdef0123456789abcdef 203.0.113.0/24 2001:db8:0:ff00::/56'),
    )
    .action(
      run(async (context, cidrs: string[], options: { operation: string; as?: string }) => {
        const order = {
          operationId: readId('operation', '--operation', options.operation),
          networks: readNetworks('CIDR', cidrs),
          requestedBy: readPerson(options.as),
        };
        const { setAllowlist } = await import('../../store/operations/access-changes.js');
        const change = await context.withDatabase((database) => setAllowlist(database, order));
        if (change.kind === 'no_such_operation')
          throw refused(`operation ${order.operationId}: there is no such operation`);
        const inForce = { operation_id: order.operationId, networks: change.networks };
        return answer(change.kind === 'requested' ? { ...inForce, requests: [change.request] } : inForce);
      }),
    );
}
