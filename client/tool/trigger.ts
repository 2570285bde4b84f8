// Drives real payments of the sandbox to an event, through its routes: a new player and a new payment each time.
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newIdempotencyKey } from '../http.js';
import type { Deposit, NewDeposit, SandboxPayment, SandboxWithdrawalAction, Withdrawal } from '../types.js';
import type { ToolContext } from './context.js';
import { UsageError } from './usage-error.js';

type Gateway = ToolContext['gateway'];

const EVENT_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 500;
const DEPOSIT_MINOR = '5000';
/** The simulated bank refuses a charge of this amount. */
const REFUSED_DEPOSIT_MINOR = '66603';
const WITHDRAWAL_MINOR = '1000';

/** By event: what makes it; answers the payment's id. */
export const TRIGGERS: Readonly<Record<string, (gateway: Gateway) => Promise<string>>> = {
  'deposit.pending': async (gateway) => (await newDeposit(gateway)).id,
  'deposit.paid': async (gateway) => (await paidDeposit(gateway, newPlayer())).id,
  'deposit.under_review': async (gateway) => (await reviewedDeposit(gateway)).id,
  'deposit.returned': async (gateway) => {
    const { id } = await reviewedDeposit(gateway);
    await gateway.sandbox.reviewDeposit(id, 'return', once());
    return id;
  },
  'deposit.expired': async (gateway) => {
    const { id } = await newDeposit(gateway);
    await gateway.sandbox.expireDeposit(id, once());
    return id;
  },
  'deposit.cancelled': async (gateway) => {
    const { id } = await newDeposit(gateway);
    await gateway.cancelDeposit(id, once());
    return id;
  },
  'deposit.failed': async (gateway) => (await newDeposit(gateway, newPlayer(), REFUSED_DEPOSIT_MINOR)).id,
  'deposit.refunded': async (gateway) => {
    const { id } = await paidDeposit(gateway, newPlayer());
    await gateway.sandbox.refundDeposit(id, once());
    return id;
  },
  'deposit.chargeback': async (gateway) => {
    const { id } = await paidDeposit(gateway, newPlayer());
    await gateway.sandbox.chargebackDeposit(id, once());
    return id;
  },
  // The first withdrawal of a player is always reviewed.
  'withdrawal.under_review': async (gateway) => (await newWithdrawal(gateway)).id,
  'withdrawal.cancelled': async (gateway) => {
    const { id } = await newWithdrawal(gateway);
    await gateway.cancelWithdrawal(id, once());
    return id;
  },
  'withdrawal.rejected': (gateway) => withdrawalBy(gateway, 'reject'),
  'withdrawal.approved': (gateway) => withdrawalBy(gateway, 'approve'),
  'withdrawal.processing': (gateway) => withdrawalBy(gateway, 'approve'),
  'withdrawal.paid': (gateway) => withdrawalBy(gateway, 'approve', 'pay'),
  'withdrawal.failed': (gateway) => withdrawalBy(gateway, 'approve', 'fail'),
  'withdrawal.returned': async (gateway) => {
    const id = await withdrawalBy(gateway, 'approve', 'pay');
    await eventOf(gateway, id, 'withdrawal.paid');
    await gateway.sandbox.withdrawal(id, 'return', once());
    return id;
  },
};

/** Drives payments to these events, one after the other, and prints each event. */
export async function trigger({ gateway, print }: ToolContext, events: readonly string[]): Promise<void> {
  const unknown = events.filter((event) => !Object.hasOwn(TRIGGERS, event));
  if (events.length === 0 || unknown.length > 0)
    throw new UsageError(events.length === 0 ? 'trigger needs an event' : `cannot trigger ${unknown.join(', ')}`);
  for (const type of events) {
    const id = await TRIGGERS[type]!(gateway);
    const event = await eventOf(gateway, id, type);
    print({ event_id: event, type, object_id: id }, `✓ ${type.padEnd(24)} ${event}  of ${id}`);
  }
}

const once = () => ({ idempotencyKey: newIdempotencyKey() });

/** Waits for the payment's event of that type; answers its id. */
async function eventOf(gateway: Gateway, objectId: string, type: string): Promise<string> {
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

async function newDeposit(
  gateway: Gateway,
  player: NewDeposit['player'] = newPlayer(),
  amount = DEPOSIT_MINOR,
): Promise<Deposit> {
  const external_id = newName('deposit');
  return (await gateway.createDeposit({ external_id, player, amount: brl(amount), method: 'pix' }, once())).body;
}

async function paidDeposit(gateway: Gateway, player: NewDeposit['player'], payment?: SandboxPayment): Promise<Deposit> {
  const { id } = await newDeposit(gateway, player);
  await eventOf(gateway, id, 'deposit.pending');
  return (await gateway.sandbox.payDeposit(id, once(), payment)).body;
}

/** Paid by somebody else. */
function reviewedDeposit(gateway: Gateway): Promise<Deposit> {
  return paidDeposit(gateway, newPlayer(), { payer_document: newDocument() });
}

/** Of a player who has deposited, to the player's own key. */
async function newWithdrawal(gateway: Gateway): Promise<Withdrawal> {
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

async function withdrawalBy(gateway: Gateway, ...actions: readonly SandboxWithdrawalAction[]): Promise<string> {
  const { id } = await newWithdrawal(gateway);
  for (const action of actions) await gateway.sandbox.withdrawal(id, action, once());
  return id;
}

const brl = (amount: string) => ({ amount, currency: 'BRL' });
const newName = (of: string) => `trigger-${of}-${randomBytes(8).toString('hex')}`;

function newPlayer() {
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
