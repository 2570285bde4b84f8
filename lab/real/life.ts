// One life from a seed against real processes: the same generator and the same judge as the fast engine has, with the
// shape of production around them (Temporal's four roles on PostgreSQL, two of each process behind the TLS edge) and
// real kills. Its time is real, so that a life is minutes, and a seed says what happens, not when to the millisecond.
import { setTimeout as sleep } from 'node:timers/promises';
import { readTls } from '../../sandbox/demo-operator/sandbox-file.js';
import { findFreePort } from '../../tools/processes/ports.js';
import type { Coverage } from '../coverage.js';
import { alertsOf, type Finding, rowsOf } from '../judge/evidence.js';
import { judgeNow } from '../judge/now.js';
import { judgeQuiet, type LastReads } from '../judge/quiet.js';
import { isOpen, isTold } from '../judge/waits.js';
import { Chance } from '../machine/chance.js';
import { Activity } from '../world/activity.js';
import { drawMix, type Mix } from '../world/mix.js';
import { Office } from '../world/office.js';
import type { ApiPlace, Operator } from '../world/operator.js';
import { addOperator } from '../world/people.js';
import { reachProviderAt } from '../world/provider.js';
import { Staff } from '../world/staff.js';
import { Strangers } from '../world/strangers.js';
import { type RealStage, RealWorld } from './real-world.js';
import { RealWeather } from './weather.js';

const MINUTE_MS = 60_000;
const LIVES_FOR_MINUTES = [3, 5, 8] as const;
/** The shortest deadline that a charge may have. */
const EXPIRES_IN_SECONDS = [300] as const;
/** People and banks need a minute for what takes half an hour. */
const HASTE = 30;
const REST_MINUTES = 15;
/** Books, answers and rows are read one after the other: only what stays is a finding. */
const LOOKS_AGAIN_AFTER_MS = 4_000;
const LOOK_EVERY_MS = 20_000;

export interface RealLifeEnd {
  readonly seed: number;
  readonly findings: readonly Finding[];
  readonly payments: number;
  readonly acts: number;
  readonly faults: number;
  /** Faults of its mix that this engine has no means for. */
  readonly notPlayed: readonly string[];
  readonly story: readonly string[];
  readonly tookMs: number;
}

export interface RealLifeOptions {
  readonly seed: number;
  readonly scale: number;
  readonly stage: RealStage;
  readonly coverage: Coverage;
  readonly isTold: boolean;
}

/** Plays one life. */
export async function liveForReal({ seed, scale, stage, coverage, isTold }: RealLifeOptions): Promise<RealLifeEnd> {
  const began = performance.now();
  const chance = new Chance(seed);
  const mix = hurried(drawMix(chance.branch('mix'), scale), new Chance(`minutes ${seed}`).of(LIVES_FOR_MINUTES));
  const world = new RealWorld(chance.branch('world'), mix, coverage, stage);
  world.story.isTold = isTold;
  const { simulator, ingresses } = stage.environment;
  reachProviderAt({ simulator: simulator.url, ingress: ingresses[0].url });
  const office = new Office(world);
  const place = apiPlace(stage.environment);
  for (let number = 1; number <= mix.operations; number += 1) {
    const name = `life${seed}-${number}`;
    await addOperator(world, office, { name, number, port: await findFreePort(), place });
  }
  const weather = new RealWeather(world);
  const activity = new Activity(world, Infinity);
  world.story.tell(`${mix.operations} operations, ${mix.payments} payments in ${Math.round(mix.hours * 60)} minutes`);
  const notPlayed = weather.begin();
  activity.begin();
  new Staff(world, office).begin();
  office.begin();
  new Strangers(world).begin();
  await pass(world, mix.hours * 60 * MINUTE_MS);
  world.story.tell('the world is healed');
  await weather.heal();
  world.healedMs = Date.now();
  await office.heal();
  for (const endsAt = Date.now() + REST_MINUTES * MINUTE_MS; Date.now() < endsAt && world.findings.length === 0;) {
    await activity.settleAll();
    await pass(world, LOOK_EVERY_MS);
    if (await isAtRest(world)) break;
  }
  await world.end();
  await activity.readAll();
  await look(world);
  if (world.findings.length === 0) await lookBack(world);
  for (const operator of world.operators) await operator.close();
  return {
    seed,
    findings: world.findings,
    payments: world.operators.reduce((all, { asked }) => all + asked.length, 0),
    acts: world.decisions.length + world.cash.length,
    faults: coverage.faultsOf(world),
    notPlayed,
    story: world.story.lines,
    tookMs: performance.now() - began,
  };
}

/** The mix of the seed in real time: nobody stays ill, as the next life needs them. */
function hurried(mix: Mix, minutes: number): Mix {
  return {
    ...mix,
    beganMs: Date.now(),
    hours: minutes / 60,
    expiresInSeconds: EXPIRES_IN_SECONDS,
    haste: HASTE,
    ill: { receiver: false, slot: null },
  };
}

/** Where operators reach the apis: through the edge, with a client certificate. */
function apiPlace({ front: { tls }, links }: RealStage['environment']): ApiPlace {
  const baseUrl = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${links.requests.port}/v1`;
  return { baseUrl, ...readTls(tls) };
}

async function pass(world: RealWorld, forMs: number): Promise<void> {
  for (const endsAt = Date.now() + forMs; Date.now() < endsAt && world.findings.length === 0;) {
    await sleep(Math.min(LOOK_EVERY_MS, Math.max(0, endsAt - Date.now())));
    await look(world);
  }
}

/** While PostgreSQL is away nobody looks. */
async function look(world: RealWorld): Promise<void> {
  const found = await lasting(async () => judgeNow(await world.evidence())).catch(() => []);
  for (const { rule, detail } of [...found, ...world.told.findings]) world.find(rule, detail);
}

async function lookBack(world: RealWorld): Promise<void> {
  const reads = new Map<Operator, LastReads>();
  for (const operator of world.operators)
    reads.set(operator, { balance: await operator.balance(), days: [], isIll: false });
  const found = await lasting(async () => judgeQuiet(await world.evidence(), world.told, reads));
  for (const { rule, detail } of found) world.find(rule, detail);
}

/** What is found now and a little later again. */
async function lasting(judge: () => Promise<Finding[]>): Promise<Finding[]> {
  const first = await judge();
  if (first.length === 0) return [];
  await sleep(LOOKS_AGAIN_AFTER_MS);
  const again = await judge();
  return first.filter((found) => again.some(({ rule, detail }) => rule === found.rule && detail === found.detail));
}

/** Whether each payment has ended or has an alert of its wait, and every event was delivered. */
async function isAtRest({ database, operators }: RealWorld): Promise<boolean> {
  const ids = operators.map(({ id }) => id);
  const [rows, alerts] = [await rowsOf(database), await alertsOf(database)];
  if (rows.some((row) => ids.includes(row.operation_id) && isOpen(row) && !isTold(row, alerts))) return false;
  return (await database.query('SELECT FROM event_outbox WHERE operation_id = ANY ($1) LIMIT 1', [ids])).length === 0;
}
