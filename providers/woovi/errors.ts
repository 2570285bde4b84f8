// Woovi's refusals: `{"error": "a text"}`, sometimes with an `errorCode`, in Portuguese or English. Texts are matched
// whole against closed lists; all that is in no list decides nothing.
import type { HttpAnswer } from '../common/http.js';
import { errorAnswer } from './wire.js';

export interface WooviError {
  /** In lower case without accents. */
  readonly text: string;
  readonly code: string | null;
}

/** The statuses with which Woovi itself refuses. Others (401, 403, 429, 5xx) concern credentials, features or load. */
const REFUSING_STATUSES = [400, 404, 422];

/**
 * "There is no such thing". The document has a text for disputes only; the others are Woovi's usual form. Nothing final
 * follows from them: a payout that is not found stays unknown.
 */
const NOT_FOUND_TEXTS = {
  charge: ['charge not found', 'cobranca nao encontrada'],
  payment: ['payment not found', 'pagamento nao encontrado'],
  refund: ['refund not found', 'reembolso nao encontrado', 'pix transaction refund not found'],
  dispute: ['dispute not found', 'disputa nao encontrada'],
} as const;
export type Thing = keyof typeof NOT_FOUND_TEXTS;

/** "It exists already": another request with this correlationID made it. */
const DUPLICATE_TEXTS = [
  'ja existe uma cobranca com este correlacao id',
  'ja existe um pagamento com o correlationid fornecido',
];

/** A payment that lacks money stays in Woovi's panel, where it may still be approved: no proof that nothing moves. */
const NO_BALANCE_TEXTS = [
  'you do not have enough balance to make this payment',
  'voce nao possui saldo o suficiente para realizar esse pagamento',
];

/** The refusals of the key check besides its codes. */
const KEY_TEXTS: Readonly<Record<string, string>> = {
  'pix key related to an account suspected of fraud': 'key_suspected_of_fraud',
  'error verifying pix key': 'directory_unavailable',
};
const KEY_CODES: Readonly<Record<string, string>> = {
  PIX_KEY_CHECK_NOT_ALLOWED: 'key_check_not_allowed',
  TOO_MANY_REQUESTS: 'key_budget_spent',
};
const NO_SUCH_KEY = 'PIX_KEY_INFO_NOT_FOUND';

/** The refusal in an answer; null for anything else, such as a proxy's page. */
export function refusalOf(answer: HttpAnswer): WooviError | null {
  if (answer.kind !== 'answered' || !REFUSING_STATUSES.includes(answer.status)) return null;
  return errorIn(answer.body);
}

/** The error in a body of any status. */
function errorIn(body: unknown): WooviError | null {
  const parsed = errorAnswer.safeParse(body);
  return parsed.success ? { text: plain(parsed.data.error), code: parsed.data.errorCode ?? null } : null;
}

/** Whether Woovi itself reports that the object does not exist. Any other 404 is not its statement. */
export function isNotFound(thing: Thing, answer: HttpAnswer): boolean {
  const refusal = refusalOf(answer);
  return refusal !== null && includes(NOT_FOUND_TEXTS[thing], refusal.text);
}

export function isDuplicate({ text }: WooviError): boolean {
  return includes(DUPLICATE_TEXTS, text);
}

/** Whether the directory knows no such key: by its code only. A proxy's 404 must not fail a withdrawal. */
export function isNoSuchKey(answer: HttpAnswer): boolean {
  return answer.kind === 'answered' && answer.status === 404 && errorIn(answer.body)?.code === NO_SUCH_KEY;
}

/** Why a key was not checked, as a code of ours; `null` if Woovi's text is in no list. */
export function keyProblemIn(body: unknown): string | null {
  const error = errorIn(body);
  if (error === null) return null;
  const byCode = error.code !== null && Object.hasOwn(KEY_CODES, error.code) ? KEY_CODES[error.code] : undefined;
  return byCode ?? (Object.hasOwn(KEY_TEXTS, error.text) ? KEY_TEXTS[error.text]! : null);
}

/** Whether the text, or the code next to it, is in any list. */
export function isKnownError({ text, code }: WooviError): boolean {
  if (code !== null) return code === NO_SUCH_KEY || Object.hasOwn(KEY_CODES, code);
  const lists = [...Object.values(NOT_FOUND_TEXTS).flat(), ...DUPLICATE_TEXTS, ...NO_BALANCE_TEXTS];
  return includes(lists, text) || Object.hasOwn(KEY_TEXTS, text);
}

function includes(list: readonly string[], text: string): boolean {
  return list.includes(text);
}

/** Lower case, without accents, quotes and a full stop at the end. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[."'`]+$/, '')
    .replace(/\s+/g, ' ')
    .trim();
}
