// The limits of the TLS edge for one certificate, and those for callbacks, in real nginx: a client beyond them is
// refused, and others are served. The template's own limits are above what a test can send.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request as httpRequest, type Server } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Authority,
  type ClientCertificate,
  createAuthority,
  signClientCertificate,
  writeRevocationList,
} from '../../../cli/certificates/authority.js';
import { type StartedEdge, startEdge } from '../../../lab/harness/edge.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { ProcessRegistry } from '../../../tools/processes/registry.js';
import { resolveNginx } from '../../../lab/cluster/nginx.js';

/** Requests that pass at once where the burst is 3 and the rate next to nothing. */
const BURST = 4;
const AT_ONCE = 2;

describe('limits of the TLS edge', function () {
  this.timeout(60_000);
  let nginx: string;
  let folder: string;
  let authority: Authority;
  let registry: ProcessRegistry;
  let node: Server;
  let edge: StartedEdge | undefined;
  const certificates: ClientCertificate[] = [];
  let reached = 0;
  let isHolding = false;
  const held: (() => void)[] = [];

  before(async function () {
    const found = await resolveNginx(process.env).catch((error: Error) => error);
    if (found instanceof Error) {
      process.stdout.write(`      not run: ${found.message}\n`);
      return this.skip();
    }
    nginx = found.path;
    folder = mkdtempSync(join(tmpdir(), 'gateway-edge-limits-'));
    const now = new Date();
    authority = await createAuthority(join(folder, 'authority'), 'sandbox', now);
    for (const operationId of ['op_1', 'op_2']) {
      const asked = { operationId, validityDays: 90, requestPem: null, now };
      certificates.push(await signClientCertificate(authority, asked));
    }
    await writeRevocationList(authority, [], now);
    registry = new ProcessRegistry(join(folder, 'processes.json'));
    node = createServer((request, response) => {
      reached += 1;
      request.resume();
      const answer = () => response.writeHead(200).end('{}');
      if (isHolding) held.push(answer);
      else answer();
    });
    node.listen(0, '127.0.0.1');
    await once(node, 'listening');
  });
  after(() => {
    registry?.close();
    node?.closeAllConnections();
    node?.close();
    if (folder) rmSync(folder, { recursive: true });
  });
  afterEach(async () => {
    isHolding = false;
    held.splice(0).forEach((answer) => answer());
    await edge?.edge.service.stop();
    edge = undefined;
  });

  async function start(name: string, instead: Readonly<Record<string, string>>): Promise<void> {
    const { port } = node.address() as AddressInfo;
    const surroundings = { nginx, registry, folder, authority: join(folder, 'authority') };
    edge = await startEdge(name, [{ port, ingressPort: port }], surroundings, { instead });
    reached = 0;
  }

  interface Answer {
    readonly status: number | undefined;
    readonly retryAfter: string | undefined;
    readonly code: unknown;
  }

  async function answerOf(request: ReturnType<typeof httpRequest>): Promise<Answer> {
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    const code = text.startsWith('{') ? (JSON.parse(text) as { code?: string }).code : undefined;
    return { status: response.statusCode, retryAfter: response.headers['retry-after'], code };
  }

  function ask(client: number): Promise<Answer> {
    const certificate = certificates[client]!;
    const tls = { cert: certificate.certificatePem, key: certificate.keyPem as string };
    const ca = readFileSync(edge!.edge.certificateFile);
    const place = { host: '127.0.0.1', port: edge!.edgePort, path: '/v1/ping', agent: false as const };
    return answerOf(httpsRequest({ ...place, ca, ...tls }));
  }

  function call(from: string): Promise<Answer> {
    const place = { host: '127.0.0.1', port: edge!.edgeIngressPort, path: '/callbacks/a/pix', agent: false as const };
    return answerOf(httpRequest({ ...place, method: 'POST', localAddress: from }));
  }

  async function timesOf(times: number, one: () => Promise<Answer>): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (let time = 0; time < times; time += 1) answers.push(await one());
    return answers;
  }

  const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);
  const tooMany: Answer = { status: 429, retryAfter: '1', code: 'rate_limited' };

  it('requests with one certificate beyond its rate → 429; another certificate from the same address passes', async () => {
    await start('certificate-rate', {
      'zone=gateway_certificate_requests:10m rate=800r/s': 'zone=gateway_certificate_requests:10m rate=1r/m',
      'zone=gateway_certificate_requests burst=800': `zone=gateway_certificate_requests burst=${BURST - 1}`,
    });
    const answers = await timesOf(BURST + 1, () => ask(0));
    assert.deepEqual(statusesOf(answers), [...Array<number>(BURST).fill(200), 429]);
    assert.deepEqual(answers.at(-1), tooMany);
    assert.equal(reached, BURST);
    assert.equal((await ask(1)).status, 200);
  });

  it('requests under way with one certificate beyond its number → 429; another certificate passes', async () => {
    await start('certificate-connections', {
      'limit_conn gateway_certificate_connections 1024': `limit_conn gateway_certificate_connections ${AT_ONCE}`,
    });
    isHolding = true;
    const underWay = Array.from({ length: AT_ONCE }, () => ask(0));
    await eventually(() => held.length === AT_ONCE, 'they are under way');
    assert.deepEqual(await ask(0), tooMany);
    isHolding = false;
    assert.equal((await ask(1)).status, 200);
    held.splice(0).forEach((answer) => answer());
    assert.deepEqual(statusesOf(await Promise.all(underWay)), Array(AT_ONCE).fill(200));
    await eventually(async () => (await ask(0)).status === 200, 'it is served again');
  });

  it('callbacks from one address beyond its rate → 503, which providers repeat; another address passes', async () => {
    await start('callback-rate', {
      'zone=gateway_callbacks:10m rate=200r/s': 'zone=gateway_callbacks:10m rate=1r/m',
      'zone=gateway_callbacks burst=400': `zone=gateway_callbacks burst=${BURST - 1}`,
    });
    const answers = await timesOf(BURST + 1, () => call('127.0.0.1'));
    assert.deepEqual(statusesOf(answers), [...Array<number>(BURST).fill(200), 503]);
    assert.equal(reached, BURST);
    assert.equal((await call('127.0.0.2')).status, 200);
  });

  it('callbacks under way from one address beyond its number → 503; another address passes', async () => {
    await start('callback-connections', {
      'limit_conn gateway_address_connections 64': `limit_conn gateway_address_connections ${AT_ONCE}`,
    });
    isHolding = true;
    const underWay = Array.from({ length: AT_ONCE }, () => call('127.0.0.1'));
    await eventually(() => held.length === AT_ONCE, 'they are under way');
    assert.equal((await call('127.0.0.1')).status, 503);
    isHolding = false;
    assert.equal((await call('127.0.0.2')).status, 200);
    held.splice(0).forEach((answer) => answer());
    assert.deepEqual(statusesOf(await Promise.all(underWay)), Array(AT_ONCE).fill(200));
  });
});
