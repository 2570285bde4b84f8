// Sandbox steering: the simulator's control interface pays and reverses charges and settles payouts.
import { Pool } from 'undici';
import { z } from 'zod';
import type { AccountName, SandboxSteering, SteeringResult } from './port.js';
import type { ProviderOptions, SteeringConfig } from './settings.js';

const TIMEOUT_MS = 5_000;
const RESPONSE_MAX_BYTES = 64 * 1024;

const doneAnswer = z.object({ end_to_end_id: z.string().nullable() });
const refusedAnswer = z.object({ reason: z.string().max(200) });

/** The steering with its connections. */
export interface OpenSteering extends SandboxSteering {
  close(): Promise<void>;
}

/** `null` without a control address: in production, or in a sandbox with a real provider. */
export function createSteering(
  config: SteeringConfig,
  { traceHeaders = () => ({}) }: Pick<ProviderOptions, 'traceHeaders'> = {},
): OpenSteering | null {
  if (config.controlUrl === null) return null;
  const address = new URL(config.controlUrl);
  const pool = new Pool(address.origin, { connections: 16, maxResponseSize: RESPONSE_MAX_BYTES });
  const post = (path: string, body: object) =>
    steer(pool, address.pathname.replace(/\/+$/, '') + path, body, traceHeaders());
  return {
    payCharge: (provider, reference, payment) =>
      post(`${chargePath(provider, reference)}/pay`, {
        ...(payment.amountMinor === null ? {} : { amount_minor: payment.amountMinor.toString() }),
        ...(payment.payerDocument === null
          ? {}
          : { payer_document: { type: payment.payerDocument.type, number: payment.payerDocument.number } }),
      }),
    reverseCharge: (provider, reference, { kind, amountMinor }) =>
      post(`${chargePath(provider, reference)}/reverse`, {
        kind,
        ...(amountMinor === null ? {} : { amount_minor: amountMinor.toString() }),
      }),
    settlePayout: (provider, reference, result, failureCode) =>
      post(`/${provider}/payouts/${encodeURIComponent(reference)}/settle`, {
        result,
        ...(failureCode === undefined ? {} : { code: failureCode }),
      }),
    findPayout: (provider, reference, amountMinor) =>
      post(`/${provider}/payouts/${encodeURIComponent(reference)}/find`, { amount_minor: amountMinor.toString() }),
    close: () => pool.destroy(),
  };
}

function chargePath(provider: AccountName, reference: string): string {
  return `/${provider}/charges/${encodeURIComponent(reference)}`;
}

async function steer(
  pool: Pool,
  path: string,
  body: object,
  traceHeaders: Readonly<Record<string, string>>,
): Promise<SteeringResult> {
  try {
    const response = await pool.request({
      method: 'POST',
      path,
      headers: { ...traceHeaders, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return readSteering(response.statusCode, await response.body.json());
  } catch {
    return { kind: 'unavailable', reason: 'the simulator does not answer' };
  }
}

function readSteering(status: number, body: unknown): SteeringResult {
  if (status === 404) return { kind: 'not_found' };
  const done = doneAnswer.safeParse(body);
  if (status === 200 && done.success) return { kind: 'done', endToEndId: done.data.end_to_end_id };
  const refused = refusedAnswer.safeParse(body);
  if ((status === 400 || status === 409) && refused.success) return { kind: 'refused', reason: refused.data.reason };
  return { kind: 'unavailable', reason: `the simulator answered ${status}` };
}
