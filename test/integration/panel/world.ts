// A panel in the test's process: over a database of its own under the panel's role, on a loopback port, with people who
// sign in by links.
import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { Client } from '@temporalio/client';
import { pino } from 'pino';
import { request } from 'undici';
import { COMMON_ERRORS } from '../../../contract/panel/errors.js';
import { PANEL_API } from '../../../contract/panel/route.js';
import { PANEL_ROUTES } from '../../../contract/panel/routes.js';
import { STAFF_ROLES, type StaffRole } from '../../../domain/staff.js';
import { createPanel, type Panel } from '../../../panel/app.js';
import type { PageFiles } from '../../../panel/files.js';
import { createMatcher } from '../../../panel/matcher.js';
import { BODY_LIMIT_BYTES } from '../../../panel/middleware/input.js';
import { startServer } from '../../../platform/http/server.js';
import { DATA_CONVERTER, openTemporal } from '../../../platform/temporal/connection.js';
import { DEFAULT_DEADLINES } from '../../../platform/temporal/calls.js';
import { DepositWorkflows, WithdrawalWorkflows } from '../../../platform/temporal/payment-workflows.js';
import type { IdentityProvider } from '../../../staff/acts/identity-provider.js';
import { createDatabase, type Database, poolOf } from '../../../store/database.js';
import { createPerson, grantRole, renewSignInCode } from '../../../store/staff/roster.js';
import { createTestGateway, type TestGateway, testSealer } from '../cli/support.js';

/** The panel's address in the people's browsers; the test's connections go to the port itself. */
export const PANEL_URL = 'http://localhost:7804';

type Json = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- tests read fields and assert on them

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: Json;
}

export interface Sent {
  readonly method?: 'GET' | 'POST' | 'DELETE' | 'PUT';
  readonly body?: unknown;
  /** Null leaves a header out. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

/** A person with a session in a browser. */
export interface Person {
  readonly handle: string;
  readonly cookie: string;
  get(path: string): Promise<Reply>;
  post(path: string, body: unknown): Promise<Reply>;
  send(path: string, sent: Sent): Promise<Reply>;
}

/** Every item of a list that is read in pages. */
export async function readAllPages(person: Person, path: string): Promise<Json[]> {
  const items: Json[] = [];
  let cursor: string | null = null;
  do {
    const { body }: Reply = await person.get(cursor === null ? path : `${path}?cursor=${cursor}`);
    items.push(...(body['items'] as Json[]));
    cursor = body['next'] as string | null;
  } while (cursor !== null);
  return items;
}

/** Roles, each in every operation or in one. */
export type Roles = readonly (StaffRole | { readonly role: StaffRole; readonly operationId: string })[];

export interface PanelWorld {
  readonly gateway: TestGateway;
  /** Under the panel's role. */
  readonly database: Database;
  readonly panel: Panel;
  /** Everything that the panel has logged. */
  readonly logged: string[];
  readonly port: number;
  /** Every statement that the panel has asked PostgreSQL. */
  readonly statements: string[];
  send(path: string, sent?: Sent): Promise<Reply>;
  /** A new person with these roles, signed in nowhere. */
  member(handle: string, roles: Roles): Promise<void>;
  /** A new person with these roles, signed in. */
  person(handle: string, roles?: Roles): Promise<Person>;
  /** A link's token for a person who is there. */
  link(handle: string): Promise<string>;
  close(): Promise<void>;
}

export interface WorldOptions {
  /** A Temporal that answers; by default nobody does. */
  readonly temporal?: Client;
  readonly gateway?: TestGateway;
  readonly files?: PageFiles;
  readonly environment?: 'sandbox' | 'production';
  readonly identityProvider?: IdentityProvider | null;
  /** By default no approval needs a reason. */
  readonly reasonAboveMinor?: bigint | null;
}

export async function createPanelWorld({
  temporal,
  gateway: given,
  files,
  environment = 'sandbox',
  identityProvider = null,
  reasonAboveMinor = null,
}: WorldOptions = {}): Promise<PanelWorld> {
  const gateway = given ?? (await createTestGateway());
  const pool = { poolSize: 6, connectTimeoutMs: 5_000, statementTimeoutMs: 10_000 };
  const database = createDatabase({ url: gateway.urlOfRole('gateway_panel'), ...pool });
  const statements = statementsOf(database);
  const ofOwner = createDatabase({ url: gateway.ownerUrl, ...pool, poolSize: 2 });
  const nowhere = openTemporal({ address: '127.0.0.1:1' });
  const client = temporal ?? new Client({ dataConverter: DATA_CONVERTER, connection: nowhere });
  const logged: string[] = [];
  const panel = createPanel({
    environment,
    database,
    sealer: testSealer,
    temporal: client,
    deposits: new DepositWorkflows(client.workflow, DEFAULT_DEADLINES),
    withdrawals: new WithdrawalWorkflows(client.workflow, DEFAULT_DEADLINES),
    temporalUi: { url: 'http://127.0.0.1:8233', namespace: 'default' },
    tracesUi: 'http://127.0.0.1:16686/trace/{trace}',
    decideWithinSeconds: 1_800,
    reasonAboveMinor,
    identityProvider,
    panelUrl: PANEL_URL,
    files: files ?? new Map(),
    edge: EDGE,
    health: {},
    askTemporal: () => Promise.resolve(),
    pollMs: 50,
    log: pino({ level: 'info' }, { write: (line: string) => logged.push(line) }),
  });
  const refusalOf = () => ({ status: 400, headers: {}, body: Buffer.alloc(0) });
  const server = await startServer(panel.app, {
    host: '127.0.0.1',
    port: 0,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    refusalOf,
  });
  const send = (path: string, sent: Sent = {}) => call(server.port, path, sent);
  const link = async (handle: string) => (await renewSignInCode(ofOwner, handle, 'test'))?.code ?? '';
  const member = async (handle: string, roles: Roles) => {
    await createPerson(ofOwner, handle, 'test');
    for (const held of roles) {
      const grant = typeof held === 'string' ? { role: held, operationId: null } : held;
      await grantRole(ofOwner, { handle, ...grant }, 'test');
    }
  };
  return {
    gateway,
    database,
    panel,
    logged,
    port: server.port,
    statements,
    send,
    link,
    member,
    async person(handle, roles = STAFF_ROLES) {
      await member(handle, roles);
      return signedIn(send, handle, await link(handle));
    },
    async close() {
      panel.streams.close();
      await server.close();
      await nowhere.close();
      await database.$disconnect();
      await ofOwner.$disconnect();
      if (given === undefined) await gateway.close();
    },
  };
}

/** From now on, by every connection of the pool. */
function statementsOf(database: Database): string[] {
  const statements: string[] = [];
  poolOf(database).on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const counted = (first: string | { text?: string }, ...more: unknown[]) => {
      statements.push(typeof first === 'string' ? first : (first.text ?? ''));
      return query(first, ...more);
    };
    client.query = counted as typeof client.query;
  });
  return statements;
}

