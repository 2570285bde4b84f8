// `gateway workflow verify`: is there a workflow for everything that is open? After a restore, and whenever in doubt.
import type { Command } from 'commander';
import { answer } from '../../context.js';
import { examples } from '../../options.js';
import type { Registrar } from '../../program.js';

const STATEMENT_TIMEOUT_MS = 5 * 60_000;
const MOST_PROBLEMS = 1_000;
const TOLD_EVERY = 100;

export function registerWorkflowVerify(parent: Command, run: Registrar): void {
  parent
    .command('verify')
    .description(
      'Compares the open payments and rule changes of PostgreSQL with the open workflows of Temporal. With --refresh every open payment then asks its\n' +
        'provider what happened, and one whose workflow is missing is reopened from its row. Exit code 1 if anything differs or did not answer.',
    )
    .option('--refresh', 'have every open payment look at its provider, and reopen those without a workflow')
    .addHelpText('after', examples('workflow verify', 'workflow verify --refresh'))
    .action(
      run(async (context, options: { refresh?: boolean }) => {
        const { compareOpen, refreshOpen } = await import('./open-check.js');
        const report = await context.withDatabase(
          (database) =>
            context.withTemporal(async (client) => {
              const { objects, workflows, problems } = await compareOpen(database, client);
              const found = {
                open_objects: objects.length,
                open_workflows: workflows,
                problems: problems.slice(0, MOST_PROBLEMS),
              };
              if (options.refresh !== true) return { ...found, refreshed: null, unanswered: [] };
              const tell = (done: number) =>
                done % TOLD_EVERY === 0 && context.explain(`${done} of ${objects.length} looked at`);
              const { refreshed, unanswered } = await refreshOpen(database, client, objects, tell);
              return { ...found, refreshed, unanswered };
            }),
          STATEMENT_TIMEOUT_MS,
        );
        const ok = report.problems.length === 0 && report.unanswered.length === 0;
        if (!ok)
          context.explain(
            `gateway: ${report.problems.length} differences, ${report.unanswered.length} payments without an answer`,
          );
        return answer({ ok, ...report }, ok ? 0 : 1);
      }),
    );
}
