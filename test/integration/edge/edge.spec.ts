// The TLS edge of production (ops/edge) in real nginx, in front of upstreams that show what reaches them.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import {
  createAuthority,
  signClientCertificate,
  writeRevocationList,
  type Authority,
  type ClientCertificate,
} from '../../../cli/certificates/authority.js';
import { KEEP_ALIVE_MS } from '../../../platform/http/server.js';
import {
  type BehindEdge,
  CLIENT_ADDRESS_HEADER,
  CLIENT_OPERATION_HEADER,
  type Edge,
} from '../../../lab/cluster/edge.js';
import { findFreePort } from '../../../tools/processes/ports.js';
import { ProcessRegistry } from '../../../tools/processes/registry.js';
import { resolveNginx } from '../../../lab/cluster/nginx.js';
import { startEdge } from '../../../lab/harness/edge.js';
import { eventually } from '../../../lab/harness/eventually.js';

/** An address may have 512 requests under way (ops/edge/gateway.conf.template). */
const BEYOND_THE_LIMIT = 530;

interface Seen {
  readonly node: string;
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

describe('the TLS edge', function () {
  this.timeout(60_000);
  let folder: string;
  let authority: Authority;
  let [client, revoked, stranger] = [] as unknown as [ClientCertificate, ClientCertificate, ClientCertificate];
  let edge: Edge;
  let registry: ProcessRegistry;
  let edgePort: number;
  let apis: BehindEdge[];
  const nodes: Server[] = [];
  const seen: Seen[] = [];
  /** What the nodes do instead of answering. */
  let behaviour: 'answer' | 'hang_up' | 'hold' = 'answer';
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));

  before(async function () {
    // The only thing here that a package registry of the language does not have.
    const nginx = await resolveNginx(process.env).catch((error: Error) => error);
    if (nginx instanceof Error) {
      process.stdout.write(`      not run: ${nginx.message}\n`);
      return this.skip();
    }
    folder = mkdtempSync(join(tmpdir(), 'gateway-edge-'));
    const now = new Date();
    authority = await createAuthority(join(folder, 'authority'), 'sandbox', now);
    const other = await createAuthority(join(folder, 'other'), 'sandbox', now);
    const certificate = (by: Authority, operationId: string) =>
      signClientCertificate(by, { operationId, validityDays: 90, requestPem: null, now });
    [client, revoked, stranger] = [
      await certificate(authority, 'op_1'),
      await certificate(authority, 'op_2'),
      await certificate(other, 'op_1'),
    ];
    await writeRevocationList(authority, [{ serial: revoked.serial, revokedAt: now }], now);
    apis = await Promise.all(
      ['api-1', 'api-2'].map(async (name) => ({ port: await startNode(name), ingressPort: await findFreePort() })),
    );
    registry = new ProcessRegistry(join(folder, 'processes.json'));
    ({ edge, edgePort } = await startEdge('edge', apis, {
      nginx: nginx.path,
      registry,
      folder,
      authority: join(folder, 'authority'),
    }));
  });
  after(async () => {
    await edge?.service.stop();
    registry?.close();
    for (const node of nodes) {
      node.closeAllConnections();
      node.close();
    }
    if (folder) rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    behaviour = 'answer';
    seen.length = 0;
  });

