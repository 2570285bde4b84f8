// `gateway deploy …`: which build of the workers new payments begin on, and when an old build's workers may be ended.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { BUILD_ID } from '../../../contract/temporal/worker-versions.js';
import type { CommandContext } from '../../context.js';
import { answer } from '../../context.js';
import type { BuildStatus, Deployment } from './deployment.js';
import { readPerson } from '../../inputs/identifiers.js';
import { examples, personOption, wholeNumber } from '../../options.js';
import { badInput, refused } from '../../problem.js';
import type { Registrar } from '../../program.js';

type Register = (parent: Command, run: Registrar) => void;

const LONGEST_WAIT_SECONDS = 600;
const LOOK_AGAIN_MS = 1_000;
/** So many of a build's open workflows are named. */
const MOST_NAMED = 20;

const registerStatus: Register = (parent, run) => {
  parent
    .command('status')
    .description(
      'Shows every build of the workers: which is current, which are draining, what is open on each, and who serves which queue.',
    )
    .addHelpText('after', examples('deploy status'))
    .action(
      run((context) =>
        withDeployment(context, async (deployment) =>
          answer({ deployment: deployment.name, builds: (await deployment.builds()).map(shown) }),
        ),
      ),
    );
};

const registerPromote: Register = (parent, run) => {
  parent
    .command('promote')
    .description(
      'New payments begin on this build from now on; those under way end on the build that they began on. Refused while one of the\ntask queues has no worker of the build. The same command with the old build rolls back.',
    )
    .argument('<build>', 'the build (WORKER_BUILD_ID of its workers)')
    .addOption(
      new Option('--ramp <percent>', 'only this share of the new payments, 1 to 99; 0 ends the ramp').argParser(
        wholeNumber(0, 99),
      ),
    )
    .addOption(
      new Option('--wait <seconds>', `wait for the build's workers, at most ${LONGEST_WAIT_SECONDS}`)
        .default(0)
        .argParser(wholeNumber(0, LONGEST_WAIT_SECONDS)),
    )
    .addOption(personOption('who does it'))
    .addHelpText(
      'after',
      examples('deploy promote 2026-11-21.2 --ramp 10 --as ana', 'deploy promote 2026-11-21.2 --as ana'),
    )
    .action(
      run(async (context, build: string, options: { ramp?: number; wait: number; as?: string }) => {
        const [buildId, person] = [readBuild(build), readPerson(options.as)];
        const { ramp = null } = options;
        const before = await withDeployment(context, async (deployment) => {
          const current = (await deployment.builds()).find(({ state }) => state === 'current')?.buildId ?? null;
          const promote = () =>
            ramp === null ? deployment.makeCurrent(buildId, person) : deployment.ramp(buildId, ramp, person);
          await untilNothingHinders(
            options.wait,
            buildId,
            async () => (ramp === 0 ? null : await unserved(deployment, buildId)) ?? (await promote()),
          );
          return current;
        });
        await noteAct(context, {
          person,
          action: 'deploy.promote',
          subject: buildId,
          detail: { before, ramp_percent: ramp },
        });
        return answer({ build_id: buildId, current: ramp === null ? buildId : before, ramp_percent: ramp, before });
      }),
    );
};

const registerDrained: Register = (parent, run) => {
  parent
    .command('drained')
    .description(
      `Says whether the workers of a build may be ended: nothing is open on it and nothing new begins on it. Exit code 1 if not,\nwith what is open (the first ${MOST_NAMED}).`,
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
            if (open.length >= MOST_NAMED) break;
          }
          const isDrained = (status.state === 'drained' || status.state === 'inactive') && open.length === 0;
          return answer({ ...shown(status), drained: isDrained, open }, isDrained ? 0 : 1);
        }),
      ),
    );
};

