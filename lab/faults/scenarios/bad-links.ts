// Every link is dead on the way back, or clogged and released connection by connection in a random order, while
// payments begin, are paid and are sent.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LinkName, LINKS } from '../environment/environment.js';
import type { NetworkLink } from '../../harness/network-link.js';
import { leaveLostSends, prepareTraffic } from '../workload.js';
import type { Random } from '../random.js';
import type { Scenario, ScenarioContext } from '../scenario.js';

interface Condition {
  readonly is: string;
  begin(link: NetworkLink): void;
  /** Before it is healed. */
  end?(link: NetworkLink, random: Random): Promise<void>;
}

const BETWEEN_RELEASES_MS = 150;

/** The searcher cuts, slows and silences links too; its links deliver in order, and what was sent is answered or not. */
const CONDITIONS: readonly Condition[] = [
  { is: 'dead on the way back', begin: (link) => link.hold('down') },
  { is: 'clogged, then released one by one in random order', begin: (link) => link.hold('up'), end: releaseOneByOne },
];

/** Longer than the provider's budget, the demo operator's and the database's timeouts. */
const BAD_FOR_MS = 9_000;
const TRAFFIC = 2;
const BEFORE_RELEASE = 'postgres-worker: dead on the way back';

export const badLinks: readonly Scenario[] = LINKS.flatMap((name) =>
  CONDITIONS.map((condition): Scenario => ({
    family: 'network',
    name: `${name}: ${condition.is}`,
    holds:
      'the process behind it counts as down and is found again; every request is decided when repeated, every ' +
      'payment continues',
    ...(`${name}: ${condition.is}` === BEFORE_RELEASE && { beforeRelease: true }),
    play: (context) => playOn(context, name, condition),
  })),
);

async function playOn(context: ScenarioContext, name: LinkName, condition: Condition): Promise<void> {
  const { environment, random } = context;
  const { operator } = environment;
  const link = environment.links[name];
  if (name === 'requests') operator.reachThrough(environment.entrances.common);
  const goOn = await prepareTraffic(operator, TRAFFIC);
  const before = link.touched();
  condition.begin(link);
  const traffic = goOn().then(
    () => null,
    (error: unknown) => error,
  );
  await sleep(BAD_FOR_MS);
  await condition.end?.(link, random);
  link.heal();
  const error = await traffic;
  if (error !== null) throw error;
  assert.ok(link.touched() > before, 'nobody used the link meanwhile');
  await leaveLostSends(context);
}

async function releaseOneByOne(link: NetworkLink, random: Random): Promise<void> {
  for (const connection of random.shuffled(link.held())) {
    connection.release();
    await sleep(BETWEEN_RELEASES_MS);
  }
}
