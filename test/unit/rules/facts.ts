// Facts and thresholds that let everything pass; tests change one thing at a time.
import type { DepositFacts, PaymentFacts } from '../../../domain/rules/deposit-rules.js';
import type { DispatchFacts } from '../../../domain/rules/dispatch-rules.js';
import { ENGINE_DEFAULTS, type EngineThresholds, type Thresholds } from '../../../domain/rules/thresholds.js';
import type { RiskFacts } from '../../../domain/rules/risk-rules.js';
import type { WithdrawalFacts } from '../../../domain/rules/withdrawal-rules.js';

export const AT = '2026-11-21T15:00:00.000Z';

export function thresholds(changes: Partial<Thresholds> = {}): Thresholds {
  return {
    timezone: 'America/Sao_Paulo',
    autoMultiplier: '1',
    depositMinMinor: null,
    depositMaxMinor: null,
    withdrawalMinMinor: null,
    withdrawalMaxMinor: null,
    autoMaxPerWithdrawalMinor: null,
    autoMaxPerDayMinor: null,
    dualApprovalAboveMinor: null,
    maxWithdrawalsPerDay: null,
    firstWithdrawalManual: true,
    pixKeyChangeCooldownHours: 24,
    requirePayerMatchesPlayer: true,
    autoHours: null,
    ...changes,
  };
}

/** A known player's withdrawal of R$ 50,00 to their own CPF key, R$ 100,00 deposited: automatic. */
export function withdrawalFacts(changes: Partial<WithdrawalFacts> = {}): WithdrawalFacts {
  return {
    at: AT,
    createdAt: AT,
    amountMinor: 5000n,
    documentUsable: true,
    document: 'same',
    documentShared: false,
    playerBlocked: false,
    documentBlocked: false,
    destinationBlocked: false,
    playerOnReviewList: false,
    destinationOnReviewList: false,
    ipListed: false,
    deviceListed: false,
    hasPlayerIp: true,
    reviewRequested: false,
    keyWellFormed: true,
    keyHolder: 'player',
    keyOwner: 'not_asked',
    keyFirstUsedAt: '2026-10-01T12:00:00.000Z',
    hadOtherKeyBefore: false,
    keyPaidBefore: true,
    keyUsedByOthers: false,
    ipSeenBefore: true,
    deviceSeenBefore: true,
    settledDepositCount: 1,
    settledDepositsMinor: 10000n,
    paidWithdrawalCount: 1,
    countedWithdrawalsMinor: 1000n,
    recentWithdrawals: [],
    availableMinor: 1000000n,
    risk: risk(),
    ...changes,
  };
}

/** The engine's own thresholds with these changes. */
export function engine(changes: Partial<EngineThresholds>): Pick<Thresholds, 'engine'> {
  return { engine: { ...ENGINE_DEFAULTS, ...changes } };
}

/** The history of a player who did nothing lately. */
export function risk(changes: Partial<RiskFacts> = {}): RiskFacts {
  return {
    windows: { d7: { amountMinor: 0n, count: 0 }, d30: { amountMinor: 0n, count: 0 } },
    withdrawals: [],
    requestedAt: [],
    destinations30d: 1,
    deposits: [],
    payers30d: 1,
    playersOfPayers: 1,
    vipTier: null,
    automatic: { hourMinor: 0n, dayMinor: 0n },
    netGamingResult: 'unreported',
    ...changes,
  };
}

export function depositFacts(changes: Partial<DepositFacts> = {}): DepositFacts {
  const none = { amountMinor: 0n, count: 0 };
  return {
    at: AT,
    amountMinor: 5000n,
    document: 'same',
    playerBlocked: false,
    documentBlocked: false,
    history: { recent: [], windows: { d7: none, d30: none }, unpaidAt: [] },
    ...changes,
  };
}

export function paymentFacts(changes: Partial<PaymentFacts> = {}): PaymentFacts {
  return {
    at: AT,
    paidAt: AT,
    expiresAt: '2026-11-21T15:30:00.000Z',
    chargedAmountMinor: 5000n,
    paidAmountMinor: 5000n,
    payer: 'match',
    payerBlocked: false,
    playerBlocked: false,
    ...changes,
  };
}

export function dispatchFacts(changes: Partial<DispatchFacts> = {}): DispatchFacts {
  return {
    at: AT,
    playerBlocked: false,
    documentBlocked: false,
    destinationBlocked: false,
    operationSuspended: false,
    automaticStopped: false,
    providerPaused: false,
    availableMinor: 0n,
    ...changes,
  };
}
