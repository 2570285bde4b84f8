// The provider port over API Pix. One class serves all providers; their dialects hold the differences.
import type {
  ChargeLookup,
  ChargeOutcome,
  ChargeRequest,
  KeyOwnerLookup,
  PayoutLookup,
  PayoutOutcome,
  PayoutRequest,
  Provider,
  ProviderName,
  ProviderTraits,
  ReversalOutcome,
} from '../port.js';
import { createCharge, lookUpCharge, requestReversal, type ChargeContext } from './charges.js';
import { PixApiClient } from './client.js';
import type { PixApiProviderConfig } from './config.js';
import { DIALECTS, type Dialect } from './dialects.js';
import { KeyOwners, type KeyOwnerRequest } from './key-owners.js';
import { lookUpPayout, sendPayout } from './payouts.js';

export interface PixApiOptions {
  /** Time limit of one call, default 8 s. */
  readonly callTimeoutMs?: number;
  /** Time limit of one key look-up, default 3 s. */
  readonly keyLookupTimeoutMs?: number;
  readonly now?: () => number;
  /**
   * Headers that pass the caller's trace to the provider; absent: none. Token requests, which calls share, have none.
   */
  readonly traceHeaders?: () => Readonly<Record<string, string>>;
}

export class PixApiProvider implements Provider {
  readonly name: ProviderName;
  readonly traits: ProviderTraits;
  readonly #dialect: Dialect;
  readonly #client: PixApiClient;
  readonly #context: ChargeContext;
  readonly #keyOwners: KeyOwners;

  constructor(name: ProviderName, config: PixApiProviderConfig, options: PixApiOptions = {}) {
    const now = options.now ?? Date.now;
    this.name = name;
    this.#dialect = DIALECTS[name];
    this.traits = this.#dialect.traits;
    this.#client = new PixApiClient(config, this.#dialect, now, options.traceHeaders);
    this.#context = {
      client: this.#client,
      dialect: this.#dialect,
      pixKey: config.pixKey,
      timeoutMs: options.callTimeoutMs ?? 8_000,
    };
    this.#keyOwners = new KeyOwners(this.#client, this.#dialect, options.keyLookupTimeoutMs ?? 3_000, now);
  }

  createCharge(request: ChargeRequest): Promise<ChargeOutcome> {
    return createCharge(this.#context, request);
  }

  lookUpCharge(reference: string): Promise<ChargeLookup> {
    return lookUpCharge(this.#context, reference);
  }

  requestReversal(request: { endToEndId: string; reference: string; amountMinor: bigint }): Promise<ReversalOutcome> {
    return requestReversal(this.#context, request);
  }

  sendPayout(request: PayoutRequest): Promise<PayoutOutcome> {
    return sendPayout(this.#context, request);
  }

  lookUpPayout(request: { reference: string; amountMinor: bigint }): Promise<PayoutLookup> {
    return lookUpPayout(this.#context, request);
  }

  lookUpKeyOwner(request: KeyOwnerRequest): Promise<KeyOwnerLookup> {
    return this.#keyOwners.lookUp(request);
  }

  /** Closes every connection. Running calls become `unknown`. */
  close(): Promise<void> {
    return this.#client.close();
  }
}
