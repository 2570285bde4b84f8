// `gateway workflow verify`: compares open payments with open workflows, for example after a restore.
import type { Command } from 'commander';
import type { OpenComparison } from '../../../staff/reads/open-comparison.js';
import { actorOf, notPermitted } from '../../actor.js';
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
        'a worker then runs the hourly check, which ends a workflow that is not the payment’s; every open payment ' +
        'asks its provider what happened, and a payment without a workflow is reopened.\n\n' +
        'Exit code 1 if anything differs or does not answer.',
    )
    .option('--refresh', 'have every open payment ask its provider, and reopen payments without a workflow')
    .addOption(personOption('who has them asked'))
    .addHelpText('after', examples('workflow verify', 'workflow verify --refresh'))
    .action(run(verify));
}

async function verify(context: CommandContext, options: { refresh?: boolean; as?: string }): Promise<Answer> {
  const report = await (options.refresh === true ? refresh(context, options.as) : compare(context));
  const isUnchecked = 'check' in report && report.check === null;
  const ok = report.problems.length === 0 && report.unanswered.length === 0 && !isUnchecked;
  if (!ok)
    context.explain(
      `gateway: ${report.problems.length} differences, ${report.unanswered.length} payments without an answer`,
    );
  if (isUnchecked) context.explain('gateway: no worker has ended the hourly check in time');
  return answer({ ok, ...report }, ok ? 0 : 1);
}

async function compare({ withDatabase, withTemporal }: CommandContext) {
  const { compareOpen } = await import('../../../staff/reads/open-comparison.js');
  const compared = await withDatabase(
    (database) => withTemporal((client) => compareOpen(database, client)),
    STATEMENT_TIMEOUT_MS,
  );
  return { ...presentComparison(compared), refreshed: null, unanswered: [] };
}

async function refresh(context: CommandContext, name: string | undefined) {
  const { withTemporal } = context;
  const actor = await actorOf(context, name);
  const { refreshOpen } = await import('../../../staff/acts/open-refresh.js');
  const onProgress = (done: number, objects: number) =>
    done % PROGRESS_EVERY === 0 && context.explain(`${done} of ${objects} looked at`);
  const done = await context.withDatabase(
    (database) => refreshOpen({ database, withTemporal }, actor, onProgress),
    STATEMENT_TIMEOUT_MS,
  );
  if (done.kind === 'not_permitted') throw notPermitted(actor.handle, 'workflow.refresh');
  const { check, refreshed, unanswered } = done;
  return { ...presentComparison(done), check, refreshed, unanswered };
}

function presentComparison({ objects, workflows, problems }: OpenComparison) {
  return { open_objects: objects.length, open_workflows: workflows, problems: problems.slice(0, MOST_PROBLEMS) };
}
