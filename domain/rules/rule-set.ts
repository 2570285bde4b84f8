// The operation's rule set (specification, "RuleSet"): schema, defaults, and one error per invalid document. Workflow
// code must not import this file, because it imports zod.
import { z } from 'zod';
import { ENABLED_CURRENCIES, enabledCurrency } from '../currencies.js';
import { issueMessage } from '../issue-messages.js';
import { isAmount } from '../money.js';
import { isTimeZone } from './local-time.js';

const DEFAULT_TIME_ZONE = 'America/Sao_Paulo';

/** Minor units as a string, like `Money.amount`. */
const amount = z
  .string()
  .refine(isAmount, {
    message: 'must be a string of minor units: a non-negative integer of at most 38 digits, for example "5000"',
    params: { reason: 'format' },
  })
  .meta({ pattern: '^(0|[1-9][0-9]{0,37})$' });
/** X of the X-times rule: a decimal string; "0" turns automatic withdrawals off. */
const multiplier = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,3})(\.[0-9]{1,4})?$/, 'must be a decimal string such as "0", "1" or "1.5"');
const localTime = z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'must be a local time HH:MM, for example 08:00');
const currencyCode = z
  .string()
  .regex(/^[A-Z0-9]{3,12}(\.[A-Z0-9]{2,12})?$/, 'must be a currency code, for example BRL');

const autoHoursSchema = z.strictObject({ from: localTime, to: localTime }).superRefine(({ from, to }, context) => {
  // Ambiguous: null means "always" and multiplier "0" means "never".
  if (from === to) addIssue(context, ['to'], 'must differ from `from`', 'range');
});

const currencyRulesSchema = z
  .strictObject({
    auto_multiplier: multiplier.default('1'),
    deposit_min: amount.optional(),
    deposit_max: amount.optional(),
    withdrawal_min: amount.optional(),
    withdrawal_max: amount.optional(),
    auto_max_per_withdrawal: amount.optional(),
    auto_max_per_day: amount.optional(),
    dual_approval_above: amount.optional(),
    max_withdrawals_per_day: z.int().min(0).max(1_000_000).optional(),
    first_withdrawal_manual: z.boolean().default(true),
    pix_key_change_cooldown_hours: z.int().min(0).max(8_760).default(24),
    require_payer_matches_player: z.boolean().default(true),
    auto_hours: autoHoursSchema.nullable().default(null),
  })
  .superRefine((rules, context) => {
    refuseCrossedLimits(context, rules.deposit_min, rules.deposit_max, 'deposit_max');
    refuseCrossedLimits(context, rules.withdrawal_min, rules.withdrawal_max, 'withdrawal_max');
  });

const chargeBearer = z.enum(['OUR', 'SHA', 'BEN']);

const methodLimitsSchema = z.strictObject({
  deposit_min: amount.optional(),
  deposit_max: amount.optional(),
  withdrawal_min: amount.optional(),
  withdrawal_max: amount.optional(),
  auto_max_per_withdrawal: amount.nullable().optional(),
});

const bankTransfersSchema = z.strictObject({
  method_limits: z.record(currencyCode, z.partialRecord(z.enum(['wire', 'swift']), methodLimitsSchema)).optional(),
  swift_auto_enabled: z.boolean().default(false),
  default_charge_bearer: chargeBearer.optional(),
  allowed_charge_bearers: z.array(chargeBearer).max(3).optional(),
  beneficiary_change_cooldown_hours: z.int().min(0).max(8_760).default(72),
  screening_required_above: z.record(currencyCode, amount).nullable().optional(),
  blocked_countries: z
    .array(z.string().regex(/^[A-Z]{2}$/, 'must be an ISO alpha-2 country in upper case, for example BR'))
    .max(250)
    .optional(),
  deposit_partial_accept_allowed: z.boolean().default(false),
  deposit_excess_policy: z.enum(['review', 'return_excess']).default('review'),
  unmatched_return_after_business_days: z.int().min(1).max(60).default(10),
});

