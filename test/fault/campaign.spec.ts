// The part of `npm run faults` that CI plays (tools/faults/in-ci.ts), on real processes, with a fixed
// seed.
import assert from 'node:assert/strict';
import { type Environment, startEnvironment } from '../../tools/faults/environment/environment.js';
import { type CampaignServers, startServers } from '../../tools/faults/environment/servers.js';
import { IN_CI } from '../../tools/faults/in-ci.js';
import { play } from '../../tools/faults/play.js';
import { SCENARIOS } from '../../tools/faults/scenarios/index.js';

const SEED = 20_261_121;
const SCENARIO_TIMEOUT_MS = 300_000;

describe('fault campaign', () => {
  let servers: CampaignServers;
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

  const chosen = SCENARIOS.filter(({ name }) => IN_CI.has(name));
  it('has every scenario that it names', () => assert.equal(chosen.length, IN_CI.size));

  for (const scenario of chosen) {
    it(`${scenario.family}: ${scenario.name}`, async function () {
      this.timeout(SCENARIO_TIMEOUT_MS);
      assert.deepEqual((await play(environment, scenario, SEED)).problems, []);
    });
  }
});
