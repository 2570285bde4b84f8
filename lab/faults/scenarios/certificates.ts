// Client certificates at the TLS edge, in the shape that has one: one that was stolen is revoked while everybody else
// is at work.
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../harness/eventually.js';
import { callOnce, type Entrance } from '../environment/requests.js';
import type { Environment } from '../environment/environment.js';
import { servedDuring } from '../environment/steady-reads.js';
import type { Scenario } from '../scenario.js';

/** From `gateway cert revoke` and the edge's reload to the last request that it lets through. */
const REFUSED_WITHIN_MS = 5_000;

export const certificates: Scenario = {
  name: 'a client certificate is revoked under load',
  holds: 'its client gets 401 within 5 s, whatever key signs; no other client’s request is refused or cut',
  at: 'cluster',
  play,
};

async function play({ front: { edge }, operator, entrance, gateway, folder }: Environment): Promise<void> {
  assert.ok(edge !== null, 'there is no edge');
  const stolen = mkdtempSync(join(folder, 'stolen-'));
  const { operation_id: operation } = operator.operation;
  const { authority } = edge;
  const where = ['--operation', operation, '--authority', authority, '--out', stolen];
  const { serial } = await gateway('cert', 'issue', ...where, '--as', 'ana');
  const ping = async (by: Entrance) =>
    (await callOnce(by, operator.signingKey, { method: 'GET', target: '/v1/ping' }))?.status;
  const thief = edge.entranceWith(stolen);
  assert.deepEqual([await ping(thief), await ping(entrance)], [200, 200]);

  const { id } = await operator.deposit();
  const meanwhile = await servedDuring(operator, `/v1/deposits/${id}`, async () => {
    await gateway('cert', 'revoke', String(serial), '--authority', authority, '--as', 'ana');
    edge.reload();
    await eventually(async () => (await ping(thief)) === 401, 'the stolen certificate is refused', REFUSED_WITHIN_MS);
    // Creations pass too.
    await operator.deposit();
  });
  assert.deepEqual(meanwhile.refused, []);
  assert.ok(meanwhile.answered > 0);
  assert.equal(await ping(thief), 401);
}