const fxSchema = z.strictObject({
  enabled: z.boolean().default(false),
  max_spread_bps: z.int().min(0).max(10_000).optional(),
  quote_ttl_seconds: z.int().min(30).max(86_400).default(900),
  requote_tolerance_bps: z.int().min(0).max(10_000).default(50),
  risk_bearer: z.enum(['service', 'operator', 'beneficiary']).default('beneficiary'),
});

/** The RuleSet. Refuses unknown fields and fills in defaults. Amounts are strings of minor units. */
export const ruleSetSchema = z.strictObject({
  version: z.int().min(1).max(2_147_483_647),
  timezone: z
    .string()
    .superRefine((zone, context) => {
      if (!isTimeZone(zone)) addIssue(context, [], 'must be an IANA time zone such as "America/Sao_Paulo"', 'format');
    })
    .default(DEFAULT_TIME_ZONE),
  currencies: z
    .record(currencyCode, currencyRulesSchema)
    .superRefine((currencies, context) => {
      if (Object.keys(currencies).length === 0) addIssue(context, [], 'must name at least one currency', 'required');
      // A rule for a currency that is not enabled is a mistake.
      for (const code of Object.keys(currencies))
        if (enabledCurrency(code) === undefined)
          addIssue(
            context,
            [code],
            `is not an enabled currency (${ENABLED_CURRENCIES.map((currency) => currency.code).join(', ')})`,
            'enum',
          );
    })
    .meta({ minProperties: 1 }),
  bank_transfers: bankTransfersSchema.optional(),
  fx: fxSchema.optional(),
});
export type RuleSet = z.infer<typeof ruleSetSchema>;

/** An invalid rule set. The message starts with the field and never contains a value. */
export class RuleSetError extends Error {
  override readonly name = 'RuleSetError';
  constructor(
    readonly field: string,
    problem: string,
  ) {
    super(`${field}: ${problem}`);
  }
}

/** Parses a rule set and fills in defaults. Throws a RuleSetError for the first invalid field. */
export function parseRuleSet(document: unknown): RuleSet {
  const result = ruleSetSchema.safeParse(document, { error: issueMessage });
  if (result.success) return result.data;
  throw ruleSetErrorOf(result.error);
}

/** Parses a rule set without a version (a file of `gateway rules set`). The version is set when it is stored. */
export function parseRuleSetDraft(document: unknown): RuleSet {
  const isObject = typeof document === 'object' && document !== null && !Array.isArray(document);
  return parseRuleSet(isObject ? { version: 1, ...document } : document);
}

/** The first rule set of an operation: PIX in BRL, the specified defaults, no limits. */
export function defaultRuleSet(version: number): RuleSet {
  return parseRuleSet({ version, currencies: { BRL: {} } });
}

/** The rule set as `GET /rules` serves it: with defaults, and with the stored version. */
export function servedRuleSet(stored: { readonly version: number; readonly rules: RuleSet }): RuleSet {
  return { ...stored.rules, version: stored.version };
}

function refuseCrossedLimits(
  context: z.RefinementCtx,
  min: string | undefined,
  max: string | undefined,
  field: string,
): void {
  // This check runs even when the fields' own checks failed.
  if (min === undefined || max === undefined || !isAmount(min) || !isAmount(max)) return;
  if (BigInt(min) > BigInt(max))
    addIssue(context, [field], `must not be below ${field.replace('max', 'min')}`, 'range');
}

/** Adds a custom issue. `reason` becomes `errors[].reason` when the rule set comes through the API. */
function addIssue(context: z.RefinementCtx, path: string[], message: string, reason: string): void {
  context.addIssue({ code: 'custom', path, message, params: { reason } });
}

function ruleSetErrorOf(error: z.ZodError): RuleSetError {
  const [issue] = error.issues;
  if (issue === undefined) return new RuleSetError('rules', 'not a rule set');
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys')
    return new RuleSetError([...path, issue.keys[0] ?? ''].join('.'), 'unknown field');
  return new RuleSetError(path.join('.') || 'rules', issue.message);
}
