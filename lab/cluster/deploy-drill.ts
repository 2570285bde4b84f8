// `npm run cluster -- --deploy`: a deploy of new workers in the middle of payments, and what it did to them.
import { Client } from '@temporalio/client';
import { readTemporalConfig } from '../../platform/config/cli.js';
import { connectTemporal, DATA_CONVERTER } from '../../platform/temporal/connection.js';
import { formatDuration, say } from '../../tools/bootstrap/progress.mjs';
import type { Cluster, RunningCluster } from './cluster.js';
import { DrillPayments } from './payments.js';

const CONNECT_TIMEOUT_MS = 10_000;

/** True when every payment ended, those from before on the old build. */
export async function drillDeploy(
  cluster: Cluster,
  { sandbox, environment, gateway }: RunningCluster,
): Promise<boolean> {
  say('\nA deploy in the middle of payments');
  const payments = new DrillPayments(sandbox);
  try {
    const early = await payments.begin();
    const flow = payments.flow();
    const deploy = await cluster.startDeploy();
    const late = await payments.begin();
    await payments.pay(early);
    const left = await deploy.finish();
    const { deposits, slowestMs } = await flow.stop();
    await payments.pay(late);

    const builds = await buildsOfWorkflows(environment, [early, late, ...deposits]);
    const [before, after] = [builds.get(early) ?? '?', builds.get(late) ?? '?'];
    const onNew = deposits.filter((id) => builds.get(id) === deploy.newBuild).length;
    const { code } = await gateway(['ledger', 'verify']);
    say(
      `  payments during the deploy   ${deposits.length}, all paid: ${deposits.length - onNew} on ` +
        `${deploy.oldBuild}, ${onNew} on ${deploy.newBuild}; the slowest took ${formatDuration(slowestMs)}`,
    );
    say(`  begun before, paid after     ${early} on ${before}`);
    say(`  begun after                  ${late} on ${after}`);
    say(
      `  ${deploy.oldBuild.padEnd(28)} ` +
        (left === null
          ? 'drained; its workers are ended'
          : `keeps its workers: ${left.length} open (${left.slice(0, 3).join(', ')}…)`),
    );
    say(`  ledger                       ${code === 0 ? 'holds' : 'does not hold'}`);
    return code === 0 && before === deploy.oldBuild && after === deploy.newBuild && deposits.length > 0;
  } finally {
    await payments.close();
  }
}

/** The build that each workflow ended on, or is on. */
async function buildsOfWorkflows(
  environment: Readonly<Record<string, string>>,
  ids: readonly string[],
): Promise<Map<string, string | undefined>> {
  const connection = await connectTemporal(readTemporalConfig(environment), CONNECT_TIMEOUT_MS);
  try {
    const client = new Client({
      dataConverter: DATA_CONVERTER,
      connection,
      namespace: environment['TEMPORAL_NAMESPACE'] as string,
    });
    const builds = new Map<string, string | undefined>();
    for (const id of ids) {
      const { raw } = await client.workflow.getHandle(id).describe();
      builds.set(id, raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? undefined);
    }
    return builds;
  } finally {
    await connection.close();
  }
}
