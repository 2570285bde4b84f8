// Who is neither a player nor the provider, and what nobody asked for: forged, wrong and late callbacks, PIX without a
// charge, payouts by hand.
import type { Chance } from '../machine/chance.js';
import type { Act } from './mix.js';
import { type BookedCharge, provider } from './provider.js';
import { brl, referenceOf, short } from './story.js';
import type { Scene } from './scene.js';

const ID_LETTERS = 32;
/** What banks do differently; what is said twice is done more often. */
const QUIRKS = [
  { refuses_returns: true },
  { refuses_returns: true },
  { retry_after_seconds: 20 },
  { payer: 'long_name' },
  { payer: 'empty_fields' },
  { payer: 'number' },
  { key_in_capitals: true },
] as const;

export class Strangers {
  readonly #chance: Chance;

  constructor(private readonly world: Scene) {
    this.#chance = world.chance.branch('strangers');
  }

  begin(): void {
    for (const [act, work] of Object.entries(this.#acts) as [Act, (slot: string) => Promise<unknown>][])
      this.world.actsOf(act, this.#chance, () => work(this.#chance.of(this.world.mix.slots)));
  }

  readonly #acts = {
    'a callback is forged': async (slot: string) => {
      const body = this.#paymentOf(this.#someId());
      const status = await provider.callBack(slot, body, {
        'x-callback-secret': 'guessed',
        'x-assinatura': 'sha256=00',
      });
      if (status !== null && status < 300) this.world.find('forged callbacks are refused', `it was answered ${status}`);
    },
    'a callback tells of what did not happen': async (slot: string) => {
      const body = this.#paymentOf(this.#someId());
      await provider.callBack(slot, body, await provider.proofOf(slot, body));
    },
    'a callback is repeated late': async (slot: string) => {
      const paid = await this.#paidAt(slot);
      if (paid.length === 0) return;
      const { txid, payments } = this.#chance.of(paid);
      const [payment] = payments;
      const body = this.#body(txid, payment?.end_to_end_id ?? '', payment?.amount_minor ?? '1');
      await provider.callBack(slot, body, await provider.proofOf(slot, body));
    },
    'a payment without a charge comes': async (slot: string) => {
      await provider.receive(slot, String(this.#chance.whole(1, 500) * 100), '11144477735');
      this.world.story.tell(`${slot} receives a PIX that belongs to no charge`);
    },
    'a payer disputes a payment': async (slot: string) => {
      const paid = (await this.#paidAt(slot)).filter(({ payments }) => payments.at(-1)?.dispute === null);
      if (paid.length === 0) return;
      const id = `dep_${this.#chance.of(paid).txid}`;
      await provider.dispute(slot, id, 'open');
      this.world.story.tell(`the payer of ${short(id)} disputes the payment`);
      const end = this.#chance.of(['lost', 'rejected', 'canceled', null] as const);
      if (end === null) return;
      this.#later(300, async () => {
        const isLost = end === 'lost' && (await provider.reverse(slot, id, { kind: 'chargeback', amount: null }));
        if (isLost) this.world.noteMoved(id);
        else await provider.dispute(slot, id, end === 'lost' ? 'rejected' : end);
        this.world.story.tell(`the case of ${short(id)} ends: ${isLost ? 'lost' : 'not lost'}`);
      });
    },
    'a payout leaves by hand': async (slot: string) => {
      const amount = String(this.#chance.whole(1, 500) * 100);
      await provider.send(slot, amount);
      this.world.story.tell(`somebody sends ${brl(amount)} from ${slot} by hand`);
    },
    'the directory runs out of tokens': async (slot: string) => {
      await provider.keyBudget(slot, 0);
      this.world.story.tell(`the key directory of ${slot} has no tokens left`);
    },
    'a bank shows payments late': async (slot: string) => {
      await provider.lag(slot, { shownMs: this.#chance.whole(2, 40) * 1_000 });
      this.#later(120, () => provider.lag(slot, {}));
    },
    'a bank takes long for returns': async (slot: string) => {
      await provider.lag(slot, { returnMs: this.#chance.whole(1, 60) * 60_000 });
      this.#later(120, () => provider.lag(slot, {}));
    },
    'a bank is odd': async (slot: string) => {
      const quirks = this.#chance.of(QUIRKS);
      this.#trouble('a bank is odd');
      this.world.story.tell(`the bank of ${slot} is odd: ${JSON.stringify(quirks)}`);
      await provider.quirks(slot, quirks);
      this.#later(240, () => {
        this.#trouble('a bank is odd');
        return provider.quirks(slot, {});
      });
    },
    // None of them comes before others fill the batch, or ten minutes have passed.
    'callbacks come together': async (slot: string) => {
      this.#trouble('callbacks come together');
      await provider.batch(slot, this.#chance.whole(2, 3));
    },
    'an account at a provider is short': async (slot: string) => {
      this.world.noteStop('balance', slot, true);
      await provider.limit(slot, String(this.#chance.whole(0, 50) * 100));
      this.#later(90, () => {
        this.world.noteStop('balance', slot, false);
        return provider.limit(slot, null);
      });
    },
  } satisfies Partial<Record<Act, (slot: string) => Promise<unknown>>>;

  /** Until its effects are over the world is not calm. */
  #trouble(name: Act): void {
    this.world.troubles.push({ name, atMs: this.world.machine.clock.nowMs });
  }

  async #paidAt(slot: string): Promise<BookedCharge[]> {
    const { charges } = await provider.books();
    return charges.filter((charge) => charge.provider === slot && charge.payments.length > 0);
  }

  /** Some time later, within so many minutes. */
  #later(minutes: number, work: () => Promise<unknown>): void {
    this.world.plan((this.#chance.whole(5, minutes) * 60_000) / this.world.mix.haste, work);
  }

  /** Of a payment that there is, as a rule. */
  #someId(): string {
    const known = this.world.operators.flatMap(({ asked }) => asked.flatMap(({ id }) => (id === null ? [] : [id])));
    if (known.length === 0 || this.#chance.is(0.2)) return `dep_${this.#chance.bytes(16).toString('hex')}`;
    const id = this.#chance.of(known);
    this.world.story.tell(`a stranger tells of a payment of ${short(id)}`);
    return id;
  }

  #paymentOf(id: string): string {
    return this.#body(referenceOf(id), `E${this.#chance.bytes(16).toString('hex')}`.slice(0, ID_LETTERS), '99900');
  }

  #body(txid: string, endToEndId: string, amountMinor: string): string {
    const horario = new Date(this.world.machine.clock.nowMs).toISOString();
    const valor = (Number(amountMinor) / 100).toFixed(2);
    return JSON.stringify({ pix: [{ endToEndId, txid, valor, horario }] });
  }
}
