// What the simulator does when an amount or a key asks for it: the sentinel table, as data. Anything else is normal.
import { PIX_KEY_TYPES, type PixKeyType } from '../../domain/pix.js';
import type { Person, SimulatedCharge } from './state.js';

/** How a request is answered once it has taken effect (or not). */
export type AnswerMode =
  | { readonly kind: 'normal' }
  | { readonly kind: 'delayed'; readonly delayMs: number }
  /** Takes effect, then stays silent until the caller gives up. */
  | { readonly kind: 'silent' }
  /** Takes effect, then cuts the connection. */
  | { readonly kind: 'reset' }
  /** Takes effect, then answers 500. */
  | { readonly kind: 'error' }
  /** No effect at all, and 500. */
  | { readonly kind: 'error_without_effect' }
  /** No effect at all, and 429. */
  | { readonly kind: 'rate_limited' };

/** How a change of state is called back. */
export interface CallbackMode {
  /** 0: lost for ever. */
  readonly copies: number;
  /** The callback is delivered (or has failed once) before the request that caused it is answered. */
  readonly beforeAnswer: boolean;
}

export interface DepositBehaviour {
  readonly answer: AnswerMode | { readonly kind: 'refused' };
  readonly sandboxMarker: boolean;
  /** How long after creation it is paid; `null` for not before it is steered. */
  readonly paysItselfAfterMs: number | null;
  /** The payer, unless steered otherwise. */
  readonly payer: 'debtor' | 'another' | 'unreported';
  /** The paid amount minus the charged amount, unless steered otherwise. */
  readonly paidDifferenceMinor: bigint;
  readonly callbacks: CallbackMode;
  readonly reversal: 'done' | 'refused';
}

export interface PayoutBehaviour {
  readonly answer: AnswerMode;
  /** The state at once; `failed` needs a code. */
  readonly status: 'processing' | 'paid' | 'failed';
  readonly code: string | null;
  /** The answer to the send says that it failed with this code, whatever its state is. */
  readonly answeredCode: string | null;
  /** What happens later; `null` waits for steering. */
  readonly then: {
    readonly afterMs: number;
    readonly status: 'paid' | 'failed' | 'returned';
    readonly code: string | null;
  } | null;
  readonly callbacks: CallbackMode;
}

export type KeyBehaviour =
  | { readonly kind: 'down' }
  | { readonly kind: 'slow'; readonly delayMs: number }
  | { readonly kind: 'recovers'; readonly failures: number }
  | { readonly kind: 'other_holder' }
  | { readonly kind: 'no_such_key' };

interface SentinelBase {
  readonly name: string;
  readonly does: string;
}
export type Sentinel =
  | (SentinelBase & {
      readonly subject: 'deposit';
      readonly amountMinor: bigint;
      readonly behaviour: Partial<DepositBehaviour>;
    })
  | (SentinelBase & {
      readonly subject: 'payout';
      readonly amountMinor: bigint;
      readonly behaviour: Partial<PayoutBehaviour>;
    })
  | (SentinelBase & {
      readonly subject: 'key';
      readonly keys: Readonly<Partial<Record<PixKeyType, string>>>;
      readonly behaviour: KeyBehaviour;
    });

const ONE_CALLBACK: CallbackMode = { copies: 1, beforeAnswer: false };

const NORMAL_DEPOSIT: DepositBehaviour = {
  answer: { kind: 'normal' },
  sandboxMarker: true,
  paysItselfAfterMs: null,
  payer: 'debtor',
  paidDifferenceMinor: 0n,
  callbacks: ONE_CALLBACK,
  reversal: 'done',
};

/** Accepted, and processing until steered: testers decide how a withdrawal ends. */
const NORMAL_PAYOUT: PayoutBehaviour = {
  answer: { kind: 'normal' },
  status: 'processing',
  code: null,
  answeredCode: null,
  then: null,
  callbacks: ONE_CALLBACK,
};

