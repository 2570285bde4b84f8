// The currency registry: currencies, their decimals and their payment methods.

export const METHODS = ['pix', 'card', 'crypto', 'bank_transfer', 'boleto', 'wire', 'swift'] as const;
export type Method = (typeof METHODS)[number];

export interface CurrencyDefinition {
  readonly code: string;
  readonly kind: 'fiat' | 'crypto';
  /** Decimals of the smallest unit. */
  readonly exponent: number;
  readonly methods: readonly Method[];
}

/** The currencies that are enabled for every operation. */
export const ENABLED_CURRENCIES: readonly CurrencyDefinition[] = [
  { code: 'BRL', kind: 'fiat', exponent: 2, methods: ['pix'] },
];

/** The enabled currency with that code; `undefined` if there is none. */
export function enabledCurrency(code: string): CurrencyDefinition | undefined {
  return ENABLED_CURRENCIES.find((currency) => currency.code === code);
}
