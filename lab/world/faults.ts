// The weather of a run: what goes wrong between the processes, and when. Healed, nothing goes wrong any more.
import { LAB_PORTS } from '../gateway.js';
import type { World } from './world.js';
import type { ConnectionFate } from '../machine/network.js';
import type { Chance } from '../machine/chance.js';
import type { LabProcess } from '../machine/processes.js';
import { type Fault, MOST_CLOCK_OFF_MS } from './mix.js';
import { provider } from './provider.js';
import { short } from './story.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export class Faults {
  /** Nobody is there, or somebody who cannot take anything. */
  #receivers: 'there' | 'away' | 'failing' = 'there';
  #killsAtStatement = false;
  #databaseAwayUntilMs = 0;
  #isHealed = false;
  readonly #chance;
  readonly #own: (name: string) => Chance;
  readonly #chances = new Map<Fault, Chance>();

  constructor(private readonly world: World) {
    this.#chance = world.chance.branch('faults');
    this.#own = this.#chance.branches();
  }

  #chanceOf(name: Fault): Chance {
    const chance = this.#chances.get(name) ?? this.#own(name);
    this.#chances.set(name, chance);
    return chance;
  }

  /** Whether the fault happens now, by its probability. */
  #is(name: Fault): boolean {
    const probability = this.world.mix.faults[name];
    if (this.#isHealed || probability === undefined || !this.#chanceOf(name).is(probability)) return false;
    this.world.coverage.fault(this.world, name);
    return true;
  }

  /** Again and again, so many times a day. */
  #often(name: Fault, happens: () => void): void {
    const times = this.world.mix.faults[name];
    if (times === undefined) return;
    const next = () => {
      const pauseMs = (DAY_MS / times) * -Math.log(1 - this.#chanceOf(name).unit());
      this.world.later(pauseMs, () => {
        if (this.#isHealed) return;
        this.world.coverage.fault(this.world, name);
        happens();
        next();
      });
    };
    next();
  }

  begin(): void {
    const { machine, temporal, gateway, story, mix } = this.world;
    machine.network.fateOf = (from, port) => this.#fateOf(from, port);
    machine.statements.fateOf = (text) => this.#statement(text);
    temporal.fateOf = () => {
      if (this.#is('Temporal refuses a call')) return 'refused';
      return this.#is('an answer of Temporal is lost') ? 'lost' : 'done';
    };
    temporal.taskDelayMs = () => (this.#is('a task waits for its worker') ? this.#chance.whole(10, 5_000) : 1);
    temporal.suggestsContinueAsNew = () => this.#is('a history continues as a new one');
    for (const operator of this.world.operators)
      operator.receives = () => {
        if (this.world.isIll(operator) || this.#receivers === 'failing') return 'fails';
        if (this.#is('a receiver fails')) return 'fails';
        if (this.#is('a receiver answers wrongly'))
          return this.#chance.of(['is gone', 'redirects', 'refuses'] as const);
        return this.#is('a receiver is slow') ? 'is slow' : 'accepts';
      };
    this.#often('the provider is down for a while', () => {
      const mode = this.#chance.of(['error', 'hang', 'refuse'] as const);
      const forMs = this.#chance.whole(1, 90) * MINUTE_MS;
      const slot = this.#chance.of(mix.slots);
      story.tell(`the provider ${slot} is down (${mode}) for ${Math.round(forMs / MINUTE_MS)} minutes`);
      this.world.later(0, () => provider.outage(slot, mode));
      this.world.later(forMs, () => provider.outage(slot, 'none'));
    });
    if (mix.ill.slot !== null) {
      const { slot } = mix.ill;
      this.world.later(this.#chance.unit() * mix.hours * 3_600_000, () => {
        story.tell(`the provider ${slot} is down for good`);
        return provider.outage(slot, this.#chance.of(['error', 'hang', 'refuse'] as const));
      });
    }
    this.#often('a receiver is down for a while', () => {
      this.#receivers = this.#chance.is(0.5) ? 'failing' : 'away';
      this.world.later(this.#chance.whole(1, 120) * MINUTE_MS, () => {
        this.#receivers = 'there';
      });
    });
    this.#often('the worker is killed between two things', () => {
      story.tell('the worker is killed');
      gateway.killWorker();
      this.#restartWorker(this.#chance.whole(100, 10_000));
    });
    this.#often('the worker is away for a while', () => {
      const forMs = this.#chance.whole(1, 60) * MINUTE_MS;
      story.tell(`the worker is away for ${Math.round(forMs / MINUTE_MS)} minutes`);
      gateway.killWorker();
      this.#restartWorker(forMs);
    });
    this.#often('the worker is killed within a step', () => {
      this.#killsAtStatement = true;
    });
    this.#often('the api is killed', () => {
      story.tell('the api is killed');
      gateway.killApi();
      this.world.later(this.#chance.whole(100, 20_000), () => gateway.startApi());
    });
    this.#often('a workflow is evicted', () => {
      const runs = temporal.openRuns;
      if (runs.length > 0) this.#chance.of(runs).evict();
    });
    this.#often('a workflow is ended by hand', () => {
      const runs = temporal.openRuns.filter(({ workflowId }) => /^(dep|wdr)_/.test(workflowId));
      if (runs.length === 0) return;
      const run = this.#chance.of(runs);
      story.tell(`somebody ends the workflow of ${short(run.workflowId)}`);
      run.terminate('by hand');
    });
    this.#often('a workflow is reset to an earlier task', () => {
      const ids = [...new Set(temporal.allRuns.map(({ workflowId }) => workflowId))];
      // Who does that to an order that was refused starts a copy of it, and people are told of it.
      const known = new Set(this.world.operators.flatMap(({ asked }) => asked.map(({ id }) => id)));
      const payments = ids.filter((id) => known.has(id));
      if (payments.length === 0) return;
      const id = this.#chance.of(payments);
      if (temporal.reset(id) !== null) story.tell(`somebody resets the workflow of ${short(id)} to an earlier task`);
    });
    this.#often('the worker is frozen for a while', () => {
      if (!gateway.isWorkerThere) return;
      const forMs = this.#chance.whole(2, 600) * 1_000;
      story.tell(`the worker is frozen for ${Math.round(forMs / 1_000)} seconds, and another one takes over`);
      gateway.replaceWorker(forMs);
    });
    this.#often('the worker is replaced by a new one', () => {
      if (!gateway.isWorkerThere) return;
      story.tell('a new worker takes over');
      gateway.replaceWorker(0);
    });
    this.#often('the clock of a process jumps', () => {
      const process = this.#chance.of(gateway.processes);
      process.clockAheadMs = this.#chance.whole(-MOST_CLOCK_OFF_MS / 1_000, MOST_CLOCK_OFF_MS / 1_000) * 1_000;
      story.tell(`the clock of the ${process.name} is off by ${process.clockAheadMs / 1_000} s`);
      this.world.later(this.#chance.whole(1, 60) * MINUTE_MS, () => {
        process.clockAheadMs = 0;
      });
    });
    this.#often('PostgreSQL is restarted', () => {
      const forMs = this.#chance.whole(0, 20) * 1_000;
      story.tell(`PostgreSQL is restarted and away for ${forMs / 1_000} s`);
      this.#databaseAwayUntilMs = machine.clock.nowMs + forMs;
      gateway.cutConnections();
    });
  }

  skipsSweep(): boolean {
    return this.#is('a sweep does not run');
  }

  /** From now on nothing goes wrong, and everybody is there. */
  async heal(): Promise<void> {
    this.#isHealed = true;
    this.#databaseAwayUntilMs = 0;
    for (const process of this.world.gateway.processes) process.clockAheadMs = 0;
    this.#receivers = 'there';
    this.#killsAtStatement = false;
    const { slots, ill } = this.world.mix;
    for (const slot of slots) if (slot !== ill.slot) await provider.outage(slot, 'none');
    if (!this.world.gateway.isWorkerThere) this.world.gateway.startWorker();
    if (!this.world.gateway.isApiThere) await this.world.gateway.startApi();
  }

  #restartWorker(afterMs: number): void {
    this.world.later(afterMs, () => {
      if (!this.world.gateway.isWorkerThere) this.world.gateway.startWorker();
    });
  }

  #statement(text: string): 'done' | 'refused' | 'lost' {
    if (this.#databaseAwayUntilMs > this.world.machine.clock.nowMs) return 'refused';
    if (/^(BEGIN|ROLLBACK|SAVEPOINT|SELECT 1)/i.test(text)) return 'done';
    // The commit is sent: only its answer may be lost.
    if (/^COMMIT/i.test(text)) return this.#is('the answer to a statement is lost') ? 'lost' : 'done';
    if (this.#killsAtStatement && this.world.gateway.isWorkerRunning && this.#chance.is(0.2)) {
      this.#killsAtStatement = false;
      this.world.coverage.note('sometimes', 'a worker was killed within a step');
      const isStored = this.#chance.is(0.5);
      this.world.story.tell(`the worker is killed ${isStored ? 'after' : 'before'} a statement`);
      this.world.gateway.killWorker();
      this.#restartWorker(this.#chance.whole(100, 30_000));
      return isStored ? 'lost' : 'refused';
    }
    if (this.#is('the database refuses a statement')) return 'refused';
    return this.#is('the answer to a statement is lost') ? 'lost' : 'done';
  }

  #fateOf(from: LabProcess | undefined, port: number): ConnectionFate {
    const latency = () => this.#chance.whole(1, 40);
    const usual = { thereMs: latency(), backMs: latency() };
    if (port === LAB_PORTS.simulator) {
      // The control interface is the lab's own hand.
      if (from === undefined) return { thereMs: 0, backMs: 0 };
      if (this.#is('the provider refuses a connection')) return { ...usual, isRefused: true };
      if (this.#is('a call to the provider never arrives')) return { ...usual, cut: 'request' };
      if (this.#is('a call to the provider arrives late'))
        return { ...usual, thereMs: this.#chance.whole(9, 150) * 1_000 };
      if (this.#is('an answer of the provider is lost')) return { ...usual, cut: 'answer' };
      if (this.#is('the provider is silent to a call')) return { ...usual, backMs: Infinity };
      if (this.#is('a call to the provider is slow')) return { ...usual, backMs: this.#chance.whole(500, 12_000) };
      if (this.#is('the provider answers about another payout')) return { ...usual, tells: asAnotherPayout };
      return usual;
    }
    if (port === LAB_PORTS.ingress) {
      if (this.world.mix.isMute) return { ...usual, isRefused: true };
      if (this.#is('a callback is refused at the door')) return { ...usual, isRefused: true };
      return this.#is('the answer to a callback is lost') ? { ...usual, cut: 'answer' } : usual;
    }
    if (port === LAB_PORTS.api) return this.#is('an answer of the api is lost') ? { ...usual, cut: 'answer' } : usual;
    return this.#receivers === 'away' ? { ...usual, isRefused: true } : usual;
  }
}

/** An answer about a larger payout that was paid, under the reference of the one that was asked for. */
function asAnotherPayout(answer: string): string {
  if (!answer.includes('"idEnvio"')) return answer;
  const larger = answer.replace(/"valor":"[1-8](\d*\.\d\d)"/, '"valor":"9$1"');
  const paid = '"status":"REALIZADO"';
  return larger === answer
    ? answer
    : larger.replace(/"status":"EM_PROCESSAMENTO"/, (status) => paid.padEnd(status.length));
}
