// What can happen, in any order: things asked of the payments, things the provider does and says, crashes, and the
// clock.
import fc from 'fast-check';
import type { KeyOwnerLookup } from '../../../providers/port.js';
import type { SendFate } from '../../support/fakes/provider-port.js';
import type { Payer } from '../harness/deposit.js';
import type { WithdrawalSettings } from '../harness/withdrawal.js';

/** So many deposits and as many withdrawals play at once. */
export const PAYMENTS = 3;

/** `at`: which of the deposits or withdrawals. `awaited`: whether the next step waits for the answer. */
export type Step =
  | {
      readonly kind: 'deposit';
      readonly at: number;
      readonly act: 'create' | 'cancel' | 'expire' | 'approve' | 'return' | 'refresh' | 'notice';
      readonly awaited: boolean;
    }
  | { readonly kind: 'pay'; readonly at: number; readonly payer: Payer; readonly exactly: boolean }
  | {
      readonly kind: 'charge';
      readonly at: number;
      readonly does: 'removed' | 'refund' | 'chargeback' | 'falls silent' | 'answers';
    }
  | {
      readonly kind: 'withdrawal';
      readonly at: number;
      readonly act: 'create' | 'cancel' | 'approve' | 'refuse' | 'refresh' | 'notice';
      readonly awaited: boolean;
    }
  | {
      readonly kind: 'payout';
      readonly at: number;
      readonly does: 'settled' | 'failed' | 'given back' | 'falls silent' | 'answers';
    }
  | { readonly kind: 'fate'; readonly at: number; readonly fate: SendFate }
  | { readonly kind: 'key'; readonly at: number; readonly holder: Holder }
  | { readonly kind: 'dispatch'; readonly at: number; readonly is: 'suspended' | 'blocked' | 'free' }
  | { readonly kind: 'rules'; readonly are: 'down' | 'up' }
  | { readonly kind: 'completion lost' | 'task lost'; readonly of: 'deposit' | 'withdrawal'; readonly at: number }
  | { readonly kind: 'workers restarted' }
  | { readonly kind: 'time passes'; readonly seconds: number };

export interface Scenario {
  readonly withdrawals: readonly (WithdrawalSettings & { readonly holder: Holder })[];
  readonly refusedCharge: boolean;
  readonly steps: readonly Step[];
}

const at = fc.integer({ min: 0, max: PAYMENTS - 1 });
type Holder = KeyOwnerLookup['kind'];
const HOLDERS: readonly Holder[] = ['match', 'match', 'mismatch', 'no_such_key'];
const awaited = fc.boolean();

type Weighted = fc.WeightedArbitrary<Step>;
const anyPayment = { of: fc.constantFrom<'deposit' | 'withdrawal'>('deposit', 'withdrawal'), at };

const everywhere: readonly Weighted[] = [
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('deposit'),
      at,
      act: fc.constantFrom('create', 'cancel', 'expire', 'approve', 'return', 'refresh', 'notice', 'notice'),
      awaited,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('pay'),
      at,
      payer: fc.constantFrom<Payer>('player', 'player', 'other', 'unknown'),
      exactly: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('charge'), at, does: fc.constantFrom('removed', 'refund', 'chargeback') }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('withdrawal'),
      at,
      act: fc.constantFrom('create', 'cancel', 'approve', 'approve', 'refuse', 'refresh', 'notice', 'notice'),
      awaited,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('payout'),
      at,
      does: fc.constantFrom('settled', 'settled', 'failed', 'given back'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('fate'),
      at,
      fate: fc.constantFrom<SendFate>('taken', 'taken_unheard', 'lost', 'paid', 'failed'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('completion lost'), ...anyPayment }) },
];

/** What is done again only after a while, and the while. */
const withClock: readonly Weighted[] = [
  ...everywhere,
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('charge'), at, does: fc.constantFrom('falls silent', 'answers') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('payout'), at, does: fc.constantFrom('falls silent', 'answers') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fate'), at, fate: fc.constant<SendFate>('not_sent') }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('key'), at, holder: fc.constantFrom(...HOLDERS, 'unavailable') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('dispatch'), at, is: fc.constantFrom('suspended', 'blocked', 'free') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rules'), are: fc.constantFrom('down', 'up') }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('time passes'), seconds: fc.constantFrom(1, 3, 15, 60, 400, 2_000) }),
  },
];

const withCrashes: readonly Weighted[] = [
  ...everywhere,
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('task lost'), ...anyPayment }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('workers restarted') }) },
];

function scenariosOf(steps: readonly Weighted[], holders: readonly Holder[]): fc.Arbitrary<Scenario> {
  const settings = fc.record({
    reviewRequested: fc.boolean(),
    inDirectory: fc.boolean(),
    holder: fc.constantFrom(...holders),
  });
  return fc.record({
    withdrawals: fc.array(settings, { minLength: PAYMENTS, maxLength: PAYMENTS }),
    refusedCharge: fc.integer({ min: 0, max: 7 }).map((dice) => dice === 0),
    steps: fc.array(fc.oneof(...steps), { minLength: 12, maxLength: 36 }),
  });
}

export const clockScenarios = scenariosOf(withClock, [...HOLDERS, 'unavailable']);
export const crashScenarios = scenariosOf(withCrashes, HOLDERS);
