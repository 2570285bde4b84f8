// What a check plays on: players of its own, the stand-in gateway, webhooks, and balances to look at. It notes what
// happens, so that the report can show it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayEvent, Money, Player } from '../../client/index.js';
import type { Changes, Payment, PaymentKind } from '../gateway/book.js';
import type { Play } from '../gateway/plays.js';
import type { SeenRequest } from '../gateway/requests.js';
import type { Gateway } from '../gateway/server.js';
import type { Adapter } from '../operator/adapter.js';
import { AdapterError } from '../operator/adapter.js';
import { deliver } from '../operator/deliveries.js';
import type { Delivery, DeliveryOptions } from '../operator/deliveries.js';
import { CheckFailure } from './findings.js';
import type { Credentials } from './credentials.js';

/** How long the kit waits for what must happen, and watches that nothing else does. */
export interface Pace {
  /** For one thing that the integration does at once or after a repeat. */
  readonly waitMs: number;
  /** How long a balance is watched that must not change. */
  readonly settleMs: number;
  /** How often the integration reads `GET /events`. */
  readonly recoveryMs: number;
}

export interface World {
  readonly gateway: Gateway;
  readonly adapter: Adapter;
  readonly webhookUrl: string;
  readonly credentials: Credentials;
  readonly pace: Pace;
  /** Hex, part of every player's reference: two runs never share a player. */
  readonly run: string;
}

/** One line of a check's story. */
export interface Note {
  readonly atMs: number;
  readonly who: 'kit' | 'integration';
  readonly text: string;
}

export type TestPlayer = Player & { readonly ip: string };

export interface Stage {
  readonly world: World;
  /** A player that nobody knows yet. */
  player(): TestPlayer;
  /** A player with money: a deposit is made, paid and credited. */
  playerWith(amountMinor: string): Promise<TestPlayer>;
  /** The program begins a payment; what the gateway does with its next requests is planned first. */
  begin(kind: PaymentKind, player: TestPlayer, amountMinor: string, plays?: readonly Play[]): void;
  /** The payment that the gateway accepted for the player, and whose planned answers were all given. */
  accepted(kind: PaymentKind, player: TestPlayer): Promise<Payment>;
  /** Begins a payment that is accepted at once. */
  payment(kind: PaymentKind, player: TestPlayer, amountMinor: string): Promise<Payment>;
  /** Moves the payment and tells the operator by webhook, which must be taken. */
  tell(payment: Payment, status: string, changes?: Changes): Promise<GatewayEvent>;
  /** Delivers one webhook with whatever is wrong about it. */
  deliver(event: GatewayEvent, what: string, options?: DeliveryOptions): Promise<Delivery>;
  /** Delivers one genuine webhook, which must be answered with 2xx. */
  deliverTaken(event: GatewayEvent, what: string, options?: DeliveryOptions): Promise<void>;
  /** Waits until the player may spend exactly this, then watches that it stays so. */
  becomes(player: TestPlayer, amountMinor: string, because: string, waitMs?: number): Promise<void>;
  /** Watches that the player may spend exactly this. */
  stays(player: TestPlayer, amountMinor: string, because: string): Promise<void>;
  /** The creations that the integration sent for a player. */
  creations(kind: PaymentKind, player: TestPlayer): readonly SeenRequest[];
  /** Waits for something at the gateway. */
  until(expected: string, happened: () => boolean, seen: () => string, waitMs?: number): Promise<void>;
  must(holds: boolean, expected: string, seen: string): void;
  note(text: string): void;
  /** Everything that happened, in order: the requests about this check's players are among it. */
  story(): readonly Note[];
}

const LOOKS_MS = [50, 100, 200, 400] as const;