const registerMove: Register = (parent, run) => {
  parent
    .command('move')
    .description(
      'Gives open payments of one build to another: how a fix reaches those that are under way. The other build must be able to replay\nwhat they did so far (patched(), and the recorded histories as proof); otherwise they stand still there until they are moved back.',
    )
    .argument('<from>', 'the build that they are on')
    .argument('<to>', 'the build that shall have them')
    .argument('[ids...]', 'only these workflows (dep_…, wdr_…, evt_…); all of the build without any')
    .addOption(personOption('who does it'))
    .addHelpText(
      'after',
      examples(
        'deploy move 2026-11-21.1 2026-11-21.2 dep_0123456789abcdef0123456789abcdef --as ana',
        'deploy move 2026-11-21.1 2026-11-21.2 --as ana',
      ),
    )
    .action(
      run(async (context, from: string, to: string, ids: string[], options: { as?: string }) => {
        const [fromBuild, toBuild, person] = [readBuild(from), readBuild(to), readPerson(options.as)];
        if (fromBuild === toBuild) throw badInput('TO', 'must be another build');
        const result = await withDeployment(context, async (deployment) => {
          await knownBuild(deployment, fromBuild);
          await untilNothingHinders(0, toBuild, () => unserved(deployment, toBuild));
          return moveAll(deployment, fromBuild, toBuild, new Set(ids));
        });
        await noteAct(context, {
          person,
          action: 'deploy.move',
          subject: toBuild,
          detail: { from: fromBuild, ids, ...result },
        });
        const isWhole = result.not_open_there.length === 0;
        if (!isWhole)
          context.explain(`gateway: ${result.not_open_there.length} of the workflows are not open on ${fromBuild}`);
        return answer({ from: fromBuild, to: toBuild, ...result }, isWhole ? 0 : 1);
      }),
    );
};

export const registerDeploy: readonly Register[] = [registerStatus, registerPromote, registerDrained, registerMove];

/** Moves what the index shows, until it shows nothing of it any more or only what was moved already. */
async function moveAll(
  deployment: Deployment,
  from: string,
  to: string,
  only: ReadonlySet<string>,
): Promise<{ moved: number; not_open_there: string[] }> {
  const moved = new Set<string>();
  const ended = new Set<string>();
  for await (const { workflowId } of deployment.open(from)) {
    if (only.size > 0 && !only.has(workflowId)) continue;
    ((await deployment.move(workflowId, to)) ? moved : ended).add(workflowId);
  }
  return { moved: moved.size, not_open_there: [...only].filter((id) => !moved.has(id) && !ended.has(id)) };
}

/** Tries until `hindrance` answers null; throws a CommandProblem with what it still answers after so many seconds. */
async function untilNothingHinders(
  waitSeconds: number,
  buildId: string,
  hindrance: () => Promise<string | null>,
): Promise<void> {
  for (const deadline = Date.now() + waitSeconds * 1_000; ; await sleep(LOOK_AGAIN_MS)) {
    const isLast = Date.now() >= deadline;
    const found = await hindrance();
    if (found === null) return;
    if (isLast) throw refused(`build ${buildId}: ${found}`);
  }
}

async function knownBuild(deployment: Deployment, buildId: string): Promise<BuildStatus> {
  const { findBuild } = await import('./deployment.js');
  const found = await findBuild(deployment, buildId);
  if (typeof found === 'string') throw refused(`build ${buildId}: ${found}`);
  return found;
}

/** Null: every queue has a worker of the build. */
async function unserved(deployment: Deployment, buildId: string): Promise<string | null> {
  const { findBuild, unservedQueues } = await import('./deployment.js');
  const found = await findBuild(deployment, buildId);
  if (typeof found === 'string') return found;
  const queues = unservedQueues(found);
  return queues.length === 0
    ? null
    : `no worker of it serves ${queues.join(', ')}; a payment that begins on it would wait there for ever`;
}

async function withDeployment<Result>(
  context: CommandContext,
  work: (deployment: Deployment) => Promise<Result>,
): Promise<Result> {
  const [{ readDeploymentConfig }, { Deployment }] = await Promise.all([
    import('../../../platform/config/cli.js'),
    import('./deployment.js'),
  ]);
  const { WORKER_DEPLOYMENT_NAME: name } = readDeploymentConfig(context.environment);
  return context.withTemporal((client) => work(new Deployment(client, name)));
}

/** After the act: what Temporal refused, nobody did. */
async function noteAct(
  context: CommandContext,
  act: {
    person: string;
    action: string;
    subject: string;
    detail: { [name: string]: string | number | null | string[] };
  },
): Promise<void> {
  const { appendAudit } = await import('../../../store/audit/audit.js');
  await context.withDatabase((database) => appendAudit(database, { ...act, operationId: null }));
}

function shown({ buildId, state, rampPercent, openWorkflows, workers }: BuildStatus) {
  return { build_id: buildId, state, ramp_percent: rampPercent, open_workflows: openWorkflows, workers };
}

function readBuild(text: string): string {
  if (!BUILD_ID.test(text)) throw badInput('BUILD', 'must be 1 to 63 letters, digits, dots, hyphens or underscores');
  return text;
}
