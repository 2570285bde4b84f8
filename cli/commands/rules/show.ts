// `gateway rules show`: the rule set in force, with its defaults visible.
import type { Command } from 'commander';
import { answer } from '../../context.js';
import { readId } from '../../inputs/identifiers.js';
import { examples, operationOption } from '../../options.js';
import { refused } from '../../problem.js';
import type { Registrar } from '../../program.js';

export function registerRulesShow(parent: Command, run: Registrar): void {
  parent
    .command('show')
    .description('Shows the rule set in force, defaults included.')
    .addOption(operationOption())
    .addHelpText('after', examples('rules show --operation op_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, options: { operation: string }) => {
        const operationId = readId('operation', '--operation', options.operation);
        const { currentRuleSet } = await import('../../../store/rules/rule-sets.js');
        const { engineRulesOf } = await import('../../../store/rules/engine-rules.js');
        const [stored, engine] = await context.withDatabase(
          async (database) =>
            [await currentRuleSet(database, operationId), await engineRulesOf(database, operationId)] as const,
        );
        if (stored === null) throw refused(`operation ${operationId}: there is no such operation`);
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