/** A stage for one check. `nextPlayer` numbers the players of the run. */
export function openStage(world: World, nextPlayer: () => number): Stage {
  const { gateway, adapter, pace } = world;
  const players: TestPlayer[] = [];
  const notes: Note[] = [];
  /** What went wrong at the adapter while nobody waited for it. */
  let adapterFault: AdapterError | null = null;

  const note = (text: string): void => void notes.push({ atMs: Date.now(), who: 'kit', text });

  async function until(
    expected: string,
    happened: () => boolean,
    seen: () => string,
    waitMs = pace.waitMs,
  ): Promise<void> {
    const endMs = Date.now() + waitMs;
    for (let look = 0; !happened(); look += 1) {
      if (adapterFault !== null) throw adapterFault;
      must(Date.now() < endMs, expected, `${seen()}, within ${seconds(waitMs)}`);
      await sleep(LOOKS_MS[Math.min(look, LOOKS_MS.length - 1)]);
    }
  }

  function must(holds: boolean, expected: string, seen: string): void {
    if (!holds) throw new CheckFailure({ expected, seen });
  }

  function player(): TestPlayer {
    const made = testPlayer(world.run, nextPlayer());
    players.push(made);
    return made;
  }

  const creations = (kind: PaymentKind, { external_ref: reference }: TestPlayer): readonly SeenRequest[] =>
    gateway.requests.filter(({ asksFor }) => asksFor?.kind === kind && asksFor.playerRef === reference);

  function begin(kind: PaymentKind, who: TestPlayer, amountMinor: string, plays: readonly Play[] = []): void {
    gateway.plan(who.external_ref, plays);
    note(`asks the program for a ${kind} of ${amountMinor}`);
    const destination = { pix: { key_type: 'cpf', key: who.document.number } } as const;
    const order = { player: who, amount: brl(amountMinor), ...(kind === 'withdrawal' ? { destination } : {}) };
    // The program may answer only when its call to the gateway has ended, so nobody waits for it here.
    adapter.begin(kind, order).catch((error: unknown) => {
      adapterFault = error instanceof AdapterError ? error : new AdapterError('the adapter failed');
    });
  }

  async function accepted(kind: PaymentKind, who: TestPlayer): Promise<Payment> {
    const found = (): Payment | undefined => gateway.book.ofPlayer(kind, who.external_ref)[0];
    await until(
      `POST /${kind}s for the player, until the gateway accepts it`,
      () => found() !== undefined && gateway.isPlayedOut(who.external_ref),
      () => {
        const answers = creations(kind, who).map(({ answered }) => String(answered));
        return answers.length === 0 ? 'no such request' : `these answers and no further request: ${answers.join(', ')}`;
      },
    );
    const payment = found();
    if (payment === undefined) throw new Error('found a moment ago');
    return payment;
  }

  async function payment(kind: PaymentKind, who: TestPlayer, amountMinor: string): Promise<Payment> {
    begin(kind, who, amountMinor);
    return accepted(kind, who);
  }

  async function deliverNoted(event: GatewayEvent, what: string, options: DeliveryOptions = {}): Promise<Delivery> {
    const secrets = options.secrets ?? [world.credentials.current.webhook_secret];
    const delivery = await deliver(world.webhookUrl, event, { ...options, secrets });
    const answered = delivery.status === null ? 'no answer' : String(delivery.status);
    note(`delivers ${event.type}, version ${event.object_version}, ${what}: ${answered} in ${delivery.tookMs} ms`);
    return delivery;
  }

  async function deliverTaken(event: GatewayEvent, what: string, options: DeliveryOptions = {}): Promise<void> {
    const { status } = await deliverNoted(event, what, options);
    must(
      status !== null && status >= 200 && status <= 299,
      `a 2xx within 10 s for a genuine webhook (${event.type}, ${what})`,
      status === null ? 'no answer' : `${status}`,
    );
  }

  async function tell(about: Payment, status: string, changes: Changes = {}): Promise<GatewayEvent> {
    const event = gateway.book.move(about, status, changes);
    await deliverTaken(event, 'as usual');
    return event;
  }

  async function stays(who: TestPlayer, amountMinor: string, because: string): Promise<void> {
    await sleep(pace.settleMs);
    const available = await adapter.available(who.external_ref);
    note(`looks at the player: ${available} to spend`);
    must(available === amountMinor, `${amountMinor} to spend: ${because}`, `${available} to spend`);
  }

  async function becomes(who: TestPlayer, amountMinor: string, because: string, waitMs = pace.waitMs): Promise<void> {
    const endMs = Date.now() + waitMs;
    for (let look = 0; ; look += 1) {
      const available = await adapter.available(who.external_ref);
      if (available === amountMinor) break;
      must(Date.now() < endMs, `${amountMinor} to spend: ${because}`, `${available} to spend after ${seconds(waitMs)}`);
      await sleep(LOOKS_MS[Math.min(look, LOOKS_MS.length - 1)]);
    }
    await stays(who, amountMinor, because);
  }

  async function playerWith(amountMinor: string): Promise<TestPlayer> {
    const who = player();
    await tell(await payment('deposit', who, amountMinor), 'paid', { paid_amount: brl(amountMinor) });
    await becomes(who, amountMinor, 'a deposit of that amount is paid');
    return who;
  }

  return {
    world,
    player,
    playerWith,
    begin,
    accepted,
    payment,
    tell,
    deliver: deliverNoted,
    deliverTaken,
    becomes,
    stays,
    creations,
    until,
    must,
    note,
    story: () => [...notes, ...requestNotes(gateway, players)].sort((one, other) => one.atMs - other.atMs),
  };
}

/** Reais, as the gateway writes money. */
export function brl(amountMinor: string): Money {
  return { amount: amountMinor, currency: 'BRL' };
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}

/** The requests about these players, as lines of the story. */
function requestNotes({ requests, book }: Gateway, players: readonly TestPlayer[]): Note[] {
  const references = new Set(players.map(({ external_ref: reference }) => reference));
  return requests.flatMap(({ atMs, method, path, asksFor, answered, fault }) => {
    const about = asksFor?.playerRef ?? book.payments.get(path.split('/')[3] ?? '')?.object.player_ref;
    if (about === undefined || !references.has(about)) return [];
    const outcome = answered === 'cut' ? 'the connection is cut' : String(answered ?? 'not answered yet');
    return [{ atMs, who: 'integration', text: `${method} ${path}: ${outcome}${fault === null ? '' : ` (${fault})`}` }];
  });
}

/** A person who does not exist, with a document of valid form. */
function testPlayer(run: string, number: number): TestPlayer {
  return {
    external_ref: `kit-${run}-${number}`,
    document: {
      type: 'CPF',
      number: cpfOf((parseInt(run.slice(0, 7), 16) % 800_000_000) + 100_000_000 + number),
      country: 'BR',
    },
    name: `Kit Player ${number}`,
    email: `kit-${run}-${number}@player.test`,
    ip: '203.0.113.10',
  };
}

/** Nine digits and their two check digits. */
function cpfOf(nineDigits: number): string {
  const digits = [...String(nineDigits)].map(Number);
  for (const length of [9, 10]) {
    const sum = digits.slice(0, length).reduce((total, digit, index) => total + digit * (length + 1 - index), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}
