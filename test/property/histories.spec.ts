// Any history of webhooks: lost, repeated, reordered, signed by either of two secrets, with states fetched back late
// and restarts in between. The operator's books end as if each event had come once and in order, and credit at most
// once.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { verifyWebhook } from '../../client/index.js';
import type { Entry } from '../../sandbox/demo-operator/decisions.js';
import { type Ledger, openLedger, paymentOfEvent } from '../../sandbox/demo-operator/ledger.js';
import type { Payment, PaymentKind } from '../../sandbox/demo-operator/records.js';
import { DEPOSIT_TRANSITIONS } from '../../domain/payments/deposit.js';
import { WITHDRAWAL_TRANSITIONS } from '../../domain/payments/withdrawal.js';
import { signWebhook } from '../integration/demo-operator/fake-gateway.js';
import { runs, SEED, timeoutFor } from '../support/properties.js';

const NOW_SECONDS = 1_795_000_000;
const SECRETS = ['whsec_new', 'whsec_old'] as const;
const PLAYER = 'player-1';
const FUNDS_MINOR = 1_000n;
const START: Readonly<Record<PaymentKind, string>> = { deposit: 'created', withdrawal: 'requested' };
const TRANSITIONS: Readonly<Record<PaymentKind, readonly { readonly from: readonly string[]; readonly to: string }[]>> =
  {
    deposit: Object.values(DEPOSIT_TRANSITIONS),
    withdrawal: Object.values(WITHDRAWAL_TRANSITIONS),
  };
/** After these the money has moved and moves again by a person's hand; books that never saw `paid` rightly differ. */
const REVERSALS = new Set(['refunded', 'chargeback', 'returned']);

interface Life {
  readonly kind: PaymentKind;
  readonly amountMinor: number;
  /** Which of the possible transitions comes next, each time. */
  readonly turns: readonly number[];
}

/** One step of the operator's day; `at` chooses among what there is. */
interface Step {
  readonly what: 'deliver' | 'fetch' | 'restart' | 'forge';
  readonly at: number;
  readonly secrets: 'new' | 'old' | 'both';
}

const lives = fc.array(
  fc.record({
    kind: fc.constantFrom<PaymentKind>('deposit', 'withdrawal'),
    amountMinor: fc.integer({ min: 1, max: 300 }),
    turns: fc.array(fc.nat(), { maxLength: 5 }),
  }),
  { minLength: 1, maxLength: 3 },
);
const steps = fc.array(
  fc.record({
    what: fc.constantFrom<Step['what']>('deliver', 'deliver', 'deliver', 'fetch', 'fetch', 'restart', 'forge'),
    at: fc.nat(),
    secrets: fc.constantFrom<Step['secrets']>('new', 'old', 'both'),
  }),
  { maxLength: 20 },
);

/** Every state of a payment, in order of its versions. */
function statesOf({ kind, amountMinor, turns }: Life, index: number): readonly Payment[] {
  const id = `${kind}-${index}`;
  const base = {
    id,
    external_id: `x-${index}`,
    player_ref: PLAYER,
    paid_at: null,
    amount: { amount: String(amountMinor), currency: 'BRL' },
  };
  const states: Payment[] = [{ ...base, status: START[kind], version: 1 }];
  for (const turn of turns) {
    const possible = TRANSITIONS[kind].filter(({ from }) => from.includes(states.at(-1)!.status));
    if (possible.length === 0) break;
    states.push({ ...base, status: possible[turn % possible.length]!.to, version: states.length + 1 });
  }
  return states;
}

/** The operator: a journal on disk, opened again at each restart. */
class Operator {
  ledger: Ledger;
  private readonly folder = mkdtempSync(join(tmpdir(), 'history-'));

  constructor(all: readonly Life[]) {
    this.ledger = openLedger(this.folder);
    const brl = (amountMinor: bigint | number) => ({ amount: String(amountMinor), currency: 'BRL' });
    this.ledger.intend('deposit', { external_id: 'funds', amount: brl(FUNDS_MINOR), player_ref: PLAYER });
    this.ledger.apply('deposit', {
      id: 'funds',
      external_id: 'funds',
      status: 'paid',
      paid_at: null,
      version: 3,
      amount: brl(FUNDS_MINOR),
      player_ref: PLAYER,
    });
    all.forEach(({ kind, amountMinor }, index) =>
      assert.equal(
        this.ledger.intend(kind, { external_id: `x-${index}`, amount: brl(amountMinor), player_ref: PLAYER }),
        'recorded',
      ),
    );
  }

