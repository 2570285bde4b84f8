// What differs between the dialects of API Pix. Everything else is common to all.
import type { z } from 'zod';
import type { TaxDocument } from '../../domain/documents.js';
import type { PixKeyType } from '../../domain/pix.js';
import type { Capabilities } from '../capabilities.js';
import type { PayoutRequest, Reversal } from '../port.js';
import type { RefusalLists } from './refusals.js';
import type { WireKeyOwner, WirePayout } from './wire.js';

export type PayoutState = 'processing' | 'paid' | 'failed' | 'returned';

export interface Dialect {
  readonly capabilities: Capabilities;
  /** How the client credentials are sent to the token endpoint. */
  readonly token: { readonly path: string; readonly credentials: 'basic' | 'body'; readonly encoding: 'form' | 'json' };
  readonly charge: {
    readonly path: (txid: string) => string;
    /** The field of a received PIX that names its payer; null when the provider never reports it. */
    readonly payerIn: 'pagador' | 'extras' | null;
    readonly sendsPayerEmail: boolean;
    /** Refusals that mean "this txid already exists": the charge exists even when a look-up does not find it. */
    readonly duplicateWords: readonly string[];
    /** Its words for "no such charge". Any other 404 is not the provider's statement. */
    readonly notFoundWords: readonly string[];
  };
  readonly reversal: {
    readonly path: (endToEndId: string, id: string) => string;
    /** Refusals that are final if the return does not exist. */
    readonly finalWords: readonly string[];
    /** As a charge's. */
    readonly notFoundWords: readonly string[];
  };
  readonly payout: RefusalLists & {
    readonly method: 'PUT' | 'POST';
    readonly path: (reference: string) => string;
    readonly lookupPath: (reference: string) => string;
    readonly body: (request: PayoutRequest, payingKey: string) => object;
    readonly reply: z.ZodType<WirePayout>;
    /** Callbacks carry the payout in the same shape as a look-up's answer. */
    readonly states: Readonly<Record<string, PayoutState>>;
    /** Of the returns of a payout. */
    readonly returnStates: Readonly<Record<string, Reversal['status']>>;
    /** Failure codes that say "there is such a payout already": that other one may have been paid. */
    readonly duplicateCodes: readonly string[];
    /** As a charge's. */
    readonly notFoundWords: readonly string[];
  };
  readonly key: {
    readonly path: string;
    readonly body: (key: { type: PixKeyType; value: string }, expected: TaxDocument) => object;
    readonly reply: z.ZodType<WireKeyOwner>;
    readonly unknownKeyWords: readonly string[];
    /** Headers with the number of look-up tokens left, and the seconds until some return. */
    readonly budgetHeaders: { readonly remaining: string; readonly resetSeconds: string };
  };
  /**
   * How callbacks are authenticated: the secret itself in a header, or an HMAC-SHA256 of the body as `sha256=<hex>`.
   */
  readonly callback: { readonly scheme: 'secret' | 'hmac'; readonly header: string };
}
