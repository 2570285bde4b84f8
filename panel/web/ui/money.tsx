// Money by the currency registry: exact at any size, and never a floating-point number.
import { enabledCurrency } from '../../../domain/currencies.js';
import { usePreferences } from '../preferences.js';
import type { Language } from '../texts/language.js';

interface Amount {
  readonly amount: string;
  readonly currency: string;
}

/** Decimals of a currency that the registry no longer has. */
const USUAL_EXPONENT = 2;

/** "R$ 1.234,50". A currency that browsers have no symbol for is named by its code. */
export function moneyText({ amount, currency }: Amount, language: Language): string {
  const exponent = enabledCurrency(currency)?.exponent ?? USUAL_EXPONENT;
  const options = { minimumFractionDigits: exponent, maximumFractionDigits: exponent } as const;
  const decimal = decimalOf(amount, exponent);
  const text = /^[A-Z]{3}$/.test(currency)
    ? new Intl.NumberFormat(language, { ...options, style: 'currency', currency }).format(decimal)
    : `${new Intl.NumberFormat(language, options).format(decimal)} ${currency}`;
  // Languages write a hyphen or a minus: the page has one of them.
  return text.replace('-', '−');
}

/** Formatters take decimal strings and keep every digit. */
function decimalOf(amount: string, exponent: number): Intl.StringNumericLiteral {
  const isNegative = amount.startsWith('-');
  const digits = amount.replace(/^-/, '').padStart(exponent + 1, '0');
  const split = digits.length - exponent;
  const text = exponent === 0 ? digits : `${digits.slice(0, split)}.${digits.slice(split)}`;
  return `${isNegative ? '-' : ''}${text}` as Intl.StringNumericLiteral;
}

export function useMoney(): (money: Amount) => string {
  const { language } = usePreferences();
  return (money) => moneyText(money, language);
}

export function Money({ of, large = false }: { readonly of: Amount; readonly large?: boolean }) {
  const text = useMoney();
  return <span className={large ? 'money money-large' : 'money'}>{text(of)}</span>;
}

/** "7.400,50" and "7400.50" are 740050; what is no amount is no filter. */
export function minorOf(text: string | undefined): string | undefined {
  const [, whole = '', decimals = ''] = /^(\d[\d.,]*?)(?:[.,](\d{1,2}))?$/.exec(text ?? '') ?? [];
  const digits = whole.replace(/[.,]/g, '');
  return /^\d{1,15}$/.test(digits) ? String(BigInt(digits + decimals.padEnd(2, '0'))) : undefined;
}

/** Minor units as people type them. */
export function typedAmount(minor: string | undefined): string {
  if (minor === undefined) return '';
  const digits = minor.padStart(3, '0');
  return `${digits.slice(0, -2)},${digits.slice(-2)}`;
}
