// A payment provider behind the provider port, in memory: it keeps its own truth (what was paid, what was sent, how
// often) apart from what it answers, and is scripted per payment. The gateway's real provider activities run on it.
import { activityInfo } from '@temporalio/activity';
import { chargeReferenceOf, payoutReferenceOf } from '../../../domain/identifiers.js';
import type {
  ChargeLookup,
  ChargeOutcome,
  KeyOwnerLookup,
  ListQuery,
  Payout,
  PayoutLookup,
  PayoutOutcome,
  Provider,
  ReceivedPix,
  Reversal,
  ReversalOutcome,
} from '../../../providers/port.js';
import { Gate } from './gate.js';
import { NO_LIMITS } from '../../../providers/dialect-entry.js';

const SILENCE = { kind: 'unknown', reason: 'timeout' } as const;

export class PortCharge {
  /** While true no call about this charge is answered. */
  isSilent = false;
  /** While true no request to return its payment is answered. */
  isReturnSilent = false;
  /** The code with which the provider refuses to make it. */
  refusal: string | null = null;
  /** Null until it is made. */
  status: 'open' | 'removed' | null = null;
  /** When the charge stops being payable; null until it is made. */
  expiresAt: string | null = null;
  payments: ReceivedPix[] = [];
  /** Holds look-ups back. */
  readonly lookupGate = new Gate();
  /** Requests to make it, however they ended. */
  creations = 0;
  /** Money sent back to the payer on our request. */
  readonly returns = new Map<string, Reversal>();
}

/**
 * What happens to the send: refused connection; accepted, with or without an answer; lost on the way, which is unknown;
 * settled or failed at once.
 */
export type SendFate = 'not_sent' | 'taken' | 'taken_unheard' | 'lost' | 'paid' | 'failed';

export class PortPayout {
  isSilent = false;
  /** The next sends' fates, in order; then `taken`. */
  readonly fates: SendFate[] = [];
  readonly sendGate = new Gate();
  /** What the provider holds; null until a send arrived. */
  state: Payout | null = null;
  /** What was sent. */
  amountMinor = 0n;
  /** Sends that left, or may have. */
  sends = 0;

  settle(paidAt: string): void {
    if (this.state !== null) this.state = { ...this.state, status: 'paid', paidAt };
  }

  fail(failureCode: string): void {
    if (this.state !== null) this.state = { ...this.state, status: 'failed', failureCode };
  }

  giveBack(at: string): void {
    if (this.state !== null)
      this.state = { ...this.state, returns: [{ reference: 'D1', at, code: null, amountMinor: this.amountMinor }] };
  }
}

/** A PIX key in the directory. */
export class PortKey {
  readonly gate = new Gate();
  holder: KeyOwnerLookup['kind'] = 'match';
  lookups = 0;
}

/** A payout of more waits. */
const USUAL_BALANCE_MINOR = 500_000n;

/** Of a list. */
export const LAST_PAGE = '1';

export class FakePort {
  private readonly charges = new Map<string, PortCharge>();
  private readonly payouts = new Map<string, PortPayout>();
  private readonly keys = new Map<string, PortKey>();
  /** What its account can send, for all payouts together: more than the usual ones of a test. */
  balanceMinor = USUAL_BALANCE_MINOR;
  /** The pages of received PIX that were asked for: every list has two, with nothing in them. */
  readonly listings: ListQuery[] = [];

  charge(depositId: string): PortCharge {
    return obtain(this.charges, chargeReferenceOf(depositId), () => new PortCharge());
  }

  payout(withdrawalId: string): PortPayout {
    return obtain(this.payouts, payoutReferenceOf(withdrawalId), () => new PortPayout());
  }

  key(value: string): PortKey {
    return obtain(this.keys, value, () => new PortKey());
  }

