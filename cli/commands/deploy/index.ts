// `gateway deploy`: which build of the workers new payments start on, and when an old build's workers may be stopped.
import { type Command, Option } from 'commander';
import { BUILD_ID } from '../../../contract/temporal/workers.js';
import type { DeploymentServices } from '../../../staff/acts/worker-builds.js';
import { actorOf, notPermitted } from '../../actor.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../../context.js';
import { examples, personOption, wholeNumber } from '../../options.js';
import { badInput, refused } from '../../problem.js';
import type { BuildStatus, Deployment } from '../../../platform/temporal/worker-builds.js';

const LONGEST_WAIT_SECONDS = 600;
/** How many open workflows of a build are listed. */
const MOST_LISTED = 20;

export function registerDeploy(program: Command, run: Registrar): void {
  const deploy = program.command('deploy').description('Promote, drain and roll back builds of the workers');
  registerStatus(deploy, run);
  registerPromote(deploy, run);
  registerDrained(deploy, run);
  registerMove(deploy, run);
}

function registerStatus(deploy: Command, run: Registrar): void {
  deploy
    .command('status')
    .summary('Show every build of the workers')
    .description(
      'Show every build of the workers: its state, its open workflows, and how many workers serve each task queue.',
    )
    .addHelpText('after', examples('deploy status'))
    .action(
      run((context) =>
        withDeployment(context, async (deployment) =>
          answer({ deployment: deployment.name, builds: (await deployment.builds()).map(presentBuild) }),
        ),
      ),
    );
}

interface PromoteOptions {
  readonly ramp?: number;
  readonly wait: number;
  readonly as?: string;
}

function registerPromote(deploy: Command, run: Registrar): void {
  deploy
    .command('promote')
    .summary('Start new payments on a build')
    .description(
      'Start new payments on a build. Open payments finish on the build that they started on. Refused while a task ' +
        'queue has no worker of the build.\n\n' +
        'To roll back, promote the old build.',
    )
    .argument('<build>', 'the build (WORKER_BUILD_ID of its workers)')
    .addOption(
      new Option('--ramp <percent>', 'only this share of new payments, 1 to 99; 0 ends the ramp').argParser(
        wholeNumber(0, 99),
      ),
    )
    .addOption(
      new Option('--wait <seconds>', `wait for the build's workers, at most ${LONGEST_WAIT_SECONDS}`)
        .default(0)
        .argParser(wholeNumber(0, LONGEST_WAIT_SECONDS)),
    )
    .addOption(personOption('who promotes it'))
    .addHelpText(
      'after',
      examples('deploy promote 2026-11-21.2 --ramp 10 --as ana', 'deploy promote 2026-11-21.2 --as ana'),
    )
    .action(run(promote));
}

async function promote(context: CommandContext, build: string, options: PromoteOptions): Promise<Answer> {
  const [buildId, actor] = [readBuild(build), await actorOf(context, options.as)];
  const { ramp = null, wait: waitSeconds } = options;
  const acts = await import('../../../staff/acts/worker-builds.js');
  const promoted = await withServices(context, (services) =>
    acts.promote(services, actor, { buildId, ramp, waitSeconds }),
  );
  switch (promoted.kind) {
    case 'not_permitted':
      throw notPermitted(actor.handle, 'deploy.change');
    case 'refused':
      throw refused(`build ${buildId}: ${promoted.why}`);
    case 'promoted': {
      const { before } = promoted;
      return answer({ build_id: buildId, current: ramp === null ? buildId : before, ramp_percent: ramp, before });
    }
  }
}

function registerDrained(deploy: Command, run: Registrar): void {
  deploy
    .command('drained')
    .summary('Check whether the workers of a build may be stopped')
    .description(
      'Check whether the workers of a build may be stopped: nothing is open on it and nothing new starts on it.\n\n' +
        `Exit code 1 if not, with the first ${MOST_LISTED} open workflows.`,
    )
    .argument('<build>', 'the build (WORKER_BUILD_ID of its workers)')
    .addHelpText('after', examples('deploy drained 2026-11-21.1'))
    .action(
      run((context, build: string) =>
        withDeployment(context, async (deployment) => {
          const status = await knownBuild(deployment, readBuild(build));
          const open: object[] = [];
          for await (const { workflowId, type, startedAt } of deployment.open(status.buildId)) {
            open.push({ workflow_id: workflowId, type, started_at: startedAt });
            if (open.length >= MOST_LISTED) break;
          }
          const isDrained = (status.state === 'drained' || status.state === 'inactive') && open.length === 0;
          return answer({ ...presentBuild(status), drained: isDrained, open }, isDrained ? 0 : 1);
        }),
      ),
    );
}