  /** As the webhook endpoint does: verified and stored; answers whether a state has to be fetched. */
  receive(kind: PaymentKind, state: Payment, secrets: readonly string[]): boolean {
    const id = `evt_${state.id}_${state.version}`;
    const body = JSON.stringify({
      id,
      type: `${kind}.${state.status}`,
      created_at: '2026-01-01T00:00:00Z',
      operation_id: 'op_1',
      object_id: state.id,
      object_version: state.version,
      data: { object: { ...state, status: 'paid' } },
    });
    const signed = secrets.map((secret) => signWebhook(body, id, NOW_SECONDS, secret).headers);
    const signature = signed.map((headers) => headers['Svc-Signature']).join(',');
    const headers = { 'svc-event-id': id, 'svc-timestamp': String(NOW_SECONDS), 'svc-signature': signature };
    const result = verifyWebhook(
      { headers, rawBody: Buffer.from(body) },
      { secrets: SECRETS, nowSeconds: NOW_SECONDS },
    );
    if (!result.ok) return false;
    this.ledger.receive(result.event, 'webhook');
    return paymentOfEvent(result.event) !== null && this.ledger.isBehind(state.id);
  }

  restart(): void {
    this.ledger.close();
    this.ledger = openLedger(this.folder);
  }

  /** What counts at the end of the day. */
  books(): { readonly accounts: unknown; readonly entries: readonly Entry[] } {
    const { accounts, entries } = this.ledger.book;
    return { accounts: [...accounts.values()].map((account) => ({ ...account })), entries: [...entries.values()] };
  }

  close(): void {
    this.ledger.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Each event once, in order, each state fetched before the next. */
function inOrder(all: readonly Life[]): ReturnType<Operator['books']> {
  const operator = new Operator(all);
  try {
    all.forEach((life, index) => {
      for (const state of statesOf(life, index)) {
        operator.receive(life.kind, state, [SECRETS[0]]);
        operator.ledger.apply(life.kind, state);
      }
    });
    return operator.books();
  } finally {
    operator.close();
  }
}

/**
 * The steps in any order over everything that happened, then one round of the recovery job. Gives the statuses that
 * were applied, too.
 */
function anyhow(
  all: readonly Life[],
  day: readonly Step[],
): { readonly books: ReturnType<Operator['books']>; readonly seen: readonly Set<string>[] } {
  const operator = new Operator(all);
  const histories = all.map((life, index) => ({ kind: life.kind, states: statesOf(life, index) }));
  const seen = histories.map(() => new Set<string>());
  const fetch = (index: number, state: Payment) => {
    if (operator.ledger.apply(histories[index]!.kind, state) !== null) seen[index]!.add(state.status);
  };
  try {
    for (const { what, at, secrets } of day) {
      const index = at % histories.length;
      const { kind, states } = histories[index]!;
      const state = states[Math.floor(at / histories.length) % states.length]!;
      if (what === 'restart') operator.restart();
      // A fetch that was slow on the way: any state that once was.
      else if (what === 'fetch') fetch(index, state);
      else if (what === 'forge')
        assert.equal(operator.receive(kind, { ...state, version: 99 }, ['whsec_of_somebody_else']), false);
      else operator.receive(kind, state, secrets === 'both' ? SECRETS : [SECRETS[secrets === 'new' ? 0 : 1]]);
    }
    histories.forEach(({ kind, states }, index) => {
      for (const state of states)
        operator.ledger.receive(
          {
            id: `evt_${state.id}_${state.version}`,
            type: `${kind}.${state.status}`,
            object_id: state.id,
            object_version: state.version,
          },
          'recovery',
        );
      if (operator.ledger.isBehind(states[0]!.id)) fetch(index, states.at(-1)!);
      assert.ok(!operator.ledger.isBehind(states[0]!.id));
    });
    return { books: operator.books(), seen };
  } finally {
    operator.close();
  }
}

describe(`any history of events (seed ${SEED})`, function () {
  this.timeout(timeoutFor(60_000));

  it('ends in the books of the history that came once and in order', () => {
    const settling = lives.filter((all) =>
      all.every((life, index) => statesOf(life, index).every(({ status }) => !REVERSALS.has(status))),
    );
    fc.assert(
      fc.property(settling, steps, (all, day) => assert.deepEqual(anyhow(all, day).books, inOrder(all))),
      runs(80),
    );
  });

  it('credits a deposit once if it was seen paid, and never otherwise; no reserve moves twice', () => {
    fc.assert(
      fc.property(lives, steps, (all, day) => {
        const { books, seen } = anyhow(all, day);
        let [available, reserved] = [FUNDS_MINOR, 0n];
        all.forEach(({ kind, amountMinor }, index) => {
          const amount = BigInt(amountMinor);
          const was = (...statuses: string[]) => statuses.some((status) => seen[index]!.has(status));
          if (kind === 'deposit') available += was('paid') ? amount : 0n;
          else {
            available -= was('rejected', 'failed', 'cancelled') ? 0n : amount;
            reserved += was('rejected', 'failed', 'cancelled', 'paid') ? 0n : amount;
          }
        });
        assert.deepEqual(books.accounts, [
          { playerRef: PLAYER, currency: 'BRL', availableMinor: available, reservedMinor: reserved },
        ]);
      }),
      runs(80),
    );
  });
});
