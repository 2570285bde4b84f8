// The provider's side of a campaign: what happens there, and callbacks as it (or somebody else) would send them.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { request } from 'undici';
import type { Environment } from './environment.js';

export interface Callback {
  readonly path: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
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

export const pays = (environment: Environment, depositId: string) =>
  happens(environment, `charges/${chargeOf(depositId)}/pay`);
export const reverses = (environment: Environment, depositId: string, kind: 'refund' | 'chargeback') =>
  happens(environment, `charges/${chargeOf(depositId)}/reverse`, { kind });
export const settles = (environment: Environment, withdrawalId: string, result: 'paid' | 'failed' | 'returned') =>
  happens(environment, `payouts/${payoutOf(withdrawalId)}/settle`, { result });

export const chargeOf = (depositId: string) => depositId.slice('dep_'.length);
export const payoutOf = (withdrawalId: string) => withdrawalId.slice('wdr_'.length);

/**
 * Straight to one ingress, whatever the link does. @returns the status; null when the connection ended without
 * one
 */
export async function callBack(
  { ingresses }: Environment,
  { path, body, headers = {} }: Callback,
  ingress: number,
): Promise<number | null> {
  const url = ingresses[ingress % ingresses.length]?.url;
  try {
    const answer = await request(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
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

/** The header that proves the sender. */
export function proof({ commonVariables }: Environment): Record<string, string> {
  return { 'x-callback-secret': commonVariables['PROVIDER_SIMULATOR_CALLBACK_SECRET'] ?? '' };
}

export interface Announcement {
  readonly depositId: string;
  readonly endToEndId?: string;
  readonly amount?: string;
  readonly reversal?: 'ORIGINAL' | 'MED_FRAUDE';
}

/** A callback about a charge, in the standard's words. */
export function chargeCallback(environment: Environment, ...announcements: Announcement[]): Callback {
  const at = new Date().toISOString();
  const pix = announcements.map(({ depositId, endToEndId = newEndToEndId(), amount = '50.00', reversal }) => ({
    endToEndId,
    txid: chargeOf(depositId),
    valor: amount,
    horario: at,
    chave: environment.commonVariables['PROVIDER_SIMULATOR_PIX_KEY'],
    ...(reversal === undefined
      ? {}
      : {
          devolucoes: [
            {
              id: randomBytes(8).toString('hex'),
              valor: amount,
              natureza: reversal,
              status: 'DEVOLVIDO',
              horario: { solicitacao: at, liquidacao: at },
            },
          ],
        }),
  }));
  return { path: '/callbacks/simulator/pix', headers: proof(environment), body: JSON.stringify({ pix }) };
}

/** A callback about a payout, in the simulator's words. */
export function payoutCallback(
  environment: Environment,
  withdrawalId: string,
  status: 'EM_PROCESSAMENTO' | 'REALIZADO' | 'NAO_REALIZADO' | 'DEVOLVIDO',
  amount = '10.00',
): Callback {
  const at = new Date().toISOString();
  const body = {
    idEnvio: payoutOf(withdrawalId),
    valor: amount,
    status,
    endToEndId: newEndToEndId(),
    horario: { solicitacao: at, liquidacao: at },
    ...(status === 'NAO_REALIZADO' ? { motivo: { codigo: 'AC03' } } : {}),
    ...(status === 'DEVOLVIDO' ? { devolucao: { horario: at, codigo: 'BE01' } } : {}),
  };
  return { path: '/callbacks/simulator/payouts', headers: proof(environment), body: JSON.stringify(body) };
}

function newEndToEndId(): string {
  return `E99999999${randomBytes(12).toString('hex').slice(0, 23)}`;
}
