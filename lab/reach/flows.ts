// Plays payments to whom nothing happens, and says which files each went through from the operator's request on. The
// second of its kind counts: what is made once, as a compiled schema, is not in it.
import { DEFAULT_DIALECTS } from '../../providers/settings.js';
import { Coverage } from '../coverage.js';
import { openLabDatabase } from '../database.js';
import { LabGateway } from '../gateway.js';
import { Chance } from '../machine/chance.js';
import { machine } from '../machine/machine.js';
import { real } from '../machine/real.js';
import { LabTemporal } from '../temporal/server.js';
import { drawMix, type Mix } from '../world/mix.js';
import { Office } from '../world/office.js';
import type { Operator, Player } from '../world/operator.js';
import { addOperator } from '../world/people.js';
import { provider } from '../world/provider.js';
import { World } from '../world/world.js';
import { CalledFiles } from './files.js';

export interface Reached {
  /** From `POST /deposits` to the answer that it is pending. */
  readonly pending: readonly string[];
  /** The same, and until the operator has heard that it is paid. */
  readonly paid: readonly string[];
  /** From `POST /withdrawals` until the operator has heard that it is paid, without people. */
  readonly withdrawn: readonly string[];
}

const SETTLES_MS = 5 * 60_000;
const MOST_TRIES = 5;

/** @param superuserUrl of the PostgreSQL server that they are played on */
export async function playFlows(superuserUrl: string): Promise<Reached> {
  const { clock, network, statements, settle } = machine();
  const chance = new Chance(1);
  const mix = calm(drawMix(chance.branch('mix'), 0.1, 1));
  const database = await during(openLabDatabase(superuserUrl));
  clock.clear(mix.beganMs);
  network.clear();
  network.fateOf = () => ({ thereMs: 0, backMs: 0 });
  statements.forget();
  statements.fateOf = () => 'done';
  statements.choose = () => 0;
  const coverage = new Coverage();
  const nothing = () => undefined;
  const watch = { activated: nothing, tried: nothing, taskFailed: nothing, broken: nothing, sometimes: nothing };
  const temporal = new LabTemporal({ clock, chance: chance.branch('temporal'), processorMs: real.processorMs, watch });
  temporal.codeLimitMs = undefined;
  const world = new World(chance.branch('world'), mix, database, temporal, coverage);
  await during(database.renew());
  world.gateway = await during(LabGateway.start(chance.branch('keys'), database, temporal, mix.dialects));
  const office = new Office(world);
  await during(addOperator(world, office, { name: 'operator1', number: 1, port: 12_001 }));
  const [operator] = world.operators;
  const [player] = operator?.players ?? [];
  if (operator === undefined || player === undefined) throw new Error('nobody asks for anything');
  const unseen = { since: () => [] };
  await deposited(world, operator, player, unseen);
  await withdrawn(world, operator, player, unseen);
  const files = new CalledFiles();
  const { pending, paid } = await deposited(world, operator, player, files);
  const result = { pending, paid, withdrawn: await withdrawn(world, operator, player, files) };
  files.close();
  await world.gateway.close();
  await settle();
  return result;
}

/** Nothing goes wrong, and nobody does anything of their own accord. */
function calm(mix: Mix): Mix {
  const none = <Names extends object>(names: Names) =>
    Object.fromEntries(Object.keys(names).map((name) => [name, 0])) as { [Name in keyof Names]: number };
  const isOne = {
    operations: 1,
    slots: ['simulator'],
    dialects: DEFAULT_DIALECTS,
    isLenient: true,
    isMute: false,
  } as const;
  return { ...mix, ...isOne, faults: {}, habits: none(mix.habits), acts: none(mix.acts) };
}

async function deposited(world: World, operator: Operator, player: Player, files: Pick<CalledFiles, 'since'>) {
  files.since();
  const id = await asked(operator, 'deposit', player, '100000');
  const pending = files.since();
  await heard(world, operator, id, 'pending');
  const slot = operator.slots[0] ?? '';
  if ((await during(provider.pay(slot, id, {}))) === null) throw new Error('the charge was not paid');
  await heard(world, operator, id, 'paid');
  return { pending, paid: [...new Set([...pending, ...files.since()])].sort() };
}

async function withdrawn(
  world: World,
  operator: Operator,
  player: Player,
  files: Pick<CalledFiles, 'since'>,
): Promise<string[]> {
  files.since();
  const id = await asked(operator, 'withdrawal', player, '1000');
  await heard(world, operator, id, 'processing');
  await during(provider.settle(operator.slots[0] ?? '', id, 'paid'));
  await heard(world, operator, id, 'paid');
  return files.since();
}

/**
 * The first request loads what it needs, and on a busy machine the operator's patience may end meanwhile: it asks
 * again.
 */
async function asked(operator: Operator, kind: 'deposit' | 'withdrawal', player: Player, amount: string) {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const { id } = await during(operator.ask(kind, player, amount));
    if (id !== null) return id;
  }
  throw new Error(`no ${kind} was answered`);
}

/** Lets time pass until the operator has heard it. */
async function heard(world: World, operator: Operator, id: string, status: string): Promise<void> {
  const { clock } = world.machine;
  const untilMs = clock.nowMs + SETTLES_MS;
  const isHeard = () => operator.told.some((told) => told.id === id && told.status === status && told.by === 'webhook');
  while (!isHeard() && clock.nowMs < untilMs) await world.pass(clock.nowMs + 1_000);
  if (!isHeard()) throw new Error(`nobody heard that ${id} is ${status}`);
}

/** Lets time pass until the work is done, however long this process loads what it needs for the first time. */
async function during<Result>(work: Promise<Result>): Promise<Result> {
  const { clock, settle } = machine();
  let isOver = false;
  const ends = () => {
    isOver = true;
  };
  work.then(ends, ends);
  while (!isOver) {
    await settle();
    if (isOver) break;
    if (clock.nextAtMs === Infinity) await real.turn();
    else clock.step();
  }
  return work;
}
