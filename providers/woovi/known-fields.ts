// The fields that Woovi documents, by object: its OpenAPI document and the examples of its guides. Others are ignored,
// and reported as drift.
import { fields, type KnownShape } from '../common/answers.js';

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
