// Woovi as an entry of the table of dialects, and the provider port over its API. Its AppID is the client's secret;
// there is no id.
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
import { unknown } from '../common/answers.js';
import {
  WOOVI_CAPABILITIES,
  WOOVI_CONTRACT,
  reasonOf,
  type WooviContext,
  WooviClient,
  type WooviConfig,
} from './client.js';
import { KNOWN, accountsAnswer } from './wire.js';
import { SENT_PARTS } from '../../domain/listed-payouts.js';
import { RECEIVED_PARTS } from '../../domain/receipts.js';
import { traitsOf, type OpenProvider, type DialectEntry } from '../dialect-entry.js';
import type { KeyOwnerRequest } from '../common/key-questions.js';
import type { ProviderOptions } from '../settings.js';
import { createCharge, lookUpCharge, WOOVI_HOSTS } from './charges.js';
import { listDisputes, listPayouts, listReceived } from './transactions.js';
import { KeyOwners } from './key-owners.js';
import { lookUpPayout, sendPayout, WOOVI_PROVING_CODES } from './payouts.js';
import { requestReversal } from './reversals.js';
import { PROVING_CODES } from '../pix-api/refusals.js';
import { WooviAccount } from './account.js';
import { WooviCallbacks } from './callbacks.js';

/** A payout waits for this answer, so it is given little time. */
const TIMEOUT_MS = 2_500;

async function readBalance({ client }: WooviContext): Promise<BalanceAnswer> {
  const answer = await client.call({ method: 'GET', path: '/account/?limit=100', timeoutMs: TIMEOUT_MS });
  const listed = client.read(accountsAnswer, KNOWN.accounts, answer);
  if (listed === null) return unknown(reasonOf(answer));
  const account = listed.accounts.find(({ isDefault }) => isDefault === true);
  if (account === undefined) return unknown('no_default_account');
  const { available, blocked } = account.balance;
  return { kind: 'balance', availableMinor: available, blockedMinor: blocked ?? null };
}

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

export const WOOVI: DialectEntry = {
  contract: WOOVI_CONTRACT,
  capabilities: WOOVI_CAPABILITIES,
  hosts: WOOVI_HOSTS,
  calls: { needs: ['URL', 'CLIENT_SECRET', 'PIX_KEY'], takes: [] },
  callbacks: { needs: ['CALLBACK_SECRET', 'CALLBACK_KEYS_URL'], takes: ['PIX_KEY'] },
  // No text of a refusal is documented that would prove it: only the state of a payment or return, and its code.
  provingAnswers: {
    payouts: {},
    codes: [...Object.keys(PROVING_CODES), ...Object.keys(WOOVI_PROVING_CODES)],
    returns: [],
  },
  open: (slot, { url, clientSecret, pixKey }, options) =>
    new WooviProvider(slot, { url, appId: clientSecret, pixKey }, options),
  openAccount: (slot, { url, clientSecret, pixKey }) => new WooviAccount(slot, { url, appId: clientSecret, pixKey }),
  openCallbacks: (slot, { keysUrl, callbackSecret }, options) =>
    new WooviCallbacks(slot, { keysUrl: keysUrl ?? '', authorization: callbackSecret ?? '' }, options),
};
