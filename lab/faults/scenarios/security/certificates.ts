// Client certificates at the TLS edge, in the shape that has one: one that was stolen is revoked while everybody else
// is at work.
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../../harness/eventually.js';
import { callOnce, type Entrance } from '../../environment/requests.js';
import { underSteadyLoad } from '../../workload.js';
import type { Scenario, ScenarioContext } from '../../scenario.js';

const TRAFFIC = 3;
/** From `gateway cert revoke` and the edge's reload to the last request that it lets through. */
const REFUSED_WITHIN_MS = 5_000;

export const certificates: readonly Scenario[] = [
  {
    family: 'security',
    name: 'a client certificate is revoked under load',
    holds: 'its client gets 401 within 5 s, whatever key signs; no other client’s request is refused or cut',
    at: 'cluster',
    play,
  },
];

async function play({ environment }: ScenarioContext): Promise<void> {
  const {
    loadBalancer: { edge },
    operator,
    entrances,
    gateway,
    folder,
  } = environment;
  assert.ok(edge !== null, 'there is no edge');
  const stolen = mkdtempSync(join(folder, 'stolen-'));
  const { serial } = await gateway(
    'cert',
    'issue',
    '--operation',
    operator.operation.operation_id,
    '--authority',
    edge.authority,
    '--out',
    stolen,
    '--as',
    'ana',
  );
  const ping = async (entrance: Entrance) =>
    (await callOnce(entrance, operator.signingKey, { method: 'GET', target: '/v1/ping' }))?.status;
  const [thief, owner] = [edge.entranceWith(stolen), entrances.common];
  assert.deepEqual([await ping(thief), await ping(owner)], [200, 200]);

  operator.reachThrough(owner);
  await underSteadyLoad(operator, TRAFFIC, async () => {
    await gateway('cert', 'revoke', String(serial), '--authority', edge.authority, '--as', 'ana');
    edge.reload();
    await eventually(async () => (await ping(thief)) === 401, 'the stolen certificate is refused', REFUSED_WITHIN_MS);
    assert.equal(await ping(owner), 200);
  });
  assert.equal(await ping(thief), 401);
}
