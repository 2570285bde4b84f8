// Maps the provider's states. A state that is not in a table is `unknown`, never a guess.
import type { Reversal } from '../port.js';
import type { PayoutDialect, PayoutState } from './dialect.js';

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
