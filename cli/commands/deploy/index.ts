// `gateway deploy`: which build of the workers new payments start on, and when an old build's workers may be stopped.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { BUILD_ID } from '../../../contract/temporal/worker-versions.js';
import type { HumanAct } from '../../../store/audit/audit.js';
import { permittedPerson, recordAct } from '../../actor.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../../context.js';
import { examples, personOption, wholeNumber } from '../../options.js';
import { badInput, refused } from '../../problem.js';
import type { BuildStatus, Deployment } from '../../../platform/temporal/worker-builds.js';

const LONGEST_WAIT_SECONDS = 600;
const RETRY_AFTER_MS = 1_000;
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
  const [buildId, person] = [readBuild(build), await permittedPerson(context, options.as, 'deploy.change')];
  const [{ ramp = null }, { handle }] = [options, person];
  const before = await withDeployment(context, async (deployment) => {
    const current = (await deployment.builds()).find(({ state }) => state === 'current')?.buildId ?? null;
    const detail = { before: current, ramp_percent: ramp };
    const ask = askingOnRecord(context, {
      person,
      action: 'deploy.promote',
      operationId: null,
      subject: buildId,
      detail,
    });
    const problem = await untilPossible(options.wait, async () => {
      const missing = ramp === 0 ? null : await unserved(deployment, buildId);
      if (missing !== null) return missing;
      return ask.first(() =>
        ramp === null ? deployment.makeCurrent(buildId, handle) : deployment.ramp(buildId, ramp, handle),
      );
    });
    if (problem !== null) {
      await ask.refused(problem);
      throw refused(`build ${buildId}: ${problem}`);
    }
    return current;
  });
  return answer({ build_id: buildId, current: ramp === null ? buildId : before, ramp_percent: ramp, before });
}

/**
 * An act that Temporal may be asked for several times until it takes it. It is in the audit trail before it is asked
 * for the first time; one that Temporal refused in the end has a second entry, `…_refused`.
 */
function askingOnRecord(context: CommandContext, act: HumanAct) {
  let isOnRecord = false;
  return {
    first: async (ask: () => Promise<string | null>): Promise<string | null> => {
      if (!isOnRecord) await recordAct(context, act);
      isOnRecord = true;
      return ask();
    },
    refused: async (why: string): Promise<void> => {
      if (isOnRecord) await recordAct(context, { ...act, action: `${act.action}_refused`, detail: { why } });
    },
  };
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
  const person = await permittedPerson(context, options.as, 'deploy.change');
  const result = await withDeployment(context, async (deployment) => {
    await knownBuild(deployment, fromBuild);
    const problem = await unserved(deployment, toBuild);
    if (problem !== null) throw refused(`build ${toBuild}: ${problem}`);
    // Before the first of them moves: if this command is cut off, the trail still shows whose act it was.
    const detail = { from: fromBuild, ids };
    await recordAct(context, { person, action: 'deploy.move', operationId: null, subject: toBuild, detail });
    return moveAll(deployment, fromBuild, toBuild, new Set(ids));
  });
  const isComplete = result.not_open_there.length === 0;
  if (!isComplete)
    context.explain(`gateway: ${result.not_open_there.length} of the workflows are not open on ${fromBuild}`);
  return answer({ from: fromBuild, to: toBuild, ...result }, isComplete ? 0 : 1);
}

/** Moves every open workflow that Temporal's index lists, or only some of them. */
async function moveAll(
  deployment: Deployment,
  from: string,
  to: string,
  only: ReadonlySet<string>,
): Promise<{ moved: number; not_open_there: string[] }> {
  const moved = new Set<string>();
  const closed = new Set<string>();
  for await (const { workflowId } of deployment.open(from)) {
    if (only.size > 0 && !only.has(workflowId)) continue;
    ((await deployment.move(workflowId, to)) ? moved : closed).add(workflowId);
  }
  return { moved: moved.size, not_open_there: [...only].filter((id) => !moved.has(id) && !closed.has(id)) };
}

/** Retries until `attempt` answers null, for at most `waitSeconds`. Answers the last problem; null if it was done. */
async function untilPossible(waitSeconds: number, attempt: () => Promise<string | null>): Promise<string | null> {
  for (const deadline = Date.now() + waitSeconds * 1_000; ; await sleep(RETRY_AFTER_MS)) {
    const isLast = Date.now() >= deadline;
    const problem = await attempt();
    if (problem === null || isLast) return problem;
  }
}

async function knownBuild(deployment: Deployment, buildId: string): Promise<BuildStatus> {
  const { findBuild } = await import('../../../platform/temporal/worker-builds.js');
  const found = await findBuild(deployment, buildId);
  if (typeof found === 'string') throw refused(`build ${buildId}: ${found}`);
  return found;
}

/** Why payments cannot start on the build; null if every queue has a worker of it. */
async function unserved(deployment: Deployment, buildId: string): Promise<string | null> {
  const { findBuild, unservedQueues } = await import('../../../platform/temporal/worker-builds.js');
  const found = await findBuild(deployment, buildId);
  if (typeof found === 'string') return found;
  const queues = unservedQueues(found);
  return queues.length === 0
    ? null
    : `no worker of it serves ${queues.join(', ')}; a payment that starts on it would wait there for ever`;
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
