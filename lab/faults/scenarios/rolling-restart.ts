// A rolling restart under load: one process after the other ends in good order and begins again. Nobody notices.
import assert from 'node:assert/strict';
import { eventually } from '../../harness/eventually.js';
import type { Node } from '../../harness/node.js';
import { underSteadyLoad } from '../workload.js';
import type { Scenario, ScenarioContext } from '../scenario.js';

const TRAFFIC = 3;
/**
 * How long a node that was asked to end still serves: the edge has to notice. Longer than a client keeps an idle
 * connection.
 */
const DRAIN = { API_DRAIN_SECONDS: '3' };

export const rollingRestart: readonly Scenario[] = [
  {
    family: 'processes',
    name: 'api nodes restarted one by one under load',
    holds:
      'no request is refused, cut or answered 5xx: each node reports that it is not ready, the edge stops using ' +
      'it, and it finishes its requests',
    play: (context) => playUnderLoad(context, rollApis),
  },
  {
    family: 'processes',
    name: 'workers restarted one by one under load',
    holds: 'no request is refused, cut or answered 5xx; each worker ends with exit code 0',
    play: (context) => playUnderLoad(context, rollWorkers),
  },
];

async function playUnderLoad(
  context: ScenarioContext,
  roll: (context: ScenarioContext) => Promise<void>,
): Promise<void> {
  const { operator, entrances, apis } = context.environment;
  for (const api of apis) await api.restart(DRAIN);
  operator.reachThrough(entrances.common);
  const rounds = await underSteadyLoad(operator, TRAFFIC, () => roll(context));
  assert.ok(rounds > 0, 'nobody asked for anything meanwhile');
}

async function rollApis({ environment: { apis, loadBalancer } }: ScenarioContext): Promise<void> {
  for (const [index, node] of apis.entries()) {
    const ended = node.stop();
    // What an edge sees: the node still answers, and says that it is not ready.
    await eventually(async () => (await readiness(node)) === 503, `${node.name} says that it ends`, 3_000);
    loadBalancer.direct([index === 0 ? 1 : 0]);
    assert.equal(await ended, 0);
    await node.start(DRAIN);
    loadBalancer.direct([0, 1]);
  }
}

async function rollWorkers({ environment: { workers } }: ScenarioContext): Promise<void> {
  for (const worker of workers) {
    assert.equal(await worker.stop(), 0);
    await worker.start();
  }
}

async function readiness(node: Node): Promise<number | null> {
  return fetch(`${node.url}/healthz`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ status }) => status,
    () => null,
  );
}
