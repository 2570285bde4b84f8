// A real server over a real database with its own few routes, and a client that can sign every request wrongly.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import http from 'node:http';
import pg from 'pg';
import { pino } from 'pino';
import { z } from 'zod';
import { type AppDependencies, createApp, startServer } from '../../../api/app.js';
import type { RunningServer } from '../../../platform/http/server.js';
import { problem } from '../../../contract/http/errors.js';
import type { RouteDefinition, RouteHandler } from '../../../contract/http/route.js';
import { createDatabase, type Database } from '../../../store/database.js';
import { Sealer } from '../../../store/sealing/sealer.js';
import { keysInMemory } from '../../../store/sealing/keys.js';
import { createTestDatabase } from '../../../lab/harness/database.js';
import { placeOf } from '../../../store/sealing/places.js';

export const DOCS_URL = 'http://docs.test';
const anything = { 200: { description: 'Done.', schema: z.object({}) } };
const echoBody = z.strictObject({
  player: z.string().optional(),
  note: z.string().optional(),
  wait: z.string().optional(),
});

/** Enough routes to reach every step: public, any key, scoped, listing, creating, sandbox only, parameters. */
const ROUTES: readonly RouteDefinition[] = [
  {
    name: 'openapi',
    method: 'GET',
    path: '/openapi.yaml',
    tag: 'T',
    summary: 'S',
    access: 'public',
    success: { 200: { description: 'D', contentType: 'application/yaml' } },
    errors: [],
  },
  {
    name: 'ping',
    method: 'GET',
    path: '/ping',
    tag: 'T',
    summary: 'S',
    access: 'any_key',
    success: anything,
    errors: [],
  },
  {
    name: 'list',
    method: 'GET',
    path: '/deposits',
    tag: 'T',
    summary: 'S',
    access: ['read'],
    listing: true,
    query: z.object({ limit: z.string().regex(/^\d+$/).optional() }),
    success: anything,
    errors: [],
  },
  {
    name: 'get',
    method: 'GET',
    path: '/deposits/:id',
    tag: 'T',
    summary: 'S',
    access: ['read'],
    params: { id: /^dep_[A-Za-z0-9]+$/ },
    success: anything,
    errors: [],
  },
  {
    name: 'create',
    method: 'POST',
    path: '/deposits',
    tag: 'T',
    summary: 'S',
    access: ['deposits:write'],
    creates: 'deposit',
    body: echoBody,
    success: { 201: { description: 'Created.' } },
    errors: [],
  },
  {
    name: 'cancel',
    method: 'POST',
    path: '/deposits/:id/cancel',
    tag: 'T',
    summary: 'S',
    access: ['deposits:write'],
    params: { id: /^dep_[A-Za-z0-9]+$/ },
    body: 'none',
    success: anything,
    errors: [],
  },
  {
    name: 'player',
    method: 'GET',
    path: '/players/:external_ref/limits',
    tag: 'T',
    summary: 'S',
    access: ['read'],
    success: anything,
    errors: [],
  },
  {
    name: 'outage',
    method: 'POST',
    path: '/sandbox/outage',
    tag: 'T',
    summary: 'S',
    access: ['deposits:write', 'withdrawals:write'],
    sandboxOnly: true,
    body: z.strictObject({ down: z.boolean() }),
    success: anything,
    errors: [],
  },
];

export interface Key {
  readonly keyId: string;
  readonly secret: string;
  readonly operationId: string;
}

export interface Signed {
  readonly method?: string;
  readonly target?: string;
  readonly body?: string | Buffer;
  readonly key?: Key;
  readonly timestamp?: string;
  readonly nonce?: string;
  /** Replaces the right signature, or makes another of it. */
  readonly signature?: string | ((right: string) => string);
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** Parsed body; undefined when it is no JSON. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
  readonly code: unknown;
}

export interface Pipeline {
  readonly url: string;
  readonly databaseUrl: string;
  readonly port: number;
  readonly database: Database;
  readonly sealer: Sealer;
  /** Plain SQL, past the application. */
  readonly sql: pg.Pool;
  readonly key: Key;
  /** How often each handler ran. */
  readonly runs: Map<string, number>;
  readonly handlers: Record<string, RouteHandler<never, never>>;
  /** Another process's worth of the same application. */
  another(changed?: Partial<AppDependencies>): Promise<RunningServer>;
  createKey(more?: { operation?: string; environment?: string; scopes?: string[]; status?: string }): Promise<Key>;
  request(signed?: Signed, port?: number): Promise<Answer>;
  close(): Promise<void>;
}

const NOW = () => Date.now();

