// The currency registry: which currencies exist, how many decimals they have and which methods they carry.

export const METHODS = ['pix', 'card', 'crypto', 'bank_transfer', 'boleto', 'wire', 'swift'] as const;
export type Method = (typeof METHODS)[number];

export interface CurrencyDefinition {
  readonly code: string;
  readonly kind: 'fiat' | 'crypto';
  /** Decimals of the smallest unit. */
  readonly exponent: number;
  readonly methods: readonly Method[];
}

/** The currencies that the served build enables for every operation. */
export const ENABLED_CURRENCIES: readonly CurrencyDefinition[] = [
  { code: 'BRL', kind: 'fiat', exponent: 2, methods: ['pix'] },
];

/** The enabled currency of that code, or undefined. */
export function enabledCurrency(code: string): CurrencyDefinition | undefined {
  return ENABLED_CURRENCIES.find((currency) => currency.code === code);
}
