// Amounts of rows as the panel answers them.
import { type Money, toMoney } from '../../../domain/money.js';
import type { Deposit } from '../../../prisma/generated/client.js';
import { toBigInt } from '../../../store/database.js';

type Amount = Deposit['amountMinor'];

export function moneyOf(amountMinor: Amount, currency: string): Money {
  return toMoney(toBigInt(amountMinor), currency);
}

export function moneyOrNull(amountMinor: Amount | null, currency: string): Money | null {
  return amountMinor === null ? null : moneyOf(amountMinor, currency);
}
