// What players, operators and other banks do in a run: payments are asked for, paid, cancelled, settled and sent back.
import { depositBehaviourOf, SENTINELS } from '../../sandbox/simulator/behaviours.js';
import type { Scene } from './scene.js';
import type { Habit, LabSlot } from './mix.js';
import type { OperatorRequest, Operator, Player } from './operator.js';
import { type Payment, provider } from './provider.js';
import { brl, short } from './story.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const LEAST_AMOUNT = 100n;
const SENTINEL_AMOUNTS: Readonly<Record<'deposit' | 'withdrawal', readonly string[]>> = {
  deposit: SENTINELS.flatMap((row) => (row.subject === 'deposit' ? [String(row.amountMinor)] : [])),
  withdrawal: SENTINELS.flatMap((row) => (row.subject === 'payout' ? [String(row.amountMinor)] : [])),
};
/** It comes back, and a callback says so. */
const RETURNED_PAYOUT = '66634';
const SENTINEL_KEYS = SENTINELS.flatMap((row) =>
  row.subject === 'key' && row.keys.email !== undefined ? [row.keys.email] : [],
);

export class Activity {
  readonly #chance;
  #left: number;
  /** All of them, or a few again and again. */
  readonly #sentinels: typeof SENTINEL_AMOUNTS;

  constructor(
    private readonly world: Scene,
    /** How many payments are asked for at most. */
    most: number,
  ) {
    this.#chance = world.chance.branch('activity');
    this.#left = most;
    const few = (amounts: readonly string[]) =>
      this.#chance.is(0.5) ? amounts : [this.#chance.of(amounts), this.#chance.of(amounts)];
    const told = SENTINEL_AMOUNTS.withdrawal.filter((amount) => !world.mix.isMute || amount !== RETURNED_PAYOUT);
    this.#sentinels = { deposit: few(SENTINEL_AMOUNTS.deposit), withdrawal: few(told) };
  }

