// The part of `npm run faults` that `npm test -- release` plays : on real processes, with a fixed seed.
import assert from 'node:assert/strict';
import { type Environment, startEnvironment } from '../../lab/faults/environment/environment.js';
import { type Servers, startServers } from '../../lab/harness/servers.js';
import { play } from '../../lab/faults/play.js';
import { SCENARIOS } from '../../lab/faults/scenarios/index.js';

const SEED = 20_261_121;
const SCENARIO_TIMEOUT_MS = 300_000;

describe('fault campaign', () => {
  let servers: Servers;
  let environment: Environment;
  before(async function () {
    this.timeout(180_000);
    servers = await startServers();
    environment = await startEnvironment(servers);
  });
  after(async function () {
    this.timeout(60_000);
    await environment?.close();
    await servers?.close();
  });

  for (const scenario of SCENARIOS.filter(({ beforeRelease }) => beforeRelease)) {
    it(`${scenario.family}: ${scenario.name}`, async function () {
      this.timeout(SCENARIO_TIMEOUT_MS);
      assert.deepEqual((await play(environment, scenario, SEED)).problems, []);
    });
  }
});
