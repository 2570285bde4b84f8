// The tables of the guide that explain codes: `failure_code`, and the reasons of reviews and decisions.
import { FAILURE_CODES, type FailureCode } from '../../contract/http/error-help.js';
import { DEPOSIT_REVIEW_REASONS } from '../../domain/payments/deposit.js';
import { reasonSentence } from '../../domain/rules/reason-sentences.js';
import { WITHDRAWAL_RULES } from '../../domain/rules/withdrawal-rules.js';
import { REJECTING_REASONS } from '../../domain/payments/withdrawal.js';
import { PROVING_CODES } from '../../providers/pix-api/refusals.js';

type Rows = readonly (readonly string[])[];

/** Our own codes, then ISO 20022's, which banks give. */
export function failureCodeRows(): Rows {
  const own = Object.entries<FailureCode>(FAILURE_CODES).map(([code, { of, meaning, next }]) => [
    `\`${code}\``,
    of,
    meaning,
    next,
  ]);
  const iso = Object.entries(PROVING_CODES).map(([code, meaning]) => [
    `\`${code}\``,
    'withdrawal',
    `ISO 20022: ${meaning}.`,
    'Release the reserve.',
  ]);
  return [
    ...own,
    ...iso,
    ['any other', 'both', 'A code of the bank, such as `cob_operacao_invalida` or `ED05`.', 'Act on the state alone.'],
  ];
}

/** What leads to a review or ends a payment; reasons that only refuse a creation are error codes, and not here. */
export function reasonCodeRows(): Rows {
  const reviews = WITHDRAWAL_RULES.filter(({ consequence }) => consequence.kind === 'review').map(({ code }) => code);
  const ofWithdrawals = new Set<string>([
    ...reviews,
    'DICT_UNAVAILABLE',
    ...REJECTING_REASONS,
    'BLOCKLIST_HIT_AT_DISPATCH',
    'RULES_UNAVAILABLE',
    'RULES_INVALID_RESPONSE',
  ]);
  const ends = new Map<string, string>([
    ...REJECTING_REASONS.map((code) => [code, 'ends it as `rejected`'] as const),
    ['BLOCKLIST_HIT_AT_DISPATCH', 'ends it as `cancelled`'],
  ]);
  const ofDeposits: readonly string[] = DEPOSIT_REVIEW_REASONS;
  return [...new Set([...ofDeposits, ...ofWithdrawals])].map((code) => [
    `\`${code}\``,
    [...(ofDeposits.includes(code) ? ['deposit'] : []), ...(ofWithdrawals.has(code) ? ['withdrawal'] : [])].join(', '),
    `${reasonSentence(code)}${ends.has(code) ? `; ${ends.get(code)}` : ''}`,
  ]);
}
