// `gateway allowlist`: the networks that an operation may call from.
import type { Command } from 'commander';
import { changeOf } from '../change.js';
import { answer, type Registrar } from '../context.js';
import { readId } from '../inputs/identifiers.js';
import { readNetworks } from '../inputs/networks.js';
import { examples, operationOption, personOption } from '../options.js';
import { refused } from '../problem.js';

export function registerAllowlist(program: Command, run: Registrar): void {
  const allowlist = program.command('allowlist').description('Manage the networks that may call the API');
  registerSet(allowlist, run);
}

function registerSet(allowlist: Command, run: Registrar): void {
  allowlist
    .command('set')
    .summary('Replace the allowlist of an operation')
    .description(
      'Replace the allowlist of an operation. Without networks it becomes empty: any address may call in the ' +
        'sandbox, none in production.\n\n' +
        'In production this creates a request that a second person approves with "gateway request approve".',
    )
    .addOption(operationOption())
    .argument('[cidr...]', 'networks, at most /24 (IPv4) or /56 (IPv6) wide; a bare address is a network of one')
    .addOption(personOption('who requests it'))
    .addHelpText(
      'after',
      examples('allowlist set --operation op_0123456789abcdef0123456789abcdef 203.0.113.0/24 2001:db8:0:ff00::/56'),
    )
    .action(
      run(async (context, cidrs: string[], options: { operation: string; as?: string }) => {
        const operationId = readId('operation', '--operation', options.operation);
        const networks = readNetworks('CIDR', cidrs);
        const { networksOf } = await import('../../store/operations/access.js');
        const inForce = await context.withDatabase((database) => networksOf(database, operationId));
        const payload = { networks, replaces: inForce };
        const changed = await changeOf(context, options.as, { kind: 'allowlist', operationId, payload });
        if (changed.kind === 'networks_changed')
          throw refused(`operation ${operationId}: its networks were changed at this moment; run it again`);
        if (changed.kind === 'done') return answer({ operation_id: operationId, networks: changed.networks });
        return answer({ operation_id: operationId, networks: inForce, requests: [changed.request] });
      }),
    );
}
