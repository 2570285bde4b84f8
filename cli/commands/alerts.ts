// `gateway alerts`: list and resolve alerts.
import type { Command } from 'commander';
import type { ResolutionResult } from '../../store/alerts/list.js';
import { actorOf, notPermitted } from '../actor.js';
import { answer, type Registrar } from '../context.js';
import { readId } from '../inputs/identifiers.js';
import { listed } from '../limits.js';
import { examples, limitOption, personOption } from '../options.js';
import { refused } from '../problem.js';

export function registerAlerts(program: Command, run: Registrar): void {
  const alerts = program
    .command('alerts')
    .description('List alerts: late payments, unanswered charges, exhausted deliveries, …')
    .option('--all', 'include resolved alerts', false)
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('alerts', 'alerts --all', 'alerts resolve alr_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, { all, limit }: { all: boolean; limit: number }) => {
        const { readAlerts } = await import('../../store/alerts/list.js');
        const rows = await context.withDatabase((database) => readAlerts(database, { all, limit: limit + 1 }));
        return answer({ alerts: listed(context, 'alerts', rows, limit) });
      }),
    );
  registerResolve(alerts, run);
}

const NOT_RESOLVED = {
  no_such_alert: 'there is no such alert',
  about_you: 'it is about you; another person resolves it',
  money_held:
    'its payment still lies in suspense: return, credit or assign it first (gateway suspense list), then resolve it',
  open_too_short: 'it stays open for twelve hours, so that every admin can read it',
} as const satisfies Readonly<Record<Exclude<ResolutionResult['kind'], 'resolved'>, string>>;

function registerResolve(alerts: Command, run: Registrar): void {
  alerts
    .command('resolve')
    .summary('Mark an alert as resolved')
    .description('Mark an alert as resolved. If the condition occurs again, a new alert is raised.')
    .argument('<id>', 'the alert (alr_…)')
    .addOption(personOption('who resolves it'))
    .addHelpText('after', examples('alerts resolve alr_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, text: string, options: { as?: string }) => {
        const id = readId('alert', 'ID', text);
        const actor = await actorOf(context, options.as);
        const { resolve } = await import('../../staff/acts/alerts.js');
        const resolved = await context.withDatabase((database) => resolve(database, actor, { id, reason: null }));
        if (resolved.kind === 'not_permitted') throw notPermitted(actor.handle, 'alert.resolve');
        if (resolved.kind !== 'resolved') throw refused(`alert ${id}: ${NOT_RESOLVED[resolved.kind]}`);
        return answer(resolved.alert);
      }),
    );
}