/** The three spellings of a sentinel key. `NN` is the row's number. */
function sentinelKeys(name: string, number: string): Readonly<Partial<Record<PixKeyType, string>>> {
  return {
    email: `${name}@sentinel.test`,
    phone: `+5500000000${number}`,
    random: `00000000-0000-4000-8000-0000000000${number}`,
  };
}

/** Amounts between 666,01 and 666,99, which demonstrations and load tests do not use by chance. */
export const SENTINELS: readonly Sentinel[] = [
  {
    subject: 'deposit',
    amountMinor: 66601n,
    name: 'slow',
    does: 'The charge is made at once and answered after 9 s (beyond the 8 s budget).',
    behaviour: { answer: { kind: 'delayed', delayMs: 9_000 } },
  },
  {
    subject: 'deposit',
    amountMinor: 66602n,
    name: 'very slow',
    does: 'The charge is made at once and answered after 30 s.',
    behaviour: { answer: { kind: 'delayed', delayMs: 30_000 } },
  },
  {
    subject: 'deposit',
    amountMinor: 66603n,
    name: 'refused',
    does: 'The provider refuses the charge permanently; no charge exists.',
    behaviour: { answer: { kind: 'refused' } },
  },
  {
    subject: 'deposit',
    amountMinor: 66604n,
    name: 'timeout but accepted',
    does: 'The charge is made; the first request is never answered.',
    behaviour: { answer: { kind: 'silent' } },
  },
  {
    subject: 'deposit',
    amountMinor: 66605n,
    name: 'duplicate callbacks',
    does: 'When paid, the callback comes five times.',
    behaviour: { callbacks: { copies: 5, beforeAnswer: false } },
  },
  {
    subject: 'deposit',
    amountMinor: 66606n,
    name: 'callback before the answer',
    does: 'Paid at once; the callback arrives before the creation is answered.',
    behaviour: { paysItselfAfterMs: 0, callbacks: { copies: 1, beforeAnswer: true } },
  },
  {
    subject: 'deposit',
    amountMinor: 66607n,
    name: 'callback lost',
    does: 'When paid, no callback comes; only a look-up shows the payment.',
    behaviour: { callbacks: { copies: 0, beforeAnswer: false } },
  },
  {
    subject: 'deposit',
    amountMinor: 66608n,
    name: 'unknown payer',
    does: 'When paid, the payer is not reported.',
    behaviour: { payer: 'unreported' },
  },
  {
    subject: 'deposit',
    amountMinor: 66609n,
    name: 'another payer',
    does: 'When paid, the payer has another document (CPF 11144477735).',
    behaviour: { payer: 'another' },
  },
  {
    subject: 'deposit',
    amountMinor: 66610n,
    name: 'no sandbox marker',
    does: 'The PIX lacks the sandbox marker: the environment guard must refuse it.',
    behaviour: { sandboxMarker: false },
  },
  {
    subject: 'deposit',
    amountMinor: 66611n,
    name: 'pays itself',
    does: 'Paid in full by the debtor 200 ms after its creation.',
    behaviour: { paysItselfAfterMs: 200 },
  },
  {
    subject: 'deposit',
    amountMinor: 66612n,
    name: 'another amount',
    does: 'When paid, the amount is one centavo less.',
    behaviour: { paidDifferenceMinor: -1n },
  },
  {
    subject: 'deposit',
    amountMinor: 66613n,
    name: 'reset after acceptance',
    does: 'The charge is made; the connection of the first request is cut.',
    behaviour: { answer: { kind: 'reset' } },
  },
  {
    subject: 'deposit',
    amountMinor: 66614n,
    name: '500 after acceptance',
    does: 'The charge is made; the first request is answered 500.',
    behaviour: { answer: { kind: 'error' } },
  },
  {
    subject: 'deposit',
    amountMinor: 66615n,
    name: 'return refused',
    does: 'When paid and returned, the return ends as not done.',
    behaviour: { reversal: 'refused' },
  },

  {
    subject: 'payout',
    amountMinor: 66621n,
    name: 'settles in the answer',
    does: 'Paid already in the answer to the send; no callback.',
    behaviour: { status: 'paid', callbacks: { copies: 0, beforeAnswer: false } },
  },
  {
    subject: 'payout',
    amountMinor: 66622n,
    name: 'settles by callback',
    does: 'Accepted; paid 1 s later, with a callback.',
    behaviour: { then: { afterMs: 1_000, status: 'paid', code: null } },
  },
  {
    subject: 'payout',
    amountMinor: 66623n,
    name: 'timeout but accepted',
    does: 'Accepted and processing; the send is never answered.',
    behaviour: { answer: { kind: 'silent' } },
  },
  {
    subject: 'payout',
    amountMinor: 66624n,
    name: 'rejected in the answer',
    does: 'Failed with AC03 (account invalid) in the answer; no callback.',
    behaviour: { status: 'failed', code: 'AC03', callbacks: { copies: 0, beforeAnswer: false } },
  },
  {
    subject: 'payout',
    amountMinor: 66625n,
    name: 'fails later',
    does: 'Accepted; failed with AM02 (over the limit) 1 s later, with a callback.',
    behaviour: { then: { afterMs: 1_000, status: 'failed', code: 'AM02' } },
  },
  {
    subject: 'payout',
    amountMinor: 66626n,
    name: 'duplicate callbacks',
    does: 'Accepted; paid 1 s later, and the callback comes five times.',
    behaviour: { then: { afterMs: 1_000, status: 'paid', code: null }, callbacks: { copies: 5, beforeAnswer: false } },
  },
  {
    subject: 'payout',
    amountMinor: 66627n,
    name: 'callback before the answer',
    does: 'Paid; the callback arrives before the send is answered (as still processing).',
    behaviour: { then: { afterMs: 0, status: 'paid', code: null }, callbacks: { copies: 1, beforeAnswer: true } },
  },
  {
    subject: 'payout',
    amountMinor: 66628n,
    name: 'reset after acceptance',
    does: 'Accepted and processing; the connection of the send is cut.',
    behaviour: { answer: { kind: 'reset' } },
  },
  {
    subject: 'payout',
    amountMinor: 66629n,
    name: '500 after acceptance',
    does: 'Accepted and processing; the send is answered 500.',
    behaviour: { answer: { kind: 'error' } },
  },
  {
    subject: 'payout',
    amountMinor: 66630n,
    name: 'slow',
    does: 'Accepted and processing; answered after 9 s (beyond the 8 s budget).',
    behaviour: { answer: { kind: 'delayed', delayMs: 9_000 } },
  },
  {
    subject: 'payout',
    amountMinor: 66631n,
    name: 'callback lost',
    does: 'Accepted; paid 1 s later without a callback; only a look-up shows it.',
    behaviour: { then: { afterMs: 1_000, status: 'paid', code: null }, callbacks: { copies: 0, beforeAnswer: false } },
  },
  {
    subject: 'payout',
    amountMinor: 66632n,
    name: '500 without acceptance',
    does: 'Answered 500; nothing was accepted, and look-ups find nothing.',
    behaviour: { answer: { kind: 'error_without_effect' } },
  },
  {
    subject: 'payout',
    amountMinor: 66633n,
    name: 'rate limited',
    does: 'Answered 429; nothing was accepted, and look-ups find nothing.',
    behaviour: { answer: { kind: 'rate_limited' } },
  },
  {
    subject: 'payout',
    amountMinor: 66634n,
    name: 'returned',
    does: 'Paid in the answer; returned by the receiving bank (BE01) 1 s later, with a callback.',
    behaviour: { status: 'paid', then: { afterMs: 1_000, status: 'returned', code: 'BE01' } },
  },
  {
    subject: 'payout',
    amountMinor: 66635n,
    name: 'fails by the answer only',
    does: 'The answer says that it failed with AB03 (a timeout), which proves nothing; paid 1 s later, with a callback.',
    behaviour: { answeredCode: 'AB03', then: { afterMs: 1_000, status: 'paid', code: null } },
  },

  {
    subject: 'key',
    keys: sentinelKeys('dict-down', '01'),
    name: 'directory down',
    does: 'Every look-up is answered 503.',
    behaviour: { kind: 'down' },
  },
  {
    subject: 'key',
    keys: sentinelKeys('dict-slow', '02'),
    name: 'directory slow',
    does: 'Look-ups are answered after 5 s (beyond the 3 s budget).',
    behaviour: { kind: 'slow', delayMs: 5_000 },
  },
  {
    subject: 'key',
    keys: sentinelKeys('dict-recovers', '03'),
    name: 'directory recovers',
    does: 'Three look-ups are answered 503, the fourth succeeds; then it starts over.',
    behaviour: { kind: 'recovers', failures: 3 },
  },
  {
    subject: 'key',
    keys: sentinelKeys('other-holder', '04'),
    name: 'other holder',
    does: 'The key belongs to somebody else (CPF 11144477735, or CPF 52998224725 if the look-up is about that one).',
    behaviour: { kind: 'other_holder' },
  },
  {
    subject: 'key',
    keys: sentinelKeys('no-such-key', '05'),
    name: 'no such key',
    does: 'The directory does not know the key.',
    behaviour: { kind: 'no_such_key' },
  },
];

