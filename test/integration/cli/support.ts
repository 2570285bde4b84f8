// Runs the `gateway` command in the test's own process against a database of its own.
import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { foldedName } from '../../../domain/people.js';
import { isSignedAct, STAFF_ROLES } from '../../../domain/staff.js';
import { sessionEnded } from '../../../cli/actor.js';
import { runGateway } from '../../../cli/program.js';
import { runServed } from '../../../cli/served.js';
import type { RunOnServer } from '../../../cli/server-run.js';
import { Sealer } from '../../../store/sealing/sealer.js';
import { keysInMemory } from '../../../store/sealing/keys.js';
import { createTestDatabase } from '../../../lab/harness/database.js';
import type { UrlOfRole } from '../../../tools/servers/postgres-roles.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { placeOf } from '../../../store/sealing/places.js';
import { openWebhookSecret } from '../../../store/operations/webhook-secrets.js';
import { present } from '../../../cli/commands/request.js';
import { isCommandProblem } from '../../../cli/problem.js';
import { APPROVAL_KINDS, type RequestKind } from '../../../domain/approvals.js';
import { decideRequest } from '../../../staff/acts/requests.js';
import { createDatabase, type Database } from '../../../store/database.js';
import type { Actor } from '../../../store/staff/acts.js';
import { sessionOf } from '../../../store/staff/sessions.js';

const SEALING_KEY = Buffer.alloc(32, 7);
const HASH_KEY = Buffer.alloc(32, 9);

/** The kinds of requests for an approval that are about the whole gateway, and so about no operation. */
export const REQUESTS_OF_GATEWAY: readonly string[] = [
  ...['sealing_key', 'provider_resume', 'statement_removal', 'statement_resolution', 'passkey'],
  ...['person', 'role', 'sign_in_code', 'passkey_reset', 'account', 'person_enable'],
];

/** What the command under test is configured with, so that a test can open what it sealed. */
export const testSealer = new Sealer(keysInMemory([{ id: 'k1', key: SEALING_KEY }], HASH_KEY));

/** The secret of a stored key. */
export function openedKey(row: Json | undefined): string {
  const { key_id = '', operation_id = '', secret_sealed } = row ?? {};
  return testSealer
    .openBytes(placeOf('api_key.secret_sealed', operation_id, { key_id }), secret_sealed)
    .toString('utf8');
}

/** The text of a stored webhook secret. */
export function openedWebhookSecret(row: Json | undefined): string {
  const { id = '', operation_id = '', secret_sealed } = row ?? {};
  return openWebhookSecret(testSealer, operation_id, { id, sealed: secret_sealed });
}

export interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Json = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- tests read fields and assert on them

/** The commands here are as typed: the first text may hold several words. What holds spaces is a text of its own. */
export interface TestGateway {
  readonly environment: NodeJS.ProcessEnv;
  /** The database as its owner, for what a test plants. */
  readonly ownerUrl: string;
  readonly urlOfRole: UrlOfRole;
  /** Any run. */
  run(...argv: string[]): Promise<Run>;
  /** Any run whose standard output is a person's terminal. */
  onTerminal(...argv: string[]): Promise<Run>;
  /** A run that must succeed: its one JSON object. */
  json(...argv: string[]): Promise<Json>;
  /** A run that must fail with this code and one line that matches; nothing on standard output. */
  fails(exitCode: number, line: RegExp, ...argv: string[]): Promise<void>;
  /** Rows straight from the database. */
  rows(sql: string, ...values: unknown[]): Promise<Json[]>;
  /**
   * The person, with every role and signed in: runs commands with their session, as production asks for. What is signed
   * is approved as in the panel.
   */
  signedIn(person: string): Promise<Pick<TestGateway, 'json' | 'fails'>>;
  /** A new operation's answer of `operation create`. */
  operation(...more: string[]): Promise<Json>;
  /** A new operation of production: it has nothing that two people have not approved. @returns its id */
  production(): Promise<string>;
  /** A file with this content. */
  file(content: string): string;
  /** Keeps everybody from inserting into the table; answers how to let go. */
  blockInserts(table: string): Promise<() => Promise<void>>;
  /** Returns once so many connections wait for a lock. */
  untilWaiting(connections: number): Promise<void>;
  close(): Promise<void>;
}

