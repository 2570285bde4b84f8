// Whom the demo plays, and with what.
import type { Money } from '../../client/index.js';

export const DEPOSIT_AMOUNT: Money = { amount: '5000', currency: 'BRL' };
export const WITHDRAWAL_AMOUNT: Money = { amount: '3000', currency: 'BRL' };
export const PLAYER_CPF = '52998224725';
export const PLAYER_NAME = 'Ana Souza';
export const PLAYER_EMAIL = 'ana@player.test';
// An address reserved for documentation.
export const PLAYER_IP = '203.0.113.10';
