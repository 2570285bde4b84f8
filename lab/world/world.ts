// The world of a run: who and what is in it, and how its time passes.
import type { Coverage } from '../coverage.js';
import type { LabDatabase } from '../database.js';
import { LAB_PORTS, type LabGateway } from '../gateway.js';
import type { Evidence } from '../judge/evidence.js';
import { ToldFacts } from '../judge/told.js';
import { DIALECTS } from '../../providers/index.js';
import type { Chance } from '../machine/chance.js';
import { type Machine, machine } from '../machine/machine.js';
import { outsideProcesses } from '../machine/processes.js';
import { real } from '../machine/real.js';
import type { LabTemporal } from '../temporal/server.js';
import { type Mix, MOST_CLOCK_OFF_MS } from './mix.js';
import { provider } from './provider.js';
import { Scene } from './scene.js';
import { Story } from './story.js';

/** So many steps within a minute of virtual time mean that something goes round. */
const MOST_STEPS_A_MINUTE = 20_000;
/** Between two looks of the judge. */
const LOOK_EVERY_MS = 20 * 60_000;
/** After it nothing is felt any more of what went wrong: an outage, a workflow that is gone, a queue of callbacks. */
const FELT_MS = 4 * 3_600_000;
/** In short lives; once a world is healed, and in long ones, sweeps are rare. */
export const OFTEN_SWEPT_HOURS = 8;
const SWEPT_MS = 75 * 60_000;
/** What came is listed four times an hour; what went back, once. */
const CAME_SWEPT_MS = 40 * 60_000;
const RARELY_SWEPT_MS = 5 * 3_600_000;
/** Faults that only webhooks feel. */
const OF_RECEIVERS = /^a receiver /;
/** Faults of providers, and of what the gateway does about them. */
const OF_PROVIDERS = /provider|^a sweep|callback|^a bank/;

export class World extends Scene {
  readonly machine: Machine = machine();
  readonly story = new Story(() => this.machine.clock.nowMs);
  readonly told = new ToldFacts();
  activations = 0;
  #minute = 0;
  #stepsOfMinute = 0;
  #tasksAtLook = new Map<string, number>();
  gateway!: LabGateway;

  constructor(
    chance: Chance,
    mix: Mix,
    readonly database: LabDatabase,
    readonly temporal: LabTemporal,
    coverage: Coverage,
  ) {
    super(chance, mix, coverage);
  }

  async evidence(): Promise<Evidence> {
    const { database, operators, decisions, cash, healedMs, lists, stops, rules, answers, payers, mix } = this;
    const books = await provider.books();
    const { nowMs } = this.machine.clock;
    const { calmSinceMs, moved } = this;
    const isOwn = (name: string) => !OF_RECEIVERS.test(name) && !OF_PROVIDERS.test(name);
    const ownTroublesMs = this.troubles.flatMap(({ name, atMs }) => (isOwn(name) ? [atMs] : []));
    const { calls: noted } = this.machine.network;
    const of = (given: number) => noted.filter(({ port, method }) => port === given && method !== '');
    const calls = of(LAB_PORTS.simulator).filter(({ from }) => from !== 'outside');
    const isRare = this.isHealthy || mix.hours > OFTEN_SWEPT_HOURS;
    const [sweptMs, cameSweptMs] = isRare ? [RARELY_SWEPT_MS, RARELY_SWEPT_MS] : [SWEPT_MS, CAME_SWEPT_MS];
    const acts = { decisions, cash, lists, stops, rules, answers, payers, moved };
    const own = {
      ...acts,
      ownTroublesMs,
      calls,
      asks: of(LAB_PORTS.api),
      sweptMs,
      cameSweptMs,
      isMute: mix.isMute,
      clocksOffMs: mix.faults['the clock of a process jumps'] === undefined ? 0 : MOST_CLOCK_OFF_MS,
      listsDisputes: mix.slots.filter((slot) => this.gateway.isListed(slot, 'disputes')),
      nameless: mix.slots.filter((slot) => !DIALECTS[mix.dialects[slot]].capabilities.namesPayer),
      tasks: this.#tasksSinceLook(),
    };
    return { database, operators, books, ...own, illSlot: this.mix.ill.slot, nowMs, healedMs, calmSinceMs };
  }

  /** Of the runs that go on. */
  #tasksSinceLook(): ReadonlyMap<string, number> {
    const earlier = this.#tasksAtLook;
    const runs = this.temporal.openRuns;
    this.#tasksAtLook = new Map(runs.map((run) => [run.workflowId, run.activations]));
    return new Map(
      runs.map(({ workflowId, activations }) => [workflowId, activations - (earlier.get(workflowId) ?? 0)]),
    );
  }

  get calmSinceMs(): number | null {
    if (this.mix.ill.slot !== null) return null;
    const last = this.troubles.findLast(({ name }) => !OF_RECEIVERS.test(name))?.atMs ?? -Infinity;
    return this.machine.clock.nowMs - last > FELT_MS ? last + FELT_MS : null;
  }

  later(milliseconds: number, work: () => Promise<unknown> | void): void {
    outsideProcesses(() =>
      this.machine.clock.after(milliseconds, () => {
        Promise.resolve()
          .then(work)
          .catch((error: unknown) => this.find('the lab works', textOf(error)));
      }),
    );
  }

  /** Lets time pass until the work is done. */
  async during<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const ends = () => {
      isOver = true;
    };
    work.then(ends, ends);
    for (let idle = 0; !isOver;) {
      await this.machine.settle();
      if (isOver) break;
      if (this.machine.clock.nextAtMs === Infinity) {
        idle += 1;
        if (idle > 10_000) throw new Error('nothing more happens, and what was waited for is not done');
        await real.turn();
      } else if (!this.#step()) throw new Error('time does not go on');
    }
    return work;
  }

  /** Does the next thing that is due. @returns false if time does not go on, which is a finding */
  #step(): boolean {
    const { clock } = this.machine;
    const minute = Math.floor(clock.nowMs / 60_000);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#stepsOfMinute = 0;
    }
    this.#stepsOfMinute += 1;
    clock.notesOrigins = this.#stepsOfMinute > MOST_STEPS_A_MINUTE / 2;
    const origin = clock.step();
    if (this.#stepsOfMinute <= MOST_STEPS_A_MINUTE) return true;
    this.find('time goes on', origin ?? 'it is not known what is set again and again');
    return false;
  }

  /** Lets time pass until that moment; `look` is called every so often. */
  async pass(untilMs: number, look: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const { clock, settle } = this.machine;
    let lookAtMs = clock.nowMs + LOOK_EVERY_MS;
    await settle();
    while (clock.nextAtMs <= untilMs && this.findings.length === 0) {
      this.#step();
      await settle();
      if (clock.nowMs < lookAtMs) continue;
      lookAtMs = clock.nowMs + LOOK_EVERY_MS;
      await look();
    }
    clock.nowMs = Math.max(clock.nowMs, Math.min(untilMs, clock.nextAtMs));
  }
}

/** An error with its place. */
export function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
