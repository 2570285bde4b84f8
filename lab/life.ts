// One life from a seed: the world is made, lives with its faults, is healed, and must come to rest. The judge looks
// at it on the way and at the end.
import {
  ACCOUNT_SWEEP_WORKFLOW,
  accountSweepSchedule,
  DAY_CLOSE_START,
  DAY_CLOSE_WORKFLOW,
  HOUSEKEEPING_WORKFLOW,
  OPEN_CHECK_START,
  OPEN_CHECK_WORKFLOW,
  VERIFICATION_START,
  VERIFICATION_WORKFLOW,
} from '../contract/temporal/scheduled-work.js';
import type { SweptPart } from '../domain/receipts.js';
import { noteCoverage, type Coverage } from './coverage.js';
import type { LabDatabase } from './database.js';
import { LAB_PORTS, LabGateway } from './gateway.js';
import { closedDays } from './judge/days.js';
import { alertsOf, type Finding, rowsOf } from './judge/evidence.js';
import { judgeNow } from './judge/now.js';
import { judgeQuiet, type LastReads } from './judge/quiet.js';
import { isOpen, isTold } from './judge/waits.js';
import { Chance } from './machine/chance.js';
import { machine } from './machine/machine.js';
import { real } from './machine/real.js';
import { LabTemporal } from './temporal/server.js';
import type { Run } from './temporal/run.js';
import { Activity } from './world/activity.js';
import { Faults } from './world/faults.js';
import { drawMix, type Mix } from './world/mix.js';
import { Office } from './world/office.js';
import type { DayRead, Operator } from './world/operator.js';
import { Staff } from './world/staff.js';
import { Strangers } from './world/strangers.js';
import { short } from './world/story.js';
import { OFTEN_SWEPT_HOURS, textOf, World } from './world/world.js';
import { addOperator } from './world/people.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A life goes on to the day's end if it is so near. */
const NEAR_CLOSE_MS = 4 * HOUR_MS;
/** How long a healthy world may take until everything has ended. */
const REST_HOURS = 60;
/** After so many of them, what is still open and has an alert waits for a person whom the world does not have. */
const ALERTED_HOURS = 12;
/** An activation that takes more of a processor holds up every other workflow of its worker. */
const MOST_ACTIVATION_MS = 1_000;
/** A payout is tried again each minute while its provider is away. */
const MOST_ACTIVATIONS = 1_500;
const MOST_ACTIVATIONS_AN_HOUR = 300;
const MOST_EVENTS = 5_000;
/** Between sweeps and checks of a healed world. */
const RESTING_HOURS = 3;
/** Time for each sweep after the last that moved, and how often people may move something in that time. */
const REST_MS = (RESTING_HOURS + 0.5) * HOUR_MS;
const MOST_RESTS = 6;
/** The worker looks ten times a second; what it would find is due at a known moment, or was just stored. */
const OUTBOX_PAUSE_MS = 5_000;
/** So long is nothing overdue in a calm world. */
const MOST_OVERDUE_MS = 15 * 60_000;
const OUTBOX_CHANGES = /(INSERT INTO|UPDATE) event_outbox|\bpublish_event\(/;

export interface LifeOptions {
  readonly seed: number;
  readonly database: LabDatabase;
  readonly coverage: Coverage;
  /** How much happens, compared with a usual life. */
  readonly scale?: number;
  /** Only so many of what the people of the world do. */
  readonly until?: number;
  readonly isTold?: boolean;
  /** Without these faults and habits. */
  readonly without?: readonly string[];
}

export interface LifeEnd {
  readonly seed: number;
  readonly scale: number;
  readonly mix: Mix;
  readonly findings: readonly Finding[];
  readonly payments: number;
  readonly acts: number;
  readonly faults: number;
  readonly hours: number;
  readonly statements: number;
  readonly activations: number;
  readonly story: readonly string[];
  /** Equal for equal runs. */
  readonly digest: string;
  readonly tookMs: number;
}

/** Plays one life. */
export async function live(options: LifeOptions): Promise<LifeEnd> {
  const began = real.nowMs();
  const { seed, database, coverage } = options;
  const lab = machine();
  const chance = new Chance(seed);
  const mix = without(drawMix(chance.branch('mix'), options.scale, seed), options.without ?? []);
  lab.clock.clear(mix.beganMs);
  lab.network.clear();
  lab.statements.forget();
  lab.statements.fateOf = () => 'done';
  lab.statements.done = () => undefined;
  lab.network.fateOf = () => ({ thereMs: 0, backMs: 0 });
  lab.network.noted = new Set([LAB_PORTS.simulator, LAB_PORTS.api]);
  lab.chance = chance.branch('drawn');
  const order = chance.branch('order');
  lab.statements.choose = (results) => order.whole(0, results - 1);
  const statementsBefore = lab.statements.sent;
  let world: World;
  const temporal = new LabTemporal({
    clock: lab.clock,
    chance: chance.branch('temporal'),
    processorMs: real.processorMs,
    watch: {
      activated: (run, tookMs) => {
        world.activations += 1;
        if (tookMs > MOST_ACTIVATION_MS)
          world.find('no workflow task takes a second', `${run.workflowId}: ${Math.round(tookMs)} ms`);
        const hours = (lab.clock.nowMs - run.startedAtMs) / HOUR_MS;
        if (run.activations > MOST_ACTIVATIONS + MOST_ACTIVATIONS_AN_HOUR * hours)
          world.find('a workflow rests', `${run.workflowId} never rests`);
        if (run.events > MOST_EVENTS) world.find('histories are bounded', `${run.workflowId}: ${run.events} events`);
      },
      tried: (_, activity) => coverage.note('activity', activity),
      taskFailed: (run, message) => world.find('no workflow task fails', `${run.type} ${run.workflowId}: ${message}`),
      broken: (run, error) => world.find('workflows replay', `${run.type} ${run.workflowId}: ${textOf(error)}`),
      sometimes: (what) => coverage.note('sometimes', what),
    },
  });
  // Whoever plays lives ends a process that does not yield (explore/player-process.ts).
  temporal.codeLimitMs = undefined;
  world = new World(chance.branch('world'), mix, database, temporal, coverage);
  world.story.isTold = options.isTold === true;
  try {
    await play(world, options);
  } catch (error) {
    world.find('the lab works', textOf(error));
  } finally {
    lab.statements.fateOf = () => 'done';
    await world.gateway?.close();
    await lab.settle();
  }
  return {
    seed,
    scale: options.scale ?? 1,
    mix,
    findings: world.findings,
    payments: world.operators.reduce((all, { asked }) => all + asked.length, 0),
    acts: world.decisions.length,
    faults: coverage.faultsOf(world),
    hours: world.story.hours,
    statements: lab.statements.sent - statementsBefore,
    activations: world.activations,
    story: world.story.lines,
    digest: world.story.digest,
    tookMs: real.nowMs() - began,
  };
}

async function play(world: World, options: LifeOptions): Promise<void> {
  const { machine: lab, mix, database, chance } = world;
  await database.renew();
  world.gateway = await world.during(LabGateway.start(chance.branch('keys'), database, world.temporal, mix.dialects));
  const office = new Office(world);
  for (let number = 1; number <= mix.operations; number += 1)
    await world.during(addOperator(world, office, { name: `operator${number}`, number, port: 12_000 + number }));
  const staff = new Staff(world, office);
  const banks = mix.slots.map((slot) => `${slot} (${mix.dialects[slot]})`).join(', ');
  world.story.tell(`${mix.operations} operations, ${mix.payments} payments in ${mix.hours} hours, at ${banks}`);
  const faults = new Faults(world);
  const activity = new Activity(world, options.until ?? Infinity);
  keepOutboxEmpty(world);
  schedule(world, faults);
  faults.begin();
  activity.begin();
  staff.begin();
  office.begin();
  new Strangers(world).begin();
  const look = async () => {
    const evidence = await world.during(world.evidence());
    for (const { rule, detail } of await judgeNow(evidence)) world.find(rule, detail);
    for (const { rule, detail } of world.told.findings) world.find(rule, detail);
  };
  await world.pass(mix.beganMs + mix.hours * HOUR_MS, look);
  await look();
  if (world.findings.length > 0) return;
  world.story.tell('the world is healed');
  await world.during(faults.heal());
  world.healedMs = lab.clock.nowMs;
  await world.during(office.heal());
  await world.during(activity.settleAll());
  for (let hours = 0; hours < REST_HOURS && world.findings.length === 0; hours += 2) {
    await world.pass(lab.clock.nowMs + 2 * HOUR_MS, look);
    await world.during(activity.settleAll());
    if (world.planned === 0 && (await isAtRest(world, hours >= ALERTED_HOURS))) break;
  }
  // Callbacks, webhooks and sweeps that were under way when the last payment ended; and a day's end that is near.
  const untilMs = lab.clock.nowMs + 3 * HOUR_MS;
  const closesMs = nextCloseMs(lab.clock.nowMs);
  await world.pass(closesMs - untilMs < NEAR_CLOSE_MS ? Math.max(untilMs, closesMs + 10 * 60_000) : untilMs, look);
  // People may have moved money meanwhile: a sweep finds it if no callback tells of it.
  for (let rests = 0; rests < MOST_RESTS && world.findings.length === 0 && sinceMoved(world) < REST_MS; rests += 1)
    await world.pass(lab.clock.nowMs + REST_MS, look);
  await world.during(activity.readAll());
  await look();
  if (world.findings.length > 0) return;
  const reads = await world.during(lastReads(world));
  for (const { rule, detail } of await judgeQuiet(await world.during(world.evidence()), world.told, reads))
    world.find(rule, detail);
  const resting = await idsAtRest(world);
  for (const run of world.temporal.openRuns) judgeOpenRun(world, run, resting);
  await noteCoverage(database, world.coverage, world.troubles);
}

/** How long no money has moved at a provider. */
function sinceMoved({ machine: { clock }, moved }: World): number {
  return clock.nowMs - Math.max(0, ...moved.values());
}

/** When a day closes next. */
function nextCloseMs(nowMs: number): number {
  return (Math.floor((nowMs - 2 * HOUR_MS) / DAY_MS) + 1) * DAY_MS + 2 * HOUR_MS;
}

/** What every operator reads when all is over. */
async function lastReads(world: World): Promise<Map<Operator, LastReads>> {
  const reads = new Map<Operator, LastReads>();
  for (const operator of world.operators) {
    const days: DayRead[] = [];
    for (const date of closedDays(world.mix.beganMs, world.machine.clock.nowMs)) {
      const day = await operator.day(date);
      if (day === null) world.find('a closed day can be read', `${operator.name}: ${date}`);
      else days.push(day);
    }
    if (days.length > 0) world.coverage.note('sometimes', 'an operator read a closed day');
    for (const code of operator.mistakes) world.coverage.note('sometimes', `a mistake was refused: ${code}`);
    await operator.follow();
    reads.set(operator, { balance: await operator.balance(), days, isIll: world.isIll(operator) });
  }
  return reads;
}

/** Payments that wait for nothing that the world has. */
async function idsAtRest({ database, mix }: World): Promise<ReadonlySet<string>> {
  const rows = await rowsOf(database);
  return new Set(rows.filter((row) => !isOpen(row) && row.provider !== mix.ill.slot).map(({ id }) => id));
}

/** `isLate`: what people know to wait may stay open. */
async function isAtRest(world: World, isLate: boolean): Promise<boolean> {
  const { database, mix, operators } = world;
  const [rows, alerts] = [await rowsOf(database), isLate ? await alertsOf(database) : []];
  const waits = rows.some((row) => isOpen(row) && row.provider !== mix.ill.slot && !isTold(row, alerts));
  if (waits) return false;
  const ill = operators.find((operator) => world.isIll(operator))?.id ?? '';
  return (await database.query('SELECT FROM event_outbox WHERE operation_id <> $1 LIMIT 1', [ill])).length === 0;
}

/** A payment that has ended needs no workflow, except for a while. */
function judgeOpenRun(world: World, run: Run, resting: ReadonlySet<string>): void {
  if (!resting.has(run.workflowId)) return;
  world.find('a workflow ends with its payment', `${run.workflowId} waits for ${run.pending}`);
}

/** Not among the first minutes of an hour. */
function isWithinHour({ machine: lab }: World): boolean {
  return lab.clock.nowMs % HOUR_MS > 14 * 60_000;
}

/** The worker looks into the outbox all the time; the lab only when something can be due. */
function keepOutboxEmpty(world: World): void {
  const { clock, statements } = world.machine;
  let plannedMs = Infinity;
  const lookAfter = (milliseconds: number) => {
    const atMs = clock.nowMs + milliseconds;
    if (atMs >= plannedMs) return;
    plannedMs = atMs;
    world.later(milliseconds, async () => {
      // An earlier one was planned since.
      if (plannedMs !== atMs) return;
      plannedMs = Infinity;
      await look();
    });
  };
  const look = async () => {
    const [row] = await world.database.ask<{ in: number | null }>(
      'SELECT (extract(epoch FROM min(due_at) - now()) * 1000)::float8 AS in FROM event_outbox',
    );
    const inMs = row?.in ?? null;
    if (inMs === null) return;
    if (-inMs > MOST_OVERDUE_MS && (world.calmSinceMs ?? Infinity) < clock.nowMs - MOST_OVERDUE_MS)
      await findUndelivered(world);
    if (inMs <= 0) await world.gateway.emptyOutbox();
    lookAfter(Math.max(inMs, OUTBOX_PAUSE_MS));
  };
  // Most events are delivered by who stored them before anybody looks.
  statements.done = (text) => {
    if (OUTBOX_CHANGES.test(text)) lookAfter(OUTBOX_PAUSE_MS);
  };
  // What was stored before anybody listened.
  lookAfter(OUTBOX_PAUSE_MS);
}

/** An event that is due, and that waits for no earlier one of its payment, is delivered in a calm world. */
async function findUndelivered(world: World): Promise<void> {
  const late = await world.database.ask<{ type: string; id: string }>(
    `SELECT type, object_id AS id FROM event_outbox JOIN event ON event.id = event_id
     WHERE due_at < now() - $1::float8 * interval '1 millisecond' AND NOT EXISTS (
       SELECT FROM event_outbox AS other JOIN event AS earlier ON earlier.id = other.event_id
       WHERE earlier.object_id = event.object_id AND earlier.sequence < event.sequence) LIMIT 1`,
    [MOST_OVERDUE_MS],
  );
  for (const { type, id } of late) world.find('an event that is due is delivered', `${type} of ${short(id)}`);
}

function schedule(world: World, faults: Faults): void {
  const every = (minutes: number, offset: number, run: () => void) => {
    const periodMs = minutes * 60_000;
    const next = () => {
      const { nowMs } = world.machine.clock;
      const atMs = Math.ceil((nowMs + 1 - offset * 60_000) / periodMs) * periodMs + offset * 60_000;
      world.later(Math.max(1, atMs - nowMs), () => {
        run();
        next();
      });
    };
    next();
  };
  const isResting = () => world.isHealthy && Math.floor(world.machine.clock.nowMs / HOUR_MS) % RESTING_HOURS !== 0;
  const sweep = (part: SweptPart) => () => {
    // In long lives one sweep of an hour finds what all of them would; in a healed world, one of three hours.
    const isOften = world.mix.hours <= OFTEN_SWEPT_HOURS && !world.isHealthy;
    if (faults.skipsSweep() || (!isOften && isWithinHour(world)) || isResting()) return;
    for (const provider of world.mix.slots) {
      if (!world.gateway.isListed(provider, part)) continue;
      const id = `${accountSweepSchedule(provider, part)}-${world.machine.clock.nowMs}`;
      world.temporal.startScheduled(ACCOUNT_SWEEP_WORKFLOW, id, [{ provider, part, resumed: null }]);
    }
  };
  every(15, 0, sweep('payments'));
  every(15, 3, sweep('payouts'));
  every(60, 7, sweep('returns'));
  every(60, 9, sweep('payout_returns'));
  every(60, 11, sweep('disputes'));
  every(world.mix.hours <= OFTEN_SWEPT_HOURS ? 60 : 240, 20, () => {
    if (isResting()) return;
    const id = `open-check-${world.machine.clock.nowMs}`;
    world.temporal.startScheduled(OPEN_CHECK_WORKFLOW, id, [OPEN_CHECK_START]);
  });
  every(1_440, 120, () =>
    world.temporal.startScheduled(DAY_CLOSE_WORKFLOW, `day-close-${world.machine.clock.nowMs}`, [DAY_CLOSE_START]),
  );
  every(1_440, 180, () =>
    world.temporal.startScheduled(HOUSEKEEPING_WORKFLOW, `housekeeping-${world.machine.clock.nowMs}`, []),
  );
  every(1_440, 240, () =>
    world.temporal.startScheduled(VERIFICATION_WORKFLOW, `verification-${world.machine.clock.nowMs}`, [
      VERIFICATION_START,
    ]),
  );
}

function without(mix: Mix, names: readonly string[]): Mix {
  const isKept = ([name]: [string, unknown]) => !names.includes(name);
  const kept = (table: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(table).map(([name, weight]) => [name, names.includes(name) ? 0 : weight]));
  const faults = Object.fromEntries(Object.entries(mix.faults).filter(isKept));
  return { ...mix, faults, habits: kept(mix.habits), acts: kept(mix.acts) } as Mix;
}
