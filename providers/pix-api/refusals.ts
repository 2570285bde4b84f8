// Refusals by the provider: their three shapes, and what each proves. A refusal is final only if its error, and the
// code next to it, are in the dialect's closed lists. Everything else leaves open whether money moved; some of it is
// drift: something that the provider's documentation does not describe.
import { z } from 'zod';
import { shortCode } from './wire.js';
import type { HttpAnswer } from '../common/http.js';
import type { Drift } from '../common/answers.js';

/**
 * ISO 20022 reasons that occur only before a payment settles: about the order, its accounts or people. Not among them:
 * duplicates (`AM05`), timeouts (`AB03`, `AB11`, `DS24`) and general failures (`AB09`, `ED05`).
 */
export const PROVING_CODES = {
  AC03: 'the receiving account is invalid',
  AC06: 'the receiving account is blocked',
  AC07: 'the receiving account is closed',
  AC14: 'the receiving account is of a type that accepts no PIX',
  AG03: 'the receiver accepts no payment of this kind',
  AM02: 'the amount is over a limit',
  AM04: 'the paying account does not have enough money',
  AM09: 'the amount is wrong',
  AM12: 'the amount is invalid',
  BE01: 'the document is not the account holder’s',
  CH11: 'the receiver’s document is invalid',
  CH16: 'a field of the order is malformed',
  DS04: 'the receiving institution refused the order',
  DS27: 'the receiving institution is not active',
  FF08: 'the end-to-end id is invalid',
  RC10: 'the receiving institution is invalid',
  RR04: 'the law forbids it',
} as const satisfies Readonly<Record<string, string>>;
export type ProvingCode = keyof typeof PROVING_CODES;
export const ALL_PROVING_CODES = Object.keys(PROVING_CODES) as readonly ProvingCode[];

/** Nothing moved, and the same order can be given again when the account has money. */
export const NO_FUNDS = 'AM04' satisfies ProvingCode;

/** The meaning of a final error: its own failure code, or "see the ISO code next to it". */
export type FinalRefusal = { readonly failureCode: string } | 'see_code';

/** A refused payment order: the closed lists of a dialect. */
export interface RefusalLists {
  readonly finalRefusals: Readonly<Record<string, FinalRefusal>>;
  readonly finalCodes: readonly ProvingCode[];
}

const refusal = z.union([
  z.object({ type: z.string().min(1).max(300), title: z.string().max(300).optional(), codigo: shortCode.optional() }),
  z.object({
    nome: z.string().min(1).max(100),
    mensagem: z.string().max(1_000).optional(),
    codigo: shortCode.optional(),
  }),
  z.object({ error: z.object({ code: z.string().min(1).max(100), reason: shortCode.optional() }) }),
]);

/** `error` in snake case; `code` as it is next to it, if any. */
export interface Refusal {
  readonly error: string;
  readonly code: string | null;
}

/** Reads a refusal. Null for any other body, such as a proxy's page, which makes the answer inconclusive. */
export function readRefusal(body: unknown): Refusal | null {
  const parsed = refusal.safeParse(body);
  if (!parsed.success) return null;
  const wire = parsed.data;
  if ('error' in wire) return { error: toSnakeCase(wire.error.code), code: wire.error.reason ?? null };
  return { error: toSnakeCase('type' in wire ? wire.type : wire.nome), code: wire.codigo ?? null };
}

/** The failure code of a refusal that proves that nothing moved; null for every other. */
export function provenFailure({ finalRefusals, finalCodes }: RefusalLists, { error, code }: Refusal): string | null {
  if (!Object.hasOwn(finalRefusals, error)) return null;
  const meaning = finalRefusals[error]!;
  // A code that proves nothing makes any error inconclusive.
  if (code !== null) return isProof(finalCodes, code) ? code : null;
  return meaning === 'see_code' ? null : meaning.failureCode;
}

/** Whether a failure with this code is final without a look-up. */
export function isProof(finalCodes: readonly ProvingCode[], code: string): boolean {
  return finalCodes.some((final) => final === code);
}

/** `https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida` → `cob_operacao_invalida`. */
function toSnakeCase(word: string): string {
  const last = word.split(/[/#]/).findLast((part) => part !== '') ?? '';
  const snake = last
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64);
  return snake === '' || snake === 'about_blank' ? 'psp_rejected' : snake;
}

/** Whether the provider itself says "not found": with a status for that, and one of its own errors. */
export function isNotFound(
  { notFoundStatuses }: { readonly notFoundStatuses: readonly number[] },
  errors: readonly string[],
  answer: HttpAnswer,
): boolean {
  if (answer.kind !== 'answered' || !notFoundStatuses.includes(answer.status)) return false;
  const said = readRefusal(answer.body);
  return said !== null && errors.includes(said.error);
}

const DRIFT_OF_REASON: Readonly<Record<string, Drift>> = {
  unreadable_answer: 'unreadable_answer',
  unreadable_list: 'unreadable_answer',
  charge_without_a_code: 'unreadable_answer',
  unknown_charge_status: 'unknown_state',
  unknown_reversal: 'unknown_state',
  unknown_payout_state: 'unknown_state',
  unknown_return_state: 'unknown_state',
  failed_without_a_code: 'unknown_state',
  failure_not_final: 'unknown_error',
  // A refusal that no list makes final. (Duplicates are 409.)
  http_400: 'unknown_error',
  http_422: 'unknown_error',
};

/** `null` for ordinary faults: lost answers, load, a provider that is down. */
export function driftOf(reason: string): Drift | null {
  return Object.hasOwn(DRIFT_OF_REASON, reason) ? DRIFT_OF_REASON[reason]! : null;
}
