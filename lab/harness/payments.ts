// Requests that tests of the whole stack make.
import { randomUUID } from 'node:crypto';
import { generateCpf } from '@brazilian-utils/brazilian-utils';
import { newIdempotencyKey, type NewDeposit, type NewWithdrawal } from '../../client/index.js';

export interface TestPlayer {
  readonly external_ref: string;
  readonly document: { readonly type: 'CPF'; readonly number: string; readonly country: 'BR' };
  readonly ip: string;
}

/** A new player with its own document: shared ones are a reason for review. */
export function newPlayer(): TestPlayer {
  return {
    external_ref: `player-${randomUUID()}`,
    document: { type: 'CPF', number: generateCpf(), country: 'BR' },
    ip: '203.0.113.9',
  };
}

export function newDeposit(amount = '5000', player = newPlayer()): NewDeposit {
  return { external_id: randomUUID(), player, amount: { amount, currency: 'BRL' }, method: 'pix' };
}

/** To the player's own CPF key. */
export function newWithdrawal(player: TestPlayer, amount = '1000'): NewWithdrawal {
  return {
    external_id: randomUUID(),
    player,
    amount: { amount, currency: 'BRL' },
    method: 'pix',
    destination: { pix: { key_type: 'cpf', key: player.document.number } },
  };
}

/** A fresh Idempotency-Key. */
export function once(): { idempotencyKey: string } {
  return { idempotencyKey: newIdempotencyKey() };
}
