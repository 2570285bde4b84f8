// What goes wrong between real processes: each fault of a life's mix by the means that processes, links and signals
// offer. A fault without such a means is not played here, and is named.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Node, withClockOff } from '../harness/node.js';
import type { Environment } from '../faults/environment/environment.js';
import type { NetworkLink } from '../harness/network-link.js';
import type { Chance } from '../machine/chance.js';
import type { Fault } from '../world/mix.js';
import { provider } from '../world/provider.js';
import type { RealWorld } from './real-world.js';

const SECOND_MS = 1_000;
/** Between two faults of one kind, on average. */
const PAUSE_MS = 40 * SECOND_MS;

const OF_RECEIVERS = ['a receiver fails', 'a receiver is slow', 'a receiver answers wrongly'] as const;
const WRONG_ANSWERS = ['is gone', 'redirects', 'refuses'] as const;

type Means = (given: { environment: Environment; chance: Chance; world: RealWorld }) => Promise<void>;

/** For a while the link does what `happens` does to it. */
const whileBroken =
  (link: (environment: Environment) => NetworkLink, happens: (broken: NetworkLink) => void): Means =>
  async ({ environment, chance }) => {
    const broken = link(environment);
    happens(broken);
    await sleep(chance.whole(1, 12) * SECOND_MS);
    broken.heal();
    broken.reset();
  };

const cut = (broken: NetworkLink) => broken.cut();
const holdAnswers = (broken: NetworkLink) => broken.hold('down');
const holdAll = (broken: NetworkLink) => broken.hold();
const reset = (broken: NetworkLink) => broken.reset();
const slow = (broken: NetworkLink) => broken.slowDown(2_500);
const link = (name: keyof Environment['links']) => (environment: Environment) => environment.links[name];

const killOne =
  (nodes: (environment: Environment) => readonly Node[], longestSeconds: number): Means =>
  async ({ environment, chance, world }) => {
    const node = chance.of(nodes(environment));
    world.story.tell(`${node.name} is killed`);
    await node.kill();
    await sleep(chance.whole(0, longestSeconds) * SECOND_MS);
    await node.start();
  };

/** By the faults that the generator draws. */
const MEANS: Readonly<Partial<Record<Fault, Means>>> = {
  'a call to the provider is slow': whileBroken(link('provider'), slow),
  'a call to the provider never arrives': whileBroken(link('provider'), (broken) => broken.hold('up')),
  'an answer of the provider is lost': whileBroken(link('provider'), holdAnswers),
  'the provider is silent to a call': whileBroken(link('provider'), holdAll),
  'the provider refuses a connection': whileBroken(link('provider'), cut),
  'the provider is down for a while': async ({ chance, world }) => {
    const mode = chance.of(['error', 'hang', 'refuse'] as const);
    const slot = chance.of(world.mix.slots);
    world.story.tell(`the provider ${slot} is down (${mode})`);
    await provider.outage(slot, mode);
    await sleep(chance.whole(2, 30) * SECOND_MS);
    await provider.outage(slot, 'none');
  },
  'a callback is refused at the door': whileBroken(link('callbacks'), cut),
  'the answer to a callback is lost': whileBroken(link('callbacks'), holdAnswers),
  'an answer of the api is lost': whileBroken(link('requests'), holdAnswers),
  'the database refuses a statement': whileBroken(link('postgres-worker'), reset),
  'the answer to a statement is lost': whileBroken(link('postgres-worker'), holdAnswers),
  'Temporal refuses a call': whileBroken(link('temporal-api'), cut),
  'an answer of Temporal is lost': whileBroken(link('temporal-api'), holdAnswers),
  'the worker is killed between two things': killOne(({ allWorkers }) => allWorkers, 5),
  'the worker is killed within a step': killOne(({ workers }) => workers, 2),
  'the worker is away for a while': async ({ environment, chance, world }) => {
    world.story.tell('no worker is there');
    await Promise.all(environment.allWorkers.map((node) => node.kill()));
    await sleep(chance.whole(5, 40) * SECOND_MS);
    await Promise.all(environment.allWorkers.map((node) => node.start()));
  },
  'the worker is frozen for a while': async ({ environment, chance, world }) => {
    const node = chance.of(environment.allWorkers);
    const { pid } = node;
    if (pid === undefined) return;
    world.story.tell(`${node.name} stands still`);
    process.kill(pid, 'SIGSTOP');
    await sleep(chance.whole(2, 40) * SECOND_MS);
    if (node.pid === pid) process.kill(pid, 'SIGCONT');
  },
  'the worker is replaced by a new one': async ({ environment, chance, world }) => {
    const node = chance.of(environment.allWorkers);
    world.story.tell(`${node.name} ends in good order, and starts again`);
    await node.stop();
    await node.start();
  },
  'the clock of a process jumps': async ({ environment, chance, world }) => {
    const node = chance.of([...environment.allWorkers, ...environment.apis]);
    const seconds = chance.whole(-200, 200);
    world.story.tell(`the clock of ${node.name} is off by ${seconds} s`);
    await node.restart(withClockOff(seconds));
    await sleep(chance.whole(5, 60) * SECOND_MS);
    await node.restart();
  },
  'the api is killed': killOne(({ apis }) => apis, 10),
  'PostgreSQL is restarted': async ({ environment: { servers }, world }) => {
    world.story.tell('PostgreSQL is killed');
    servers.postgres.kill();
    await servers.postgres.ready();
  },
};

