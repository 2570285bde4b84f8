// Requests that tests of the whole stack make.
import { randomInt, randomUUID } from 'node:crypto';
import { newIdempotencyKey, type NewDeposit, type NewWithdrawal } from '../../../client/index.js';

/** A CPF whose check digits hold; a new one each time, since shared documents are a reason for review. */
export function newCpf(): string {
  const digits = Array.from({ length: 9 }, () => randomInt(10));
  for (const length of [10, 11]) {
    const sum = digits.reduce((total, digit, index) => total + digit * (length - index), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}

export interface TestPlayer {
  readonly external_ref: string;
  readonly document: { readonly type: 'CPF'; readonly number: string; readonly country: 'BR' };
  readonly ip: string;
}

export function newPlayer(): TestPlayer {
  return { external_ref: `player-${randomUUID()}`, document: { type: 'CPF', number: newCpf(), country: 'BR' }, ip: '203.0.113.9' };
}

export function newDeposit(amount = '5000', player = newPlayer()): NewDeposit {
  return { external_id: randomUUID(), player, amount: { amount, currency: 'BRL' }, method: 'pix' };
}

/** To the player's own CPF key. */
export function newWithdrawal(player: TestPlayer, amount = '1000'): NewWithdrawal {
  return { external_id: randomUUID(), player, amount: { amount, currency: 'BRL' }, method: 'pix', destination: { pix: { key_type: 'cpf', key: player.document.number } } };
}

/** A fresh Idempotency-Key. */
export function once(): { idempotencyKey: string } {
  return { idempotencyKey: newIdempotencyKey() };
}
