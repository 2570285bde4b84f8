// The provider port over Woovi's API.
import { SENT_PARTS } from '../../domain/listed-payouts.js';
import { RECEIVED_PARTS } from '../../domain/receipts.js';
import { traitsOf, type OpenProvider } from '../dialect-entry.js';
import type { KeyOwnerRequest } from '../common/key-questions.js';
import type {
  BalanceAnswer,
  ChargeLookup,
  ChargeOutcome,
  ChargeRequest,
  DisputeList,
  KeyOwnerLookup,
  ListQuery,
  PayoutList,
  PayoutLookup,
  PayoutOutcome,
  PayoutRequest,
  AccountName,
  ReceivedList,
  ReceivedQuery,
  ReversalOutcome,
  SentQuery,
} from '../port.js';
import type { ProviderOptions } from '../settings.js';
import { readBalance } from './balance.js';
import { WOOVI_CAPABILITIES, WOOVI_CONTRACT } from './capabilities.js';
import { createCharge, lookUpCharge } from './charges.js';
import { WooviClient } from './client.js';
import type { WooviConfig } from './config.js';
import type { WooviContext } from './context.js';
import { listDisputes } from './disputes.js';
import { KeyOwners } from './key-owners.js';
import { lookUpPayout, sendPayout } from './payouts.js';
import { listPayouts, listReceived } from './transactions.js';
import { requestReversal } from './reversals.js';

export class WooviProvider implements OpenProvider {
  readonly contract = WOOVI_CONTRACT;
  readonly traits = traitsOf(WOOVI_CAPABILITIES);
  readonly lists = [...RECEIVED_PARTS, ...SENT_PARTS, 'disputes'] as const;
  readonly #client: WooviClient;
  readonly #context: WooviContext;
  readonly #keyOwners: KeyOwners;

  constructor(
    readonly name: AccountName,
    config: WooviConfig,
    options: ProviderOptions = {},
  ) {
    const { noteDrift = () => undefined, traceHeaders = () => ({}), now = Date.now } = options;
    this.#client = new WooviClient(config, noteDrift, traceHeaders, now);
    this.#context = { client: this.#client, config, callTimeoutMs: options.callTimeoutMs ?? 8_000, now };
    this.#keyOwners = new KeyOwners(this.#client, options.keyLookupTimeoutMs ?? 3_000, now);
  }

  createCharge(request: ChargeRequest): Promise<ChargeOutcome> {
    return this.#held(createCharge(this.#context, request));
  }

  lookUpCharge(reference: string): Promise<ChargeLookup> {
    return this.#held(lookUpCharge(this.#context, reference));
  }

  requestReversal(request: { endToEndId: string; reference: string; amountMinor: bigint }): Promise<ReversalOutcome> {
    return this.#held(requestReversal(this.#context, request));
  }

  sendPayout(request: PayoutRequest): Promise<PayoutOutcome> {
    return this.#held(sendPayout(this.#context, request));
  }

  lookUpPayout(request: { reference: string; amountMinor: bigint }): Promise<PayoutLookup> {
    return this.#held(lookUpPayout(this.#context, request));
  }

  readBalance(): Promise<BalanceAnswer> {
    return this.#held(readBalance(this.#context));
  }

  listReceived(query: ReceivedQuery): Promise<ReceivedList> {
    return this.#held(listReceived(this.#context, query));
  }

  listPayouts(query: SentQuery): Promise<PayoutList> {
    return this.#held(listPayouts(this.#context, query));
  }

  listDisputes(query: ListQuery): Promise<DisputeList> {
    return this.#held(listDisputes(this.#context, query));
  }

  lookUpKeyOwner(request: KeyOwnerRequest): Promise<KeyOwnerLookup> {
    return this.#keyOwners.lookUp(request);
  }

  async #held<Outcome extends { readonly kind: string }>(answer: Promise<Outcome>): Promise<Outcome> {
    return this.#client.backPressure.noted(await answer);
  }

  /** Closes every connection. Running calls become `unknown`. */
  close(): Promise<void> {
    return this.#client.close();
  }
}
