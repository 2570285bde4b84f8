// The values that rules compare facts with: one currency's part of a rule set, flat and complete. They are stored with
// every decision as JSON: amounts are strings of minor units, null turns the rule off.
import { type EngineRules, engineThresholdsOf, NO_ENGINE_RULES } from './engine-rules.js';
import type { EngineThresholds } from './engine-thresholds.js';
import type { LocalHours } from './local-time.js';
import type { RuleSet } from './rule-set.js';

export interface Thresholds {
  readonly timezone: string;
  readonly autoMultiplier: string;
  readonly depositMinMinor: string | null;
  readonly depositMaxMinor: string | null;
  readonly withdrawalMinMinor: string | null;
  readonly withdrawalMaxMinor: string | null;
  readonly autoMaxPerWithdrawalMinor: string | null;
  readonly autoMaxPerDayMinor: string | null;
  readonly dualApprovalAboveMinor: string | null;
  readonly maxWithdrawalsPerDay: number | null;
  readonly firstWithdrawalManual: boolean;
  readonly pixKeyChangeCooldownHours: number;
  readonly requirePayerMatchesPlayer: boolean;
  readonly autoHours: LocalHours | null;
  /** The engine's thresholds; absent when the operation configured none. */
  readonly engine?: EngineThresholds | undefined;
}

/** The thresholds of a currency. A currency that the rule set does not name has automatic withdrawals off. */
export function thresholdsOf(ruleSet: RuleSet, currency: string, engine: EngineRules = NO_ENGINE_RULES): Thresholds {
  const rules = Object.hasOwn(ruleSet.currencies, currency) ? ruleSet.currencies[currency] : undefined;
  const engineThresholds = engineThresholdsOf(engine, currency);
  return {
    timezone: ruleSet.timezone,
    autoMultiplier: rules?.auto_multiplier ?? '0',
    depositMinMinor: rules?.deposit_min ?? null,
    depositMaxMinor: rules?.deposit_max ?? null,
    withdrawalMinMinor: rules?.withdrawal_min ?? null,
    withdrawalMaxMinor: rules?.withdrawal_max ?? null,
    autoMaxPerWithdrawalMinor: rules?.auto_max_per_withdrawal ?? null,
    autoMaxPerDayMinor: rules?.auto_max_per_day ?? null,
    dualApprovalAboveMinor: rules?.dual_approval_above ?? null,
    maxWithdrawalsPerDay: rules?.max_withdrawals_per_day ?? null,
    firstWithdrawalManual: rules?.first_withdrawal_manual ?? true,
    pixKeyChangeCooldownHours: rules?.pix_key_change_cooldown_hours ?? 24,
    requirePayerMatchesPlayer: rules?.require_payer_matches_player ?? true,
    autoHours: rules?.auto_hours ?? null,
    ...(engineThresholds === undefined ? {} : { engine: engineThresholds }),
  };
}
