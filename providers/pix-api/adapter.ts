// The provider port over API Pix. One class serves all providers; their dialects hold the differences.
import type { TaxDocument } from '../../domain/documents.js';
import { SENT_PARTS } from '../../domain/listed-payouts.js';
import { RECEIVED_PARTS, type SweptPart } from '../../domain/receipts.js';
import type {
  AccountList,
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
  Provider,
  AccountName,
  ProviderTraits,
  ReceivedList,
  ReceivedQuery,
  ReversalOutcome,
  SentQuery,
} from '../port.js';
import { traitsOf } from '../dialect-entry.js';
import { type NoteDrift, hasUnknownField, unknown } from '../common/answers.js';
import type { CallSettings, ProviderOptions } from '../settings.js';
import { createCharge, lookUpCharge, requestReversal, type ChargeContext } from './charges.js';
import { PixApiClient } from './client.js';
import { type Dialect, knownFieldsOf, pathsOf } from './dialect.js';
import { listDisputes, listPayouts } from './list-pages.js';
import { driftOf } from './refusals.js';
import { KeyOwners, ownerWithoutDirectory } from './key-owners.js';
import type { KeyOwnerRequest } from '../common/key-questions.js';
import { lookUpPayout, type PayoutContext, sendPayout } from './payouts.js';
import { listReceived } from './received.js';
import { inconclusive } from '../common/http.js';

export class PixApiProvider implements Provider {
  readonly name: AccountName;
  readonly contract: string;
  readonly traits: ProviderTraits;
  readonly lists: readonly SweptPart[];
  readonly #client: PixApiClient;
  readonly #context: ChargeContext;
  /** `null` if the dialect sends none. */
  readonly #payouts: PayoutContext | null;
  readonly #lookUpKeyOwner: (request: KeyOwnerRequest) => KeyOwnerLookup | Promise<KeyOwnerLookup>;
  readonly #noteDrift: NoteDrift;

  constructor(name: AccountName, dialect: Dialect, config: CallSettings, options: ProviderOptions = {}) {
    const now = options.now ?? Date.now;
    this.name = name;
    this.contract = dialect.contract;
    this.traits = traitsOf(dialect.capabilities);
    this.lists = listsOf(dialect);
    const { test, testCodes = [] } = dialect.hosts;
    this.#client = new PixApiClient(config, dialect, now, options.traceHeaders);
    const known = knownFieldsOf(dialect);
    this.#context = {
      client: this.#client,
      dialect,
      paths: pathsOf({ ...dialect.prefixes, ...config.pathPrefixes }),
      pixKey: config.pixKey,
      testHosts: [...(config.testLocationHosts ?? [new URL(config.url).hostname]), ...testCodes],
      knownTestHosts: [...(config.testLocationHosts ?? []), ...test, ...testCodes],
      timeoutMs: options.callTimeoutMs ?? 8_000,
      noteFields: (kind, body) => {
        const fields = known[kind];
        if (fields !== null && hasUnknownField(fields, body)) this.#noteDrift('unknown_field');
      },
    };
    this.#payouts = dialect.payout === null ? null : { ...this.#context, payout: dialect.payout };
    this.#noteDrift = options.noteDrift ?? (() => undefined);
    if (dialect.key === null) {
      this.#lookUpKeyOwner = (request) => ownerWithoutDirectory(dialect.capabilities.keyOwners, request);
    } else {
      const owners = new KeyOwners(this.#client, dialect, dialect.key, options.keyLookupTimeoutMs ?? 3_000, now);
      this.#lookUpKeyOwner = (request) => owners.lookUp(request);
    }
  }

  createCharge(request: ChargeRequest): Promise<ChargeOutcome> {
    return this.#noted(createCharge(this.#context, request));
  }

  lookUpCharge(reference: string, expected?: TaxDocument): Promise<ChargeLookup> {
    return this.#noted(lookUpCharge(this.#context, reference, expected ?? null));
  }

  requestReversal(request: { endToEndId: string; reference: string; amountMinor: bigint }): Promise<ReversalOutcome> {
    return this.#noted(requestReversal(this.#context, request));
  }

  async sendPayout(request: PayoutRequest): Promise<PayoutOutcome> {
    return this.#payouts === null
      ? { kind: 'not_sent', reason: 'sends_no_payouts' }
      : this.#noted(sendPayout(this.#payouts, request));
  }

  async lookUpPayout(request: { reference: string; amountMinor: bigint }): Promise<PayoutLookup> {
    // The outcome at the slot's earlier bank is not known here.
    return this.#payouts === null
      ? { kind: 'unknown', reason: 'sends_no_payouts' }
      : this.#noted(lookUpPayout(this.#payouts, request));
  }

  readBalance(): Promise<BalanceAnswer> {
    return this.#noted(readBalance(this.#client, this.#context.dialect));
  }

  async listReceived(query: ReceivedQuery): Promise<ReceivedList> {
    return this.#readInFull(await this.#noted(listReceived(this.#context, query)));
  }

  async listDisputes(query: ListQuery): Promise<DisputeList> {
    return this.#readInFull(await this.#noted(listDisputes(this.#context, query)));
  }

  async listPayouts(query: SentQuery): Promise<PayoutList> {
    const list = this.#payouts?.payout.list ?? null;
    return this.#readInFull(await this.#noted(listPayouts(this.#context, list, query)));
  }

  async lookUpKeyOwner(request: KeyOwnerRequest): Promise<KeyOwnerLookup> {
    return this.#lookUpKeyOwner(request);
  }

  /** An unreadable entry of a list is mostly one with an undocumented state. */
  #readInFull<Item>(list: AccountList<Item>): AccountList<Item> {
    if (list.kind === 'page' && list.unreadable > 0) this.#noteDrift('unknown_state');
    return list;
  }

  /** Anything that its documentation does not have leaves the outcome open, and is reported as drift. */
  async #noted<Outcome extends { readonly kind: string; readonly reason?: string }>(
    answer: Promise<Outcome>,
  ): Promise<Outcome> {
    const outcome = await answer;
    const drift = outcome.kind === 'unknown' && outcome.reason !== undefined ? driftOf(outcome.reason) : null;
    if (drift !== null) this.#noteDrift(drift);
    return this.#client.backPressure.noted(outcome);
  }

  /** Closes every connection. Running calls become `unknown`. */
  close(): Promise<void> {
    return this.#client.close();
  }
}

function listsOf({ payout, disputes }: Dialect): readonly SweptPart[] {
  return [
    ...RECEIVED_PARTS,
    ...((payout?.list ?? null) === null ? [] : SENT_PARTS),
    ...(disputes === null ? [] : ['disputes' as const]),
  ];
}

/** A payout waits for this answer, so it is given little time. */
const TIMEOUT_MS = 2_500;

async function readBalance(client: PixApiClient, { balance }: Dialect): Promise<BalanceAnswer> {
  if (balance === null) return { kind: 'unsupported' };
  const answer = await client.call({ method: 'GET', path: balance.path, timeoutMs: TIMEOUT_MS });
  if (answer.kind !== 'answered' || answer.status !== 200) return unknown(inconclusive(answer));
  const read = balance.reply.safeParse(answer.body);
  return read.success ? { kind: 'balance', ...read.data } : unknown('unreadable_answer');
}
