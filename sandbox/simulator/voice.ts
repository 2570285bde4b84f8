// How a simulated provider speaks of itself and calls back.
import type { SimulatedAccount } from '../../platform/config/simulator.js';
import type { SimulatedCharge, SimulatedPayout, SimulatedPix } from './state.js';

/** `target` is what stands behind `/callbacks/{slot}` in the address: a path, a query or both. */
export interface CallbackMessage {
  readonly target: string;
  readonly body: object;
}

export interface Voice {
  /** In BR codes, behind the sandbox marker. */
  readonly merchantName: string;
  /** A PIX in its present state, with its returns. */
  readonly pixCallback: (charge: SimulatedCharge, pix: SimulatedPix, account: SimulatedAccount) => CallbackMessage;
  /** A dispute in its present state; absent or null where nothing is told. */
  readonly disputeCallback?: (pix: SimulatedPix, account: SimulatedAccount) => CallbackMessage | null;
  readonly payoutCallback: (payout: SimulatedPayout, account: SimulatedAccount) => CallbackMessage;
  /** What proves the sender. */
  readonly callbackHeaders: (account: SimulatedAccount, body: string) => Readonly<Record<string, string>>;
}
