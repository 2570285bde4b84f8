// The part of `npm run faults` that `npm test -- release` plays: on real processes.
import { type Environment, startEnvironment } from '../../lab/faults/environment/environment.js';
import { play, SCENARIOS } from '../../lab/faults/scenarios.js';
import { type Servers, startServers } from '../../lab/harness/servers.js';

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

  for (const scenario of SCENARIOS.filter(({ beforeRelease }) => beforeRelease))
    it(scenario.name, () => play(environment, scenario)).timeout(SCENARIO_TIMEOUT_MS);
});
