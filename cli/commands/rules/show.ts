// `gateway rules show`: the current rule set.
import type { Command } from 'commander';
import { answer, type Registrar } from '../../context.js';
import { noSuchOperation } from '../../inputs/existing.js';
import { readId } from '../../inputs/identifiers.js';
import { examples, operationOption } from '../../options.js';

export function registerShow(rules: Command, run: Registrar): void {
  rules
    .command('show')
    .description('Show the current rule set, including defaults')
    .addOption(operationOption())
    .addHelpText('after', examples('rules show --operation op_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, options: { operation: string }) => {
        const operationId = readId('operation', '--operation', options.operation);
        const { currentRuleSet } = await import('../../../store/rules/rule-sets.js');
        const { engineRulesOf } = await import('../../../store/rules/rule-sets.js');
        const [stored, engine] = await context.withDatabase(
          async (database) =>
            [await currentRuleSet(database, operationId), await engineRulesOf(database, operationId)] as const,
        );
        if (stored === null) throw noSuchOperation(operationId);
        const { version, rules, createdAt, createdBy } = stored;
        return answer({
          operation_id: operationId,
          version,
          rules,
          engine,
          created_at: createdAt,
          created_by: createdBy,
        });
      }),
    );
}
