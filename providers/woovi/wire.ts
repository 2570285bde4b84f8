// Woovi's JSON as zod schemas, read tolerantly: unknown fields are ignored, missing optional ones are null, numbers may
// come as text. A missing or invalid field that a decision needs makes the answer unreadable. `KNOWN` are the fields
// that its OpenAPI document and the examples of its guides have, by object: others are reported as drift.
import { z } from 'zod';
import { instant, fields, type KnownShape } from '../common/answers.js';
import { isStated, reportedDocument as documentOf, reportedName } from '../common/payer.js';

const MAX_LIST = 100;

/** Whole centavos, as a number or as its text. */
const cents = z
  .union([z.number().int().min(0).max(Number.MAX_SAFE_INTEGER), z.string().regex(/^\d{1,15}$/, 'must be centavos')])
  .transform((value) => BigInt(value));
/** An account can be overdrawn. */
const signedCents = z
  .union([
    z.number().int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER),
    z.string().regex(/^-?\d{1,15}$/, 'must be centavos'),
  ])
  .transform((value) => BigInt(value));
const seconds = z
  .union([z.number().int().min(0).max(315_360_000), z.string().regex(/^\d{1,9}$/, 'must be seconds')])
  .transform(Number);
/** 32 letters and digits by the standard; Woovi's sandbox makes 33. */
const endToEndId = z.string().regex(/^[a-zA-Z0-9]{32,35}$/, 'must be 32 to 35 letters and digits');
/** `correlationID`: ours, or any text that was entered in Woovi's panel. */
const correlationID = z.string().min(1).max(200);
const state = z.string().min(1).max(40);

/** Formatted, masked or plain. */
const reportedDocument = z.string().regex(/^[0-9A-Z*./-]{5,20}$/i, 'must be a tax number');
const DOCUMENT_TYPES: Readonly<Record<string, 'CPF' | 'CNPJ'>> = { 'BR:CPF': 'CPF', 'BR:CNPJ': 'CNPJ' };

/** A person. An odd one hides no payment: `isNamed` says that there is a tax number, readable or not. */
const customer = z
  .object({ name: z.unknown().optional(), taxID: z.unknown().optional() })
  .transform(({ name, taxID }) => {
    const { taxID: number, type } = (isObject(taxID) ? taxID : { taxID }) as { taxID?: unknown; type?: unknown };
    const document = documentOf(number, DOCUMENT_TYPES[String(type)] ?? null);
    return { name: reportedName(name), isNamed: isStated(number), document };
  })
  .nullish()
  .catch(null);
export type WirePerson = NonNullable<z.output<typeof customer>>;

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** No decision depends on it, so an unreadable one is none. */
const fee = cents.nullish().catch(null);

const charge = z.object({
  correlationID,
  value: cents,
  status: state,
  brCode: z.string().min(1).max(512).nullish(),
  /** Woovi's own names of it, of which a code may state one. */
  identifier: z.string().max(100).nullish().catch(null),
  transactionID: z.string().max(100).nullish().catch(null),
  pixKey: z.string().max(77).nullish(),
  createdAt: instant.nullish(),
  expiresDate: instant.nullish(),
  expiresIn: seconds.nullish(),
  /** The payer, if it is not the customer. */
  payer: customer,
  fee,
});

/** `POST` and `GET /charge`: some answers repeat the code next to the charge. */
export const chargeAnswer = z
  .object({ charge, brCode: z.string().min(1).max(512).nullish() })
  .transform(({ charge: { brCode, ...rest }, brCode: beside }) => ({
    ...rest,
    codes: [...new Set([brCode, beside].flatMap((code) => code ?? []))],
  }));
export type WireCharge = z.output<typeof chargeAnswer>;

/** A row of `GET /transaction`. */
export const transaction = z
  .object({
    value: cents,
    time: instant,
    /** Spelled in both ways. */
    endToEndId: endToEndId.nullish(),
    endToEndID: endToEndId.nullish(),
    type: state.nullish(),
    status: state.nullish(),
    transactionID: z.string().min(1).max(64).nullish().catch(null),
    charge: z.object({ correlationID: correlationID.nullish() }).nullish().catch(null),
    payer: customer,
    debitParty: z.object({ holder: customer }).nullish().catch(null),
    fee,
  })
  .transform(({ endToEndId: one, endToEndID: other, ...rest }) => ({ ...rest, endToEndId: one ?? other ?? null }));
export type WireTransaction = z.output<typeof transaction>;

/** `GET /transaction`: each row is read separately. A page that is not the last leaves open what the others hold. */
export const transactionsAnswer = z.object({
  transactions: z.array(z.unknown()).max(MAX_LIST),
  pageInfo: z.object({ hasNextPage: z.boolean().nullish() }).nullish(),
});

/** A return of a received PIX, as a charge's list, or the return alone, has it. */
const refund = z.object({
  correlationID,
  value: cents,
  status: state,
  time: instant,
  /** `D…` of the return. An invalid one is ignored: no decision depends on it. */
  endToEndId: endToEndId.nullish().catch(null),
  returnIdentification: endToEndId.nullish().catch(null),
});
export type WireRefund = z.output<typeof refund>;
export const chargeRefundsAnswer = z.object({ refunds: z.array(refund).max(MAX_LIST) });

