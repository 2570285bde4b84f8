// Who is there from the beginning: operators with their players.
import { judgeTold, saysOfMoney } from '../judge/truth.js';
import type { Chance } from '../machine/chance.js';
import type { LabSlot } from './mix.js';
import type { Office } from './office.js';
import { type ApiPlace, type Credentials, Operator } from './operator.js';
import { provider } from './provider.js';
import type { Scene } from './scene.js';

interface NewOperator {
  readonly name: string;
  /** The first is 1. */
  readonly number: number;
  /** Where its receiver listens. */
  readonly port: number;
  /** Where it reaches the api, if that is not in this process. */
  readonly place?: ApiPlace;
}

/** An operator begins: with players, a receiver, perhaps money, and rules. */
export async function addOperator(
  world: Scene,
  office: Office,
  { name, number, port, place }: NewOperator,
): Promise<void> {
  const { mix, story } = world;
  const slot = mix.slots[(number - 1) % mix.slots.length] as LabSlot;
  const created = await world.gateway.command(
    ...['operation', 'create', '--name', name, '--environment', 'sandbox', '--provider', slot],
    ...['--webhook-url', `http://127.0.0.1:${port}/webhooks`],
  );
  const chance = world.chance.branch(name);
  const players = Array.from({ length: mix.players }, (_, index) => ({
    ref: `player${index + 1}`,
    document: cpfOf(chance),
  }));
  const operator = new Operator(name, created as unknown as Credentials, players, chance, story, slot, place);
  const compared = new Set<string>();
  operator.onTold = (told) => {
    world.told.hear(
      told,
      operator.asked.find(({ kind, externalId }) => kind === told.kind && externalId === told.externalId),
    );
    const key = `${told.id} ${told.status}`;
    if (!saysOfMoney(told) || compared.has(key)) return;
    compared.add(key);
    world.later(0, async () => {
      for (const { rule, detail } of judgeTold(told, await provider.find(told.id))) world.find(rule, detail);
    });
  };
  operator.listen(port);
  world.operators.push(operator);
  const amount = String(world.chance.whole(0, 5) * 100_000);
  if (amount !== '0') await office.enter(operator, 'funding', amount);
  if (mix.isLenient) await office.setRules(operator, true);
}

/** A CPF with valid check digits. */
function cpfOf(chance: Chance): string {
  const digits = Array.from({ length: 9 }, () => chance.whole(0, 9));
  for (const length of [9, 10]) {
    const sum = digits.slice(0, length).reduce((all, digit, index) => all + digit * (length + 1 - index), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}
