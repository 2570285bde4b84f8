// What people of the house do besides deciding payments: they enter money, stop and resume, move operations, rotate
// secrets, change rules and lists, by the `gateway` command.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CashKind, RulesSet } from '../judge/evidence.js';
import type { Chance } from '../machine/chance.js';
import type { Act, LabSlot } from './mix.js';
import type { Credentials, Operator, Player } from './operator.js';
import { provider } from './provider.js';
import { brl } from './story.js';
import type { Scene } from './scene.js';

const MINUTE_MS = 60_000;
const SCOPES = 'read,deposits:write,withdrawals:write,rules:propose';
const PEOPLE = ['ana', 'ben', 'caio'] as const;
const COMMANDS = {
  funding: ['cash', 'fund'],
  settlement: ['cash', 'settle'],
  moved: ['cash', 'move'],
  correction_up: ['cash', 'correct', '--direction', 'up'],
  correction_down: ['cash', 'correct', '--direction', 'down'],
  suspense_returned: ['cash', 'return-suspense'],
  suspense_credited: ['cash', 'credit-suspense'],
  suspense_assigned: ['cash', 'assign-suspense'],
} as const satisfies Record<CashKind, readonly string[]>;

/** What a command says of money that lies somewhere. */
interface Lying {
  readonly provider: string;
  readonly account: string;
  readonly balance: { readonly amount: string };
}

interface Entering {
  /** The payment that it is about. */
  readonly of?: string | null;
  /** The id of its return. */
  readonly returnId?: string | null;
  /** Where the money is; absent: where the gateway takes it to be. */
  readonly account?: string | null;
  /** Where it goes. */
  readonly to?: string | null;
}

export class Office {
  readonly #chance: Chance;
  readonly #suspended = new Set<Operator>();
  readonly #stopped = new Set<Operator>();
  readonly #paused = new Set<LabSlot>();
  /** Whose rules let withdrawals go out by day only. */
  readonly #byDay = new Set<Operator>();
  #documents = 0;

  constructor(private readonly world: Scene) {
    this.#chance = world.chance.branch('office');
  }

