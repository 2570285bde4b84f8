// Reads about the operation: ping, the contract, currencies, balances and a player's limits.
import { invalidField, problem } from '../../contract/http/errors.js';
import type { RouteHandlers } from '../../contract/http/routes.js';
import { type CurrencyDefinition, ENABLED_CURRENCIES, enabledCurrency } from '../../domain/currencies.js';
import { toMoney } from '../../domain/money.js';
import type { ProviderTraits } from '../../providers/port.js';
import { isPlayerBlocked } from '../../store/rules/lists.js';
import { type Balances, readBalances } from '../../store/ledger/balances.js';
import { type PlayerTotals, readPlayerTotals } from '../../store/payments/reads.js';
import { currentRuleSet } from '../../store/rules/rule-sets.js';
import { notFound, ok, type ApiDependencies } from './handler.js';

type OperationRoutes = 'ping' | 'getOpenApi' | 'listCurrencies' | 'listBalances' | 'getPlayerLimits';

export function operationHandlers(dependencies: ApiDependencies): Pick<RouteHandlers, OperationRoutes> {
  const { database, providerTraits, openApi, clock } = dependencies;
  return {
    ping: async ({ caller: { operation } }) =>
      ok({
        ok: true,
        operation_id: operation.id,
        environment: operation.environment,
        server_time: clock().toISOString(),
      }),

    getOpenApi: async () => ok(openApi()),

    listCurrencies: async ({ caller: { operation } }) =>
      ok({ data: ENABLED_CURRENCIES.map((currency) => presentCurrency(currency, providerTraits(operation.provider))) }),

    listBalances: async ({ caller: { operation } }) => {
      const balances = await readBalances(database, operation.id);
      return ok({ data: ENABLED_CURRENCIES.map(({ code }) => presentBalance(code, balances, clock())) });
    },

    getPlayerLimits: async ({ caller: { operation }, params, query: { currency } }) => {
      const playerRef = params['external_ref'] ?? '';
      if (!/^[A-Za-z0-9_.:-]{1,64}$/.test(playerRef))
        return invalidField(
          'external_ref',
          'format',
          'must be 1 to 64 characters of A-Z a-z 0-9 _ . : -, for example player-1001',
        );
      if (enabledCurrency(currency) === undefined) return problem('currency_not_enabled');
      const totals = await readPlayerTotals(database, operation.id, playerRef, currency);
      if (totals === null) return notFound();
      const rules = await currentRuleSet(database, operation.id);
      const multiplier = rules?.rules.currencies[currency]?.auto_multiplier ?? '1';
      return ok(
        presentLimits(
          playerRef,
          currency,
          multiplier,
          totals,
          await isPlayerBlocked(database, operation.id, playerRef),
        ),
      );
    },
  };
}

/** `method_details` has one item per method, in the same order. */
function presentCurrency(
  { code, kind, exponent, methods }: CurrencyDefinition,
  { depositRequirements, pspNotes }: ProviderTraits,
) {
  const details = methods.map((method) => ({
    method,
    deposit_requirements: [...depositRequirements],
    psp_notes: [...pspNotes],
  }));
  return { code, kind, exponent, methods: [...methods], method_details: details };
}

function presentBalance(currency: string, balances: Balances, asOf: Date) {
  // Money is unsigned: a cash box below zero after refunds shows as 0.
  const shown = (balanceMinor: bigint) => toMoney(balanceMinor < 0n ? 0n : balanceMinor, currency);
  return {
    available: shown(balances(currency, 'available')),
    pending_in: shown(balances(currency, 'pending_in')),
    pending_out: shown(balances(currency, 'pending_out')),
    as_of: asOf.toISOString(),
  };
}

function presentLimits(
  playerRef: string,
  currency: string,
  multiplier: string,
  totals: PlayerTotals,
  blocked: boolean,
) {
  const remaining = timesDecimal(totals.depositedMinor, multiplier) - totals.committedMinor;
  return {
    player_ref: playerRef,
    currency,
    total_deposited: toMoney(totals.depositedMinor, currency),
    total_withdrawn: toMoney(totals.withdrawnMinor, currency),
    auto_multiplier: multiplier,
    auto_withdrawal_remaining: toMoney(remaining < 0n ? 0n : remaining, currency),
    blocked,
  };
}

/** Exact product of an amount and a decimal string, rounded down. */
function timesDecimal(amountMinor: bigint, decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return (amountMinor * BigInt(whole + fraction)) / 10n ** BigInt(fraction.length);
}
