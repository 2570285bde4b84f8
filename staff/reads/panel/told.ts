// What the operator said about the player with a request. It decides nothing by rule, and people judge by it.
import { maskPersonalData } from '../../../domain/rules/operator-reasons.js';
import type { Persons } from './people.js';

/** Amounts of an operator are a Money, or minor units of the payment's currency. */
export function toldBy({ player, context, metadata }: Persons, currency: string) {
  const amount = (name: string) => {
    const value = context[name];
    // The result of a game may be negative.
    if (typeof value === 'string') return { amount: value, currency };
    return isMoney(value) ? { amount: value.amount, currency: value.currency } : null;
  };
  const createdAt = context['account_created_at'];
  return {
    account_created_at: typeof createdAt === 'string' ? new Date(createdAt) : null,
    kyc_level: player.kyc_level ?? null,
    total_deposited: amount('total_deposited'),
    total_withdrawn: amount('total_withdrawn'),
    net_gaming_result: amount('net_gaming_result'),
    metadata: Object.entries(metadata).map(([name, value]) => ({ name, value: maskPersonalData(value) })),
  };
}

function isMoney(value: unknown): value is { readonly amount: string; readonly currency: string } {
  const { amount, currency } = (value ?? {}) as { readonly amount?: unknown; readonly currency?: unknown };
  return typeof amount === 'string' && typeof currency === 'string';
}
