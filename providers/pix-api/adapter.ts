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
import { traitsOf } from '../capabilities.js';
import type { CallSettings, ProviderOptions } from '../settings.js';
import { createCharge, lookUpCharge, requestReversal, type ChargeContext } from './charges.js';
import { PixApiClient } from './client.js';
import type { Dialect } from './dialect.js';
import { KeyOwners, type KeyOwnerRequest } from './key-owners.js';
import { lookUpPayout, sendPayout } from './payouts.js';

export class PixApiProvider implements Provider {
  readonly name: ProviderName;
  readonly traits: ProviderTraits;
  readonly #client: PixApiClient;
  readonly #context: ChargeContext;
  readonly #keyOwners: KeyOwners;

  constructor(name: ProviderName, dialect: Dialect, config: CallSettings, options: ProviderOptions = {}) {
    const now = options.now ?? Date.now;
    this.name = name;
    this.traits = traitsOf(dialect.capabilities);
    this.#client = new PixApiClient(config, dialect, now, options.traceHeaders);
    this.#context = {
      client: this.#client,
      dialect,
      pixKey: config.pixKey,
      timeoutMs: options.callTimeoutMs ?? 8_000,
    };
    this.#keyOwners = new KeyOwners(this.#client, dialect, options.keyLookupTimeoutMs ?? 3_000, now);
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
