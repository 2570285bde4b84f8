// A gateway of production as staff meet it: the panel and the server of commands behind one TLS edge, with the roles of
// the database, people with passkeys, and the `gateway` command as a process that has nothing but its session.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { makeServerCertificate } from '../../../cli/certificates/server.js';
import { runGateway } from '../../../cli/program.js';
import { MOST_RUN_BYTES } from '../../../cli/server-run.js';
import { createCommandServer, refusalOf } from '../../../command/app.js';
import { type RunningServer, startServer } from '../../../platform/http/server.js';
import { createDatabase, type Database } from '../../../store/database.js';
import { TestAuthenticator } from '../../support/authenticator.js';
import { createTestGateway, productionVariables, type Run, type TestGateway } from '../cli/support.js';
import { enrolmentOf, type Options, personOf, signInWith } from '../panel/passkey-steps.js';
import { createPanelWorld, PANEL_URL, type PanelWorld, type Reply } from '../panel/world.js';

type Json = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- tests read fields and assert on them

/** Compiled or as source, as this test itself runs. */
const PROGRAM = import.meta.url.endsWith('.js')
  ? [join(import.meta.dirname, '..', '..', '..', 'cli', 'main.js')]
  : ['--import', import.meta.resolve('tsx'), join(import.meta.dirname, '..', '..', '..', 'cli', 'main.ts')];
const ADDRESS_HEADER = 'gateway-client-address';
const REASON = 'ticket 4711';

export class CommandWorld {
  readonly keys = new Map<string, TestAuthenticator>();
  /** Lines of the server's log. */
  readonly logged: string[] = [];
  private constructor(
    readonly gateway: TestGateway,
    readonly panel: PanelWorld,
    readonly folder: string,
  ) {}
  #database!: Database;
  #server!: RunningServer;
  #edge!: Server;

  static async start(): Promise<CommandWorld> {
    const gateway = await createTestGateway(productionVariables());
    await gateway.rows(`UPDATE staff_policy SET environment = 'production', wait_hours = 24`);
    const panel = await createPanelWorld({ gateway, environment: 'production' });
    const world = new CommandWorld(gateway, panel, mkdtempSync(join(tmpdir(), 'gateway-commands-')));
    await world.#serve();
    return world;
  }