export async function startPipeline(changed: Partial<AppDependencies> = {}): Promise<Pipeline> {
  const test = await createTestDatabase();
  const database = createDatabase({
    url: test.urlOfRole('gateway_api'),
    poolSize: 20,
    connectTimeoutMs: 2_000,
    statementTimeoutMs: 5_000,
  });
  const sql = new pg.Pool({ connectionString: test.url, max: 20 });
  const sealer = new Sealer(keysInMemory([{ id: 'k1', key: randomBytes(32) }], randomBytes(32)));
  const runs = new Map<string, number>();
  const handlers: Record<string, RouteHandler<never, never>> = handlersCounting(runs);
  const deps: AppDependencies = {
    environment: 'sandbox',
    docsUrl: DOCS_URL,
    routes: ROUTES,
    handlers,
    playerLimits: {
      create: ({ player = randomBytes(8).toString('hex') }: { player?: string }, operationId) => ({
        bucket: `deposit:${operationId}:${player}`,
        limit: 10,
        what: 'Deposits of one player',
        countedRefusals: ['document_mismatch'],
      }),
    },
    reads: {},
    database,
    sealer,
    edge: undefined,
    health: { postgres: () => database.$queryRaw`SELECT 1` },
    nowMs: NOW,
    log: pino({ level: 'silent' }),
    ...changed,
  };
  const servers: RunningServer[] = [];
  const another = async (more: Partial<AppDependencies> = {}) => {
    const server = await startServer(createApp({ ...deps, ...more }), {
      host: '127.0.0.1',
      port: 0,
      docsUrl: DOCS_URL,
    });
    servers.push(server);
    return server;
  };
  const { port } = await another();

  const createKey: Pipeline['createKey'] = async ({
    operation = `op_${randomBytes(8).toString('hex')}`,
    environment = deps.environment,
    scopes = ['read', 'deposits:write', 'withdrawals:write', 'rules:propose'],
    status = 'active',
  } = {}) => {
    const [keyId, secret] = [
      `key_${environment === 'production' ? 'live' : 'test'}_${randomBytes(12).toString('hex')}`,
      randomBytes(24).toString('base64url'),
    ];
    await sql.query(
      `INSERT INTO operation (id, name, environment, status, provider) VALUES ($1, 'Test', $2, $3, 'simulator')
        ON CONFLICT DO NOTHING`,
      [operation, environment, status],
    );
    const place = placeOf('api_key.secret_sealed', operation, { key_id: keyId });
    await sql.query(
      'INSERT INTO api_key (key_id, operation_id, environment, secret_sealed, scopes) VALUES ($1, $2, $3, $4, $5)',
      [keyId, operation, environment, Buffer.from(sealer.sealBytes(place, Buffer.from(secret))), scopes],
    );
    return { keyId, secret, operationId: operation };
  };
  const key = await createKey();

  return {
    url: `http://127.0.0.1:${port}`,
    databaseUrl: test.url,
    port,
    database,
    sealer,
    sql,
    key,
    runs,
    handlers,
    another,
    createKey,
    request: (signed = {}, toPort = port) => send(toPort, sign({ key, ...signed })),
    async close() {
      await Promise.all(servers.map((server) => server.close()));
      await database.$disconnect();
      await sql.end();
      await test.drop();
    },
  };
}

function handlersCounting(runs: Map<string, number>): Record<string, RouteHandler<never, never>> {
  return Object.fromEntries(
    ROUTES.map(({ name }) => [
      name,
      async ({
        body,
        objectId,
        params,
        query,
        found,
      }: {
        body: { wait?: string; note?: string } | undefined;
        objectId: string | undefined;
        params: unknown;
        query: unknown;
        found: unknown;
      }) => {
        runs.set(name, (runs.get(name) ?? 0) + 1);
        if (name === 'openapi') return { status: 200, body: 'openapi: 3.1.0\n' };
        if (body?.wait !== undefined) await new Promise((resolve) => setTimeout(resolve, Number(body.wait)));
        if (body?.note === 'crash') throw new Error('S3CRET crash');
        if (body?.note === 'unavailable') return problem('service_unavailable', { retryAfterSeconds: 3 });
        if (body?.note === 'refuse') return problem('invalid_state_transition');
        return {
          status: name === 'create' ? 201 : 200,
          body: { route: name, run: runs.get(name), id: objectId, params, query, found, at: Math.random() },
          headers: name === 'create' ? { ETag: '"1"' } : {},
        };
      },
    ]),
  ) as unknown as Record<string, RouteHandler<never, never>>;
}

export interface WireRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Record<string, string | string[]>;
  readonly body: Buffer;
}

let counter = 0;

/** A key that POSTs may carry; never the same twice. */
export function newIdempotencyKey(): string {
  return `test-${process.pid}-${(counter += 1)}-${randomBytes(8).toString('hex')}`;
}

/** What is sent; everything that is not given is right. */
export function sign({
  method = 'GET',
  target = '/v1/ping',
  body = '',
  key,
  timestamp = String(Math.floor(Date.now() / 1_000)),
  nonce = randomBytes(16).toString('hex'),
  signature,
  headers = {},
}: Signed): WireRequest {
  const bytes = Buffer.from(body);
  const canonical = ['v1', timestamp, nonce, method, target, createHash('sha256').update(bytes).digest('hex')].join(
    '\n',
  );
  const right = `v1=${createHmac('sha256', key?.secret ?? 'x')
    .update(canonical)
    .digest('hex')}`;
  const post =
    method === 'POST'
      ? { 'Idempotency-Key': newIdempotencyKey(), 'Content-Type': 'application/json; charset=utf-8' }
      : {};
  const all = {
    'Svc-Key-Id': key?.keyId,
    'Svc-Timestamp': timestamp,
    'Svc-Nonce': nonce,
    'Svc-Signature': typeof signature === 'function' ? signature(right) : (signature ?? right),
    ...post,
    ...headers,
  };
  return {
    method,
    target,
    body: bytes,
    headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
      string,
      string | string[]
    >,
  };
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 60 });

export function send(port: number, { method, target, headers, body }: WireRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: target,
        headers: { ...headers, ...(body.length > 0 ? { 'Content-Length': String(body.length) } : {}) },
        agent,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const json = parse(text);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json, code: json?.['code'] });
        });
      },
    );
    request.on('error', reject);
    request.end(body.length > 0 ? body : undefined);
  });
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