  async function startNode(name: string): Promise<number> {
    const node = createServer((request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        seen.push({
          node: name,
          method: request.method ?? '',
          target: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
        });
        if (behaviour === 'hang_up') return request.socket.destroy();
        if (behaviour === 'hold') await held;
        response
          .writeHead(200, { 'Content-Type': 'application/json', 'Svc-Trace-Id': 'of-the-api' })
          .end('{"ok":true}');
      })().catch(() => undefined);
    });
    // A node that closes idle connections before the edge does may close one while a request is on its way there.
    node.keepAliveTimeout = KEEP_ALIVE_MS;
    nodes.push(node);
    node.listen(0, '127.0.0.1');
    await once(node, 'listening');
    return (node.address() as AddressInfo).port;
  }

  const tls = (certificate: ClientCertificate | null) => ({
    ca: readFileSync(edge.certificateFile),
    ...(certificate === null ? {} : { cert: certificate.certificatePem, key: certificate.keyPem as string }),
  });

  async function ask(
    certificate: ClientCertificate | null,
    more: {
      method?: string;
      path?: string;
      headers?: Record<string, string | string[]>;
      body?: string;
      agent?: Agent;
    } = {},
  ): Promise<Answer> {
    const request = httpsRequest({
      host: '127.0.0.1',
      port: edgePort,
      method: more.method ?? 'GET',
      path: more.path ?? '/v1/ping',
      headers: more.headers ?? {},
      agent: more.agent ?? false,
      ...tls(certificate),
    });
    request.end(more.body);
    const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  }

  function assertProblem({ status, headers, text }: Answer, expectedStatus: number, code: string): void {
    assert.equal(status, expectedStatus, text);
    assert.equal(headers['content-type'], 'application/problem+json');
    const problem = JSON.parse(text) as Record<string, unknown>;
    assert.deepEqual(
      [problem['code'], problem['status'], problem['type']],
      [code, expectedStatus, `https://docs.example/errors/${code}`],
    );
    assert.equal(headers['svc-trace-id'], problem['trace_id']);
  }

  it('says whose the client’s certificate is; what a client says of that is dropped', async () => {
    await ask(client, { headers: { [CLIENT_OPERATION_HEADER]: 'op_other', Gateway_Client_Operation: 'op_other' } });
    const [{ headers } = { headers: {} as IncomingHttpHeaders }] = seen;
    assert.equal(headers[CLIENT_OPERATION_HEADER.toLowerCase()], 'op_1');
    assert.ok(!JSON.stringify(headers).includes('op_other'));
  });

  it('no file of the edge has a path or a query, though a node hangs up and a client goes beyond its limits', async () => {
    behaviour = 'hang_up';
    await ask(client, { path: '/v1/players/PLAYER-OF-A-PATH/limits?external_id=OF-A-QUERY' });
    // As many requests at once as an address may have, and some more: the node answers none before the edge refused.
    behaviour = 'hold';
    const agent = new Agent({ keepAlive: true, maxSockets: BEYOND_THE_LIMIT });
    const refused: Answer[] = [];
    const answers = Array.from({ length: BEYOND_THE_LIMIT }, async () => {
      const answer = await ask(client, { path: '/v1/players/PLAYER-OF-A-PATH/limits', agent });
      if (answer.status === 429) refused.push(answer);
      return answer.status;
    });
    await eventually(() => refused.length > 0, 'the edge refuses');
    release();
    assert.deepEqual([...new Set(await Promise.all(answers))].sort(), [200, 429]);
    agent.destroy();
    for (const answer of refused) assertProblem(answer, 429, 'rate_limited');
    const logs = readdirSync(join(folder, 'edge')).filter((name) => name.endsWith('.log'));
    assert.ok(logs.length >= 2, logs.join());
    for (const name of logs) {
      const text = readFileSync(join(folder, 'edge', name), 'utf8');
      assert.ok(!/OF-A-(PATH|QUERY)/.test(text), `${name} has a path`);
    }
  });

  it('passes method, target, headers and body through byte for byte', async () => {
    const target = '/v1//deposits/%61/../x?b=2&a=1&a=%20+';
    const { status, headers } = await ask(client, {
      method: 'POST',
      path: target,
      headers: { 'Svc-Nonce': 'n', 'Idempotency-Key': 'k' },
      body: '{"a" : 1}',
    });
    assert.equal(status, 200);
    assert.equal(headers['svc-trace-id'], 'of-the-api');
    assert.deepEqual(
      seen.map(({ method, target: url, body }) => [method, url, body]),
      [['POST', target, '{"a" : 1}']],
    );
    assert.deepEqual([seen[0]?.headers['svc-nonce'], seen[0]?.headers['idempotency-key']], ['n', 'k']);
  });

  it('says the client’s address in one header; what clients send under such names is dropped', async () => {
    await ask(client, {
      headers: {
        [CLIENT_ADDRESS_HEADER]: ['203.0.113.9', '203.0.113.10'],
        Gateway_Client_Address: '203.0.113.11',
        'X-Forwarded-For': '203.0.113.9',
        'X-Real-IP': '203.0.113.9',
        Forwarded: 'for=203.0.113.9',
      },
    });
    const [{ headers } = { headers: {} as IncomingHttpHeaders }] = seen;
    assert.equal(headers[CLIENT_ADDRESS_HEADER.toLowerCase()], '127.0.0.1');
    assert.deepEqual(
      Object.entries(headers).filter(([, value]) => String(value).includes('203.0.113')),
      [],
    );
  });

  it('one trace id: the client’s where it is one, else the edge’s; to the api, on its refusals, in its log by the address', async () => {
    const log = () => readFileSync(join(folder, 'edge', 'edge-access.log'), 'utf8');
    const own = randomBytes(16).toString('hex');
    const { headers: refused } = await ask(null, { headers: { 'Svc-Trace-Id': own } });
    assert.equal(refused['svc-trace-id'], own);
    const given: string[] = [];
    for (const sent of [own, own.toUpperCase().replace(/^./, 'A'), '0'.repeat(32), `${own}0`]) {
      await ask(client, { headers: { 'Svc-Trace-Id': sent } });
      given.push(String(seen.at(-1)?.headers['svc-trace-id']));
    }
    assert.equal(given[0], own);
    for (const traceId of given) assert.match(traceId, /^(?!0{32})[0-9a-f]{32}$/);
    assert.equal(new Set(given).size, 4);
    for (const traceId of given)
      await eventually(() => log().includes(`trace=${traceId} `), `${traceId} is in the edge's log`);
    for (const line of log().trim().split('\n')) assert.match(line, /^\S+ 127\.0\.0\.1 [A-Z]+ \d{3} /);
  });

  for (const [title, certificate] of [
    ['no certificate', () => null],
    ['a revoked one', () => revoked],
    ['another authority’s', () => stranger],
  ] as const) {
    it(`${title} → 401 in the interface’s shape, and nothing reaches the api`, async () => {
      assertProblem(await ask(certificate()), 401, 'invalid_signature');
      assert.equal(seen.length, 0);
    });
  }

  it('TLS before 1.2 and ciphers without authenticated encryption are refused', async () => {
    const handshake = (options: object) =>
      new Promise<string>((resolve) => {
        const socket = connectTls({ host: '127.0.0.1', port: edgePort, ...tls(client), ...options });
        socket.once('secureConnect', () => {
          resolve(String(socket.getProtocol()));
          socket.destroy();
        });
        socket.once('error', () => resolve('refused'));
      });
    assert.equal(
      await handshake({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }),
      'refused',
    );
    assert.equal(await handshake({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA256' }), 'refused');
    assert.equal(await handshake({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }), 'TLSv1.2');
    assert.equal(await handshake({}), 'TLSv1.3');
  });

  it('a node that hangs up → 503 to repeat, and no second node gets the request: its nonce is spent', async () => {
    behaviour = 'hang_up';
    for (const method of ['GET', 'POST']) {
      const answer = await ask(client, { method });
      assertProblem(answer, 503, 'service_unavailable');
      assert.equal(answer.headers['retry-after'], '1');
    }
    assert.equal(seen.length, 2);
  });

  it('callbacks: a provider’s certificate and address, where they are asked for', async () => {
    const [own, other] = [await startNode('callbacks'), join(folder, 'rules')];
    const started = await startEdge(
      'rules',
      [{ port: own, ingressPort: own }],
      { nginx: (await resolveNginx(process.env)).path, registry, folder, authority: join(folder, 'authority') },
      { ingressTls: true },
    );
    const post = async (certificate: ClientCertificate | null) => {
      const request = httpsRequest({
        host: '127.0.0.1',
        port: started.edgeIngressPort,
        method: 'POST',
        path: '/callbacks/a/pix',
        headers: { 'X-Provider-Certificate': 'SUCCESS CN=what the caller says' },
        agent: false,
        ca: readFileSync(started.edge.certificateFile),
        ...(certificate === null ? {} : { cert: certificate.certificatePem, key: certificate.keyPem as string }),
      });
      request.end('{}');
      const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    const rules = (text: string) => {
      writeFileSync(join(other, 'ingress.conf'), text);
      started.edge.reload();
    };
    // What the ingress believes of a certificate is the edge's word.
    const certificateHeader = () => seen.at(-1)?.headers['x-provider-certificate']?.toString().trim();
    try {
      assert.equal(await post(null), 200);
      assert.equal(certificateHeader(), 'NONE');
      rules(`ssl_verify_client on; ssl_client_certificate ${join(folder, 'authority', 'authority.crt.pem')};`);
      // A worker that is about to end may take one more connection by the rules of before.
      const refused = async () => (await post(null)) === 400 && (await post(stranger)) === 400;
      await eventually(async () => (await refused()) && (await refused()), 'a certificate is asked for');
      assert.equal(await post(client), 200);
      assert.equal(certificateHeader(), 'SUCCESS CN=op_1');
      rules('allow 192.0.2.0/24; deny all;');
      await eventually(async () => (await post(null)) === 403, 'the address is refused');
    } finally {
      await started.edge.service.stop();
    }
  });

  it('does not show the nodes’ health check', async () => {
    assertProblem(await ask(client, { path: '/healthz' }), 404, 'not_found');
    assert.equal(seen.length, 0);
  });

  it('a node is taken out and brought back under load, and no request fails', async () => {
    const statuses: number[] = [];
    let [isRunning, isTakenOut] = [true, false];
    const load = Array.from({ length: 4 }, async () => {
      while (isRunning) statuses.push((await ask(client)).status);
    });
    await sleep(300);
    edge.direct(apis.slice(1));
    await sleep(1_000);
    seen.length = 0;
    isTakenOut = true;
    await sleep(500);
    assert.deepEqual([...new Set(seen.map(({ node }) => node))], ['api-2']);
    edge.direct(apis);
    await eventually(() => seen.some(({ node }) => node === 'api-1'), 'the node is asked again');
    isRunning = false;
    await Promise.all(load);
    assert.ok(isTakenOut && seen.some(({ node }) => node === 'api-1'));
    assert.deepEqual(
      statuses.filter((status) => status !== 200),
      [],
    );
  });
});