async function signedIn(send: PanelWorld['send'], handle: string, token: string): Promise<Person> {
  const reply = await send('/session', { method: 'POST', body: { token } });
  assert.equal(reply.status, 200, reply.text);
  const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? '';
  const own = (path: string, sent: Sent = {}) => send(path, { ...sent, headers: { cookie, ...sent.headers } });
  return {
    handle,
    cookie,
    get: (path) => own(path),
    post: (path, body) => own(path, { method: 'POST', body }),
    send: own,
  };
}

/** As the panel's own page would ask. */
async function call(port: number, path: string, { method = 'GET', body, headers = {} }: Sent): Promise<Reply> {
  const own: Record<string, string | null> = {
    ...(method === 'GET' ? {} : { origin: PANEL_URL }),
    'sec-fetch-site': 'same-origin',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  };
  const kept = Object.fromEntries(Object.entries(own).filter((entry): entry is [string, string] => entry[1] !== null));
  const url = `http://127.0.0.1:${port}${path.startsWith('//') ? path.slice(1) : PANEL_API + path}`;
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  const answer = await request(url, { method, headers: kept, ...sent });
  const text = await answer.body.text();
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  const parsed = isJson ? (JSON.parse(text) as Json) : {};
  assertInContract(method, path, parsed['code']);
  return { status: answer.statusCode, headers: answer.headers, text, body: parsed };
}

/** Whoever asks from this machine may say, like the panel's edge, for which address. */
const EDGE = { proxies: new BlockList(), header: 'gateway-client-address' };
EDGE.proxies.addAddress('127.0.0.1');

const match = createMatcher();

/** A route answers no error that the contract does not name for it. */
function assertInContract(method: string, path: string, code: unknown): void {
  const found = match(method, PANEL_API + (path.split('?')[0] ?? ''));
  if (typeof found === 'string' || code === undefined) return;
  const named: readonly string[] = [...COMMON_ERRORS, ...PANEL_ROUTES[found.route].errors];
  assert.ok(named.includes(String(code)), `${found.route} answers ${String(code)}, which the contract does not name`);
}
