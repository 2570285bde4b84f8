// The provider port over API Pix: one class for all three configurations, told apart only by their dialect.
import type {
  CallbackRequest,
  CallbackVerdict,
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
import { parseCallback } from './callbacks.js';
import { createCharge, lookUpCharge, lookUpReversal, requestReversal, type ChargeContext } from './charges.js';
import { PixApiClient } from './client.js';
import type { PixApiProviderConfig } from './config.js';
import { DIALECTS, type Dialect } from './dialects.js';
import { KeyOwners, type KeyOwnerRequest } from './key-owners.js';
import { lookUpPayout, sendPayout } from './payouts.js';

export interface PixApiOptions {
  /** Budget of one call, default 8 s (design D3). */
  readonly callTimeoutMs?: number;
  /** Budget of one key look-up, default 3 s. */
  readonly keyLookupTimeoutMs?: number;
  readonly now?: () => number;
  /** Headers that take the caller's trace on to the provider; absent: none. A token, which all calls share, is nobody's. */
  readonly traceHeaders?: () => Readonly<Record<string, string>>;
}

export class PixApiProvider implements Provider {
  readonly name: ProviderName;
  readonly traits: ProviderTraits;
  readonly #config: PixApiProviderConfig;
  readonly #dialect: Dialect;
  readonly #client: PixApiClient;
  readonly #context: ChargeContext;
  readonly #keyOwners: KeyOwners;

  constructor(name: ProviderName, config: PixApiProviderConfig, options: PixApiOptions = {}) {
    const now = options.now ?? Date.now;
    this.name = name;
    this.#config = config;
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

  lookUpReversal(request: { endToEndId: string; reference: string }): Promise<ReversalOutcome> {
    return lookUpReversal(this.#context, request);
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

  parseCallback(request: CallbackRequest): CallbackVerdict {
    return parseCallback(this.name, this.#config, this.#dialect, request);
  }

  /** Ends every connection; calls under way become unknown. */
  close(): Promise<void> {
    return this.#client.close();
  }
}
