// The simulated bank: creates charges, takes payments, sends payouts, and sends callbacks. HTTP is elsewhere.
import { buildDynamicBrCode } from '../../domain/br-code.js';
import type { DisputeStatus } from '../../domain/disputes.js';
import { newEndToEndId, newReturnId } from '../../domain/pix.js';
import type { AccountName } from '../../providers/port.js';
import type { SimulatedAccount } from '../../platform/config/simulator.js';
import { traceHeaders } from '../../platform/telemetry/spans.js';
import { depositBehaviourOf, payoutBehaviourOf, type PayoutBehaviour, usualPayer } from './behaviours.js';
import { Batches } from './batches.js';
import type { CallbackSender } from './callbacks.js';
import type { Delays } from './delays.js';
import { locationOf } from './locations.js';
import type { PayoutOrder } from './server-dialect.js';
import {
  type ChargeRevision,
  leftOfPayout,
  type Person,
  type SimulatedCharge,
  type SimulatedPayout,
  type SimulatedPayoutReturn,
  type SimulatedPix,
  type SimulatedReversal,
  type SimulatorState,
  type StandingOrder,
} from './state.js';
import { type CallbackMessage, type CallbackFormat, feeOf } from './callback-format.js';

const ISPB = '99999999';
const RETURN_SETTLES_AFTER_MS = 300;
/** MED lets the receiver answer for a week. */
const DISPUTE_ANSWERED_WITHIN_MS = 7 * 24 * 3_600_000;
const MERCHANT_CITY = 'SAO PAULO';

export interface ChargeOrder {
  readonly txid: string;
  readonly amountMinor: bigint;
  readonly debtor: Person | null;
  readonly description: string | null;
  readonly expiresInSeconds: number;
}

/** What steering sets on a payment. The sentinel amount or the default decides the rest. */
export interface PaymentOrder {
  readonly amountMinor?: bigint | undefined;
  readonly payer?: Person | undefined;
  readonly paidAt?: string | undefined;
  /** Also if the charge is paid already: some banks let that happen. */
  readonly isAnother?: boolean;
}

/** What becomes of a payout. */
export interface PayoutChange {
  readonly status: 'paid' | 'failed' | 'returned';
  readonly code: string | null;
  /** Of a return; absent or null for what is left. */
  readonly amountMinor?: bigint | null;
  /** The return is not performed after all. */
  readonly isRefused?: boolean;
}

export type BankAnswer<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly reason: string };

const done = <Value>(value: Value): BankAnswer<Value> => ({ kind: 'done', value });
const refused = (reason: string) => ({ kind: 'refused', reason }) as const;
const NOT_FOUND = { kind: 'not_found' } as const;

/** A provider as the bank needs it. */
export interface CallingProvider {
  readonly format: CallbackFormat;
  readonly account: SimulatedAccount;
}

interface StrayOrder {
  readonly amountMinor: bigint;
  readonly reference: string | undefined;
  readonly sentAt: string | undefined;
}

export class Bank {
  readonly #batches = new Batches();

  constructor(
    private readonly state: SimulatorState,
    private readonly callbacks: CallbackSender,
    private readonly delays: Delays,
    private readonly locationBase: (provider: AccountName) => string,
    /** Of the providers that are played. */
    private readonly callingProvider: (provider: AccountName) => CallingProvider,
  ) {}

  /** Resumes the pending work of an earlier process. */
  resume(providers: readonly AccountName[]): void {
    for (const provider of providers) {
      const books = this.state.of(provider);
      for (const charge of books.charges.values()) {
        if (charge.pix.length === 0) void this.#payLater(provider, charge);
        for (const pix of charge.pix)
          for (const reversal of pix.reversals)
            if (reversal.status === 'EM_PROCESSAMENTO') this.#settleReversalLater(provider, charge, pix, reversal);
      }
      for (const payout of books.payouts.values()) {
        void this.#continuePayout(provider, payout, payoutBehaviourOf(BigInt(payout.amountMinor)));
        for (const { id, status } of payout.returns)
          if (status === 'EM_PROCESSAMENTO') this.#settleReturnLater(provider, payout.reference, id);
      }
    }
  }

  /** An end-to-end id of this participant, for a key look-up that a payout may follow. */
  newEndToEndId(): string {
    return newEndToEndId(ISPB, new Date());
  }

