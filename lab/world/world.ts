// The world of a run: who and what is in it, and how its time passes.
import type { Coverage, Trouble } from '../coverage.js';
import type { LabDatabase } from '../database.js';
import type { LabGateway } from '../gateway.js';
import type { CashAct, Evidence, Finding, StaffDecision } from '../judge/evidence.js';
import { ToldFacts } from '../judge/told.js';
import type { Chance } from '../machine/chance.js';
import { type Machine, machine } from '../machine/machine.js';
import { outsideProcesses } from '../machine/processes.js';
import { real } from '../machine/real.js';
import type { LabTemporal } from '../temporal/server.js';
import type { Act, Mix } from './mix.js';
import type { Operator } from './operator.js';
import { provider } from './provider.js';
import { Story } from './story.js';

/** So many steps within a minute of virtual time mean that something goes round. */
const MOST_STEPS_A_MINUTE = 20_000;
/** Between two looks of the judge. */
const LOOK_EVERY_MS = 20 * 60_000;

export class World {
  readonly machine: Machine = machine();
  readonly story = new Story();
  readonly told = new ToldFacts();
  readonly operators: Operator[] = [];
  readonly findings: Finding[] = [];
  readonly coverage: Coverage;
  activations = 0;
  /** Since when nothing goes wrong any more. */
  healedMs: number | null = null;
  #minute = 0;
  #stepsOfMinute = 0;
  gateway!: LabGateway;
  /** What people decided. */
  readonly decisions: StaffDecision[] = [];
  /** What people entered into the books. */
  readonly cash: CashAct[] = [];
  /** The faults that happened. */
  readonly troubles: Trouble[] = [];
  /** What people of the world are still going to do. */
  planned = 0;

  constructor(
    readonly chance: Chance,
    readonly mix: Mix,
    readonly database: LabDatabase,
    readonly temporal: LabTemporal,
    coverage: Coverage,
  ) {
    this.coverage = coverage;
  }

  find(rule: string, detail: string): void {
    const isKnown = this.findings.some((finding) => finding.rule === rule && finding.detail === detail);
    if (!isKnown) this.findings.push({ rule, detail });
  }

  get isHealthy(): boolean {
    return this.healedMs !== null;
  }

  /** What the judge may know now. */
  async evidence(): Promise<Evidence> {
    const { database, operators, decisions, cash, healedMs } = this;
    const books = await provider.books();
    const { nowMs } = this.machine.clock;
    return { database, operators, books, decisions, cash, illSlot: this.mix.ill.slot, nowMs, healedMs };
  }

  /** Somebody outside does something about the payment, in whatever state it is. */
  noteAsked(id: string | null, what: 'cancel' | 'payment' | 'return'): void {
    const told = id === null ? undefined : this.told.latest(id);
    if (told !== undefined) this.coverage.note('asked', `${told.kind} ${told.status} + ${what}`);
  }

  /** Whether its receiver stays down for good. */
  isIll(operator: Operator): boolean {
    return this.mix.ill.receiver && this.operators[0] === operator;
  }

  /** Does something in the world outside at that time; what goes wrong in the lab itself is a finding too. */
  later(milliseconds: number, work: () => Promise<unknown> | void): void {
    outsideProcesses(() =>
      this.machine.clock.after(milliseconds, () => {
        Promise.resolve()
          .then(work)
          .catch((error: unknown) => this.find('the lab works', textOf(error)));
      }),
    );
  }

  /** What somebody is going to do once. */
  plan(milliseconds: number, work: () => Promise<unknown> | void): void {
    this.planned += 1;
    this.later(milliseconds, async () => {
      this.planned -= 1;
      await work();
    });
  }

  /** Somebody does it as often as the mix says, some time in the life. */
  actsOf(act: Act, chance: Chance, work: () => Promise<unknown>): void {
    for (let time = 0; time < this.mix.acts[act]; time += 1)
      this.plan(chance.unit() * this.mix.hours * 3_600_000, async () => {
        this.coverage.note('act', act);
        await work();
      });
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
