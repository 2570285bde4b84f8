// `gateway rules set`: the next version of an operation's rule set.
import type { Command } from 'commander';
import { answer } from '../context.js';
import { readId, readPerson } from '../inputs/identifiers.js';
import { examples, operationOption, personOption } from '../options.js';
import { refused } from '../problem.js';
import type { Registrar } from '../program.js';

export function registerRulesSet(parent: Command, run: Registrar): void {
  parent
    .command('set')
    .description('Stores the file as the next version of the operation\'s rule set, in force at once for payments decided from now on.\nThe file\'s own "version" is not needed; a given one must be an integer and is replaced by the next.\nIts member "engine" sets the engine\'s own thresholds (docs/rules.md); without it those in force are kept.')
    .addOption(operationOption())
    .argument('<file>', 'the rule set as JSON; amounts are strings of minor units')
    .addOption(personOption('who sets it'))
    .addHelpText('after', examples('rules set --operation op_0123456789abcdef0123456789abcdef rules.json'))
    .action(run(async (context, file: string, options: { operation: string; as?: string }) => {
      const operationId = readId('operation', '--operation', options.operation);
      const createdBy = readPerson(options.as);
      const { readRuleSetFile } = await import('../inputs/rule-set-file.js');
      const { rules, engine } = await readRuleSetFile('FILE', file);
      const [{ engineRulesOf, setAndPublishRules }, { newId }] = await Promise.all([import('../../store/engine-rules.js'), import('../../domain/identifiers.js')]);
      const [sealer, eventId] = [await context.sealer(), newId('event')];
      const [stored, inForce] = await context.withDatabase(async (database) => [
        await setAndPublishRules(database, sealer, { operationId, rules, engine, createdBy, eventId, at: new Date().toISOString() }),
        await engineRulesOf(database, operationId),
      ] as const);
      if (stored.kind !== 'stored') throw refused(`operation ${operationId}: there is no such operation`);
      const { deliverEvent } = await import('../deliveries.js');
      await deliverEvent(context, eventId, operationId);
      return answer({ operation_id: operationId, version: stored.version, rules: { ...rules, version: stored.version }, engine: inForce });
    }));
}
