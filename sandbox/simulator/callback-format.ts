// The format and the schedule of a simulated provider's callbacks.
import type { SimulatedAccount } from '../../platform/config/simulator.js';
import type { SimulatedCharge, SimulatedPayout, SimulatedPix, StrayPix } from './state.js';

/** `target` is what follows `/callbacks/{slot}` in the address: a path, a query or both. */
export interface CallbackMessage {
  readonly target: string;
  readonly body: object;
}

export interface CallbackFormat {
  /** In BR codes, behind the sandbox marker. */
  readonly merchantName: string;
  /** What it takes for each PIX that is received, and reports with it; absent if it reports none. */
  readonly feeMinor?: bigint;
  /** A PIX in its present state, with its returns. */
  readonly pixCallback: (charge: SimulatedCharge, pix: SimulatedPix, account: SimulatedAccount) => CallbackMessage;
  /** A dispute in its present state; absent or `null` if no callback is sent. */
  readonly disputeCallback?: (pix: SimulatedPix, account: SimulatedAccount) => CallbackMessage | null;
  /** A PIX without a charge; absent or `null` if no callback is sent. */
  readonly strayCallback?: (stray: StrayPix, account: SimulatedAccount) => CallbackMessage | null;
  /** One body for several calls; `null` if one of them must be sent alone. Absent if every call has one subject. */
  readonly mergeCallbacks?: (bodies: readonly object[]) => object | null;
  /** Before each attempt of a callback, from the failure of the one before. After the last it is given up. */
  readonly callbackPausesMs: readonly number[];
  /** Whether a list tells what came back of a payout, so that a callback about it may be left out. */
  readonly listsPayouts: boolean;
  readonly payoutCallback: (payout: SimulatedPayout, account: SimulatedAccount) => CallbackMessage;
  /** What proves the sender. */
  readonly callbackHeaders: (account: SimulatedAccount, body: string) => Readonly<Record<string, string>>;
}

/** The fee of a PIX that is received. */
export function feeOf({ feeMinor }: CallbackFormat): Pick<SimulatedPix, 'feeMinor'> {
  return feeMinor === undefined ? {} : { feeMinor: feeMinor.toString() };
}

const MINUTE_MS = 60_000;
/** Quick at first, so that a tester sees it. No document has a schedule of the other banks of API Pix. */
export const USUAL_PAUSES_MS: readonly number[] = [0, 1_000, 5_000, 30_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];
/** Efí's table: ten more attempts, after 5 minutes, then each after twice the pause; the last after 52,560 minutes. */
export const EFI_PAUSES_MS: readonly number[] = [0, 5, 10, 20, 40, 80, 160, 320, 640, 1_280, 52_560].map(
  (minutes) => minutes * MINUTE_MS,
);
/** Woovi's table: the first attempt and the intervals 10 × 2ⁿ seconds. */
export const WOOVI_PAUSES_MS: readonly number[] = [0, 10, 20, 40, 80, 160, 320, 640, 1_280].map(
  (seconds) => seconds * 1_000,
);
