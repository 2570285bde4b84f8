// The providers' JSON as zod schemas: the public API Pix standard, and its amounts, which are decimal text in BRL
// ("37.00") where the gateway uses minor units. Unknown fields are ignored. A missing or invalid field makes the whole
// answer unreadable, which is never conclusive.
import { z } from 'zod';
import { instant } from '../common/answers.js';
import { reportedDocument as documentOf, reportedName, reportedPayer, standardPayer } from '../common/payer.js';

/** The largest amount that `\d{1,10}\.\d{2}` can carry. */
export const MAX_WIRE_AMOUNT_MINOR = 999_999_999_999n;

/** Parses `\d{1,10}\.\d{2}`; null for anything else. Never goes through a float. */
export function parseWireAmount(text: string): bigint | null {
  return /^\d{1,10}\.\d{2}$/.test(text) ? BigInt(text.replace('.', '')) : null;
}

/**
 * As `parseWireAmount`, or with one digit behind the point: Banco do Brasil has answered "1.0" for 1.00. It is the same
 * amount, and is never written so.
 */
export function parseLenientAmount(text: string): bigint | null {
  return parseWireAmount(/\.\d$/.test(text) ? `${text}0` : text);
}

/** As `parseWireAmount`, or with a minus before it: an account can be overdrawn. */
export function parseWireBalance(text: string): bigint | null {
  const amountMinor = parseWireAmount(text.replace(/^-/, ''));
  return amountMinor !== null && text.startsWith('-') ? -amountMinor : amountMinor;
}

/** Whether the wire format can carry the amount: positive, at most ten digits before the point. */
export function isWireAmount(amountMinor: bigint): boolean {
  return amountMinor > 0n && amountMinor <= MAX_WIRE_AMOUNT_MINOR;
}

/** Writes minor units as `\d{1,10}\.\d{2}`. Throws a RangeError when it does not fit. */
export function toWireAmount(amountMinor: bigint): string {
  if (amountMinor < 0n || amountMinor > MAX_WIRE_AMOUNT_MINOR)
    throw new RangeError('the amount does not fit the wire format');
  const digits = amountMinor.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export const MAX_LIST = 1_000;

/** Whatever is there, or nothing. */
const OPEN = z.unknown().optional();

export const amount = amountBy(parseLenientAmount);

export function amountBy(parse: (text: string) => bigint | null) {
  return z.string().transform((text, context) => {
    const amountMinor = parse(text);
    if (amountMinor !== null) return amountMinor;
    context.addIssue({ code: 'custom', message: 'must look like 37.00' });
    return z.NEVER;
  });
}

export const endToEndId = z.string().regex(/^[a-zA-Z0-9]{32}$/, 'must be 32 letters and digits');
/** A txid of the standard, or a payout reference (32 hex characters). */
export const reference = z.string().regex(/^[a-zA-Z0-9]{26,35}$/, 'must be 26 to 35 letters and digits');
export const shortCode = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must be a short code');
/** Not only digits: CNPJs may have letters, and some providers mask documents. */
export const reportedDocument = z.string().regex(/^[0-9A-Z*./-]{5,20}$/i, 'must be a tax number');

export const tokenAnswer = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,8192}$/, 'must be a bearer token'),
  token_type: z.string().regex(/^bearer$/i, 'must be Bearer'),
  expires_in: z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,8}$/)
        .transform(Number),
    ])
    .pipe(z.number().int().min(1).max(31_536_000)),
  /** The scope that the client was given. An invalid one is ignored, because no call depends on it. */
  scope: z.string().max(4_000).optional().catch(undefined),
});

/** Some write it as text. */
const seconds = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  ])
  .pipe(z.number().int().min(1).max(315_360_000));

export const returnId = z.string().regex(/^[a-zA-Z0-9]{1,35}$/, 'must be up to 35 letters and digits');

export const wireReversal = z.object({
  id: returnId,
  /** Present once the return is under way. An invalid value is ignored, because no decision depends on it. */
  rtrId: endToEndId.optional().catch(undefined),
  valor: amount,
  /** Absent in older versions of the standard, which only has returns by the receiver. */
  natureza: z
    .string()
    .max(40)
    .nullish()
    .transform((nature) => nature ?? 'ORIGINAL'),
  status: z.string().max(40),
  horario: z.object({ solicitacao: instant, liquidacao: instant.nullish() }),
});
export type WireReversal = z.output<typeof wireReversal>;

/** The bank's fee for it. No decision depends on it, so an unreadable fee is ignored. */
export const fee = amount.nullish().catch(null);

const payerByType = z
  .object({ documento: OPEN, tipoPessoa: OPEN, nome: OPEN })
  .transform(({ documento, tipoPessoa, nome }) => {
    const type = tipoPessoa === 'F' ? 'CPF' : tipoPessoa === 'J' ? 'CNPJ' : null;
    return reportedPayer(documentOf(documento, type), reportedName(nome));
  })
  .nullish()
  .catch(null);

/** The providers' extensions for the payer, which the standard does not have. */
const payerExtensions = {
  pagador: standardPayer,
  gnExtras: z.object({ pagador: standardPayer, tarifa: fee }).nullish().catch(null),
  extras: z.object({ pagador: payerByType }).nullish().catch(null),
};

export const wirePix = z.object({
  endToEndId,
  /** Not only ours: a PIX to the receiver's static code carries a txid of any length. */
  txid: z.string().max(100).nullish(),
  valor: amount,
  horario: instant,
  chave: z.string().max(77).nullish(),
  devolucoes: z
    .array(wireReversal)
    .max(MAX_LIST)
    .nullish()
    .transform((returns) => returns ?? []),
  ...payerExtensions,
});
export type WirePix = z.output<typeof wirePix>;