function registerMove(deploy: Command, run: Registrar): void {
  deploy
    .command('move')
    .summary('Move open payments to another build')
    .description(
      'Move open payments from one build to another, so a fix reaches them.\n\n' +
        'The other build must be able to replay their history (patched(), with the recorded histories as proof). ' +
        'Otherwise they stop there until they are moved back.',
    )
    .argument('<from>', 'the build that they are on')
    .argument('<to>', 'the build to move them to')
    .argument('[ids...]', 'only these workflows (dep_…, wdr_…, evt_…); by default all of the build')
    .addOption(personOption('who moves them'))
    .addHelpText(
      'after',
      examples(
        'deploy move 2026-11-21.1 2026-11-21.2 dep_0123456789abcdef0123456789abcdef --as ana',
        'deploy move 2026-11-21.1 2026-11-21.2 --as ana',
      ),
    )
    .action(run(move));
}

async function move(
  context: CommandContext,
  from: string,
  to: string,
  ids: string[],
  options: { as?: string },
): Promise<Answer> {
  const [fromBuild, toBuild] = [readBuild(from), readBuild(to)];
  if (fromBuild === toBuild) throw badInput('TO', 'must be another build');
  const actor = await actorOf(context, options.as);
  const { moveOpen } = await import('../../../staff/acts/worker-builds.js');
  const order = { from: fromBuild, to: toBuild, ids };
  const result = await withServices(context, (services) => moveOpen(services, actor, order));
  switch (result.kind) {
    case 'not_permitted':
      throw notPermitted(actor.handle, 'deploy.change');
    case 'refused':
      throw refused(`build ${result.buildId}: ${result.why}`);
    case 'moved': {
      const { moved, notOpenThere } = result;
      const isComplete = notOpenThere.length === 0;
      if (!isComplete) context.explain(`gateway: ${notOpenThere.length} of the workflows are not open on ${fromBuild}`);
      return answer({ from: fromBuild, to: toBuild, moved, not_open_there: notOpenThere }, isComplete ? 0 : 1);
    }
  }
}

async function knownBuild(deployment: Deployment, buildId: string): Promise<BuildStatus> {
  const { findBuild } = await import('../../../platform/temporal/worker-builds.js');
  const found = await findBuild(deployment, buildId);
  if (typeof found === 'string') throw refused(`build ${buildId}: ${found}`);
  return found;
}

/** Runs `work` with the database, and with Temporal where it asks for it. */
function withServices<Result>(
  context: CommandContext,
  work: (services: DeploymentServices) => Promise<Result>,
): Promise<Result> {
  return context.withDatabase((database) =>
    work({ database, withDeployment: (asked) => withDeployment(context, asked) }),
  );
}

async function withDeployment<Result>(
  context: CommandContext,
  work: (deployment: Deployment) => Promise<Result>,
): Promise<Result> {
  const [{ readDeploymentConfig }, { Deployment }] = await Promise.all([
    import('../../../platform/config/cli.js'),
    import('../../../platform/temporal/worker-builds.js'),
  ]);
  const { WORKER_DEPLOYMENT_NAME: name } = readDeploymentConfig(context.environment);
  return context.withTemporal((client) => work(new Deployment(client, name)));
}

function presentBuild({ buildId, state, rampPercent, openWorkflows, workers }: BuildStatus) {
  return { build_id: buildId, state, ramp_percent: rampPercent, open_workflows: openWorkflows, workers };
}

function readBuild(text: string): string {
  if (!BUILD_ID.test(text)) throw badInput('BUILD', 'must be 1 to 63 letters, digits, dots, hyphens or underscores');
  return text;
}
