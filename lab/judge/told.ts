// What operators were told, checked as it is told: versions, states and amounts never contradict each other.
import type { OperatorRequest, ToldState } from '../world/operator.js';
import { brl, short } from '../world/story.js';
import type { Finding } from './evidence.js';

/** Where a payment may go from a state that an operator was told (specification, "States and transitions"). */
const LATER: Readonly<Record<'deposit' | 'withdrawal', Readonly<Record<string, readonly string[]>>>> = {
  deposit: {
    created: [
      ...['pending', 'failed', 'paid', 'under_review', 'expired', 'cancelled'],
      ...['returned', 'refunded', 'chargeback'],
    ],
    pending: ['paid', 'under_review', 'expired', 'cancelled', 'failed', 'returned', 'refunded', 'chargeback'],
    under_review: ['paid', 'returned', 'refunded', 'chargeback'],
    paid: ['refunded', 'chargeback'],
  },
  withdrawal: {
    requested: ['approved', 'under_review', 'rejected', 'cancelled', 'processing', 'paid', 'failed', 'returned'],
    under_review: ['approved', 'rejected', 'cancelled', 'processing', 'paid', 'failed', 'returned'],
    approved: ['processing', 'cancelled', 'paid', 'failed', 'returned'],
    processing: ['paid', 'failed', 'returned'],
    paid: ['returned'],
  },
};
/** States in which a player's payment is with the operation. */
const CREDITED = ['paid', 'refunded', 'chargeback'];

export class ToldFacts {
  readonly #byPayment = new Map<string, ToldState[]>();
  readonly findings: Finding[] = [];

  /** `asked`: what the operator asked for under that id of its own; undefined: nothing. */
  hear(told: ToldState, asked: OperatorRequest | undefined): void {
    this.#hearOf(told, asked);
    const known = this.#byPayment.get(told.id) ?? [];
    for (const other of known) {
      if (other.version === told.version && other.status !== told.status)
        this.#find('one version is one state', told, other);
      const [earlier, later] = other.version < told.version ? [other, told] : [told, other];
      const mayFollow = LATER[told.kind][earlier.status] ?? [];
      if (earlier.version < later.version && earlier.status !== later.status && !mayFollow.includes(later.status))
        this.#find('what operators were told is never contradicted', later, earlier);
    }
    if (!known.some(({ version, status }) => version === told.version && status === told.status))
      this.#byPayment.set(told.id, [...known, told]);
  }

  of(id: string): readonly ToldState[] {
    return this.#byPayment.get(id) ?? [];
  }

  /** The highest version; undefined: nothing was told. */
  latest(id: string): ToldState | undefined {
    return this.of(id).reduce<ToldState | undefined>(
      (best, told) => (best === undefined || told.version > best.version ? told : best),
      undefined,
    );
  }

  #hearOf(told: ToldState, asked: OperatorRequest | undefined): void {
    const { kind, id, amount, player, status, paidAmount } = told;
    if (asked === undefined) return this.#find('nothing is told that nobody asked for', told);
    if (amount !== asked.amount || player !== asked.player || kind !== asked.kind)
      this.#find('a payment is what was asked for', told);
    if (asked.id !== null && asked.id !== id) this.#find('one request makes one payment', told);
    if (asked.refusedAs !== null && asked.id === null) this.#find('a refusal makes no payment', told);
    if (kind === 'deposit' && CREDITED.includes(status) && paidAmount !== amount)
      this.#find('paid is paid in full', told);
  }

  #find(rule: string, told: ToldState, other?: ToldState): void {
    const say = ({ status, version, amount, by }: ToldState) =>
      `${status} (version ${version}, ${brl(amount)}, by ${by})`;
    const both = other === undefined ? say(told) : `${say(told)} and ${say(other)}`;
    this.findings.push({ rule, detail: `${told.kind} ${short(told.id)}: ${both}` });
  }
}