/** A return alone: the documented example of `GET /refund/{id}` has neither its state nor its time. */
const refundAlone = refund.extend({
  status: state.nullish().transform((value) => value ?? null),
  time: instant.nullish().transform((value) => value ?? null),
});
export type WireRefundAlone = z.output<typeof refundAlone>;
export const refundAnswer = z
  .union([z.object({ refund: refundAlone }), z.object({ pixTransactionRefund: refundAlone })])
  .transform((answer) => ('refund' in answer ? answer.refund : answer.pixTransactionRefund));

export const disputeAnswer = z.object({
  dispute: z.object({ status: state, endToEndId, type: state.nullish() }),
});

/** A page of `GET /dispute`. Each is read separately. */
export const disputesAnswer = z.object({
  disputes: z.array(z.unknown()).max(MAX_LIST),
  pageInfo: z.object({ hasNextPage: z.boolean().nullish() }).nullish(),
});
export const listedDispute = z.object({
  status: state,
  endToEndId,
  value: cents.nullish().transform((value) => value ?? null),
  createdAt: instant,
});

const shortCode = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must be a short code');

/** `POST` and `GET /payment`. */
export const paymentAnswer = z.object({
  payment: z.object({ correlationID, value: cents, status: state }),
  transaction: z
    .object({
      value: cents.nullish(),
      endToEndId: endToEndId.nullish(),
      time: instant.nullish(),
      /** `AM04 - Saldo insuficiente`. */
      providerRejectedReason: z.string().max(500).nullish().catch(null),
      providerErrorCode: shortCode.nullish().catch(null),
    })
    .nullish(),
  error: z.object({ code: shortCode }).nullish().catch(null),
});
export type WirePayment = z.output<typeof paymentAnswer>;

/** `GET /account/`: payouts without an account leave from the default one. */
export const accountsAnswer = z.object({
  accounts: z
    .array(
      z.object({
        isDefault: z.boolean().nullish(),
        balance: z.object({ available: signedCents, blocked: cents.nullish().catch(null) }),
      }),
    )
    .max(MAX_LIST),
});

/** `GET /pix-keys/{key}/check`. */
export const keyAnswer = z.object({
  pixKeyEndToEndId: endToEndId.nullish().catch(null),
  owner: z.object({ taxID: reportedDocument }),
});

/** `GET /pix-keys/tokens`. */
export const tokensAnswer = z.object({
  tokens: z.number().min(0).max(1_000_000_000),
  nextRefresh: instant.nullish().catch(null),
  refreshRate: z.number().min(0).nullish().catch(null),
});

/** `error` is a text; the key check has a code next to it. */
export const errorAnswer = z.object({
  error: z.string().min(1).max(1_000),
  errorCode: z.string().max(100).nullish().catch(null),
});

const CHARGE = fields(
  `value customer type comment brCode status correlationID paymentLinkID paymentLinkUrl globalID transactionID identifier
  qrCodeImage additionalInfo pixKey createdAt updatedAt expiresIn expiresDate dueDate subscription paymentMethods payer
  paidAt fee discount valueWithDiscount giftbackAppliedValue ensureSameTaxID refunds splits subaccount`,
);
const TRANSACTION = fields(
  `charge value time endToEndID endToEndId transactionID infoPagador customer withdraw payer type status globalID
  pixQrCode webhookSent debitParty creditParty fee createdAt pixKey partial raw company account`,
);
const REFUND = fields('value status correlationID endToEndId time comment refundId returnIdentification');
const PAYMENT = fields(
  `type value destinationAlias destinationAliasType qrCode correlationID comment sourceAccountId status boleto metadata
  holder account psp`,
);
const ACCOUNT = fields('accountId isDefault balance taxId officialName tradeName branch account accountName');
const DISPUTE = fields(
  'status name email phoneNumber value disputeReason endToEndId type createdAt updatedAt transaction evidence',
);
const PAGE = fields('skip limit totalCount hasPreviousPage hasNextPage errors');

export const KNOWN = {
  charge: { charge: CHARGE, correlationID: null, brCode: null },
  transactions: { transactions: [TRANSACTION], pageInfo: PAGE, status: null },
  chargeRefunds: { refunds: [REFUND], pageInfo: PAGE },
  refund: { refund: REFUND, pixTransactionRefund: REFUND },
  dispute: { dispute: DISPUTE },
  disputes: { disputes: [DISPUTE], pageInfo: PAGE },
  payment: {
    payment: PAYMENT,
    transaction: fields('value endToEndId time providerRejectedReason providerErrorCode debitParty creditParty'),
    destination: null,
    error: null,
  },
  accounts: { accounts: [ACCOUNT], pageInfo: PAGE },
  key: fields('pixKey type pixKeyEndToEndId owner'),
  tokens: fields('tokens maxTokens nextRefresh tokensAfterRefresh refreshRate'),
} as const satisfies Record<string, KnownShape>;
