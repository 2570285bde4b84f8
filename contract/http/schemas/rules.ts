// The rule set and the request to change it (specification, "RuleSet").
import { z } from 'zod';
import { ENABLED_CURRENCIES } from '../../../domain/currencies.js';
import { ruleSetSchema } from '../../../domain/rules/rule-set.js';
import { textUpTo } from './fields.js';

/** For the contract only: the schema itself reports any other currency as `enum`. */
const enabledOnly = { propertyNames: { enum: ENABLED_CURRENCIES.map(({ code }) => code) } };

export const ruleSet = ruleSetSchema.extend({ currencies: ruleSetSchema.shape.currencies.meta(enabledOnly) }).meta({
  id: 'RuleSet',
  example: {
    version: 1,
    timezone: 'America/Sao_Paulo',
    currencies: {
      BRL: {
        auto_multiplier: '1',
        first_withdrawal_manual: true,
        pix_key_change_cooldown_hours: 24,
        require_payer_matches_player: true,
        auto_hours: null,
      },
    },
  },
});

export const ruleChangeBody = z.strictObject({ rules: ruleSet, justification: textUpTo(1_000, 'range') }).meta({
  id: 'ProposeRuleChange',
  example: {
    rules: {
      version: 1,
      timezone: 'America/Sao_Paulo',
      currencies: {
        BRL: { withdrawal_max: '500000', auto_max_per_withdrawal: '20000', auto_hours: { from: '08:00', to: '22:00' } },
      },
    },
    justification: 'Withdrawals at night are checked by people.',
  },
});

export const ruleChange = z
  .object({ id: z.string(), status: z.literal('pending_approval') })
  .meta({ id: 'RuleChange' });