/** What makes a gateway one of production, which refuses keys that are not random. */
export function productionVariables(): NodeJS.ProcessEnv {
  const key = () => randomBytes(32).toString('base64');
  return { GATEWAY_ENVIRONMENT: 'production', GATEWAY_SEALING_KEYS: `k1:${key()}`, GATEWAY_HASH_KEY: key() };
}

export function openDatabase(url: string): Database {
  return createDatabase({ url, poolSize: 8, connectTimeoutMs: 10_000, statementTimeoutMs: 10_000 });
}

export async function createTestGateway(more: NodeJS.ProcessEnv = {}): Promise<TestGateway> {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const folder = mkdtempSync(join(tmpdir(), 'gateway-command-'));
  let files = 0;
  const environment = {
    DATABASE_URL: database.urlOfRole('gateway_command'),
    GATEWAY_SEALING_KEYS: `k1:${SEALING_KEY.toString('base64')}`,
    GATEWAY_HASH_KEY: HASH_KEY.toString('base64'),
    ...more,
  };
  const run = (...argv: string[]) => runWith(environment, wordsOf(argv));
  const { json, fails } = expecting(run);
  return {
    environment,
    ownerUrl: database.url,
    urlOfRole: database.urlOfRole,
    run,
    onTerminal: (...argv) => runWith(environment, wordsOf(argv), true),
    json,
    fails,
    async signedIn(person) {
      const token = randomBytes(32).toString('base64url');
      await client.query(
        `WITH person AS (
          INSERT INTO staff (handle, handle_folded) VALUES ($1, $2) ON CONFLICT (handle) DO NOTHING RETURNING handle
        ), roles AS (
          INSERT INTO staff_role (staff_handle, role, operation_id, granted_by)
          SELECT handle, unnest($3::text[]), '*', handle FROM person
        )
        SELECT`,
        [person, foldedName(person), STAFF_ROLES],
      );
      const sessionId = `ses_${randomUUID()}`;
      await client.query(
        `INSERT INTO staff_session (id, token_hash, staff_handle, means) VALUES ($1, $2, $3, 'command_line')`,
        [sessionId, createHash('sha256').update(token).digest(), person],
      );
      const session = join(folder, `session-${person}`);
      writeFileSync(session, token, { mode: 0o600 });
      const signer = { handle: person, sessionId, means: 'signature', signature: SIGNATURE } as const;
      return expecting(async (...argv) => {
        const [id] = argv[0] === 'request' && argv[1] === 'approve' ? argv.slice(2) : [];
        const { rows } = await client.query<{ kind: RequestKind }>('SELECT kind FROM approval_request WHERE id = $1', [
          id,
        ]);
        const isSigned = rows[0] !== undefined && isSignedAct(APPROVAL_KINDS[rows[0].kind].approves);
        if (id !== undefined && isSigned) return approvedInPanel(environment.DATABASE_URL, signer, id);
        return runWith({ ...environment, GATEWAY_SESSION_FILE: session }, argv);
      });
    },
    rows: async (sql, ...values) => (await client.query(sql, values)).rows as Json[],
    operation: (...options) =>
      json('operation create --name Acme --environment sandbox --provider simulator', ...options),
    production: async () =>
      String((await json('operation create --name P --environment production --provider a --as ana'))['operation_id']),
    file(content) {
      files += 1;
      const path = join(folder, `file-${files}.json`);
      writeFileSync(path, content);
      return path;
    },
    async blockInserts(table) {
      const blocker = new pg.Client({ connectionString: database.url });
      await blocker.connect();
      await blocker.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
      return () => blocker.end();
    },
    async untilWaiting(connections) {
      const sql = `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database()
        AND wait_event_type = 'Lock'`;
      await eventually(
        async () => (await client.query<{ waiting: number }>(sql)).rows[0]?.waiting === connections,
        `${connections} connections wait`,
      );
    },
    async close() {
      rmSync(folder, { recursive: true });
      await client.end();
      await database.drop();
    },
  };
}