  async #serve(): Promise<void> {
    const { gateway, folder, logged } = this;
    // As the server has it: with more connections, guesses of codes keep the process from taking connections in time.
    const pool = { poolSize: 4, connectTimeoutMs: 5_000, statementTimeoutMs: 10_000 };
    this.#database = createDatabase({ url: gateway.urlOfRole('gateway_command'), ...pool });
    const proxies = new BlockList();
    proxies.addAddress('127.0.0.1', 'ipv4');
    const app = createCommandServer({
      environment: gateway.environment,
      deployment: 'production',
      database: this.#database,
      edge: { proxies, header: ADDRESS_HEADER },
      log: pino({ level: 'info' }, { write: (line: string) => logged.push(line) }),
      isReady: () => Promise.resolve(true),
    });
    const place = { host: '127.0.0.1', port: 0, bodyLimitBytes: MOST_RUN_BYTES, refusalOf };
    this.#server = await startServer(app, place);
    await makeServerCertificate(folder, ['localhost', '127.0.0.1']);
    const tls = { cert: this.#file('edge.crt.pem'), key: this.#file('edge.key.pem') };
    this.#edge = createServer(tls, (request, response) => {
      const headers = { ...request.headers, [ADDRESS_HEADER]: this.address };
      const onward = httpRequest(
        { host: '127.0.0.1', port: this.#server.port, path: request.url, method: request.method, headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      onward.on('error', () => response.destroy());
      request.pipe(onward);
    });
    await new Promise<void>((resolve) => this.#edge.listen(0, '127.0.0.1', resolve));
  }

  /** Where people's machines are, as the edge says. */
  address = '198.51.100.7';

  get url(): string {
    return `https://localhost:${(this.#edge.address() as AddressInfo).port}`;
  }

  /** Trusts the edge. */
  get agent(): Agent {
    return (this.#agent ??= new Agent({ connect: { ca: this.#file('edge.crt.pem') } }));
  }
  #agent: Agent | undefined;

  #file(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  /** Everything that the command's process has. */
  environmentOf(handle: string): Record<string, string> {
    const home = join(this.folder, handle);
    mkdirSync(home, { recursive: true });
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      GATEWAY_ENVIRONMENT: 'production',
      GATEWAY_PANEL_URL: this.url,
      NODE_EXTRA_CA_CERTS: join(this.folder, 'edge.crt.pem'),
    };
  }

  sessionFileOf(handle: string): string {
    return join(this.folder, handle, '.config', 'operator-payments-gateway', 'session');
  }

  /** The command with what a person's machine has, in the process of the tests: one of its own costs a second. */
  async run(handle: string, argv: readonly string[], input = ''): Promise<Run> {
    let [stdout, stderr] = ['', ''];
    const others = getGlobalDispatcher();
    const folder = process.cwd();
    setGlobalDispatcher(this.agent);
    process.chdir(this.folder);
    try {
      const exitCode = await runGateway(argv, {
        environment: this.environmentOf(handle),
        writeOut: (text) => (stdout += text),
        writeError: (text) => (stderr += text),
        readSecret: () => Promise.resolve(input.split('\n')[0] ?? ''),
      });
      return { exitCode, stdout, stderr };
    } finally {
      process.chdir(folder);
      setGlobalDispatcher(others);
    }
  }

  /** The same as a process, without anything else of this machine. `input` is its standard input. */
  async runProcess(handle: string, argv: readonly string[], input = ''): Promise<Run> {
    const child = spawn(process.execPath, [...PROGRAM, ...argv], {
      env: this.environmentOf(handle),
      cwd: this.folder,
      timeout: 60_000,
      killSignal: 'SIGKILL',
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString('utf8')));
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString('utf8')));
    child.stdin.on('error', () => undefined).end(input);
    const exitCode = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)));
    return { exitCode, stdout, stderr };
  }

  async json(handle: string, ...argv: string[]): Promise<Json> {
    const { exitCode, stdout, stderr } = await this.run(handle, argv);
    assert.equal(exitCode, 0, stderr);
    return JSON.parse(stdout) as Json;
  }

  async fails(handle: string, exitCode: number, line: RegExp, ...argv: string[]): Promise<void> {
    const ran = await this.run(handle, argv);
    assert.match(ran.stderr, line);
    assert.deepEqual([ran.exitCode, ran.stdout], [exitCode, '']);
  }

  keyOf(handle: string): TestAuthenticator {
    const key = this.keys.get(handle) ?? new TestAuthenticator(PANEL_URL);
    this.keys.set(handle, key);
    return key;
  }

  async enrol(handle: string, code: string): Promise<void> {
    const { status, text } = await enrolmentOf(this.panel, code, this.keyOf(handle));
    assert.equal(status, 200, text);
  }

  async #inPanel(handle: string) {
    return personOf(this.panel, handle, (await signInWith(this.panel, this.keyOf(handle))).reply);
  }

  async #signed(handle: string, kind: string, subjectId: string, reason: string) {
    const person = await this.#inPanel(handle);
    const act = { kind, subject_id: subjectId, version: 0, digest: null, reason, evidence: '' };
    const { status, text, body } = await person.post('/passkeys/signing-options', act);
    assert.equal(status, 200, text);
    const response = this.keyOf(handle).get(body['options'] as Options);
    return { person, proof: { challenge_id: body['challenge_id'] as string, response } };
  }

  /** A code for the command, made in the panel and signed. */
  async codeOf(handle: string): Promise<string> {
    const { person, proof } = await this.#signed(handle, 'session.command', handle, '');
    const { body } = await person.post('/sessions/command-code', { proof });
    return body['sign_in_code'] as string;
  }

  /** Signs in to the command by standard input. */
  async logIn(handle: string): Promise<Json> {
    const { exitCode, stdout, stderr } = await this.runProcess(
      handle,
      ['staff', 'login'],
      `${await this.codeOf(handle)}\n`,
    );
    assert.equal(exitCode, 0, stderr);
    return JSON.parse(stdout) as Json;
  }

  /** Approves in the panel, signed. */
  async approve(handle: string, requestId: string): Promise<Reply> {
    const { person, proof } = await this.#signed(handle, 'access.approve', requestId, REASON);
    return person.post(`/approvals/${requestId}`, { decision: 'approve', reason: REASON, proof });
  }

  /** Writes a row that in production takes two people: the triggers do not look. */
  async plant(sql: string, ...values: readonly unknown[]): Promise<void> {
    await this.gateway.rows(`SET session_replication_role = 'replica'`);
    try {
      await this.gateway.rows(sql, ...values);
    } finally {
      await this.gateway.rows(`SET session_replication_role = 'origin'`);
    }
  }

  /** As if a day had passed. */
  async aDayPasses(): Promise<void> {
    await this.plant(`UPDATE staff SET created_at = created_at - interval '1 day'`);
    await this.plant(`UPDATE staff_role SET granted_at = granted_at - interval '1 day'`);
    await this.plant(`UPDATE staff_passkey SET signs_from = signs_from - interval '1 day'`);
  }

  async close(): Promise<void> {
    await this.#agent?.close();
    this.#edge.closeAllConnections();
    await new Promise((resolve) => this.#edge.close(resolve));
    await this.#server.close();
    await this.#database.$disconnect();
    await this.panel.close();
    await this.gateway.close();
    rmSync(this.folder, { recursive: true });
  }
}
