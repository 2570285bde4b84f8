// The differences between the dialects of API Pix, and how each one's words are read: paths and their prefixes, scopes,
// states and known fields. Everything else is common to all. A state that is not in a table is `unknown`, never a
// guess.
import type { z } from 'zod';
import type { Dispute } from '../../domain/disputes.js';
import type { ListedPayout } from '../../domain/listed-payouts.js';
import type { TaxDocument } from '../../domain/documents.js';
import type { PixKeyType } from '../../domain/pix.js';
import type { Capabilities } from '../dialect-entry.js';
import type { PayoutRequest, Reversal } from '../port.js';
import type { RefusalLists } from './refusals.js';
import type { PayoutReferences, WireKeyOwner, WirePayout } from './wire.js';
import { fields, type KnownShape } from '../common/answers.js';

export type PayoutState = 'processing' | 'paid' | 'failed' | 'returned';

/**
 * How callbacks prove themselves: the secret itself in a header, an HMAC-SHA256 of the body as `sha256=<hex>`, or, as
 * banks do, the client certificate that the edge has verified or a secret in the registered address.
 */
export type CallbackProof =
  | { readonly scheme: 'secret' | 'hmac'; readonly header: string }
  | { readonly scheme: 'certificate_or_query'; readonly parameter: string };

export interface TokenHabits {
  /** Below the base address, or at the root of its host; null where the host is another, which a setting names. */
  readonly at: { readonly of: 'base' | 'host'; readonly path: string } | null;
  /** How the client authenticates: id and secret in a header or the body, or its id alone with its certificate. */
  readonly credentials: 'basic' | 'body' | 'certificate';
  readonly encoding: 'form' | 'json';
  /** The scopes, unless a setting overrides them; `null` for all that the client was given. */
  readonly scopes: string | null;
}

export interface PayoutDialect extends RefusalLists {
  readonly method: 'PUT' | 'POST';
  readonly path: (reference: string) => string;
  readonly lookupPath: (reference: string) => string;
  readonly body: (request: PayoutRequest, payingKey: string) => object;
  readonly reply: z.ZodType<WirePayout>;
  /** Those of its answers, separated by spaces; `null` for the sandbox's own, whose bank is written beside it. */
  readonly fields: string | null;
  /** The references in a callback at its own address; `null` where it has none. Nothing else of one is read. */
  readonly notice: z.ZodType<PayoutReferences> | null;
  readonly states: Readonly<Record<string, PayoutState>>;
  /** The states of a payout's returns. */
  readonly returnStates: Readonly<Record<string, Reversal['status']>>;
  /** Failure codes that mean "there is such a payout already". The other one may have been paid. */
  readonly duplicateCodes: readonly string[];
  /** The failure code if it documents a failure without a code as final; `null` if such a failure stays open. */
  readonly defaultFailureCode: string | null;
  /** As a charge's. */
  readonly notFoundErrors: readonly string[];
  /** Where it lists what was sent; null where it does not. `read`: null for one that failed. */
  readonly list: {
    readonly path: string;
    readonly page: z.ZodType<{ readonly payouts: readonly unknown[]; readonly hasMore: (page: number) => boolean }>;
    readonly read: z.ZodType<ListedPayout | null>;
  } | null;
}

export interface Dialect {
  readonly contract: string;
  readonly capabilities: Capabilities;
  readonly hosts: {
    readonly real: readonly string[];
    readonly test: readonly string[];
    /** The hosts of the locations in its test codes, if they are known. */
    readonly testCodes?: readonly string[];
  };
  readonly token: TokenHabits;
  /** The header in which every call repeats the client id; null: none does. */
  readonly clientIdHeader: string | null;
  /** The scopes that the calls need, if the credentials name scopes; empty if they do not. */
  readonly neededScopes: readonly string[];
  /** The prefix of the standard's paths. */
  readonly prefixes: Prefixes;
  readonly charge: {
    /**
     * Where the payer of a received PIX is reported: in a field of the charge, in the list of charges only, or nowhere.
     * `received`: the list of received PIX names the payer, or shows whether it was the expected one.
     */
    readonly payerIn: 'pagador' | 'extras' | 'list' | 'received' | null;
    /** The standard takes a debtor with a name, or none. */
    readonly debtor: 'always' | 'named' | 'never';
    readonly sendsPayerEmail: boolean;
    /** Fields that the standard does not have, of a charge and of a received PIX, separated by spaces. */
    readonly addedFields: { readonly charge: string; readonly payment: string };
    /** Refusals that mean "this txid already exists": the charge exists even when a look-up does not find it. */
    readonly duplicateErrors: readonly string[];
    /** Its error codes for "no such charge". Any other 404 is not the provider's statement. */
    readonly notFoundErrors: readonly string[];
  };
  /** The statuses with which it reports, together with its own error codes, that something does not exist. */
  readonly notFoundStatuses: readonly number[];
  readonly reversal: {
    /** Refusals that are final if the return does not exist. */
    readonly finalErrors: readonly string[];
    /** As a charge's. */
    readonly notFoundErrors: readonly string[];
  };
  /** `null` if it sends none: the standard has no payouts. */
  readonly payout: PayoutDialect | null;
  /** The path of the balance; `null` if it reports none. */
  readonly balance: {
    readonly path: string;
    readonly reply: z.ZodType<{ readonly availableMinor: bigint; readonly blockedMinor: bigint | null }>;
  } | null;
  /** Where it lists disputed payments; null where it does not. */
  readonly disputes: {
    readonly path: string;
    readonly page: z.ZodType<{ readonly cases: readonly unknown[]; readonly pages: number }>;
    readonly read: z.ZodType<Dispute>;
  } | null;
  /** `null` without a key directory. */
  readonly key: {
    readonly path: string;
    readonly body: (key: { type: PixKeyType; value: string }, expected: TaxDocument) => object;
    readonly reply: z.ZodType<WireKeyOwner>;
    readonly unknownKeyErrors: readonly string[];
    /** Headers with the number of look-up tokens left, and the seconds until some return. */
    readonly budgetHeaders: { readonly remaining: string; readonly resetSeconds: string };
  } | null;
  /** Whether callback addresses are registered by `PUT /webhook/{key}`. */
  readonly registersWebhooks: boolean;
  readonly callback: CallbackProof;
  /** Where it sends callbacks of sends: to a separate address, to that of received ones, or nowhere. */
  readonly payoutNotices: 'own_address' | 'batch' | 'none';
}

