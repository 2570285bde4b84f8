// The values that rules compare facts with: one currency's part of a rule set, flat and complete. They are stored with
// every decision as JSON. `null` turns the rule off.
import { limitMinor } from '../money.js';
import { type EngineRules, engineThresholdsOf, NO_ENGINE_RULES } from './engine-rules.js';
import type { EngineThresholds } from './engine-thresholds.js';
import type { LocalHours } from './local-time.js';
import type { RuleSet } from './rule-set.js';

export interface Thresholds {
  readonly timezone: string;
  readonly autoMultiplier: string;
  readonly depositMinMinor: bigint | null;
  readonly depositMaxMinor: bigint | null;
  readonly withdrawalMinMinor: bigint | null;
  readonly withdrawalMaxMinor: bigint | null;
  readonly autoMaxPerWithdrawalMinor: bigint | null;
  readonly autoMaxPerDayMinor: bigint | null;
  readonly dualApprovalAboveMinor: bigint | null;
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
    depositMinMinor: limitMinor(rules?.deposit_min),
    depositMaxMinor: limitMinor(rules?.deposit_max),
    withdrawalMinMinor: limitMinor(rules?.withdrawal_min),
    withdrawalMaxMinor: limitMinor(rules?.withdrawal_max),
    autoMaxPerWithdrawalMinor: limitMinor(rules?.auto_max_per_withdrawal),
    autoMaxPerDayMinor: limitMinor(rules?.auto_max_per_day),
    dualApprovalAboveMinor: limitMinor(rules?.dual_approval_above),
    maxWithdrawalsPerDay: rules?.max_withdrawals_per_day ?? null,
    firstWithdrawalManual: rules?.first_withdrawal_manual ?? true,
    pixKeyChangeCooldownHours: rules?.pix_key_change_cooldown_hours ?? 24,
    requirePayerMatchesPlayer: rules?.require_payer_matches_player ?? true,
    autoHours: rules?.auto_hours ?? null,
    ...(engineThresholds === undefined ? {} : { engine: engineThresholds }),
  };
}
