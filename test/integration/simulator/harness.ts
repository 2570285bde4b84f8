// A real simulator, real adapters and a real receiver of callbacks, all on free ports of this machine.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compactVerify, createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import { pino } from 'pino';
import { request } from 'undici';
import { readCallbacksConfig, readProvidersConfig, readSteeringConfig } from '../../../platform/config/providers.js';
import { readSimulatorConfig } from '../../../platform/config/simulator.js';
import type { TaxDocument } from '../../../domain/documents.js';
import { createCallbackReaders, createProviders } from '../../../providers/index.js';
import { createSteering } from '../../../providers/steering.js';
import type { SharedOptions } from '../../../providers/settings.js';
import type {
  CallbackReaders,
  CallbackVerdict,
  ChargeRequest,
  PayoutRequest,
  SlotName,
  ProviderNotice,
} from '../../../providers/port.js';
import { startSimulator, type RunningSimulator } from '../../../sandbox/simulator/app.js';

/** Twenty times faster than real: 9 s become 450 ms, a slow directory's 5 s become 250 ms. */
const PACE = 0.05;
/** Budgets that only a broken test machine exceeds, for answers that come. */
const PATIENT: SharedOptions = { callTimeoutMs: 5_000, keyLookupTimeoutMs: 5_000 };
/** Budgets that stand for 8 s and 3 s at this pace, for answers that come too late or never. */
const IMPATIENT: SharedOptions = { callTimeoutMs: 400, keyLookupTimeoutMs: 150 };

export const ANA: TaxDocument = { type: 'CPF', number: '52998224725', country: 'BR' };
export const BETO: TaxDocument = { type: 'CPF', number: '11144477735', country: 'BR' };

export interface ReceivedCallback {
  readonly provider: SlotName;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly verdict: CallbackVerdict;
}

export interface Bench {
  readonly simulator: RunningSimulator;
  readonly providers: ReturnType<typeof createProviders>;
  /** The same providers with budgets to run out. */
  readonly impatient: ReturnType<typeof createProviders>;
  readonly steering: NonNullable<ReturnType<typeof createSteering>>;
  readonly received: ReceivedCallback[];
  /** Where callbacks are taken, without a path. */
  readonly receiverUrl: string;
  /** What the receiver answers; 200 unless a test says otherwise. */
  answerWith: number;
  /** Ends the simulator and starts it again on the same port with the same state. */
  restart(): Promise<void>;
  control(
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<{ status: number; body: unknown }>;
  /** Notices of a reference so far. */
  noticesOf(reference: string): readonly ProviderNotice[];
  books(reference: string): Promise<{ charges: Record<string, unknown>[]; payouts: Record<string, unknown>[] }>;
  close(): Promise<void>;
}

const SECRETS = Object.fromEntries(
  ['SIMULATOR', 'A', 'B'].flatMap((name) => [
    [`PROVIDER_${name}_CLIENT_ID`, `client:${name}`],
    [`PROVIDER_${name}_CLIENT_SECRET`, `client secret of ${name} %+`],
    [`PROVIDER_${name}_PIX_KEY`, 'gateway@bank.test'],
    [`PROVIDER_${name}_CALLBACK_SECRET`, `callback secret of ${name}`],
  ]),
);

/** What a test changes of the slots; `URL` stands for the simulator's address. */
export type Changed = Readonly<Record<string, string | undefined>>;

export function environmentFor(simulatorUrl: string, changed: Changed = {}): NodeJS.ProcessEnv {
  const urls = Object.fromEntries(
    (['simulator', 'a', 'b'] as const).map((name) => [`PROVIDER_${name.toUpperCase()}_URL`, `${simulatorUrl}/${name}`]),
  );
  const own = Object.entries(changed).map(([name, value]) => [name, value?.replace('URL', simulatorUrl)]);
  return { ...SECRETS, ...urls, SIMULATOR_CONTROL_URL: simulatorUrl, ...Object.fromEntries(own) };
}

/** `via`: stands between the adapters and the simulator, and answers with its own address. */
export async function openBench(
  options: SharedOptions = {},
  changed: Changed = {},
  via: (simulatorUrl: string) => Promise<string> = (url) => Promise.resolve(url),
): Promise<Bench> {
  const stateDir = await mkdtemp(join(tmpdir(), 'simulator-test-'));
  const received: ReceivedCallback[] = [];
  const settings = { answerWith: 200 };
  let readers: CallbackReaders | null = null;
  const receiver = await listen(async (address, headers, body) => {
    const [path = '', query = ''] = address.split('?', 2);
    const provider = path.split('/')[2] as SlotName;
    const flat = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
    );
    const tooEarly: CallbackVerdict = { kind: 'malformed', reason: 'too early' };
    const verdict = (await readers?.(provider)?.parseCallback({ path, query, headers: flat, body })) ?? tooEarly;
    received.push({ provider, path, headers, body, verdict });
    return settings.answerWith;
  });
  const start = (port: number) =>
    startSimulator(
      readSimulatorConfig({
        ...SECRETS,
        ...changed,
        SIMULATOR_PORT: String(port),
        SIMULATOR_STATE_DIR: stateDir,
        SIMULATOR_CALLBACK_URL: receiver.url,
      }),
      pino({ level: 'silent' }),
      PACE,
    );
  let simulator = await start(0);
  const config = readProvidersConfig(environmentFor(await via(simulator.url), changed));
  const openProviders = createProviders(config, { ...PATIENT, ...options });
  const impatient = createProviders(config, { ...IMPATIENT, ...options });
  readers = createCallbackReaders(readCallbacksConfig(environmentFor(simulator.url, changed)), options);
  const steering = createSteering(readSteeringConfig(environmentFor(simulator.url)));
  if (!steering) throw new Error('the test configuration has a control address');

