// The values that rules compare facts with: one currency's part of a rule set, flat and complete, and of the engine's
// own configuration beside it. They are stored with every decision as JSON. `null` turns the rule off.
import { limitMinor, parseAmountMinor } from '../money.js';
import type { EngineRules } from './engine-rules.js';
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

export interface WindowLimits {
  readonly reviewMinor: bigint | null;
  readonly reviewCount: number | null;
  readonly maxMinor: bigint | null;
  readonly maxCount: number | null;
}

/** `d7` and `d30` are rolling: 7 and 30 times 24 hours before the decision. `day` is the local day. */
export interface Windows {
  readonly day: WindowLimits;
  readonly d7: WindowLimits;
  readonly d30: WindowLimits;
}

export interface VipLimits {
  readonly maxPerWithdrawalMinor: bigint | null;
  readonly maxPerDayMinor: bigint | null;
}

export interface EngineThresholds {
  readonly autoSuspended: boolean;
  readonly autoHoursPolicy: 'wait' | 'review';
  readonly dualApprovalReasons: readonly string[];
  readonly windows: Windows;
  readonly velocity: {
    readonly windowMinutes: number;
    readonly reviewAbove: number | null;
    readonly refuseAbove: number | null;
  } | null;
  readonly maxDestinations30d: number | null;
  readonly operationAutoCap: { readonly perHourMinor: bigint | null; readonly perDayMinor: bigint | null };
  readonly vipTiers: Readonly<Record<string, VipLimits>>;
  readonly structuring: {
    readonly thresholdMinor: bigint;
    readonly marginPercent: number;
    readonly minCount: number;
    readonly windowDays: number;
  } | null;
  readonly rapidTurnaround: {
    readonly withinMinutes: number;
    readonly similarityPercent: number;
    readonly minCount: number;
    readonly windowDays: number;
  } | null;
  readonly noPlayReview: boolean;
  readonly sharedPayerPlayers: number | null;
  readonly maxPayers30d: number | null;
  readonly depositWindows: Windows;
  readonly depositUnpaid: { readonly windowMinutes: number; readonly maxCount: number } | null;
}

const NO_LIMITS: WindowLimits = { reviewMinor: null, reviewCount: null, maxMinor: null, maxCount: null };
const NO_WINDOWS: Windows = { day: NO_LIMITS, d7: NO_LIMITS, d30: NO_LIMITS };

/** The thresholds of an operation without an engine configuration. */
export const ENGINE_DEFAULTS: EngineThresholds = {
  autoSuspended: false,
  autoHoursPolicy: 'wait',
  dualApprovalReasons: [],
  windows: NO_WINDOWS,
  velocity: null,
  maxDestinations30d: null,
  operationAutoCap: { perHourMinor: null, perDayMinor: null },
  vipTiers: {},
  structuring: null,
  rapidTurnaround: null,
  noPlayReview: true,
  sharedPayerPlayers: null,
  maxPayers30d: null,
  depositWindows: NO_WINDOWS,
  depositUnpaid: null,
};

/** The engine thresholds of a decision, with defaults. */
export function engineOf({ engine }: { readonly engine?: EngineThresholds | undefined }): EngineThresholds {
  return engine ?? ENGINE_DEFAULTS;
}

/** The thresholds of a currency. A currency that the rule set does not name has automatic withdrawals off. */
export function thresholdsOf(ruleSet: RuleSet, currency: string, engine: EngineRules = {}): Thresholds {
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

/** One currency's thresholds; undefined for an empty configuration, so that decisions store none. */
export function engineThresholdsOf(engine: EngineRules, currency: string): EngineThresholds | undefined {
  const { currencies = {} } = engine;
  const own = Object.hasOwn(currencies, currency) ? currencies[currency] : undefined;
  const hasGlobals =
    engine.auto_suspended !== undefined ||
    engine.auto_hours_policy !== undefined ||
    (engine.dual_approval_reasons ?? []).length > 0;
  if (own === undefined && !hasGlobals) return undefined;
  return {
    autoSuspended: engine.auto_suspended ?? false,
    autoHoursPolicy: engine.auto_hours_policy ?? 'wait',
    dualApprovalReasons: engine.dual_approval_reasons ?? [],
    ...withdrawalThresholdsOf(own ?? {}),
    ...amlThresholdsOf(own?.aml ?? {}),
    ...depositThresholdsOf(own?.deposits ?? {}),
  };
}

type CurrencyEngine = NonNullable<EngineRules['currencies']>[string];

function withdrawalThresholdsOf(own: CurrencyEngine) {
  const { velocity } = own;
  return {
    windows: windowsOf(own.windows),
    velocity:
      velocity === undefined
        ? null
        : {
            windowMinutes: velocity.window_minutes,
            reviewAbove: velocity.review_above ?? null,
            refuseAbove: velocity.refuse_above ?? null,
          },
    maxDestinations30d: own.max_destinations_30d ?? null,
    operationAutoCap: {
      perHourMinor: limitMinor(own.operation_auto_cap?.per_hour),
      perDayMinor: limitMinor(own.operation_auto_cap?.per_day),
    },
    vipTiers: Object.fromEntries(
      Object.entries(own.vip_tiers ?? {}).map(([tier, limits]) => [
        tier,
        {
          maxPerWithdrawalMinor: limitMinor(limits.max_per_withdrawal),
          maxPerDayMinor: limitMinor(limits.max_per_day),
        },
      ]),
    ),
  };
}

function amlThresholdsOf(aml: NonNullable<CurrencyEngine['aml']>) {
  const { structuring, rapid_turnaround: turnaround } = aml;
  return {
    structuring:
      structuring === undefined
        ? null
        : {
            thresholdMinor: parseAmountMinor(structuring.reporting_threshold),
            marginPercent: structuring.margin_percent,
            minCount: structuring.min_count,
            windowDays: structuring.window_days,
          },
    rapidTurnaround:
      turnaround === undefined
        ? null
        : {
            withinMinutes: turnaround.within_minutes,
            similarityPercent: turnaround.similarity_percent,
            minCount: turnaround.min_count,
            windowDays: turnaround.window_days,
          },
    noPlayReview: aml.no_play ?? true,
    sharedPayerPlayers: aml.shared_payer_players ?? null,
    maxPayers30d: aml.max_payers_30d ?? null,
  };
}

function depositThresholdsOf({ windows, unpaid }: NonNullable<CurrencyEngine['deposits']>) {
  return {
    depositWindows: windowsOf(windows),
    depositUnpaid: unpaid === undefined ? null : { windowMinutes: unpaid.window_minutes, maxCount: unpaid.max_count },
  };
}

function windowsOf(windows: CurrencyEngine['windows']): Windows {
  return { day: windowOf(windows?.day), d7: windowOf(windows?.['7d']), d30: windowOf(windows?.['30d']) };
}

function windowOf(window: NonNullable<CurrencyEngine['windows']>['7d']): WindowLimits {
  return {
    reviewMinor: limitMinor(window?.review_amount),
    reviewCount: window?.review_count ?? null,
    maxMinor: limitMinor(window?.max_amount),
    maxCount: window?.max_count ?? null,
  };
}