const DEPOSITS = new Map(
  SENTINELS.flatMap((row) =>
    row.subject === 'deposit' ? [[row.amountMinor, { ...NORMAL_DEPOSIT, ...row.behaviour }] as const] : [],
  ),
);
const PAYOUTS = new Map(
  SENTINELS.flatMap((row) =>
    row.subject === 'payout' ? [[row.amountMinor, { ...NORMAL_PAYOUT, ...row.behaviour }] as const] : [],
  ),
);
const KEYS = new Map(
  SENTINELS.flatMap((row) =>
    row.subject === 'key'
      ? PIX_KEY_TYPES.flatMap((type) => (row.keys[type] ? [[row.keys[type], row.behaviour] as const] : []))
      : [],
  ),
);

/** What a charge of this amount does. */
export function depositBehaviourOf(amountMinor: bigint): DepositBehaviour {
  return DEPOSITS.get(amountMinor) ?? NORMAL_DEPOSIT;
}

/** What a payout of this amount does. */
export function payoutBehaviourOf(amountMinor: bigint): PayoutBehaviour {
  return PAYOUTS.get(amountMinor) ?? NORMAL_PAYOUT;
}

/** What a look-up of this key does; null for every other key. */
export function keyBehaviourOf(key: string): KeyBehaviour | null {
  return KEYS.get(key) ?? null;
}

/** A document that is never the one asked about, with valid check digits. */
export function anotherDocument(than: string): string {
  return than === '11144477735' ? '52998224725' : '11144477735';
}

/** The table as Markdown, for docs/simulator.md (a test compares) and `GET /control/behaviours`. */
export function sentinelTable(subject: Sentinel['subject']): string {
  const rows = SENTINELS.filter((row) => row.subject === subject).map(
    (row) => `| ${triggerOf(row)} | ${row.name} | ${row.does} |`,
  );
  const head = subject === 'key' ? 'PIX key' : 'amount in centavos';
  return [`| ${head} | name | what happens |`, '|---|---|---|', ...rows].join('\n');
}

function triggerOf(row: Sentinel): string {
  return row.subject === 'key'
    ? Object.values(row.keys)
        .map((key) => `\`${key}\``)
        .join('<br>')
    : `\`${row.amountMinor}\``;
}

/** Who pays if the tester names nobody. */
export function usualPayer(charge: SimulatedCharge, who: 'debtor' | 'another'): Person | null {
  if (who === 'debtor' || charge.debtor === null) return charge.debtor;
  return { type: 'CPF', number: anotherDocument(charge.debtor.number), name: 'Outra Pessoa' };
}