/** Of what the fast engine has none of: other servers, and the wires between any two processes. */
const ONLY_HERE: Readonly<Record<string, Means>> = {
  'a role of Temporal is killed': async ({ environment: { servers }, chance, world }) => {
    const [name, server] = chance.of(Object.entries(servers.temporalRoles));
    world.story.tell(`Temporal's ${name} is killed`);
    server.kill();
    await server.ready();
  },
  'the edge is killed': async ({ environment: { front } }) => {
    front.edge?.server.kill();
    await front.edge?.server.ready();
  },
  'an ingress is killed': killOne(({ ingresses }) => ingresses, 10),
  'the bank is killed': killOne(({ simulator }) => [simulator], 10),
  'the power is cut': async ({ environment: { servers, apis, ingresses, allWorkers }, world }) => {
    world.story.tell('all that keeps state in memory is killed at one moment');
    const nodes = [...apis, ...ingresses, ...allWorkers];
    servers.temporal.kill();
    await Promise.all(nodes.map((node) => node.kill()));
    await servers.temporal.ready();
    await Promise.all(nodes.map((node) => node.start()));
  },
  'a link is dead on the way back': async (given) =>
    whileBroken(() => given.chance.of(Object.values(given.environment.links)), holdAnswers)(given),
  'a link is clogged, and released in another order': async ({ environment, chance }) => {
    const clogged = chance.of(Object.values(environment.links));
    clogged.hold('up');
    await sleep(chance.whole(1, 12) * SECOND_MS);
    for (let held = clogged.held(); held.length > 0; await sleep(BETWEEN_RELEASES_MS)) {
      const next = chance.of(held);
      next.release();
      held = held.filter((connection) => connection !== next);
    }
    clogged.heal();
  },
};
const BETWEEN_RELEASES_MS = 150;

export class RealWeather {
  readonly #chance: Chance;
  #isHealed = false;
  #running: Promise<void>[] = [];
  /** One fault at a time touches processes: another would start what the first keeps down. */
  #turn = Promise.resolve();

  constructor(private readonly world: RealWorld) {
    this.#chance = world.chance.branch('weather');
  }

  /** @returns the faults of the mix that cannot be played here */
  begin(): readonly string[] {
    const drawn = Object.keys(this.world.mix.faults) as Fault[];
    for (const name of drawn) this.#often(name, MEANS[name]);
    for (const [name, means] of Object.entries(ONLY_HERE))
      if (drawn.length > 0 && this.#chance.is(0.4)) this.#often(name, means);
    for (const operator of this.world.operators)
      operator.receives = () => {
        if (this.#is('a receiver fails')) return 'fails';
        if (this.#is('a receiver answers wrongly')) return this.#chance.of(WRONG_ANSWERS);
        return this.#is('a receiver is slow') ? 'is slow' : 'accepts';
      };
    const here = new Set<string>([...Object.keys(MEANS), ...OF_RECEIVERS]);
    return drawn.filter((name) => !here.has(name));
  }

  #is(name: Fault): boolean {
    const probability = this.world.mix.faults[name];
    if (this.#isHealed || probability === undefined || !this.#chance.is(probability)) return false;
    this.world.coverage.fault(this.world, name);
    return true;
  }

  #often(name: string, means: Means | undefined): void {
    if (means === undefined) return;
    const { world } = this;
    const chance = this.#chance.branch(name);
    const again = async () => {
      for (;;) {
        await sleep(PAUSE_MS * -Math.log(1 - chance.unit()));
        if (this.#isHealed) return;
        await this.#inTurn(async () => {
          if (this.#isHealed) return;
          world.coverage.fault(world, name);
          await means({ environment: world.stage.environment, chance, world });
        });
      }
    };
    this.#running.push(again().catch((error: unknown) => world.find('the lab works', String(error))));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  /** From now on nothing goes wrong, and everybody is there. */
  async heal(): Promise<void> {
    this.#isHealed = true;
    await this.#turn;
    for (const slot of this.world.mix.slots) await provider.outage(slot, 'none');
    await this.world.stage.environment.heal();
  }
}