  #is(habit: Habit): boolean {
    const happens = this.#chance.is(this.world.mix.habits[habit]);
    if (happens) this.world.coverage.note('habit', habit);
    return happens;
  }

  begin(): void {
    const { payments, hours, deposits, players } = this.world.mix;
    const rushes = this.world.chance.branch('rushes');
    this.world.actsOf('players withdraw at once', rushes, () => this.#rush(rushes.of(this.world.operators)));
    for (let number = 0; number < payments; number += 1) {
      // Deposits come first more often than not: without money there are no withdrawals.
      const isDeposit = this.#chance.is(deposits);
      const part = isDeposit ? this.#chance.unit() * 0.9 : Math.sqrt(this.#chance.unit()) * 0.95;
      const operator = this.#chance.of(this.world.operators);
      const player = operator.players[this.#chance.whole(0, players - 1)] as Player;
      this.#later(part * hours * HOUR_MS, async () => {
        if ((this.#left -= 1) < 0) return;
        await (isDeposit ? this.#deposit(operator, player) : this.#withdrawal(operator, player));
      });
    }
  }

  /** More than there is, in one moment. */
  async #rush(operator: Operator): Promise<void> {
    const available = BigInt((await operator.balance())?.available ?? '0');
    const amount = (available * 6n) / 10n;
    if (amount < LEAST_AMOUNT) return;
    const players = operator.players.slice(0, this.#chance.whole(2, 4));
    await Promise.all(players.map((player) => this.#withdrawal(operator, player, String(amount))));
  }

  #amount(kind: 'deposit' | 'withdrawal'): string {
    if (this.#is('a provider behaves as its sentinels say')) return this.#chance.of(this.#sentinels[kind]);
    return String(this.#chance.whole(100, 200) * this.#chance.of([10, 100, 100, 1_000]));
  }

  async #deposit(operator: Operator, player: Player): Promise<void> {
    const amount = this.#amount('deposit');
    const expiresInSeconds = this.#chance.of(this.world.mix.expiresInSeconds);
    const beganMs = this.world.machine.clock.nowMs;
    const asked = await this.#ask(operator, 'deposit', player, amount, { expiresInSeconds });
    if (this.#is('a deposit is cancelled'))
      this.#later(this.#chance.whole(1, expiresInSeconds + 200) * SECOND_MS, () => this.#cancel(operator, asked));
    if (this.#is('a charge is not paid')) return;
    const deadlineMs = beganMs + expiresInSeconds * SECOND_MS;
    const atDeadline = this.#is('a charge is paid at its deadline');
    const late = this.#is('a charge is paid late');
    const paidAtMs = atDeadline
      ? deadlineMs + this.#chance.whole(-3, 124) * SECOND_MS
      : late
        ? deadlineMs + this.#minutes(1, 600)
        : beganMs + this.#chance.whole(1, expiresInSeconds - 5) * SECOND_MS;
    this.#later(Math.max(1, paidAtMs - this.world.machine.clock.nowMs), () => this.#pay(operator, asked));
  }

  async #pay(operator: Operator, asked: OperatorRequest): Promise<void> {
    const otherAmount = this.#is('another amount is paid')
      ? String(BigInt(asked.amount) + BigInt(this.#chance.of([-1, 1, -100, 100])))
      : undefined;
    const payer = this.#is('another person pays') ? '11144477735' : undefined;
    await this.#payOnce(operator, asked, { amount: otherAmount, payer });
    if (!this.#is('a charge is paid twice') || operator.slots.some((slot) => this.#paysOnce(slot))) return;
    const again = { amount: this.#chance.of([asked.amount, asked.amount, '5000']), payer, isAnother: true };
    this.#later(this.#minutes(1, 90), () => this.#payOnce(operator, asked, again));
  }

  /** Woovi lists returns by charge, so with two payments it cannot be known which one went back: people must ask. */
  #paysOnce(slot: string): boolean {
    return this.world.mix.dialects[slot as LabSlot] === 'woovi';
  }

  async #payOnce(operator: Operator, asked: OperatorRequest, payment: Payment): Promise<void> {
    if (asked.id === null) await operator.read(asked);
    const { id } = asked;
    if (id === null) return;
    for (const slot of operator.slots.toReversed()) {
      const endToEndId = await provider.pay(slot, id, payment);
      if (endToEndId === null) continue;
      this.world.noteAsked(id, 'payment');
      this.world.noteMoved(id);
      this.#notePayer(asked, payment, endToEndId);
      const how = [payment.isAnother === true ? ' once more' : '', payment.payer ? ' by somebody else' : ''].join('');
      const amount = payment.amount ?? asked.amount;
      this.world.story.tell(`${operator.name}: ${asked.player} pays ${brl(amount)} of ${short(id)}${how}`);
      if (this.#is('a payment goes back')) this.#goBack(slot, id, BigInt(amount), endToEndId);
      return;
    }
  }

  #notePayer({ amount }: OperatorRequest, { payer }: Payment, endToEndId: string): void {
    const usual = depositBehaviourOf(BigInt(amount)).payer;
    const told = usual === 'unreported' || payer === undefined ? usual : 'another';
    if (told !== 'debtor') this.world.payers.set(endToEndId, told);
  }

  #cancel(operator: Operator, asked: OperatorRequest): Promise<void> {
    this.world.noteAsked(asked.id, 'cancel');
    return operator.cancel(asked);
  }

  /** The payer's bank, or the receiver in the bank's own panel, sends it back. */
  #goBack(slot: string, id: string, amount: bigint, endToEndId: string): void {
    const kind = this.#chance.of(['chargeback', 'refund'] as const);
    const inParts = this.#is('a payment goes back in parts');
    const first = inParts ? (amount * BigInt(this.#chance.whole(1, 9))) / 10n : null;
    const sendBack = async (part: bigint | null) => {
      if (part === 0n) return;
      this.world.noteAsked(id, 'return');
      const order = { kind, endToEndId, amount: part === null ? null : String(part) };
      const isDone = await provider.reverse(slot, id, order);
      if (isDone) this.world.noteMoved(id);
      if (isDone) this.world.story.tell(`the payment of ${short(id)} goes back (${kind}, ${part ?? 'the rest'})`);
    };
    const firstMs = this.#minutes(1, 300);
    this.#later(firstMs, () => sendBack(first));
    if (!inParts || !this.#chance.is(0.8)) return;
    const pauseMs = this.#is('the rest goes back on a later day') ? 60 * this.#minutes(20, 44) : this.#minutes(1, 600);
    this.#later(firstMs + pauseMs, () => sendBack(null));
  }

  async #withdrawal(operator: Operator, player: Player, amount = this.#amount('withdrawal')): Promise<void> {
    const wantsReview = this.#is('an operator wants a review');
    const key = this.#chance.is(0.15)
      ? { key: { key_type: 'email', key: this.#chance.of([...SENTINEL_KEYS, `${player.ref}@player.test`]) } }
      : {};
    const asked = await this.#ask(operator, 'withdrawal', player, amount, { wantsReview, ...key });
    if (this.#is('a withdrawal is cancelled'))
      this.#later(this.#chance.whole(1, 7_200) * SECOND_MS, () => this.#cancel(operator, asked));
    if (this.#is('a payout is left processing')) return;
    // Banks take seconds, and sometimes hours.
    const settledMs = this.#chance.is(0.9) ? this.#chance.whole(1, 240) * SECOND_MS : this.#minutes(5, 180);
    this.#later(settledMs, () => this.#settle(operator, asked));
  }

  async #ask(
    operator: Operator,
    kind: 'deposit' | 'withdrawal',
    player: Player,
    amount: string,
    more: object,
  ): Promise<OperatorRequest> {
    const asked = await operator.ask(kind, player, amount, more);
    const soon = () => this.#chance.whole(0, 120) * SECOND_MS;
    if (this.#is('an operator repeats a request')) this.#later(soon(), () => operator.repeat(asked, player, more));
    if (asked.id !== null && this.#is('an operator reuses a key'))
      this.#later(soon(), () => operator.reuseKey(asked, player));
    if (asked.id !== null && this.#is('an operator reuses its own id'))
      this.#later(soon(), () => operator.reuseId(asked, player));
    this.#later(this.#minutes(1, 120), () => operator.read(asked));
    return asked;
  }

  /** The bank ends a payout, and the receiving bank may send it back. */
  async #settle(operator: Operator, asked: OperatorRequest): Promise<void> {
    if (asked.id === null) await operator.read(asked);
    const { id } = asked;
    if (id === null) return;
    if (this.world.neverPaid.has(id)) return;
    const { payout } = this.world.mix.slots.length === 1 ? {} : await provider.find(id);
    const slot = payout?.provider ?? (operator.slots.at(-1) as string);
    const result = this.#is('a payout fails') ? 'failed' : 'paid';
    const settled = await provider.settle(slot, id, result);
    if (settled === null) return;
    if (settled === 'done') this.world.noteMoved(id);
    this.world.story.tell(`the bank ends the payout of ${short(id)}: ${result}`);
    if (result === 'failed' || !this.#is('a payout comes back')) return;
    const inParts = this.#is('a payout comes back in parts');
    const firstPart = inParts ? String((BigInt(asked.amount) * BigInt(this.#chance.whole(1, 9))) / 10n) : null;
    const sendBack = async (given: string | null) => {
      const isRefused = this.#is('the return of a payout is not performed');
      if ((await provider.settle(slot, id, 'returned', { amount: given, isRefused })) === null) return;
      this.world.noteMoved(id);
      const part = given === null ? 'the rest' : brl(given);
      const end = isRefused ? ', which is not performed' : '';
      this.world.story.tell(`the receiving bank sends ${part} of ${short(id)} back${end}`);
    };
    const afterMs = this.#minutes(1, 300);
    this.#later(afterMs, () => sendBack(firstPart));
    if (inParts && this.#chance.is(0.8)) this.#later(afterMs + this.#minutes(1, 300), () => sendBack(null));
  }

  /** So many, in milliseconds; people in a hurry take less. */
  #minutes(from: number, to: number): number {
    return (this.#chance.whole(from, to) * MINUTE_MS) / this.world.mix.haste;
  }

  #later(milliseconds: number, work: () => Promise<unknown>): void {
    this.world.plan(milliseconds, work);
  }

  /** The bank ends everything that it still has. */
  async settleAll(): Promise<void> {
    const { payouts } = await provider.books();
    for (const { provider: slot, reference, status } of payouts)
      if (status === 'processing' && !this.world.neverPaid.has(`wdr_${reference}`))
        await provider.settle(slot, `wdr_${reference}`, this.#chance.is(0.8) ? 'paid' : 'failed');
  }

  /** Every operator reads everything back. */
  async readAll(): Promise<void> {
    for (const operator of this.world.operators) for (const asked of operator.asked) await operator.read(asked);
  }
}