export const wireCharge = z.object({
  txid: reference,
  status: z.string().max(60),
  calendario: z.object({ criacao: instant, expiracao: seconds }),
  valor: z.object({ original: amount }),
  chave: z.string().max(77),
  /** Optional in the standard: the code is then made of the location. */
  pixCopiaECola: z.string().min(1).max(512).nullish(),
  location: z.string().max(300).nullish(),
  loc: z.object({ location: z.string().max(300).nullish() }).nullish(),
  /** No decision depends on it, so an unreadable one is none. */
  imagemQrcode: z.string().max(200_000).nullish().catch(null),
  pix: z
    .array(wirePix)
    .max(MAX_LIST)
    .nullish()
    .transform((payments) => payments ?? []),
});
export type WireCharge = z.output<typeof wireCharge>;

/** The common shape of a payout. `state` is the provider's name for it. */
export interface WirePayout {
  readonly reference: string;
  readonly amountMinor: bigint;
  readonly state: string;
  readonly endToEndId: string | null;
  readonly code: string | null;
  readonly paidAt: string | null;
  readonly returns: readonly WireReturn[];
  /** Absent if the dialect has none. */
  readonly feeMinor?: bigint | null;
}

/** A return of a payout, or of a part of it. `state` is the provider's name for it. */
export interface WireReturn {
  readonly id: string;
  readonly amountMinor: bigint;
  readonly state: string;
  readonly at: string;
  readonly code: string | null;
}

/** Whether every return has its own id. */
export function allDiffer(returns: readonly { readonly id: string }[]): boolean {
  return new Set(returns.map(({ id }) => id)).size === returns.length;
}

/** As the standard writes the returns of a received PIX. */
export const payoutReturns = z
  .array(
    z
      .object({
        id: returnId,
        valor: amount,
        status: z.string().max(40),
        horario: z.object({ solicitacao: instant, liquidacao: instant.nullish() }),
        codigo: shortCode.nullish(),
      })
      .transform(({ id, valor, status, horario, codigo }): WireReturn => ({
        id,
        amountMinor: valor,
        state: status,
        at: horario.liquidacao ?? horario.solicitacao,
        code: codigo ?? null,
      })),
  )
  .max(MAX_LIST)
  .nullish();

/** The holder of a key as reported: a tax number, possibly masked, or the provider's own verdict. */
export type WireKeyOwner =
  | { readonly kind: 'document'; readonly document: string; readonly endToEndId: string | null }
  | { readonly kind: 'verdict'; readonly matches: boolean; readonly endToEndId: string | null };

/** A page of `GET /cob`. Charges other than the requested one may be unreadable. */
export const chargeList = z.object({
  parametros: z.object({
    paginacao: z.object({ paginaAtual: z.number().int().min(0), quantidadeDePaginas: z.number().int().min(0) }),
  }),
  cobs: z.array(z.object({ txid: z.string().max(100), pix: z.unknown().optional() })).max(MAX_LIST),
});

/** A page of `GET /pix`. Each entry is read separately: an unreadable one hides no other. */
export const receivedPage = z
  .object({
    parametros: z.object({
      paginacao: z.object({ paginaAtual: z.number().int().min(0), quantidadeDePaginas: z.number().int().min(0) }),
    }),
    pix: z.array(z.unknown()).max(MAX_LIST).nullish(),
  })
  .transform(({ parametros, pix }) => ({
    elements: pix ?? [],
    hasMore: (page: number) => page + 1 < parametros.paginacao.quantidadeDePaginas,
  }));

/** The standard's callback, with several payments per call. Some providers send an empty list as a health check. */
export const callbackBatch = z.object({ pix: z.array(z.unknown()).max(MAX_LIST) });

/**
 * Nothing is stored under it and every notice is looked up, so an invalid length does not make a callback unreadable.
 */
export const noticedEndToEndId = z.string().regex(/^[a-zA-Z0-9]{20,35}$/, 'must be 20 to 35 letters and digits');

/** One notice of the batch. It is a trigger only, so only references are read, and a charge's alone is enough. */
export const receivedNotice = z
  .object({
    endToEndId: noticedEndToEndId.nullish().catch(null),
    txid: z.string().max(100).nullish().catch(null),
    chave: z.string().max(200).nullish(),
    devolucoes: OPEN,
  })
  .transform(({ endToEndId: paid, txid, chave, devolucoes }, context) => {
    const references = { endToEndId: paid ?? null, txid: txid ?? null };
    if (references.endToEndId === null && references.txid === null) {
      context.addIssue({ code: 'custom', path: ['endToEndId'], message: 'must be 20 to 35 letters and digits' });
      return z.NEVER;
    }
    return { ...references, chave, hasReturns: Array.isArray(devolucoes) && devolucoes.length > 0 };
  });

/** Efí calls the same address for sends. `horario` is `null` if the send failed. */
export const efiSendNotice = z.object({
  tipo: z.literal('SOLICITACAO'),
  endToEndId: noticedEndToEndId.nullish().catch(null),
  chave: z.string().max(200).nullish(),
  /** Not only ours: a send from Efí's panel or another program has another id. */
  gnExtras: z.object({ idEnvio: z.string().min(1).max(64) }),
});

/** What a callback about a payout is read for. */
export interface PayoutReferences {
  readonly reference: string;
  readonly endToEndId: string | null;
}
