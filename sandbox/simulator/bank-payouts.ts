// What the simulated bank sends: payouts, what becomes of them, and what the receiving bank sends back.
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
import { payoutBehaviourOf, type PayoutBehaviour } from './behaviours.js';
import type { CallbackMessage } from './callback-format.js';
import type { Delays } from './delays.js';
import type { PayoutOrder } from './server-dialect.js';
import {
  leftOfPayout,
  type SimulatedPayout,
  type SimulatedPayoutReturn,
  type SimulatorState,
  type StandingOrder,
} from './state.js';

/** What becomes of a payout. */
export interface PayoutChange {
  readonly status: 'paid' | 'failed' | 'returned';
  readonly code: string | null;
  /** Of a return; absent or null for what is left. */
  readonly amountMinor?: bigint | null;
  /** The return is not performed after all. */
  readonly isRefused?: boolean;
}

interface StrayOrder {
  readonly amountMinor: bigint;
  readonly reference: string | undefined;
  readonly sentAt: string | undefined;
}

type Send = (
  provider: AccountName,
  message: CallbackMessage,
  traceparent: string | undefined,
  copies: number,
) => Promise<void>;

export class BankPayouts {
  constructor(
    private readonly state: SimulatorState,
    private readonly delays: Delays,
    private readonly callingProvider: (provider: AccountName) => CallingProvider,
    private readonly send: Send,
  ) {}

  /** Resumes the pending work of an earlier process. */
  resume(provider: AccountName): void {
    for (const payout of this.state.of(provider).payouts.values()) {
      void this.#continue(provider, payout, payoutBehaviourOf(BigInt(payout.amountMinor)));
      for (const { id, status } of payout.returns)
        if (status === 'EM_PROCESSAMENTO') this.#settleReturnLater(provider, payout.reference, id);
    }
  }

  /** Counts a send, accepted or not: the tests' proof that at most one left. */
  countSend(provider: AccountName, reference: string): void {
    this.state.change({ type: 'payout_received', provider, reference });
  }

  /** Takes a payout. The caller has checked that the reference is free. Answers in the state to be answered. */
  async accept(
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
    if (behaviour.status !== 'processing') void this.#announce(provider, reference);
    else if (ordered) await this.#change(provider, reference, ordered, false);
    await this.#continue(provider, payout, behaviour);
    const accepted = books.payouts.get(reference) ?? payout;
    const { answeredCode } = behaviour;
    return answeredCode === null
      ? { payout: accepted, answerStatus: behaviour.status }
      : { payout: { ...accepted, code: answeredCode }, answerStatus: 'failed' };
  }

  /** Advances the payout from here. Resolves after the callback if that must precede the answer. */
  async #continue(provider: AccountName, payout: SimulatedPayout, behaviour: PayoutBehaviour): Promise<void> {
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
  async find(provider: AccountName, reference: string, amountMinor: bigint): Promise<BankAnswer<SimulatedPayout>> {
    const ordered = this.state.of(provider).standingOrders.get(reference);
    const found = this.sendStray(provider, { reference, amountMinor, sentAt: undefined }, 'processing');
    if (found.kind === 'done' && ordered) await this.#change(provider, reference, ordered, false);
    return found;
  }

  /** Ends a payout as a tester wants it; before it has arrived, the order waits for it. */
  async settle(
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
    const tried = this.#announce(provider, reference);
    if (waitForCallback) await tried;
  }

  #settleReturnLater(provider: AccountName, reference: string, id: string): void {
    const afterMs = this.state.of(provider).lags.returnsAfterMs ?? RETURN_SETTLES_AFTER_MS;
    this.delays.after(afterMs, () => {
      const at = new Date().toISOString();
      this.state.change({ type: 'payout_return_settled', provider, reference, id, at });
      void this.#announce(provider, reference);
    });
  }

  async #announce(provider: AccountName, reference: string): Promise<void> {
    const payout = this.state.of(provider).payouts.get(reference);
    if (!payout) return;
    const { copies } = payoutBehaviourOf(BigInt(payout.amountMinor)).callbacks;
    // Where no list has payouts, a return without a callback would be known to nobody.
    const { format, account } = this.callingProvider(provider);
    const told = payout.returns.length > 0 && !format.listsPayouts ? Math.max(1, copies) : copies;
    const message = format.payoutCallback(payout, account);
    await this.send(provider, message, payout.traceparent, told);
  }
}
