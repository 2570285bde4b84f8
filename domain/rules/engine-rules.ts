// The engine's own configuration: thresholds that the specification's RuleSet has no field for. It is stored beside the
// rule set, set by `gateway rules set` (member `engine`) and never served by `GET /rules`. It can only make decisions
// stricter; what it leaves out is off. Workflow code must not import this file, because it imports zod.
import { z } from 'zod';
import { issueMessage } from '../issue-messages.js';
import { isAmount, limitMinor, parseAmountMinor } from '../money.js';
import type { EngineThresholds, WindowLimits, Windows } from './engine-thresholds.js';
import { RuleSetError } from './rule-set.js';

const amount = z.string().refine(isAmount, {
  message: 'must be a string of minor units: a non-negative integer of at most 38 digits',
  params: { reason: 'format' },
});
const count = z.int().min(0).max(1_000_000);
const atLeastTwo = z.int().min(2).max(1_000);
/** Facts reach back one day for events that are counted one by one. */
const minutesOfDay = z.int().min(1).max(1_440);
const daysOfMonth = z.int().min(1).max(30);

const hardWindow = z.strictObject({ max_amount: amount.optional(), max_count: count.optional() });
const reviewWindow = z.strictObject({
  review_amount: amount.optional(),
  review_count: count.optional(),
  max_amount: amount.optional(),
  max_count: count.optional(),
});

const vipTier = z.strictObject({ max_per_withdrawal: amount.optional(), max_per_day: amount.optional() });
const playerRef = z.string().regex(/^[A-Za-z0-9_.:-]{1,64}$/, 'must be a player reference');
const tierName = z.string().regex(/^[a-z0-9_]{1,32}$/, 'must be 1 to 32 of a-z, 0-9 and "_"');
const reasonCode = z.string().regex(/^[A-Z][A-Z0-9_]{2,63}$/, 'must be a code such as "PIX_KEY_CHANGED"');

const currencyEngineSchema = z.strictObject({
  /**
   * `day` is the local day. Its review thresholds are `auto_max_per_day` and `max_withdrawals_per_day` of the RuleSet.
   */
  windows: z
    .strictObject({ day: hardWindow.optional(), '7d': reviewWindow.optional(), '30d': reviewWindow.optional() })
    .optional(),
  velocity: z
    .strictObject({ window_minutes: minutesOfDay, review_above: count.optional(), refuse_above: count.optional() })
    .optional(),
  max_destinations_30d: count.optional(),
  operation_auto_cap: z.strictObject({ per_hour: amount.optional(), per_day: amount.optional() }).optional(),
  vip_tiers: z.record(tierName, vipTier).optional(),
  aml: z
    .strictObject({
      structuring: z
        .strictObject({
          reporting_threshold: amount,
          margin_percent: z.int().min(1).max(50).default(10),
          min_count: atLeastTwo.default(3),
          window_days: daysOfMonth.default(7),
        })
        .optional(),
      rapid_turnaround: z
        .strictObject({
          within_minutes: z.int().min(1).max(43_200),
          similarity_percent: z.int().min(0).max(50).default(10),
          min_count: z.int().min(1).max(100).default(2),
          window_days: daysOfMonth.default(30),
        })
        .optional(),
      no_play: z.boolean().optional(),
      shared_payer_players: atLeastTwo.optional(),
      max_payers_30d: z.int().min(1).max(1_000).optional(),
    })
    .optional(),
  deposits: z
    .strictObject({
      windows: z
        .strictObject({ day: hardWindow.optional(), '7d': hardWindow.optional(), '30d': hardWindow.optional() })
        .optional(),
      unpaid: z.strictObject({ window_minutes: minutesOfDay, max_count: count }).optional(),
    })
    .optional(),
});

export const engineRulesSchema = z
  .strictObject({
    auto_suspended: z.boolean().optional(),
    auto_hours_policy: z.enum(['wait', 'review']).optional(),
    dual_approval_reasons: z.array(reasonCode).max(50).optional(),
    vip_players: z.record(playerRef, tierName).optional(),
    currencies: z
      .record(z.string().regex(/^[A-Z0-9]{3,12}(\.[A-Z0-9]{2,12})?$/, 'must be a currency code'), currencyEngineSchema)
      .optional(),
  })
  .superRefine(({ vip_players = {}, currencies = {} }, context) => {
    // A player in a tier that no currency defines would silently have no limits.
    const tiers = new Set(Object.values(currencies).flatMap(({ vip_tiers = {} }) => Object.keys(vip_tiers)));
    for (const [player, tier] of Object.entries(vip_players)) {
      if (!tiers.has(tier))
        context.addIssue({
          code: 'custom',
          path: ['vip_players', player],
          message: 'names a tier that no currency has',
          params: { reason: 'unknown' },
        });
    }
  });
export type EngineRules = z.infer<typeof engineRulesSchema>;

/** Parses a configuration that a person wrote. Throws a RuleSetError, named from `engine`, for the first bad field. */
export function parseEngineRules(document: unknown): EngineRules {
  const parsed = engineRulesSchema.safeParse(document, { error: issueMessage });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const isUnknown = issue?.code === 'unrecognized_keys';
  const path = ['engine', ...(issue?.path ?? []).map(String), ...(isUnknown ? issue.keys.slice(0, 1) : [])];
  throw new RuleSetError(path.join('.'), isUnknown ? 'unknown field' : (issue?.message ?? 'not understood'));
}

/** The configuration of an operation that never set one: everything is off. */
export const NO_ENGINE_RULES: EngineRules = {};

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

type CurrencyEngine = z.infer<typeof currencyEngineSchema>;

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

/** The player's VIP tier; `null` without one. */
export function vipTierOf({ vip_players = {} }: EngineRules, externalRef: string): string | null {
  return Object.hasOwn(vip_players, externalRef) ? (vip_players[externalRef] ?? null) : null;
}

function windowsOf(windows: CurrencyEngine['windows']): Windows {
  return { day: windowOf(windows?.day), d7: windowOf(windows?.['7d']), d30: windowOf(windows?.['30d']) };
}

function windowOf(window: z.infer<typeof reviewWindow> | undefined): WindowLimits {
  return {
    reviewMinor: limitMinor(window?.review_amount),
    reviewCount: window?.review_count ?? null,
    maxMinor: limitMinor(window?.max_amount),
    maxCount: window?.max_count ?? null,
  };
}
