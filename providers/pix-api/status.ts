// One function for each word of a provider that decides about money. A word we do not know is `unknown`, never a guess.
import type { Reversal } from '../port.js';
import type { Dialect, PayoutState } from './dialects.js';

/** API Pix `cob.status`. */
export function chargeStatusOf(word: string): 'open' | 'paid' | 'removed' | 'unknown' {
  switch (word) {
    case 'ATIVA':
      return 'open';
    case 'CONCLUIDA':
      return 'paid';
    case 'REMOVIDA_PELO_USUARIO_RECEBEDOR':
    case 'REMOVIDA_PELO_PSP':
      return 'removed';
    default:
      return 'unknown';
  }
}

/** API Pix `devolucao.status`. */
export function reversalStatusOf(word: string): Reversal['status'] | 'unknown' {
  switch (word) {
    case 'EM_PROCESSAMENTO':
      return 'pending';
    case 'DEVOLVIDO':
      return 'done';
    case 'NAO_REALIZADO':
      return 'refused';
    default:
      return 'unknown';
  }
}

/** API Pix `devolucao.natureza`: our own returns are refunds, those of the special return mechanism are chargebacks. */
export function reversalKindOf(nature: string): Reversal['kind'] | 'unknown' {
  if (nature === 'ORIGINAL') return 'refund';
  return nature.startsWith('MED_') ? 'chargeback' : 'unknown';
}

/** The state of a payout in the dialect's own words. */
export function payoutStateOf(dialect: Dialect, word: string): PayoutState | 'unknown' {
  return Object.hasOwn(dialect.payout.states, word) ? dialect.payout.states[word]! : 'unknown';
}