  /** Makes a charge. The caller has checked that the txid is free and that the amount is not one to refuse. */
  async createCharge(provider: AccountName, order: ChargeOrder): Promise<SimulatedCharge> {
    const locationId = crypto.randomUUID().replaceAll('-', '');
    const charge: SimulatedCharge = {
      txid: order.txid,
      amountMinor: order.amountMinor.toString(),
      debtor: order.debtor,
      description: order.description,
      createdAt: new Date().toISOString(),
      expiresInSeconds: order.expiresInSeconds,
      locationId,
      copyPaste: this.#codeOf(provider, locationId, order.amountMinor),
      revision: 0,
      isRemoved: false,
      ...traceHeaders(),
      pix: [],
    };
    this.state.change({ type: 'charge_created', provider, charge });
    await this.#payLater(provider, charge);
    return this.state.of(provider).charges.get(order.txid) ?? charge;
  }

  #codeOf(provider: AccountName, locationId: string, amountMinor: bigint): string {
    const { sandboxMarker } = depositBehaviourOf(amountMinor);
    const { merchantName } = this.callingProvider(provider).format;
    return buildDynamicBrCode({
      location: locationOf({ amountMinor, locationId }, this.locationBase(provider)),
      amountMinor,
      merchantName: sandboxMarker ? `SANDBOX ${merchantName}` : merchantName,
      merchantCity: MERCHANT_CITY,
    });
  }

  /** Changes a charge that is neither paid nor removed. */
  reviseCharge(provider: AccountName, txid: string, changes: ChargeRevision): BankAnswer<SimulatedCharge> {
    const charge = this.state.of(provider).charges.get(txid);
    if (!charge) return NOT_FOUND;
    if (charge.pix.length > 0 || charge.isRemoved) return refused('not_active');
    const amountMinor = BigInt(changes.amountMinor ?? charge.amountMinor);
    const copyPaste = this.#codeOf(provider, charge.locationId, amountMinor);
    this.state.change({ type: 'charge_revised', provider, txid, changes: { ...changes, copyPaste } });
    return done(this.state.of(provider).charges.get(txid) as SimulatedCharge);
  }

  /** Sentinels that pay themselves. Resolves at once, or after the callback where that must come first. */
  async #payLater(provider: AccountName, charge: SimulatedCharge): Promise<void> {
    const behaviour = depositBehaviourOf(BigInt(charge.amountMinor));
    if (behaviour.paysItselfAfterMs === null) return;
    if (behaviour.callbacks.beforeAnswer) return void (await this.payCharge(provider, charge.txid, {}));
    this.delays.after(behaviour.paysItselfAfterMs, () => void this.payCharge(provider, charge.txid, {}));
  }

  /** Pays a charge, once as a rule. Real payers can be late: an expired charge is paid all the same, and the gateway must cope. */
  async payCharge(provider: AccountName, txid: string, order: PaymentOrder): Promise<BankAnswer<SimulatedPix>> {
    const charge = this.state.of(provider).charges.get(txid);
    if (!charge) return NOT_FOUND;
    if (charge.pix.length > 0 && order.isAnother !== true) return refused('already_paid');
    if (charge.isRemoved) return refused('removed');
    const behaviour = depositBehaviourOf(BigInt(charge.amountMinor));
    const paidAt = order.paidAt ?? new Date().toISOString();
    const pix: SimulatedPix = {
      endToEndId: newEndToEndId(ISPB, new Date(paidAt)),
      amountMinor: (order.amountMinor ?? BigInt(charge.amountMinor) + behaviour.paidDifferenceMinor).toString(),
      paidAt,
      payer: behaviour.payer === 'unreported' ? null : (order.payer ?? usualPayer(charge, behaviour.payer)),
      reversals: [],
      ...feeOf(this.callingProvider(provider).format),
    };
    this.state.change({ type: 'charge_paid', provider, txid, pix });
    await this.#announce(provider, pix.endToEndId);
    return done(pix);
  }

  /** From then on the client is not called back. */
  removeWebhook(provider: AccountName, event: string): void {
    this.state.change({ type: 'webhook_removed', provider, event });
  }

  /** Keeps where the client wants to be called back, for one event or (empty) all. */
  registerWebhook(provider: AccountName, event: string, url: string): void {
    this.state.change({ type: 'webhook_registered', provider, event, url });
  }

  /** A PIX without a charge. It is on the account's lists; banks send a callback for a static code with a txid. */
  receiveStray(
    provider: AccountName,
    order: PaymentOrder & { amountMinor: bigint; txid: string | null },
  ): SimulatedPix {
    const paidAt = order.paidAt ?? new Date().toISOString();
    const pix: SimulatedPix = {
      endToEndId: newEndToEndId(ISPB, new Date(paidAt)),
      amountMinor: order.amountMinor.toString(),
      paidAt,
      payer: order.payer ?? null,
      reversals: [],
      ...feeOf(this.callingProvider(provider).format),
    };
    const stray = { txid: order.txid, pix };
    this.state.change({ type: 'stray_received', provider, stray });
    const { format, account } = this.callingProvider(provider);
    const message = format.strayCallback?.(stray, account) ?? null;
    if (message !== null) void this.#send(provider, message, undefined, 1);
    return pix;
  }

  /** A return requested by the receiver (`ORIGINAL`), or forced by the special return mechanism (`MED_FRAUDE`). */
  async reverse(
    provider: AccountName,
    endToEndId: string,
    /** `amountMinor`: null for what is left. */
    order: { id: string; amountMinor: bigint | null; nature: SimulatedReversal['nature'] },
  ): Promise<BankAnswer<SimulatedReversal>> {
    const found = this.state.of(provider).pixOf(endToEndId);
    if (!found) return NOT_FOUND;
    const { charge, pix } = found;
    if (pix.reversals.some((reversal) => reversal.id === order.id)) return refused('duplicate');
    const leftMinor = pix.reversals
      .filter((reversal) => reversal.status !== 'NAO_REALIZADO')
      .reduce((left, reversal) => left - BigInt(reversal.amountMinor), BigInt(pix.amountMinor));
    const amountMinor = order.amountMinor ?? leftMinor;
    if (amountMinor === 0n || amountMinor > leftMinor) return refused('exceeds_payment');
    const requestedAt = new Date().toISOString();
    const reversal: SimulatedReversal = {
      id: order.id,
      returnId: newReturnId(ISPB, new Date(requestedAt)),
      amountMinor: amountMinor.toString(),
      nature: order.nature,
      status: 'EM_PROCESSAMENTO',
      requestedAt,
      settledAt: null,
    };
    this.state.change({ type: 'reversal_requested', provider, txid: charge.txid, endToEndId, reversal });
    if (order.nature === 'MED_FRAUDE') this.#changeDispute(provider, pix, 'accepted');
    // A chargeback is final when reported; a return that the gateway asks for settles a moment later.
    if (order.nature === 'ORIGINAL') this.#settleReversalLater(provider, charge, pix, reversal);
    else await this.#settleReversal(provider, charge, pix, reversal);
    return done(reversal);
  }

  /** The payer's bank opens a dispute (MED) on the last payment of a charge, or the case advances. */
  dispute(
    provider: AccountName,
    txid: string,
    status: Exclude<DisputeStatus, 'accepted'>,
    dueAt?: string,
  ): BankAnswer<SimulatedPix> {
    const charge = this.state.of(provider).charges.get(txid);
    const pix = charge?.pix.at(-1);
    if (!charge || !pix) return NOT_FOUND;
    if (pix.dispute?.status === 'accepted') return refused('dispute_is_lost');
    this.#changeDispute(provider, pix, status, dueAt);
    const { format, account } = this.callingProvider(provider);
    const message = format.disputeCallback?.(pix, account) ?? null;
    if (message !== null) void this.callbacks.send(provider, { ...message, traceparent: charge.traceparent }, 1);
    return done(pix);
  }

  #changeDispute(
    provider: AccountName,
    { endToEndId, dispute }: SimulatedPix,
    status: DisputeStatus,
    dueAt?: string,
  ): void {
    const changedAt = new Date().toISOString();
    const begun = dispute ?? {
      id: crypto.randomUUID(),
      openedAt: changedAt,
      dueAt: new Date(Date.parse(changedAt) + DISPUTE_ANSWERED_WITHIN_MS).toISOString(),
    };
    this.state.change({
      type: 'dispute_changed',
      provider,
      endToEndId,
      dispute: { ...begun, ...(dueAt && { dueAt }), status, changedAt },
    });
  }

  #settleReversalLater(
    provider: AccountName,
    charge: SimulatedCharge,
    pix: SimulatedPix,
    reversal: SimulatedReversal,
  ): void {
    const afterMs = this.state.of(provider).lags.returnsAfterMs ?? RETURN_SETTLES_AFTER_MS;
    this.delays.after(afterMs, () => void this.#settleReversal(provider, charge, pix, reversal));
  }

  async #settleReversal(
    provider: AccountName,
    charge: SimulatedCharge,
    pix: SimulatedPix,
    reversal: SimulatedReversal,
  ): Promise<void> {
    const isRefused =
      reversal.nature === 'ORIGINAL' && depositBehaviourOf(BigInt(charge.amountMinor)).reversal === 'refused';
    this.state.change({
      type: 'reversal_settled',
      provider,
      txid: charge.txid,
      endToEndId: pix.endToEndId,
      id: reversal.id,
      status: isRefused ? 'NAO_REALIZADO' : 'DEVOLVIDO',
      at: new Date().toISOString(),
    });
    await this.#announce(provider, pix.endToEndId);
  }

  /** Calls back about a PIX in its present state. */
  async #announce(provider: AccountName, endToEndId: string): Promise<void> {
    const found = this.state.of(provider).pixOf(endToEndId);
    if (!found) return;
    const { callbacks } = depositBehaviourOf(BigInt(found.charge.amountMinor));
    const { format, account } = this.callingProvider(provider);
    const message = format.pixCallback(found.charge, found.pix, account);
    const tried = this.#send(provider, message, found.charge.traceparent, callbacks.copies);
    if (callbacks.beforeAnswer) await tried;
  }

  /** Counts a send, accepted or not: the tests' proof that at most one left. */
  countSend(provider: AccountName, reference: string): void {
    this.state.change({ type: 'payout_received', provider, reference });
  }

  /** Takes a payout. The caller has checked that the reference is free. Answers in the state to be answered. */
  async acceptPayout(
    provider: AccountName,
    reference: string,
    order: PayoutOrder,
  ): Promise<{ payout: SimulatedPayout; answerStatus: SimulatedPayout['status'] }> {
    const books = this.state.of(provider);
    const behaviour = payoutBehaviourOf(order.amountMinor);
    const ordered = books.standingOrders.get(reference);
    const createdAt = new Date().toISOString();
    const payout: SimulatedPayout = {
      reference,
      amountMinor: order.amountMinor.toString(),
      key: order.key,
      beneficiaryDocument: order.beneficiaryDocument,
      endToEndId: order.endToEndId ?? newEndToEndId(ISPB, new Date(createdAt)),
      createdAt,
      ...traceHeaders(),
      status: behaviour.status,
      code: behaviour.code,
      settledAt: behaviour.status === 'processing' ? null : createdAt,
      returns: [],
    };
    this.state.change({ type: 'payout_accepted', provider, payout });
    // What the answer says is final stays so, whatever was ordered before.
    if (behaviour.status !== 'processing') void this.#announcePayout(provider, reference);
    else if (ordered) await this.#change(provider, reference, ordered, false);
    await this.#continuePayout(provider, payout, behaviour);
    const accepted = books.payouts.get(reference) ?? payout;
    const { answeredCode } = behaviour;
    return answeredCode === null
      ? { payout: accepted, answerStatus: behaviour.status }
      : { payout: { ...accepted, code: answeredCode }, answerStatus: 'failed' };
  }

  /** Advances the payout from here. Resolves after the callback if that must precede the answer. */
  async #continuePayout(provider: AccountName, payout: SimulatedPayout, behaviour: PayoutBehaviour): Promise<void> {
    const next = behaviour.then;
    if (next === null) return;
    const isDue = () =>
      this.state.of(provider).payouts.get(payout.reference)?.status ===
      (next.status === 'returned' ? 'paid' : 'processing');
    if (!isDue()) return;
    const move = () =>
      isDue() ? this.#change(provider, payout.reference, next, behaviour.callbacks.beforeAnswer) : undefined;
    if (behaviour.callbacks.beforeAnswer) await move();
    else this.delays.after(next.afterMs, () => void move());
  }

  /** A payout that no client requested, sent in the bank's own panel. No callback is sent. */
  sendStray(
    provider: AccountName,
    order: StrayOrder,
    status: 'paid' | 'processing' = 'paid',
  ): BankAnswer<SimulatedPayout> {
    const reference = order.reference ?? crypto.randomUUID().replaceAll('-', '');
    if (this.state.of(provider).payouts.has(reference)) return refused('duplicate');
    const at = order.sentAt ?? new Date().toISOString();
    const payout: SimulatedPayout = {
      reference,
      amountMinor: order.amountMinor.toString(),
      key: 'panel@example.com',
      beneficiaryDocument: '',
      endToEndId: newEndToEndId(ISPB, new Date(at)),
      createdAt: at,
      status,
      code: null,
      settledAt: status === 'paid' ? at : null,
      returns: [],
    };
    this.state.change({ type: 'payout_accepted', provider, payout });
    return { kind: 'done', value: payout };
  }

  /** A send that was lost on its way is found after all, and ends as a tester ordered. */
  async findPayout(
    provider: AccountName,
    reference: string,
    amountMinor: bigint,
  ): Promise<BankAnswer<SimulatedPayout>> {
    const ordered = this.state.of(provider).standingOrders.get(reference);
    const found = this.sendStray(provider, { reference, amountMinor, sentAt: undefined }, 'processing');
    if (found.kind === 'done' && ordered) await this.#change(provider, reference, ordered, false);
    return found;
  }

  /** Ends a payout as a tester wants it; before it has arrived, the order waits for it. */
  async settlePayout(
    provider: AccountName,
    reference: string,
    order: PayoutChange,
  ): Promise<BankAnswer<{ endToEndId: string | null }>> {
    const payout = this.state.of(provider).payouts.get(reference);
    const { status, code } = order;
    if (!payout) {
      if (status === 'returned') return NOT_FOUND;
      this.state.change({
        type: 'payout_ordered',
        provider,
        reference,
        order: { status, code } satisfies StandingOrder,
      });
      return done({ endToEndId: null });
    }
    const needed = status === 'returned' ? 'paid' : 'processing';
    if (payout.status !== needed) return refused(`payout_is_${payout.status}`);
    if ((order.amountMinor ?? 0n) > leftOfPayout(payout)) return refused('exceeds_payout');
    await this.#change(provider, reference, order, false);
    return done({ endToEndId: payout.endToEndId });
  }

  async #change(
    provider: AccountName,
    reference: string,
    { status, code, amountMinor, isRefused }: PayoutChange,
    waitForCallback: boolean,
  ): Promise<void> {
    const payout = this.state.of(provider).payouts.get(reference);
    if (!payout) return;
    const now = new Date();
    const at = now.toISOString();
    if (status === 'returned') {
      const endsAs = isRefused === true ? 'NAO_REALIZADO' : 'DEVOLVIDO';
      const isSlow = this.state.of(provider).lags.returnsAfterMs !== null;
      const part: SimulatedPayoutReturn = {
        id: newReturnId(ISPB, now),
        amountMinor: (amountMinor ?? leftOfPayout(payout)).toString(),
        code,
        status: isSlow ? 'EM_PROCESSAMENTO' : endsAs,
        endsAs,
        at,
      };
      this.state.change({ type: 'payout_returned', provider, reference, part });
      if (isSlow) this.#settleReturnLater(provider, reference, part.id);
    } else this.state.change({ type: 'payout_settled', provider, reference, status, code, at });
    const tried = this.#announcePayout(provider, reference);
    if (waitForCallback) await tried;
  }

  #settleReturnLater(provider: AccountName, reference: string, id: string): void {
    const afterMs = this.state.of(provider).lags.returnsAfterMs ?? RETURN_SETTLES_AFTER_MS;
    this.delays.after(afterMs, () => {
      const at = new Date().toISOString();
      this.state.change({ type: 'payout_return_settled', provider, reference, id, at });
      void this.#announcePayout(provider, reference);
    });
  }

  async #announcePayout(provider: AccountName, reference: string): Promise<void> {
    const payout = this.state.of(provider).payouts.get(reference);
    if (!payout) return;
    const { copies } = payoutBehaviourOf(BigInt(payout.amountMinor)).callbacks;
    // Where no list has payouts, a return without a callback would be known to nobody.
    const told = payout.returns.length > 0 ? Math.max(1, copies) : copies;
    const { format, account } = this.callingProvider(provider);
    const message = format.payoutCallback(payout, account);
    await this.#send(provider, message, payout.traceparent, told);
  }

  /** Calls back, unless the message waits for others to go out with. */
  async #send(
    provider: AccountName,
    message: CallbackMessage,
    traceparent: string | undefined,
    copies: number,
  ): Promise<void> {
    const due = copies === 0 ? null : this.#batches.take(provider, message, this.callingProvider(provider).format);
    if (due !== null) await this.callbacks.send(provider, { ...due, traceparent }, copies);
  }

  /** What proves that a body is the provider's. */
  callbackHeaders(provider: AccountName, body: string): Readonly<Record<string, string>> {
    const { format, account } = this.callingProvider(provider);
    return format.callbackHeaders(account, body);
  }

  /** The next callbacks of this provider, that many, go out in one call. */
  batchNext(provider: AccountName, size: number): BankAnswer<null> {
    if (this.callingProvider(provider).format.mergeCallbacks === undefined) return refused('tells_one_event_a_call');
    this.#batches.open(provider, size);
    return done(null);
  }
}
