// What a simulated dialect of API Pix consists of: paths, words and shapes.
import type { z } from 'zod';
import type { PixKeyType } from '../../domain/pix.js';
import type { PayoutStatus, Person, SimulatedDispute, SimulatedPayout, SimulatedPix } from './state.js';

/** Everything a simulated provider refuses with. */
export type ErrorKind =
  | 'invalid'
  | 'invalid_charge'
  | 'invalid_charge_query'
  | 'invalid_pix_query'
  | 'invalid_return'
  | 'invalid_webhook'
  /** Well formed, and its trial failed. */
  | 'webhook_refused'
  | 'unauthorized'
  /** Of a known client that lacks the scope. */
  | 'forbidden'
  | 'not_found'
  | 'charge_unknown'
  | 'pix_unknown'
  | 'return_unknown'
  | 'webhook_unknown'
  | 'payload_unknown'
  | 'payout_unknown'
  | 'rate_limited'
  | 'internal'
  | 'unavailable'
  | 'duplicate_charge'
  | 'charge_refused'
  | 'invalid_payout'
  | 'duplicate_payout'
  | 'payout_refused'
  | 'payout_key_unknown'
  /** Only where there is no directory: the holder is compared at the send. */
  | 'key_of_another'
  | 'unknown_key'
  | 'reversal_refused'
  | 'duplicate_reversal';

/** A status and the dialect's word. */
export type ErrorRow = readonly [status: number, word: string];

export interface PayoutOrder {
  /** Null where the reference is in the path. */
  readonly reference: string | null;
  readonly amountMinor: bigint;
  readonly key: string;
  /** `null` if the provider derives it from the key's form. */
  readonly keyType: PixKeyType | null;
  readonly beneficiaryDocument: string;
  /** From the key look-up, if one was made. */
  readonly endToEndId: string | null;
}

export interface KeyQuestion {
  readonly key: string;
  /** As in a payout. */
  readonly keyType: PixKeyType | null;
  readonly expected: Person;
}

export interface ServerDialect {
  /** `certificate`: the id alone, with a client certificate, which is not played. */
  readonly token: {
    readonly path: string;
    readonly credentials: 'basic' | 'body' | 'certificate';
    /** What a client may be given; absent where every token may do everything. */
    readonly scopes?: string;
  };
  /** An address is tried when it is registered: without a certificate, which it must refuse, and with the bank's. */
  readonly triesWebhooks?: true;
  /** What every call must carry besides its token. */
  readonly everyCall?: { readonly header?: string; readonly parameter?: string };
  readonly paths: {
    readonly charge: string;
    readonly reversal: string;
    /** Null where it sends none. */
    readonly payoutLookup: string | null;
    /** Null without a key directory. */
    readonly key: string | null;
    /** Of the callbacks' address; absent where it is not registered by a call. */
    readonly webhook?: string;
    /** Of the account; absent if it has none. */
    readonly balance?: string;
    /** Of one received PIX, and of a payout by its end-to-end id; absent where it has none. */
    readonly pix?: string;
    readonly payoutByEndToEndId?: string;
    /** Of sent payouts; absent where it lists none. */
    readonly payouts?: string;
    /** Of several charges; null where it has none. */
    readonly list: string | null;
    /** Of received PIX; null where it has none. */
    readonly received: string | null;
  };
  readonly payoutSend: { readonly method: 'put' | 'post'; readonly path: string } | null;
  /** The status with which a repeated `PUT` of an active charge revises it; absent: it is refused. */
  readonly revisesByPut?: 200 | 201;
  /** The body of `PUT /cob/{txid}`, with what this provider insists on in `devedor`. */
  readonly chargeRequest: z.ZodType<ChargeBody>;
  /** Where it lists disputed payments (MED), under which name; absent where it does not. */
  readonly disputes?: {
    readonly path: string;
    readonly name: string;
    readonly render: (pix: SimulatedPix, dispute: SimulatedDispute, pixKey: string) => object;
  };
  readonly suppliesPng: boolean;
  readonly payerExtension: (payer: Person) => object;
  readonly readPayout: z.ZodType<PayoutOrder>;
  /** `where`: some answer the send in other words than the look-up. */
  readonly renderPayout: (
    payout: SimulatedPayout,
    status: PayoutStatus,
    where: 'send' | 'lookup',
    pixKey: string,
  ) => object;
  readonly callbacks: CallbackShape;
  /** What a single `GET` leaves out that the standard allows to. */
  readonly charge: ChargeShape;
  /** A payout that fails at once: reported in a normal answer, or as an error, which may have no ISO code. */
  readonly failsAs: 'answer' | 'error' | 'error_without_code';
  readonly readKeyQuestion: z.ZodType<KeyQuestion>;
  readonly renderKeyOwner: (owner: Person, question: KeyQuestion, endToEndId: string) => object;
  readonly budgetHeaders: (tokens: number, refillSeconds: number) => Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<ErrorKind, ErrorRow>>;
  readonly errorType: 'application/problem+json' | 'application/json';
  readonly renderError: (word: string, status: number, detail: string, code: string | null) => object;
  readonly callbackHeaders: (secret: string, body: string) => Readonly<Record<string, string>>;
}

export interface CallbackShape {
  /** Behind `/callbacks/{slot}`. */
  readonly pixTarget: (secret: string) => string;
  readonly payoutTarget: (secret: string) => string;
  /** A PIX on a static code with a txid is reported like one on a charge. */
  readonly reportsStaticCodes?: true;
  /** Defaults to the usual ones. */
  readonly pausesMs?: readonly number[];
  /** `null` for the same as in a look-up. */
  readonly payoutBody: ((payout: SimulatedPayout, pixKey: string) => object) | null;
}

export interface ChargeShape {
  /** Whether `loc` is answered in addition to `location`. */
  readonly includesLoc?: boolean;
  /** The fee for a received PIX, answered with it; absent if it is not answered. */
  readonly feeMinor?: bigint;
  readonly namesPayer: boolean;
  readonly keepsCodeWhenPaid: boolean;
  readonly expiryInGet: 'number' | 'text';
  /** How long a paid charge is still reported as active, unless a tester says otherwise; absent for no time. */
  readonly concludesAfterMs?: number;
}

export interface ChargeBody {
  readonly calendario: { readonly expiracao: number };
  readonly devedor?:
    | { readonly cpf?: string | undefined; readonly cnpj?: string | undefined; readonly nome?: string | undefined }
    | undefined;
  readonly valor: { readonly original: bigint };
  readonly chave: string;
  readonly solicitacaoPagador?: string | undefined;
}