export interface Prefixes {
  /** Of one charge. */
  readonly cob: string;
  /** Of the list of charges. */
  readonly cobs: string;
  /** Of received PIX and their returns. */
  readonly pix: string;
  readonly webhook: string;
}

export interface Paths {
  readonly charge: (txid: string) => string;
  readonly charges: string;
  readonly received: string;
  readonly reversal: (endToEndId: string, id: string) => string;
  readonly webhook: (pixKey: string) => string;
}

/** One prefix for all. */
export function under(prefix: string): Prefixes {
  return { cob: prefix, cobs: prefix, pix: prefix, webhook: prefix };
}

export function pathsOf({ cob, cobs, pix, webhook }: Prefixes): Paths {
  return {
    charge: (txid) => `${cob}/cob/${txid}`,
    charges: `${cobs}/cob`,
    received: `${pix}/pix`,
    reversal: (endToEndId, id) => `${pix}/pix/${endToEndId}/devolucao/${id}`,
    webhook: (pixKey) => `${webhook}/webhook/${encodeURIComponent(pixKey)}`,
  };
}

export const STANDARD_SCOPES = [
  'cob.write',
  'cob.read',
  'pix.write',
  'pix.read',
  'webhook.write',
  'webhook.read',
] as const;

export function documentField(document: TaxDocument): { readonly cpf: string } | { readonly cnpj: string } {
  return document.type === 'CPF' ? { cpf: document.number } : { cnpj: document.number };
}

type ChargeStatus = 'open' | 'paid' | 'removed';

const CHARGE_STATUSES: ReadonlyMap<string, ChargeStatus> = new Map([
  ['ATIVA', 'open'],
  ['CONCLUIDA', 'paid'],
  ['REMOVIDA_PELO_USUARIO_RECEBEDOR', 'removed'],
  ['REMOVIDA_PELO_PSP', 'removed'],
]);

/** API Pix `devolucao.status`. */
export const STANDARD_RETURN_STATES = {
  EM_PROCESSAMENTO: 'pending',
  DEVOLVIDO: 'done',
  NAO_REALIZADO: 'refused',
} as const satisfies Record<string, Reversal['status']>;
const REVERSAL_STATUSES: ReadonlyMap<string, Reversal['status']> = new Map(Object.entries(STANDARD_RETURN_STATES));

/** API Pix `cob.status`. */
export function chargeStatusOf(status: string): ChargeStatus | 'unknown' {
  return CHARGE_STATUSES.get(status) ?? 'unknown';
}

/** API Pix `devolucao.status`. */
export function reversalStatusOf(status: string): Reversal['status'] | 'unknown' {
  return REVERSAL_STATUSES.get(status) ?? 'unknown';
}

/**
 * API Pix `devolucao.natureza`: the receiver's returns are refunds, those of the special return mechanism chargebacks.
 */
export function reversalKindOf(nature: string): Reversal['kind'] | 'unknown' {
  if (nature === 'ORIGINAL') return 'refund';
  return nature.startsWith('MED_') ? 'chargeback' : 'unknown';
}

/** The state of a payout's return by the dialect's names. */
export function payoutReturnStateOf({ returnStates }: PayoutDialect, state: string): Reversal['status'] | 'unknown' {
  return Object.hasOwn(returnStates, state) ? returnStates[state]! : 'unknown';
}

/** The state of a payout by the dialect's names. */
export function payoutStateOf({ states }: PayoutDialect, state: string): PayoutState | 'unknown' {
  return Object.hasOwn(states, state) ? states[state]! : 'unknown';
}

const REVERSAL = fields('id rtrId valor natureza descricao horario status motivo');

interface KnownFields {
  readonly charge: KnownShape;
  readonly payment: KnownShape;
  readonly reversal: KnownShape;
  /** `null` where they are not compared. */
  readonly payout: KnownShape | null;
}

/** Called for each object of an answer: counts it if it has an unknown field. */
export type NoteFields = (kind: keyof KnownFields, body: unknown) => void;

export function knownFieldsOf({ charge: { addedFields }, payout }: Dialect): KnownFields {
  const payment = {
    ...fields('endToEndId txid valor componentesValor chave horario infoPagador'),
    ...fields(addedFields.payment),
    devolucoes: [REVERSAL],
  } satisfies KnownShape;
  const charge = {
    ...fields('calendario txid revisao devedor loc location status valor pixCopiaECola chave solicitacaoPagador'),
    ...fields('infoAdicionais'),
    ...fields(addedFields.charge),
    pix: [payment],
  } satisfies KnownShape;
  const sent = payout?.fields ?? null;
  return { charge, payment, reversal: REVERSAL, payout: sent === null ? null : fields(sent) };
}