  begin(): void {
    for (const [act, work] of Object.entries(this.#acts) as [Act, (operator: Operator) => Promise<unknown>][])
      this.world.actsOf(act, this.#chance, () => work(this.#chance.of(this.world.operators)));
  }

  readonly #acts = {
    'a player is blocked': (operator: Operator) => this.#list(operator, 'block', 'player'),
    'a key is put on the review list': (operator: Operator) => this.#list(operator, 'review', 'pix_key'),
    'an operation is suspended': async (operator: Operator) => {
      if (!(await this.command('operation', 'suspend', operator.id))) return;
      this.#suspended.add(operator);
      this.world.noteStop('operation', operator.id, true);
      this.#later(() => this.#resume(operator));
    },
    'automatic withdrawals are stopped': async (operator: Operator) => {
      if (!(await this.command('operation', 'stop-automatic', operator.id))) return;
      this.#stopped.add(operator);
      this.world.noteStop('automatic', operator.id, true);
      this.#later(() => this.#resume(operator));
    },
    'a provider is paused': async () => {
      const slot = this.#chance.of(this.world.mix.slots);
      if (!(await this.command('provider', 'pause', slot, '--reason', 'looks wrong'))) return;
      this.#paused.add(slot);
      this.world.noteStop('provider', slot, true);
      this.#later(() => this.#unpause(slot));
    },
    'an operation moves to another account': async (operator: Operator) => {
      const slot = this.#chance.of(this.world.mix.slots);
      if (slot === operator.slots.at(-1)) return;
      const moved = await this.command('operation', 'set-provider', '--operation', operator.id, slot);
      if (moved === null) return;
      operator.slots.push(slot);
      for (const { provider: from, account, balance } of moved['money'] as Lying[])
        if (account === 'available' && from !== slot && BigInt(balance.amount) > 0n && this.#chance.is(0.7))
          this.#later(() => this.#moveMoney(operator, balance.amount, { account: from, to: slot }));
    },
    'a cash box is funded': (operator: Operator) => this.enter(operator, 'funding', this.#someAmount()),
    'money is settled to an operator': (operator: Operator) => this.enter(operator, 'settlement', this.#someAmount()),
    'a cash box is corrected': (operator: Operator) => {
      if (this.#chance.is(0.5)) return this.#charge(operator);
      return this.enter(operator, this.#chance.of(['correction_up', 'correction_down'] as const), this.#someAmount());
    },
    'a webhook secret is rotated': async (operator: Operator) => {
      const answer = await this.command('webhook-secret', 'rotate', '--operation', operator.id);
      if (typeof answer?.['webhook_secret'] === 'string') operator.webhookSecrets.push(answer['webhook_secret']);
    },
    'an API key is rotated': async (operator: Operator) => {
      const answer = await this.command('key', 'create', '--operation', operator.id, '--scopes', SCOPES);
      if (typeof answer?.['key_id'] === 'string') operator.useKey(answer as unknown as Credentials);
    },
    'rules change': (operator: Operator) => this.setRules(operator),
    'an event is delivered again': async (operator: Operator) => {
      const id = await operator.someEvent();
      if (id !== null) await this.command('event', 'redeliver', id);
    },
    'an operator reads its balances': async (operator: Operator) => void (await operator.balance()),
    'an operator follows its changes': (operator: Operator) => operator.follow(),
  } satisfies Partial<Record<Act, (operator: Operator) => Promise<unknown>>>;

  /** Runs a command as somebody. @returns its answer; `null`: it was refused */
  async command(...args: string[]): Promise<Record<string, unknown> | null> {
    const person = this.#chance.of(PEOPLE);
    this.world.story.tell(`${person}: gateway ${args.filter((given) => !given.startsWith('/')).join(' ')}`);
    try {
      return await this.world.gateway.command(...args, '--as', person);
    } catch (error) {
      const [, why = 'refused'] = /: (gateway: .*)/.exec(String(error)) ?? [];
      this.world.story.tell(`${person} is refused: ${why.slice(0, 160)}`);
      if (/PostgreSQL|internal error/.test(why) && !this.#isDatabaseIll)
        this.world.find('people are told why they are refused', `gateway ${args[0]} ${args[1]}: ${why.slice(0, 160)}`);
      return null;
    }
  }

  /** Statements may fail in this life. */
  get #isDatabaseIll(): boolean {
    return Object.keys(this.world.mix.faults).some((name) => /database|statement|PostgreSQL/.test(name));
  }

  /** The bank has taken more than a cash box holds: its withdrawals wait until somebody funds it. */
  async #charge(operator: Operator): Promise<void> {
    const listed = await this.world.gateway.command('balance', 'list', '--operation', operator.id).catch(() => null);
    const full = ((listed?.['balances'] ?? []) as Lying[]).filter(
      ({ account, balance }) => account === 'available' && BigInt(balance.amount) > 0n,
    );
    if (full.length === 0) return;
    const { provider: account, balance } = this.#chance.of(full);
    const amount = BigInt(balance.amount) + BigInt(this.#someAmount());
    if (await this.enter(operator, 'correction_down', String(amount), { account }))
      this.world.coverage.note('sometimes', 'a cash box was below zero');
  }

  /** Some of it or all; what was spent meanwhile is refused. */
  async #moveMoney(operator: Operator, amount: string, places: { account: string; to: string }): Promise<void> {
    const part = this.#chance.is(0.5) ? amount : String((BigInt(amount) + 1n) / 2n);
    if (await this.enter(operator, 'moved', part, places))
      this.world.coverage.note('sometimes', 'money was moved to another account');
  }

  /** Enters money. `of`: the payment that it is about; `returnId`: the id of its return. */
  async enter(
    operator: Operator,
    kind: CashKind,
    amountMinor: string,
    { of = null, returnId = null, account = null, to = null }: Entering = {},
  ): Promise<boolean> {
    const document = of === null ? `slip ${(this.#documents += 1)}` : of;
    const [noun, verb, ...more] = COMMANDS[kind];
    const given = ['--operation', operator.id, amountMinor, '--document', document, '--reason', 'as written'];
    if (returnId !== null) given.push('--return-id', returnId);
    const where = to !== null ? ['--from', account ?? '', '--to', to] : account === null ? [] : ['--account', account];
    const answer = await this.command(noun, verb, ...given, ...where, ...more);
    if (answer === null) return false;
    const places = { provider: account ?? String(answer['provider']), to };
    this.world.cash.push({ operationId: operator.id, kind, amountMinor, ...places, of });
    this.world.story.tell(`${operator.name}: ${kind} of ${brl(amountMinor)}${of === null ? '' : ` for ${of}`}`);
    return true;
  }

  /** Rules of the operation: strict or lenient, with limits or without. */
  async setRules(operator: Operator, isLenient = this.#chance.is(0.5)): Promise<void> {
    const hours = !this.world.isHealthy && this.#chance.is(0.15) ? { auto_hours: { from: '08:00', to: '20:00' } } : {};
    const currency = isLenient
      ? {
          auto_multiplier: '100',
          first_withdrawal_manual: false,
          pix_key_change_cooldown_hours: 0,
          ...this.#limits(),
          ...hours,
        }
      : { auto_multiplier: this.#chance.of(['0', '1', '2']), ...this.#limits() };
    if (isLenient && 'auto_hours' in hours) this.#byDay.add(operator);
    else this.#byDay.delete(operator);
    const file = join(this.world.gateway.home, 'rules.json');
    writeFileSync(file, JSON.stringify({ currencies: { BRL: currency } }));
    if ((await this.command('rules', 'set', '--operation', operator.id, file)) === null) return;
    this.world.rules.push({ operationId: operator.id, doneMs: this.#nowMs, currency });
  }

  /** Each of them in some rules only. */
  #limits(): Partial<RulesSet['currency']> {
    const some = <Limit>(limit: Limit, probability: number) => (this.#chance.is(probability) ? limit : {});
    return {
      ...some({ dual_approval_above: '100000' }, 0.3),
      ...some({ auto_max_per_withdrawal: '120000' }, 0.3),
      ...some({ auto_max_per_day: '150000' }, 0.15),
      ...some({ max_withdrawals_per_day: this.#chance.whole(1, 3) }, 0.15),
      ...some({ withdrawal_max: '180000' }, 0.1),
      ...some({ withdrawal_min: '1200' }, 0.1),
      ...some({ deposit_max: '180000' }, 0.1),
      ...some({ deposit_min: '1200' }, 0.1),
    };
  }

  async #list(operator: Operator, list: 'block' | 'review', kind: 'player' | 'pix_key'): Promise<void> {
    const player = this.#chance.of(this.#waiting(operator) ?? operator.players);
    const value = kind === 'player' ? player.ref : player.document;
    const entry = ['--operation', operator.id, '--list', list, '--kind', kind, value];
    if ((await this.command('list', 'add', ...entry)) === null) return;
    this.world.lists.push({ operationId: operator.id, list, kind, value, fromMs: this.#nowMs, toMs: null });
    if (!this.#chance.is(0.6)) return;
    this.#later(async () => {
      // Whoever was added twice is on the list once.
      for (const one of this.world.lists)
        if (one.operationId === operator.id && one.list === list && one.kind === kind && one.value === value)
          one.toMs ??= this.#nowMs;
      await this.command('list', 'remove', ...entry);
    });
  }

  /** Players whose withdrawals are approved and have not left, as often as not; `null`: there are none. */
  #waiting({ asked, players }: Operator): readonly Player[] | null {
    const isApproved = (id: string | null) => id !== null && this.world.told.latest(id)?.status === 'approved';
    const refs = new Set(asked.flatMap(({ id, player }) => (isApproved(id) ? [player] : [])));
    return refs.size > 0 && this.#chance.is(0.5) ? players.filter(({ ref }) => refs.has(ref)) : null;
  }

  get #nowMs(): number {
    return this.world.machine.clock.nowMs;
  }

  #someAmount(): string {
    return String(this.#chance.whole(1, 40) * 5_000);
  }

  #later(work: () => Promise<unknown>): void {
    this.world.plan((this.#chance.whole(5, 180) * MINUTE_MS) / this.world.mix.haste, work);
  }

  async #resume(operator: Operator): Promise<void> {
    if (this.#suspended.delete(operator)) {
      this.world.noteStop('operation', operator.id, false);
      await this.command('operation', 'resume', operator.id);
    }
    if (this.#stopped.delete(operator)) {
      this.world.noteStop('automatic', operator.id, false);
      await this.command('operation', 'resume-automatic', operator.id);
    }
  }

  async #unpause(slot: LabSlot): Promise<void> {
    if (!this.#paused.delete(slot)) return;
    this.world.noteStop('provider', slot, false);
    await this.command('provider', 'resume', slot);
  }

  /** Nothing is stopped any more, and every cash box is filled. */
  async heal(): Promise<void> {
    for (const operator of this.world.operators) await this.#resume(operator);
    for (const operator of [...this.#byDay]) await this.setRules(operator, true);
    for (const slot of this.world.mix.slots) await this.#unpause(slot);
    for (const slot of this.world.mix.slots) await provider.keyBudget(slot, 1_000);
  }
}