  const control: Bench['control'] = async (method, path, body) => {
    const answer = await request(`${simulator.url}/control${path}`, {
      method,
      // A kept connection would be one to the simulator before a restart.
      reset: true,
      ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, body: text === '' ? null : (JSON.parse(text) as unknown) };
  };
  return {
    get simulator() {
      return simulator;
    },
    providers: openProviders,
    impatient,
    steering,
    received,
    receiverUrl: new URL(receiver.url).origin,
    get answerWith() {
      return settings.answerWith;
    },
    set answerWith(status: number) {
      settings.answerWith = status;
    },
    async restart() {
      await simulator.close();
      simulator = await start(simulator.port);
    },
    control,
    noticesOf: (reference) =>
      received.flatMap(({ verdict }) =>
        verdict.kind === 'accepted'
          ? verdict.notices.filter((notice) => 'reference' in notice && notice.reference === reference)
          : [],
      ),
    async books(reference) {
      return (await control('GET', `/books?reference=${reference}`)).body as Awaited<ReturnType<Bench['books']>>;
    },
    async close() {
      await Promise.all([openProviders.close(), impatient.close(), steering.close()]);
      await simulator.close();
      await receiver.close();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

async function listen(
  handle: (path: string, headers: IncomingHttpHeaders, body: Buffer) => Promise<number>,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server: Server = createServer((incoming, answer) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      void handle(incoming.url ?? '', incoming.headers, Buffer.concat(chunks)).then((status) => {
        answer.statusCode = status;
        answer.end();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, close };
}

export const newReference = () => crypto.randomUUID().replaceAll('-', '');

export function aCharge(overrides: Partial<ChargeRequest> = {}): ChargeRequest {
  return {
    reference: newReference(),
    amountMinor: 5_000n,
    expiresInSeconds: 1_800,
    payer: { document: ANA, name: 'Ana Souza', email: 'ana@player.test' },
    description: 'Deposito',
    ...overrides,
  };
}

export function aPayout(overrides: Partial<PayoutRequest> = {}): PayoutRequest {
  return {
    reference: newReference(),
    amountMinor: 7_500n,
    key: { type: 'email', value: 'ana@player.test' },
    beneficiaryDocument: ANA,
    lookupEndToEndId: null,
    description: 'Saque',
    mayLeave: () => true,
    ...overrides,
  };
}

/** A time in which a second callback would have come. */
export const aWhile = () => new Promise((resolve) => setTimeout(resolve, 150));

/** What a payer's bank reads at the location of a code, once its signature holds. */
export async function payloadAt(location: string): Promise<Record<string, unknown>> {
  const served = await fetch(`http://${location}`);
  assert.equal(served.headers.get('content-type')?.split(';')[0], 'application/jose');
  const text = await served.text();
  const keys = (await (await fetch(decodeProtectedHeader(text)['jku'] as string)).json()) as JSONWebKeySet;
  const { payload } = await compactVerify(text, createLocalJWKSet(keys));
  return JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>;
}