/** Its bytes are checked where the panel takes them (test/integration/panel/passkeys.spec.ts). */
const SIGNATURE = { credentialId: 'c', authenticatorData: 'a', clientData: 'd', signature: 's', nonce: 'n' };

/** As the panel does it, where a passkey signs it; said as the command says it. */
async function approvedInPanel(url: string, signer: Actor, requestId: string): Promise<Run> {
  const database = openDatabase(url);
  try {
    const services = {
      database,
      sealer: () => Promise.resolve(testSealer),
      deployment: 'production',
      retirementBlocks: () => Promise.resolve([]),
      wake: () => Promise.resolve(),
    } as const;
    const outcome = await decideRequest(services, signer, { requestId, decision: 'approve' });
    const { value } = present(requestId, signer.handle, outcome);
    return { exitCode: 0, stdout: `${JSON.stringify(value)}\n`, stderr: '' };
  } catch (error) {
    if (!isCommandProblem(error)) throw error;
    return { exitCode: 1, stdout: '', stderr: `gateway: ${error.message}\n` };
  } finally {
    await database.$disconnect();
  }
}

const wordsOf = ([first = '', ...others]: readonly string[]) => [...first.split(' '), ...others];

/** Runs that must succeed or fail. */
function expecting(run: TestGateway['run']): Pick<TestGateway, 'json' | 'fails'> {
  return {
    async json(...argv) {
      const { exitCode, stdout, stderr } = await run(...wordsOf(argv));
      assert.equal(exitCode, 0, `gateway ${argv.join(' ')}: ${stderr}`);
      assert.match(stdout, /^\{.*\}\n$/, 'standard output is one JSON object on one line');
      return JSON.parse(stdout) as Json;
    },
    async fails(exitCode, line, ...argv) {
      const result = await run(...wordsOf(argv));
      assert.match(result.stderr, line);
      assert.match(result.stderr, /^gateway: [^\n]+\n$/, 'one line');
      assert.equal(result.stdout, '');
      assert.equal(result.exitCode, exitCode, result.stderr);
    },
  };
}

/**
 * The gateway's server, without HTTP (test/integration/command): it has the variables, and whoever sends a run only the
 * session.
 */
function serverOf(environment: NodeJS.ProcessEnv): RunOnServer {
  return async (run, events) => {
    const url = environment['DATABASE_URL'] ?? '';
    const database = openDatabase(url);
    try {
      const person =
        run.token === null ? null : await sessionOf(database, run.token, ['command_line', 'break_glass'], true);
      if (run.token !== null && person === null) throw sessionEnded();
      return await runServed(environment, { run, person, events });
    } finally {
      await database.$disconnect();
    }
  };
}

/** A run with just this environment. In production staff commands run as the gateway's server runs them. */
export async function runWith(
  environment: NodeJS.ProcessEnv,
  argv: readonly string[],
  isInteractive = false,
): Promise<Run> {
  let [stdout, stderr] = ['', ''];
  const isProduction = environment['GATEWAY_ENVIRONMENT'] === 'production';
  // In production a code is typed.
  const code = isProduction && argv[0] === 'staff' && argv[1] === 'login' ? argv[2] : undefined;
  const exitCode = await runGateway(code === undefined ? argv : argv.slice(0, 2), {
    environment,
    isInteractive,
    ...(isProduction ? { onServer: serverOf(environment) } : {}),
    ...(code === undefined ? {} : { readSecret: () => Promise.resolve(code) }),
    writeOut: (text) => (stdout += text),
    writeError: (text) => (stderr += text),
  });
  return { exitCode, stdout, stderr };
}
