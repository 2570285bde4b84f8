// A Woovi that gives exactly the answers a test puts in its mouth, by method and path: for what no simulator would say.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildDynamicBrCode } from '../../../../domain/br-code.js';
import type { TaxDocument } from '../../../../domain/documents.js';
import type { ChargeRequest, PayoutRequest } from '../../../../providers/port.js';
import type { ProviderOptions } from '../../../../providers/settings.js';
import { WooviProvider } from '../../../../providers/woovi/entry.js';

const OUR_KEY = 'gateway@bank.test';
export const APP_ID = 'Q2xpZW50X0lkXzE6c2VjcmV0';
export const REFERENCE = 'a'.repeat(32);
export const E2E = 'E12345678202603051200aBcDeFgHiJk';
export const ANA: TaxDocument = { type: 'CPF', number: '52998224725', country: 'BR' };

export type Say =
  | {
      readonly status?: number;
      readonly json?: unknown;
      readonly text?: string;
      readonly headers?: Record<string, string>;
    }
  | ((response: ServerResponse) => void);

export interface FakeWoovi {
  readonly url: string;
  readonly host: string;
  readonly requests: { method: string; path: string; headers: IncomingMessage['headers']; body: unknown }[];
  /** By `METHOD /path` below `/api/v1`, without the query; what is not there is answered 500. */
  says: Record<string, Say>;
  /** What was reported as drift. */
  readonly drift: string[];
  provider(options?: ProviderOptions, url?: string): WooviProvider;
  close(): Promise<void>;
}

export async function openFakeWoovi(): Promise<FakeWoovi> {
  const providers: WooviProvider[] = [];
  const state: Pick<FakeWoovi, 'requests' | 'says' | 'drift'> = { requests: [], says: {}, drift: [] };
  const server: Server = createServer((incoming, response) => void answer(state, incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${host}`;
  return Object.assign(state, {
    url,
    host,
    provider(options: ProviderOptions = {}, at = url) {
      const provider = new WooviProvider(
        'a',
        { url: at, appId: APP_ID, pixKey: OUR_KEY },
        { callTimeoutMs: 5_000, keyLookupTimeoutMs: 5_000, noteDrift: (what) => state.drift.push(what), ...options },
      );
      providers.push(provider);
      return provider;
    },
    async close() {
      await Promise.all(providers.map((provider) => provider.close()));
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  });
}

async function answer(
  state: Pick<FakeWoovi, 'requests' | 'says'>,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const path = (incoming.url ?? '').replace(/^\/api\/v1/, '');
  const method = incoming.method ?? '';
  state.requests.push({ method, path, headers: incoming.headers, body: text === '' ? null : JSON.parse(text) });
  const what = state.says[`${method} ${path.split('?')[0]}`] ?? { status: 500, json: {} };
  if (typeof what === 'function') return what(response);
  response.writeHead(what.status ?? 200, { 'content-type': 'application/json', ...what.headers });
  response.end(what.text ?? JSON.stringify(what.json));
}

export function aCharge(overrides: Partial<ChargeRequest> = {}): ChargeRequest {
  return {
    reference: REFERENCE,
    amountMinor: 5_000n,
    expiresInSeconds: 1_800,
    payer: { document: ANA, name: 'Ana Souza', email: 'ana@player.test' },
    description: 'Deposito',
    ...overrides,
  };
}

export function aPayout(overrides: Partial<PayoutRequest> = {}): PayoutRequest {
  return {
    reference: REFERENCE,
    amountMinor: 7_500n,
    key: { type: 'email', value: 'ana@player.test' },
    beneficiaryDocument: ANA,
    lookupEndToEndId: null,
    description: 'Saque',
    mayLeave: () => true,
    ...overrides,
  };
}

/** A code whose payload is served by `host`. */
export const codeAt = (host: string, amountMinor = 5_000n) =>
  buildDynamicBrCode({
    location: `${host}/api/qr/1`,
    amountMinor,
    merchantName: 'Lucas_Aprigio',
    merchantCity: 'Sao_Paulo',
  });

/** A charge in the fields of the guides' examples, numbers as numbers or as text. */
export function aWireCharge(host: string, overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    value: 5_000,
    comment: '',
    status: 'ACTIVE',
    correlationID: REFERENCE,
    pixKey: OUR_KEY,
    brCode: codeAt(host),
    createdAt: '2026-03-05T12:00:00.123Z',
    updatedAt: '2026-03-05T12:00:00.123Z',
    expiresDate: '2026-03-05T12:30:00.123Z',
    expiresIn: 1_800,
    payer: null,
    fee: 85,
    ...overrides,
  };
}

const ANA_THERE = { name: 'Ana Souza', taxID: { taxID: ANA.number, type: 'BR:CPF' }, correlationID: 'x' };

/** A received PIX as the list of transactions has it. */
export function aTransaction(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    value: 5_000,
    time: '2026-03-05T12:01:00.000Z',
    endToEndId: E2E,
    type: 'PAYMENT',
    status: 'CONFIRMED',
    payer: ANA_THERE,
    customer: ANA_THERE,
    ...overrides,
  };
}
