// New payments of the sandbox, each by a new player, made and driven through its routes.
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newIdempotencyKey } from '../http.js';
import type { Deposit, NewDeposit, SandboxPayment, SandboxWithdrawalAction, Withdrawal } from '../types.js';
import type { ToolContext } from './context.js';

export type Gateway = ToolContext['gateway'];

const EVENT_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 500;
const DEPOSIT_MINOR = '5000';
const WITHDRAWAL_MINOR = '1000';

/** An `Idempotency-Key` of its own. */
export const once = () => ({ idempotencyKey: newIdempotencyKey() });

/** Waits for the payment's event of that type; answers its id. */
export async function eventOf(gateway: Gateway, objectId: string, type: string): Promise<string> {
  const untilMs = Date.now() + EVENT_TIMEOUT_MS;
  for (;;) {
    const { body } = await gateway.listEvents({ object_id: objectId, limit: 200 });
    const event = body.data.find((one) => one.type === type);
    if (event !== undefined) return event.id;
    if (Date.now() > untilMs) {
      const seen = body.data.map((one) => one.type).join(', ');
      throw new Error(`${objectId} had no ${type} within ${EVENT_TIMEOUT_MS / 1_000} s, only: ${seen}`);
    }
    await sleep(POLL_INTERVAL_MS);
  }
}

export async function newDeposit(
  gateway: Gateway,
  player: NewDeposit['player'] = newPlayer(),
  amount = DEPOSIT_MINOR,
): Promise<Deposit> {
  const external_id = newName('deposit');
  return (await gateway.createDeposit({ external_id, player, amount: brl(amount), method: 'pix' }, once())).body;
}

export async function paidDeposit(
  gateway: Gateway,
  player: NewDeposit['player'],
  payment?: SandboxPayment,
): Promise<Deposit> {
  const { id } = await newDeposit(gateway, player);
  await eventOf(gateway, id, 'deposit.pending');
  return (await gateway.sandbox.payDeposit(id, once(), payment)).body;
}

/** Paid by somebody else. */
export function reviewedDeposit(gateway: Gateway): Promise<Deposit> {
  return paidDeposit(gateway, newPlayer(), { payer_document: newDocument() });
}

/** Of a player who has deposited, to the player's own key. */
export async function newWithdrawal(gateway: Gateway): Promise<Withdrawal> {
  const player = newPlayer();
  const deposit = await paidDeposit(gateway, player);
  await eventOf(gateway, deposit.id, 'deposit.paid');
  const { body } = await gateway.createWithdrawal(
    {
      external_id: newName('withdrawal'),
      player,
      amount: brl(WITHDRAWAL_MINOR),
      method: 'pix',
      destination: { pix: { key_type: 'cpf', key: player.document.number } },
    },
    once(),
  );
  await eventOf(gateway, body.id, 'withdrawal.under_review');
  return body;
}

export async function withdrawalBy(gateway: Gateway, ...actions: readonly SandboxWithdrawalAction[]): Promise<string> {
  const { id } = await newWithdrawal(gateway);
  for (const action of actions) await gateway.sandbox.withdrawal(id, action, once());
  return id;
}

const brl = (amount: string) => ({ amount, currency: 'BRL' });
const newName = (of: string) => `trigger-${of}-${randomBytes(8).toString('hex')}`;

export function newPlayer() {
  return {
    external_ref: newName('player'),
    document: newDocument(),
    name: 'Maria da Silva',
    email: 'maria@player.test',
    ip: '203.0.113.10',
  };
}

/** A CPF whose check digits are right. */
function newDocument() {
  const digits = Array.from({ length: 9 }, () => randomInt(10));
  // Nine equal digits make a number that is always refused.
  if (digits.every((digit) => digit === digits[0])) digits[8] = (digits[8]! + 1) % 10;
  for (const length of [9, 10]) {
    const sum = digits.slice(0, length).reduce((total, digit, index) => total + digit * (length + 1 - index), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return { type: 'CPF' as const, number: digits.join(''), country: 'BR' };
}
