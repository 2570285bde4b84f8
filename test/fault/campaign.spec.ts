// The part of `npm run faults` that `npm test -- release` plays (tools/faults/before-release.ts): on real processes,
// with a fixed seed.
import assert from 'node:assert/strict';
import { type Environment, startEnvironment } from '../../tools/faults/environment/environment.js';
import { type CampaignServers, startServers } from '../../tools/faults/environment/servers.js';
import { BEFORE_RELEASE } from '../../tools/faults/before-release.js';
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

  const chosen = SCENARIOS.filter(({ name }) => BEFORE_RELEASE.has(name));
  it('has every scenario that it names', () => assert.equal(chosen.length, BEFORE_RELEASE.size));

  for (const scenario of chosen) {
    it(`${scenario.family}: ${scenario.name}`, async function () {
      this.timeout(SCENARIO_TIMEOUT_MS);
      assert.deepEqual((await play(environment, scenario, SEED)).problems, []);
    });
  }
});
