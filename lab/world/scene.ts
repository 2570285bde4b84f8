// What people need of the world that they are in, whichever engine plays it: on virtual time in one process
// (./world.ts), or against real processes (../real/real-world.ts).
import type { Client } from '@temporalio/client';
import type { Database } from '../../store/database.js';
import type { Coverage, Trouble } from '../coverage.js';
import type {
  CashAct,
  Evidence,
  Finding,
  Listed,
  Payer,
  Reads,
  RulesSet,
  StaffAnswer,
  StaffDecision,
  Stopped,
} from '../judge/evidence.js';
import type { ToldFacts } from '../judge/told.js';
import type { Chance } from '../machine/chance.js';
import type { Act, Mix } from './mix.js';
import type { Operator } from './operator.js';
import type { Story } from './story.js';

export abstract class Scene {
  readonly operators: Operator[] = [];
  readonly findings: Finding[] = [];
  /** What people decided. */
  readonly decisions: StaffDecision[] = [];
  /** What people entered into the books. */
  readonly cash: CashAct[] = [];
  /** Withdrawals whose payouts the provider has stated in writing that it never pays. */
  readonly neverPaid = new Set<string>();
  /** When players and banks last moved the money of a payment. */
  readonly moved = new Map<string, number>();
  readonly lists: Listed[] = [];
  readonly stops: Stopped[] = [];
  readonly rules: RulesSet[] = [];
  readonly answers: StaffAnswer[] = [];
  readonly payers = new Map<string, Payer>();
  /** The faults that happened. */
  readonly troubles: Trouble[] = [];
  /** What people of the world are still going to do. */
  planned = 0;
  /** Since when nothing goes wrong any more. */
  healedMs: number | null = null;

  abstract readonly story: Story;
  abstract readonly told: ToldFacts;
  abstract readonly machine: { readonly clock: { readonly nowMs: number } };
  /** `ask`: a statement while time goes on; `query`: one of the judge's. */
  abstract readonly database: Reads & { ask<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> };
  abstract readonly temporal: { client(): Client };
  /** The `gateway` command, with its rights; `home` is a folder for what it reads. */
  abstract readonly gateway: {
    readonly database: Database;
    readonly home: string;
    command(...args: string[]): Promise<Record<string, unknown>>;
  };

  constructor(
    readonly chance: Chance,
    readonly mix: Mix,
    readonly coverage: Coverage,
  ) {}

  /** What the judge may know now. */
  abstract evidence(): Promise<Evidence>;

  /** Does something in the world outside at that time; what goes wrong in the lab itself is a finding too. */
  abstract later(milliseconds: number, work: () => Promise<unknown> | void): void;

  find(rule: string, detail: string): void {
    const isKnown = this.findings.some((finding) => finding.rule === rule && finding.detail === detail);
    if (!isKnown) this.findings.push({ rule, detail });
  }

  get isHealthy(): boolean {
    return this.healedMs !== null;
  }

  /** Players and banks have moved its money. */
  noteMoved(id: string): void {
    this.moved.set(id, this.machine.clock.nowMs);
  }

  /** Somebody outside does something about the payment, in whatever state it is. */
  noteAsked(id: string | null, what: 'cancel' | 'payment' | 'return'): void {
    const told = id === null ? undefined : this.told.latest(id);
    if (told !== undefined) this.coverage.note('asked', `${told.kind} ${told.status} + ${what}`);
  }

  noteAnswer(id: string, what: string, atMs: number, answer: string): void {
    this.answers.push({ id, what, atMs, tookMs: this.machine.clock.nowMs - atMs, answer });
  }

  /** People stop something, or let it go on. */
  noteStop(what: Stopped['what'], of: string, isOn: boolean): void {
    const { nowMs } = this.machine.clock;
    if (isOn) this.stops.push({ what, of, fromMs: nowMs, toMs: null });
    else for (const stop of this.stops) if (stop.what === what && stop.of === of) stop.toMs ??= nowMs;
  }

  /** Whether its receiver stays down for good. */
  isIll(operator: Operator): boolean {
    return this.mix.ill.receiver && this.operators[0] === operator;
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
}
