// The provider's side of a campaign: what happens there, and callbacks as it (or somebody else) would send them.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { request } from 'undici';
import type { Environment } from './environment.js';
import { type CallbackAccount, type PayoutNews, type CallbackBodies, CALLBACK_BODIES } from './provider-callbacks.js';

export interface Callback {
  readonly path: string;
  readonly body: string | Buffer;
  /** Those that prove it, or any others. */
  readonly headers?: Readonly<Record<string, string>> | 'of the provider';
}

const TIMEOUT_MS = 15_000;

/** Something happens at the simulated provider; its own callback follows unless the link is cut. */
async function happens(environment: Environment, path: string, body: object = {}): Promise<Record<string, unknown>> {
  const answer = await request(`${environment.simulator.url}/control/simulator/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200)
    throw new Error(`the simulator answered ${answer.statusCode} to ${path}: ${text.slice(0, 200)}`);
  return JSON.parse(text) as Record<string, unknown>;
}

/** By the player, where the campaign knows who that is. */
export function pays(environment: Environment, depositId: string): Promise<Record<string, unknown>> {
  const payer = environment.operators.map((operator) => operator.payerOf(depositId)).find((one) => one !== undefined);
  return happens(
    environment,
    `charges/${chargeOf(depositId)}/pay`,
    payer === undefined ? {} : { payer_document: { type: payer.type, number: payer.number } },
  );
}
export const reverses = (environment: Environment, depositId: string, kind: 'refund' | 'chargeback') =>
  happens(environment, `charges/${chargeOf(depositId)}/reverse`, { kind });
export const settles = (environment: Environment, withdrawalId: string, result: 'paid' | 'failed' | 'returned') =>
  happens(environment, `payouts/${payoutOf(withdrawalId)}/settle`, { result });

export const chargeOf = (depositId: string) => depositId.slice('dep_'.length);
export const payoutOf = (withdrawalId: string) => withdrawalId.slice('wdr_'.length);

/**
 * Straight to one ingress, past the link. @returns the status; null when the connection ended without
 * one
 */
export async function callBack(
  environment: Environment,
  { path, body, headers = {} }: Callback,
  ingress: number,
): Promise<number | null> {
  const { ingresses } = environment;
  const url = ingresses[ingress % ingresses.length]?.url;
  const given = headers === 'of the provider' ? await provenBy(environment, String(body)) : headers;
  try {
    const answer = await request(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...given },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body.dump();
    return answer.statusCode;
  } catch {
    return null;
  }
}

export const CALLBACK_COPIES = 5;

/** Five times, at both ingresses at once. */
export async function callBackRepeatedly(environment: Environment, callback: Callback): Promise<void> {
  const statuses = await Promise.all(
    Array.from({ length: CALLBACK_COPIES }, (_, copy) => callBack(environment, callback, copy)),
  );
  assert.ok(
    statuses.every((status) => status === 200 || status === 503),
    `callbacks were answered ${statuses.join(', ')}`,
  );
}

/** The header that proves the sender, in the sandbox's own dialect. */
export function proof({ commonVariables }: Environment): Record<string, string> {
  return { 'x-callback-secret': commonVariables['PROVIDER_SIMULATOR_CALLBACK_SECRET'] ?? '' };
}

/** Where the bank behind the slot calls back about charges, without what proves it. */
export function callbackPath(environment: Environment): string {
  const { path } = bodiesOf(environment).charges([], { pixKey: '', callbackSecret: '' });
  return `/callbacks/simulator${path.split('?')[0] || '/pix'}`;
}

export interface Announcement {
  readonly depositId: string;
  readonly endToEndId?: string;
  readonly amount?: string;
  readonly reversal?: 'ORIGINAL' | 'MED_FRAUDE';
}

/** A callback about a charge, as sent by the bank behind the slot. */
export function chargeCallback(environment: Environment, ...announcements: Announcement[]): Callback {
  const news = announcements.map(({ depositId, endToEndId = newEndToEndId(), amount = '50.00', reversal }) => ({
    txid: chargeOf(depositId),
    endToEndId,
    amount,
    reversal,
  }));
  return inFull(bodiesOf(environment).charges(news, accountOf(environment)));
}

/** A callback about a payout, as sent by the bank behind the slot. */
export function payoutCallback(
  environment: Environment,
  withdrawalId: string,
  status: PayoutNews,
  amount = '10.00',
): Callback {
  const news = { reference: payoutOf(withdrawalId), endToEndId: newEndToEndId(), amount, status };
  const { payout } = bodiesOf(environment);
  if (payout === null) throw new Error('this bank sends no payouts');
  return inFull(payout(news, accountOf(environment)));
}

const inFull = ({ path, body }: { readonly path: string; readonly body: object }): Callback => ({
  path: `/callbacks/simulator${path}`,
  body: JSON.stringify(body),
  headers: 'of the provider',
});

function bodiesOf({ commonVariables }: Environment): CallbackBodies {
  const dialect = commonVariables['PROVIDER_SIMULATOR_DIALECT'] ?? 'simulator';
  const bodies = Object.entries(CALLBACK_BODIES).find(([name]) => name === dialect)?.[1];
  if (bodies === undefined) throw new Error(`nobody knows how ${dialect} calls back`);
  return bodies;
}

const accountOf = ({ commonVariables }: Environment): CallbackAccount => ({
  pixKey: commonVariables['PROVIDER_SIMULATOR_PIX_KEY'] ?? '',
  callbackSecret: commonVariables['PROVIDER_SIMULATOR_CALLBACK_SECRET'] ?? '',
});

/** Only the bank can sign as it does. */
async function provenBy({ simulator }: Environment, body: string): Promise<Record<string, string>> {
  const answer = await request(`${simulator.url}/control/simulator/callback-headers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ body }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return ((await answer.body.json()) as { headers: Record<string, string> }).headers;
}

function newEndToEndId(): string {
  return `E99999999${randomBytes(12).toString('hex').slice(0, 23)}`;
}
