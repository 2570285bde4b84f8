// The engine's own configuration: thresholds that the specification's RuleSet has no field for. It is stored beside the
// rule set, set by `gateway rules set` (member `engine`) and never served by `GET /rules`. It can only make decisions
// stricter; what it leaves out is off. Workflow code must not import this file, because it imports zod.
import { z } from 'zod';
import { issueMessage } from '../issue-messages.js';
import { isAmount } from '../money.js';
import type { JsonValue } from './canonical-json.js';
import { ENGINE_SETTINGS, engineSettingOf, NEEDED_VALUES } from './engine-settings.js';
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

/** The player's VIP tier; `null` without one. */
export function vipTierOf({ vip_players = {} }: EngineRules, externalRef: string): string | null {
  return Object.hasOwn(vip_players, externalRef) ? (vip_players[externalRef] ?? null) : null;
}

type Branch = { [member: string]: JsonValue | undefined };

/**
 * The configuration with these thresholds of the currency, as a person tries or proposes them, by the names of
 * `ENGINE_SETTINGS`; `null` turns one off. Throws a RuleSetError for an unknown name, or for what the configuration
 * cannot hold.
 */
export function changedEngine(
  engine: EngineRules,
  currency: string,
  changes: Readonly<Record<string, JsonValue>>,
): EngineRules {
  const changed = structuredClone(engine) as Branch;
  for (const [name, value] of Object.entries({ ...changes, ...takenAway(changes) })) {
    const setting = engineSettingOf(name);
    if (setting === undefined) throw new RuleSetError(`engine.${name}`, 'unknown field');
    put(changed, [...(setting.isOfCurrency ? ['currencies', currency] : []), ...setting.place], value);
  }
  return parseEngineRules(changed);
}

/** The other values of rules that a change turns off, unless the change also sets one of them. */
function takenAway(changes: Readonly<Record<string, JsonValue>>): Record<string, null> {
  const off = NEEDED_VALUES.filter((needed) => changes[needed] === null).map((needed) => needed.split('.')[0] ?? '');
  const parts = off.filter((rule) =>
    Object.entries(changes).every(([name, value]) => !name.startsWith(`${rule}.`) || value === null),
  );
  const names = Object.keys(ENGINE_SETTINGS).filter((name) => parts.includes(name.split('.')[0] ?? ''));
  return Object.fromEntries(names.map((name) => [name, null]));
}

/** Puts the value, or removes it and every branch that it leaves empty. */
function put(branch: Branch, [member = '', ...rest]: readonly string[], value: JsonValue): void {
  if (rest.length === 0) {
    if (value === null) delete branch[member];
    else branch[member] = value;
    return;
  }
  const below = (branch[member] ??= {}) as Branch;
  put(below, rest, value);
  if (Object.keys(below).length === 0) delete branch[member];
}
