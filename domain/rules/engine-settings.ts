// Every threshold of the engine by the name that decisions store, with its place in the configuration. The panel's page
// reads this too: no zod here.

/** `policy`: `wait` or `review`; `codes`: a list of reason codes. Amounts are strings of minor units. */
export type SettingKind = 'amount' | 'number' | 'choice' | 'policy' | 'codes';

export interface EngineSetting {
  readonly kind: SettingKind;
  /** Whether it is a currency's own; the others hold for the whole operation. */
  readonly isOfCurrency: boolean;
  /** The members that lead to it. */
  readonly place: readonly string[];
}

const whole = (kind: SettingKind, name: string): EngineSetting => ({ kind, isOfCurrency: false, place: [name] });
const own = (kind: SettingKind, ...place: string[]): EngineSetting => ({ kind, isOfCurrency: true, place });

/** In the order of `EngineThresholds`. Not here: which player has which VIP tier, because that names players. */
export const ENGINE_SETTINGS: Readonly<Record<string, EngineSetting>> = {
  autoSuspended: whole('choice', 'auto_suspended'),
  autoHoursPolicy: whole('policy', 'auto_hours_policy'),
  dualApprovalReasons: whole('codes', 'dual_approval_reasons'),
  'windows.day.maxMinor': own('amount', 'windows', 'day', 'max_amount'),
  'windows.day.maxCount': own('number', 'windows', 'day', 'max_count'),
  'windows.d7.reviewMinor': own('amount', 'windows', '7d', 'review_amount'),
  'windows.d7.reviewCount': own('number', 'windows', '7d', 'review_count'),
  'windows.d7.maxMinor': own('amount', 'windows', '7d', 'max_amount'),
  'windows.d7.maxCount': own('number', 'windows', '7d', 'max_count'),
  'windows.d30.reviewMinor': own('amount', 'windows', '30d', 'review_amount'),
  'windows.d30.reviewCount': own('number', 'windows', '30d', 'review_count'),
  'windows.d30.maxMinor': own('amount', 'windows', '30d', 'max_amount'),
  'windows.d30.maxCount': own('number', 'windows', '30d', 'max_count'),
  'velocity.windowMinutes': own('number', 'velocity', 'window_minutes'),
  'velocity.reviewAbove': own('number', 'velocity', 'review_above'),
  'velocity.refuseAbove': own('number', 'velocity', 'refuse_above'),
  maxDestinations30d: own('number', 'max_destinations_30d'),
  'operationAutoCap.perHourMinor': own('amount', 'operation_auto_cap', 'per_hour'),
  'operationAutoCap.perDayMinor': own('amount', 'operation_auto_cap', 'per_day'),
  'structuring.thresholdMinor': own('amount', 'aml', 'structuring', 'reporting_threshold'),
  'structuring.marginPercent': own('number', 'aml', 'structuring', 'margin_percent'),
  'structuring.minCount': own('number', 'aml', 'structuring', 'min_count'),
  'structuring.windowDays': own('number', 'aml', 'structuring', 'window_days'),
  'rapidTurnaround.withinMinutes': own('number', 'aml', 'rapid_turnaround', 'within_minutes'),
  'rapidTurnaround.similarityPercent': own('number', 'aml', 'rapid_turnaround', 'similarity_percent'),
  'rapidTurnaround.minCount': own('number', 'aml', 'rapid_turnaround', 'min_count'),
  'rapidTurnaround.windowDays': own('number', 'aml', 'rapid_turnaround', 'window_days'),
  noPlayReview: own('choice', 'aml', 'no_play'),
  sharedPayerPlayers: own('number', 'aml', 'shared_payer_players'),
  maxPayers30d: own('number', 'aml', 'max_payers_30d'),
  'depositWindows.day.maxMinor': own('amount', 'deposits', 'windows', 'day', 'max_amount'),
  'depositWindows.day.maxCount': own('number', 'deposits', 'windows', 'day', 'max_count'),
  'depositWindows.d7.maxMinor': own('amount', 'deposits', 'windows', '7d', 'max_amount'),
  'depositWindows.d7.maxCount': own('number', 'deposits', 'windows', '7d', 'max_count'),
  'depositWindows.d30.maxMinor': own('amount', 'deposits', 'windows', '30d', 'max_amount'),
  'depositWindows.d30.maxCount': own('number', 'deposits', 'windows', '30d', 'max_count'),
  'depositUnpaid.windowMinutes': own('number', 'deposits', 'unpaid', 'window_minutes'),
  'depositUnpaid.maxCount': own('number', 'deposits', 'unpaid', 'max_count'),
};

/**
 * What a rule of several values needs. Without it the rule is off, so a change that takes it away takes all of the
 * rule's values away.
 */
export const NEEDED_VALUES = [
  'velocity.windowMinutes',
  'structuring.thresholdMinor',
  'rapidTurnaround.withinMinutes',
  'depositUnpaid.windowMinutes',
] as const;

const VIP_LIMITS: Readonly<Record<string, string>> = {
  maxPerWithdrawalMinor: 'max_per_withdrawal',
  maxPerDayMinor: 'max_per_day',
};

/** The setting of this name, such as `velocity.reviewAbove` or `vipTiers.gold.maxPerDayMinor`. */
export function engineSettingOf(name: string): EngineSetting | undefined {
  if (Object.hasOwn(ENGINE_SETTINGS, name)) return ENGINE_SETTINGS[name];
  const [group, tier = '', limit = '', ...more] = name.split('.');
  const member = Object.hasOwn(VIP_LIMITS, limit) ? VIP_LIMITS[limit] : undefined;
  if (group !== 'vipTiers' || !/^[a-z0-9_]{1,32}$/.test(tier) || member === undefined || more.length > 0)
    return undefined;
  return own('amount', 'vip_tiers', tier, member);
}
