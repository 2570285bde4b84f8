// How the demo (and curious programs) talk to the demo operator on this machine.
import { request } from 'undici';
import type { Intent } from './records.js';
import type { StateView } from './view.js';

export interface DemoOperatorControl {
  healthy(): Promise<boolean>;
  state(): Promise<StateView>;
  /** Throws an Error with the operator's reason if it does not accept the intent. */
  expectDeposit(intent: Intent): Promise<void>;
  /** Reserves the amount from the player's balance. Throws an Error with the operator's reason if it cannot. */
  expectWithdrawal(intent: Intent): Promise<void>;
  /** After a conclusive refusal by the gateway: gives the reserve back. */
  releaseWithdrawal(externalId: string): Promise<void>;
}

const TIMEOUT_MS = 10_000;

/** Calls the demo operator at `url` (no trailing slash). */
export function demoOperatorControl(url: string): DemoOperatorControl {
  async function call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> {
    const answer = await request(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(method === 'POST'
        ? { body: JSON.stringify(body ?? {}), headers: { 'content-type': 'application/json' } }
        : {}),
    });
    const text = await answer.body.text();
    if (answer.statusCode < 200 || answer.statusCode > 299) {
      throw new Error(`the demo operator answered ${answer.statusCode} to ${method} ${path}: ${text.slice(0, 200)}`);
    }
    return JSON.parse(text);
  }

  return {
    healthy: () =>
      call('GET', '/healthz').then(
        () => true,
        () => false,
      ),
    state: async () => (await call('GET', '/state')) as StateView,
    expectDeposit: async (intent) => void (await call('POST', '/expected-deposits', intent)),
    expectWithdrawal: async (intent) => void (await call('POST', '/expected-withdrawals', intent)),
    releaseWithdrawal: async (externalId) =>
      void (await call('POST', `/expected-withdrawals/${encodeURIComponent(externalId)}/release`)),
  };
}