  readonly provider: Provider = {
    name: 'simulator',
    contract: 'fake 1',
    traits: { depositRequirements: [], pspNotes: [], sendsPayouts: true, limits: NO_LIMITS },
    lists: ['payments'],
    readBalance: async () => ({ kind: 'balance', availableMinor: this.balanceMinor, blockedMinor: null }),
    listReceived: async (query) => {
      this.listings.push(query);
      return { kind: 'page', items: [], unreadable: 0, next: query.cursor === null ? LAST_PAGE : null };
    },
    listPayouts: async () => ({ kind: 'refused', reason: 'not_listed' }),
    listDisputes: async () => ({ kind: 'refused', reason: 'not_listed' }),
    createCharge: async (request) =>
      createCharge(
        obtain(this.charges, request.reference, () => new PortCharge()),
        request,
      ),
    lookUpCharge: async (reference) => {
      const charge = obtain(this.charges, reference, () => new PortCharge());
      await charge.lookupGate.passed();
      return lookUpCharge(charge);
    },
    requestReversal: async (request) => requestReversal([...this.charges.values()], request),
    sendPayout: async ({ reference, amountMinor }) => {
      const payout = obtain(this.payouts, reference, () => new PortPayout());
      payout.amountMinor = amountMinor;
      await payout.sendGate.passed();
      return send(payout, reference);
    },
    lookUpPayout: async ({ reference }): Promise<PayoutLookup> => {
      const { isSilent, state } = obtain(this.payouts, reference, () => new PortPayout());
      if (isSilent) return SILENCE;
      return state === null ? { kind: 'not_found' } : { kind: 'found', payout: state };
    },
    lookUpKeyOwner: async ({ key: { value } }) => {
      const key = this.key(value);
      key.lookups += 1;
      await key.gate.passed();
      return keyOwner(key.holder);
    },
  };
}

function createCharge(
  charge: PortCharge,
  { reference, amountMinor, expiresInSeconds }: Parameters<Provider['createCharge']>[0],
): ChargeOutcome {
  charge.creations += 1;
  if (charge.isSilent) return SILENCE;
  if (charge.refusal !== null) return { kind: 'refused', code: charge.refusal };
  charge.status ??= 'open';
  charge.expiresAt ??= new Date(
    activityInfo().currentAttemptScheduledTimestampMs + expiresInSeconds * 1000,
  ).toISOString();
  const instructions = {
    copyPaste: '00020101-test',
    qrCodePngBase64: null,
    createdAt: null,
    expiresAt: charge.expiresAt,
    sandboxMarker: true,
    isOfTestHost: false,
  };
  return { kind: 'created', charge: { reference, amountMinor, ...instructions } };
}

function lookUpCharge({ isSilent, status, payments }: PortCharge): ChargeLookup {
  if (isSilent) return SILENCE;
  if (status === null) return { kind: 'not_found' };
  const now = status === 'open' && payments.length > 0 ? 'paid' : status;
  return { kind: 'found', status: now, createdAt: null, payments };
}

function requestReversal(
  charges: readonly PortCharge[],
  { endToEndId, reference, amountMinor }: Parameters<Provider['requestReversal']>[0],
): ReversalOutcome {
  const charge = charges.find(({ payments }) => payments.some((payment) => payment.endToEndId === endToEndId));
  if (charge === undefined) return { kind: 'refused', code: 'no_such_payment' };
  if (charge.isSilent || charge.isReturnSilent) return SILENCE;
  const reversal: Reversal = charge.returns.get(reference) ?? {
    reference,
    amountMinor,
    kind: 'refund',
    status: 'done',
    at: new Date().toISOString(),
  };
  if (!charge.returns.has(reference)) {
    charge.returns.set(reference, reversal);
    charge.payments = charge.payments.map((payment) =>
      payment.endToEndId === endToEndId ? { ...payment, reversals: [...payment.reversals, reversal] } : payment,
    );
  }
  return { kind: 'accepted', reversal };
}

function send(payout: PortPayout, reference: string): PayoutOutcome {
  const fate = payout.fates.shift() ?? 'taken';
  if (fate === 'not_sent') return { kind: 'not_sent', reason: 'refused' };
  payout.sends += 1;
  if (fate === 'lost') return SILENCE;
  const status = fate === 'paid' || fate === 'failed' ? fate : 'processing';
  payout.state ??= {
    reference,
    status,
    endToEndId: `E${reference.slice(0, 31)}`,
    failureCode: fate === 'failed' ? 'AC03' : null,
    paidAt: fate === 'paid' ? new Date(activityInfo().currentAttemptScheduledTimestampMs).toISOString() : null,
    returns: [],
    feeMinor: null,
  };
  return fate === 'taken_unheard' ? SILENCE : { kind: 'reply', payout: payout.state };
}

function keyOwner(kind: KeyOwnerLookup['kind']): KeyOwnerLookup {
  if (kind === 'match') return { kind, strength: 'full', endToEndId: 'E-lookup' };
  return kind === 'unavailable' ? { kind, reason: 'timeout', retryAfterSeconds: null } : { kind };
}

function obtain<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
