// A provider that gives exactly the answers a test puts in its mouth, for what no simulator would ever say.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildDynamicBrCode } from '../../../domain/br-code.js';
import {
  DEFAULT_DIALECTS,
  type DialectName,
  type CallSettings,
  type ProviderOptions,
} from '../../../providers/settings.js';
import type { OpenProvider } from '../../../providers/dialect-entry.js';
import { DIALECTS } from '../../../providers/index.js';
import type { SlotName } from '../../../providers/port.js';

export const OUR_KEY = 'gateway@bank.test';

export type Say =
  | {
      readonly status?: number;
      readonly json?: unknown;
      readonly text?: string;
      readonly headers?: Record<string, string>;
    }
  | ((response: ServerResponse) => void);

export interface FakePsp {
  readonly url: string;
  readonly requests: {
    readonly method: string;
    readonly path: string;
    readonly authorization: string | undefined;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
  }[];
  /** How tokens were asked for. */
  readonly tokenRequests: {
    readonly path: string;
    readonly authorization: string | undefined;
    readonly body: string;
  }[];
  /** Tokens given so far. */
  tokens: number;
  /** The next answers, in order; when they run out, 500. */
  next: Say[];
  /** What the token endpoint says; null for a good token. */
  token: Say | null;
  provider(name: SlotName, options?: ProviderOptions): OpenProvider;
  /** Ends the server; the providers keep what they know. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export function configFor(url: string, dialect: DialectName = 'simulator'): CallSettings {
  return {
    dialect,
    url,
    clientId: 'client',
    clientSecret: 'a secret of the client',
    pixKey: OUR_KEY,
  };
}

export async function openFakePsp(): Promise<FakePsp> {
  const providers: OpenProvider[] = [];
  const psp: Omit<FakePsp, 'url' | 'provider' | 'stop' | 'close'> = {
    requests: [],
    tokenRequests: [],
    tokens: 0,
    next: [],
    token: null,
  };
  const server: Server = createServer((incoming, response) => void answer(psp, incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let stopping: Promise<void> | null = null;
  const stop = () =>
    (stopping ??= new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }));
  return Object.assign(psp, {
    url,
    stop,
    provider(name: SlotName, options: ProviderOptions = {}) {
      const dialect = DEFAULT_DIALECTS[name];
      const provider = DIALECTS[dialect].open(name, configFor(`${url}/base`, dialect), {
        callTimeoutMs: 5_000,
        keyLookupTimeoutMs: 5_000,
        ...options,
      });
      providers.push(provider);
      return provider;
    },
    async close() {
      await Promise.all(providers.map((provider) => provider.close()));
      await stop();
    },
  });
}

async function answer(
  psp: Omit<FakePsp, 'url' | 'provider' | 'stop' | 'close'>,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const path = incoming.url ?? '';
  if (/\/(oauth|auth)\/token$/.test(path)) {
    psp.tokens += 1;
    const body = Buffer.concat(chunks).toString();
    psp.tokenRequests.push({ path, authorization: incoming.headers.authorization, body });
    return say(
      response,
      psp.token ?? { json: { access_token: `token-${psp.tokens}`, token_type: 'bearer', expires_in: 3_600 } },
    );
  }
  psp.requests.push({
    method: incoming.method ?? '',
    path,
    authorization: incoming.headers.authorization,
    headers: incoming.headers,
    body: Buffer.concat(chunks).toString(),
  });
  say(response, psp.next.shift() ?? { status: 500, json: {} });
}

function say(response: ServerResponse, what: Say): void {
  if (typeof what === 'function') return what(response);
  response.writeHead(what.status ?? 200, { 'content-type': 'application/json', ...what.headers });
  response.end(what.text ?? JSON.stringify(what.json));
}

/** The outcome without what people are told of it, which has tests of its own. */
export async function plainly<Outcome extends object>(answer: Promise<Outcome>): Promise<Outcome> {
  const { doubt: _, ...outcome } = (await answer) as Outcome & { doubt?: unknown };
  return outcome as unknown as Outcome;
}

/** A `cob` as the standard writes it. */
export function aWireCharge(txid: string, overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    txid,
    status: 'ATIVA',
    calendario: { criacao: '2026-03-05T12:00:00.123-03:00', expiracao: 1_800 },
    valor: { original: '50.00' },
    chave: OUR_KEY,
    location: 'psp.test/v2/1',
    pixCopiaECola: buildDynamicBrCode({
      location: 'psp.test/v2/1',
      amountMinor: 5_000n,
      merchantName: 'SANDBOX',
      merchantCity: 'RECIFE',
    }),
    ...overrides,
  };
}

export const E2E = 'E12345678202603051200aBcDeFgHiJk';
