// The operation that a run of the judge signs for: money in its cash box, two keys, and for each action a payment to
// act on.
import { z } from 'zod';
import { createGatewayClient, type GatewayClient } from '../../client/index.js';
import { newDeposit, newPlayer, newWithdrawal, once } from '../harness/payments.js';

export interface FuzzKey {
  readonly key_id: string;
  readonly secret: string;
}

export interface FuzzOperation {
  readonly keys: readonly FuzzKey[];
  /**
   * By operation of the document (`POST /deposits/{id}/cancel`): values of parameters and fields that name what exists.
   */
  readonly known: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Runs the `gateway` command and gives what it printed. */
export type GatewayCommand = (...args: string[]) => Promise<unknown>;

const FUNDS_MINOR = '500000000';
const PAYMENT_MINOR = '5000';
const SCOPES = 'read,deposits:write,withdrawals:write,rules:propose';
/** Long closed. */
const CLOSED_DAY = '2026-01-05';
/** Several banks' charges need a name. */
const PLAYER = { ...newPlayer(), name: 'Ana Souza' };

const keySchema = z.object({ key_id: z.string(), secret: z.string() });

/** A new operation without a webhook address. `sendsPayouts`: whether the bank behind its slot does. */
export async function makeOperation(
  baseUrl: string,
  gateway: GatewayCommand,
  sendsPayouts = true,
): Promise<FuzzOperation> {
  const where = ['--environment', 'sandbox', '--provider', 'simulator'];
  const created = await gateway('operation', 'create', '--name', 'Contract judge', ...where);
  const { operation_id: operationId, ...first } = keySchema.extend({ operation_id: z.string() }).parse(created);
  const second = keySchema.parse(await gateway('key', 'create', '--operation', operationId, '--scopes', SCOPES));
  const keys = [first, second].map(({ key_id, secret }) => ({ key_id, secret }));
  const client = createGatewayClient({ baseUrl, keyId: first.key_id, secret: first.secret });
  try {
    const withdrawals = async () => (sendsPayouts ? makeWithdrawals(client) : {});
    return { keys, known: { ...(await makeObjects(client)), ...(await withdrawals()) } };
  } finally {
    await client.close();
  }
}

/** Each action has its own payment, so that actions do not disturb each other. */
async function makeObjects(client: GatewayClient): Promise<FuzzOperation['known']> {
  await makePaid(client, FUNDS_MINOR);
  const paid = await makePaid(client, PAYMENT_MINOR);
  const { body: events } = await client.listEvents({ object_id: paid });
  const pending = async () => ({ id: await makeDeposit(client, PAYMENT_MINOR) });
  return {
    'GET /deposits/{id}': { id: paid },
    'POST /deposits/{id}/cancel': await pending(),
    'POST /sandbox/deposits/{id}/pay': await pending(),
    'POST /sandbox/deposits/{id}/expire': await pending(),
    'POST /sandbox/deposits/{id}/refund': { id: await makePaid(client, PAYMENT_MINOR) },
    'POST /sandbox/deposits/{id}/partial-reversal': { id: await makePaid(client, PAYMENT_MINOR) },
    'POST /sandbox/deposits/{id}/review/{decision}': { id: await makeReviewed(client), decision: 'approve' },
    'POST /sandbox/deposits/{id}/chargeback': { id: await makePaid(client, PAYMENT_MINOR) },
    'GET /players/{external_ref}/limits': { external_ref: PLAYER.external_ref, currency: 'BRL' },
    'GET /reconciliation': { date: CLOSED_DAY, currency: 'BRL' },
    'GET /events': { after: events.data[0]!.id },
    'POST /sandbox/webhooks/redeliver': { event_id: events.data[0]!.id },
    'POST /webhook-deliveries/redeliver': { event_id: events.data[0]!.id },
  };
}

async function makeWithdrawals(client: GatewayClient): Promise<FuzzOperation['known']> {
  const withdrawal = await makeWithdrawal(client);
  return {
    'GET /withdrawals/{id}': { id: withdrawal },
    'POST /withdrawals/{id}/recall': { id: withdrawal },
    'POST /withdrawals/{id}/cancel': { id: await makeWithdrawal(client) },
    'POST /sandbox/withdrawals/{id}/{action}': { id: await makeWithdrawal(client) },
  };
}

async function makeDeposit(client: GatewayClient, amountMinor: string): Promise<string> {
  return (await client.createDeposit(newDeposit(amountMinor, PLAYER), once())).body.id;
}

async function makePaid(client: GatewayClient, amountMinor: string): Promise<string> {
  const id = await makeDeposit(client, amountMinor);
  // If a bank's charges name no payer, the payment must name one.
  await client.sandbox.payDeposit(id, once(), { payer_document: PLAYER.document });
  return id;
}

/** Under review: somebody else paid it. */
async function makeReviewed(client: GatewayClient): Promise<string> {
  const id = await makeDeposit(client, PAYMENT_MINOR);
  await client.sandbox.payDeposit(id, once(), { payer_document: newPlayer().document });
  return id;
}

/** Under review: the first of its player. */
async function makeWithdrawal(client: GatewayClient): Promise<string> {
  const player = { ...newPlayer(), name: PLAYER.name };
  return (await client.createWithdrawal(newWithdrawal(player, PAYMENT_MINOR), once())).body.id;
}
