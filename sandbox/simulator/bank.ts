// The simulated bank: creates charges, takes payments, sends payouts, and sends callbacks. HTTP is elsewhere.
import { buildDynamicBrCode } from '../../domain/br-code.js';
import type { DisputeStatus } from '../../domain/disputes.js';
import { newEndToEndId, newReturnId } from '../../domain/pix.js';
import type { AccountName } from '../../providers/port.js';
import { traceHeaders } from '../../platform/telemetry/spans.js';
import {
  type BankAnswer,
  type CallingProvider,
  done,
  ISPB,
  NOT_FOUND,
  refused,
  RETURN_SETTLES_AFTER_MS,
} from './bank-parts.js';
import { BankPayouts } from './bank-payouts.js';
import { depositBehaviourOf, usualPayer } from './behaviours.js';
import { Batches } from './batches.js';
import type { CallbackSender } from './callbacks.js';
import type { Delays } from './delays.js';
import { locationOf } from './locations.js';
import {
  type ChargeRevision,
  type Person,
  type SimulatedCharge,
  type SimulatedPix,
  type SimulatedReversal,
  type SimulatorState,
} from './state.js';
import { type CallbackMessage, feeOf } from './callback-format.js';

/** MED lets the receiver answer for a week. */
const DISPUTE_ANSWERED_WITHIN_MS = 7 * 24 * 3_600_000;
/** A batch that nobody fills goes out as it is. */
const BATCH_WAITS_MS = 600_000;
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

export class Bank {
  readonly #batches = new Batches();
  readonly payouts: BankPayouts;

  constructor(
    private readonly state: SimulatorState,
    private readonly callbacks: CallbackSender,
    private readonly delays: Delays,
    private readonly locationBase: (provider: AccountName) => string,
    /** Of the providers that are played. */
    private readonly callingProvider: (provider: AccountName) => CallingProvider,
  ) {
    this.payouts = new BankPayouts(state, delays, callingProvider, (...message) => this.#send(...message));
  }

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
      this.payouts.resume(provider);
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
      reversal.nature === 'ORIGINAL' &&
      (this.state.of(provider).quirks.refusesReturns ||
        depositBehaviourOf(BigInt(charge.amountMinor)).reversal === 'refused');
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
    const batch = this.#batches.open(provider, size);
    this.delays.after(BATCH_WAITS_MS, () => {
      const due = this.#batches.close(provider, batch, this.callingProvider(provider).format);
      if (due !== null) void this.callbacks.send(provider, { ...due, traceparent: undefined }, 1);
    });
    return done(null);
  }
}
