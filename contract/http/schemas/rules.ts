// The rule set and the request to change it (specification, "RuleSet").
import { z } from 'zod';
import { amount, currencyCode } from './money.js';
import { country, textUpTo } from './text.js';

const CHARGE_BEARERS = ['OUR', 'SHA', 'BEN'] as const;
const RISK_BEARERS = ['gateway', 'operator', 'beneficiary'] as const;
const clock = z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'must be HH:MM');
const multiplier = z.string().regex(/^(0|[1-9][0-9]{0,5})(\.[0-9]{1,6})?$/, 'must be a non-negative decimal');

const currencyRules = z.strictObject({
  auto_multiplier: multiplier.optional(),
  deposit_min: amount.optional(),
  deposit_max: amount.optional(),
  withdrawal_min: amount.optional(),
  withdrawal_max: amount.optional(),
  auto_max_per_withdrawal: amount.optional(),
  auto_max_per_day: amount.optional(),
  dual_approval_above: amount.optional(),
  max_withdrawals_per_day: z.int().min(0).optional(),
  first_withdrawal_manual: z.boolean().optional(),
  pix_key_change_cooldown_hours: z.int().min(0).optional(),
  require_payer_matches_player: z.boolean().optional(),
  auto_hours: z.strictObject({ from: clock, to: clock }).nullable().optional(),
});

const methodLimits = z.strictObject({
  deposit_min: amount.nullable().optional(),
  deposit_max: amount.nullable().optional(),
  withdrawal_min: amount.nullable().optional(),
  withdrawal_max: amount.nullable().optional(),
  auto_max_per_withdrawal: amount.nullable().optional(),
});

const bankTransfers = z.strictObject({
  method_limits: z.record(currencyCode, z.strictObject({ wire: methodLimits.optional(), swift: methodLimits.optional() })).optional(),
  swift_auto_enabled: z.boolean().optional(),
  default_charge_bearer: z.enum(CHARGE_BEARERS).optional(),
  allowed_charge_bearers: z.array(z.enum(CHARGE_BEARERS)).optional(),
  beneficiary_change_cooldown_hours: z.int().min(0).optional(),
  screening_required_above: z.record(currencyCode, amount).nullable().optional(),
  blocked_countries: z.array(country).optional(),
  deposit_partial_accept_allowed: z.boolean().optional(),
  deposit_excess_policy: z.enum(['review', 'return_excess']).optional(),
  unmatched_return_after_business_days: z.int().min(1).max(60).optional(),
});

const fx = z.strictObject({
  enabled: z.boolean().optional(),
  max_spread_bps: z.int().min(0).max(10_000).optional(),
  quote_ttl_seconds: z.int().min(30).max(86_400).optional(),
  requote_tolerance_bps: z.int().min(0).max(10_000).optional(),
  risk_bearer: z.enum(RISK_BEARERS).optional(),
});

export const ruleSet = z
  .strictObject({
    version: z.int().min(1),
    timezone: z.string().meta({ example: 'America/Sao_Paulo' }).optional(),
    currencies: z.record(currencyCode, currencyRules),
    bank_transfers: bankTransfers.optional(),
    fx: fx.optional(),
  })
  .meta({ id: 'RuleSet', example: { version: 1, timezone: 'America/Sao_Paulo', currencies: { BRL: { auto_multiplier: '1', first_withdrawal_manual: true } } } });

/** The rule set as served. It may carry fields that a proposal may not, so it is not strict. */
export const servedRuleSet = z.looseObject({ version: z.int(), currencies: z.record(z.string(), z.looseObject({})) }).meta({ id: 'ServedRuleSet' });

export const ruleChangeBody = z.strictObject({ rules: ruleSet, justification: textUpTo(1_000, 'range') }).meta({ id: 'ProposeRuleChange' });
export type RuleChangeBody = z.output<typeof ruleChangeBody>;

export const ruleChange = z.object({ id: z.string(), status: z.literal('pending_approval') }).meta({ id: 'RuleChange' });
