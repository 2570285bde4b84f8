// `gateway workflow verify`: compares open payments with open workflows, for example after a restore.
import type { Command } from 'commander';
import { permittedPerson, recordAct } from '../../actor.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../../context.js';
import { examples, personOption } from '../../options.js';

const STATEMENT_TIMEOUT_MS = 5 * 60_000;
const MOST_PROBLEMS = 1_000;
/** Print progress every so many payments. */
const PROGRESS_EVERY = 100;

export function registerWorkflow(program: Command, run: Registrar): void {
  const workflow = program.command('workflow').description('Compare workflows with the payments that they run');
  registerVerify(workflow, run);
}

function registerVerify(workflow: Command, run: Registrar): void {
  workflow
    .command('verify')
    .summary('Compare open payments with open workflows')
    .description(
      'Compare the open payments and rule changes of PostgreSQL with the open workflows of Temporal. With --refresh, ' +
        'every open payment then asks its provider what happened, and a payment without a workflow is reopened.\n\n' +
        'Exit code 1 if anything differs or does not answer.',
    )
    .option('--refresh', 'have every open payment ask its provider, and reopen payments without a workflow')
    .addOption(personOption('who has them asked'))
    .addHelpText('after', examples('workflow verify', 'workflow verify --refresh'))
    .action(run(verify));
}

async function verify(context: CommandContext, options: { refresh?: boolean; as?: string }): Promise<Answer> {
  const person = options.refresh === true ? await permittedPerson(context, options.as, 'workflow.refresh') : null;
  const { compareOpen, refreshOpen } = await import('./open-check.js');
  const report = await context.withDatabase(
    (database) =>
      context.withTemporal(async (client) => {
        const { objects, workflows, problems } = await compareOpen(database, client);
        const compared = {
          open_objects: objects.length,
          open_workflows: workflows,
          problems: problems.slice(0, MOST_PROBLEMS),
        };
        if (person === null) return { ...compared, refreshed: null, unanswered: [] };
        const onProgress = (done: number) =>
          done % PROGRESS_EVERY === 0 && context.explain(`${done} of ${objects.length} looked at`);
        const detail = { objects: objects.length };
        await recordAct(context, { person, action: 'workflow.refresh', operationId: null, subject: null, detail });
        const refreshed = await refreshOpen(database, client, objects, onProgress);
        return { ...compared, ...refreshed };
      }),
    STATEMENT_TIMEOUT_MS,
  );
  const ok = report.problems.length === 0 && report.unanswered.length === 0;
  if (!ok)
    context.explain(
      `gateway: ${report.problems.length} differences, ${report.unanswered.length} payments without an answer`,
    );
  return answer({ ok, ...report }, ok ? 0 : 1);
}
