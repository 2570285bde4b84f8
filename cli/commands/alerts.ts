// `gateway alerts` and `gateway alerts resolve`.
import type { Command } from 'commander';
import { answer } from '../context.js';
import { readId } from '../inputs/identifiers.js';
import { listed } from '../limits.js';
import { examples, limitOption } from '../options.js';
import { refused } from '../problem.js';
import type { Registrar } from '../program.js';

export function registerAlerts(program: Command, run: Registrar): void {
  const alerts = program
    .command('alerts')
    .description('what needs a person: late payments, unanswered charges, exhausted deliveries, …')

    .option('--all', 'also those that were resolved', false)
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('alerts', 'alerts --all', 'alerts resolve alr_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, options: { all: boolean; limit: number }) => {
        const { readAlerts } = await import('../../store/alerts/list.js');
        const alerts = await context.withDatabase((database) =>
          readAlerts(database, { all: options.all, limit: options.limit + 1 }),
        );
        return answer({ alerts: listed(context, 'alerts', alerts, options.limit) });
      }),
    );
  alerts
    .command('resolve')
    .description('Marks an alert as dealt with. The same condition raises a new one.')
    .argument('<id>', 'the alert (alr_…)')
    .addHelpText('after', examples('alerts resolve alr_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, id: string) => {
        const alertId = readId('alert', 'ID', id);
        const { resolveAlert } = await import('../../store/alerts/list.js');
        const resolved = await context.withDatabase((database) => resolveAlert(database, alertId));
        if (resolved === null) throw refused(`alert ${alertId}: there is no such alert`);
        return answer(resolved);
      }),
    );
}
