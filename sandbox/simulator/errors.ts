// The refusals of API Pix 2.9.0, and how dialects with fewer of them fill the table.
import { STATUS_CODES } from 'node:http';
import type { ErrorKind, ErrorRow } from './server-dialect.js';

type InvalidKind = Extract<ErrorKind, 'invalid' | `invalid_${string}` | 'webhook_refused'>;
type UnknownKind = Extract<ErrorKind, 'not_found' | `${'charge' | 'pix' | 'return' | 'webhook' | 'payload'}_unknown`>;

/** One word for every malformed request. */
export const allInvalid = (row: ErrorRow): Record<InvalidKind, ErrorRow> => ({
  invalid: row,
  invalid_charge: row,
  invalid_charge_query: row,
  invalid_pix_query: row,
  invalid_return: row,
  invalid_webhook: row,
  webhook_refused: row,
  invalid_payout: row,
});

/** One word for everything that does not exist. */
export const allUnknown = (row: ErrorRow): Record<UnknownKind, ErrorRow> => ({
  not_found: row,
  charge_unknown: row,
  pix_unknown: row,
  return_unknown: row,
  webhook_unknown: row,
  payload_unknown: row,
});

/** RFC 7807 for a status that says it all: the document has no word for 401 and 429. */
const UNNAMED = 'about:blank';

/** The document's own words, each for its own resource. Payouts and key look-ups are no part of the standard. */
export const STANDARD_ERRORS = {
  invalid: [400, 'RequisicaoInvalida'],
  invalid_charge: [400, 'CobOperacaoInvalida'],
  invalid_charge_query: [400, 'CobConsultaInvalida'],
  invalid_pix_query: [400, 'PixConsultaInvalida'],
  invalid_return: [400, 'PixDevolucaoInvalida'],
  invalid_webhook: [400, 'WebhookOperacaoInvalida'],
  webhook_refused: [400, 'WebhookOperacaoInvalida'],
  unauthorized: [401, UNNAMED],
  forbidden: [403, 'AcessoNegado'],
  not_found: [404, 'NaoEncontrado'],
  charge_unknown: [404, 'CobNaoEncontrado'],
  pix_unknown: [404, 'PixNaoEncontrado'],
  return_unknown: [404, 'PixDevolucaoNaoEncontrada'],
  webhook_unknown: [404, 'WebhookNaoEncontrado'],
  payload_unknown: [404, 'CobPayloadNaoEncontrado'],
  rate_limited: [429, UNNAMED],
  internal: [500, 'ErroInternoDoServidor'],
  unavailable: [503, 'ServicoIndisponivel'],
  duplicate_charge: [400, 'CobOperacaoInvalida'],
  charge_refused: [400, 'CobOperacaoInvalida'],
  reversal_refused: [400, 'PixDevolucaoInvalida'],
  duplicate_reversal: [400, 'PixDevolucaoInvalida'],
} as const satisfies Partial<Record<ErrorKind, ErrorRow>>;

/** What the sandbox's own dialect, written like the standard, refuses payouts and look-ups with. */
export const PAYOUT_ERRORS = {
  invalid_payout: [400, 'PixOutOperacaoInvalida'],
  payout_unknown: [404, 'NaoEncontrado'],
  duplicate_payout: [409, 'PixOutDuplicado'],
  payout_refused: [422, 'PixOutRecusado'],
  payout_key_unknown: [422, 'PixOutChaveNaoEncontrada'],
  key_of_another: [422, 'PixOutChaveNaoEncontrada'],
  unknown_key: [404, 'ChaveNaoEncontrada'],
} as const satisfies Partial<Record<ErrorKind, ErrorRow>>;

/** `application/problem+json` as the document has it. */
export const renderProblem = (word: string, status: number, detail: string, code: string | null): object => ({
  type: word === UNNAMED ? word : `https://pix.bcb.gov.br/api/v2/error/${word}`,
  title: word === UNNAMED ? STATUS_CODES[status] : word,
  status,
  detail,
  ...(code === null ? {} : { codigo: code }),
});
