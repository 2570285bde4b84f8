// The Temporal UI of `npm start` and `npm run cluster` reads, and changes nothing.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { uiConfig } from '../../../lab/cluster/temporal.js';
import { readOnlyUi } from '../../../tools/servers/temporal-ui.js';

const WORKFLOW = '/api/v1/namespaces/default/workflows/wdr_1';

describe('the Temporal UI', () => {
  const reached: string[] = [];
  let upstream: Server;
  let front: Server;
  let url: string;

  const listen = (server: Server) =>
    new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });

  before(async () => {
    upstream = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        reached.push(`${request.method} ${request.url} ${request.headers['x-csrf-token'] ?? ''} ${body}`.trim());
        response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': '_csrf=1', 'x-from': 'ui' });
        response.end(JSON.stringify({ Version: '2.42.1', DisableWriteActions: false, path: request.url }));
      });
    });
    front = readOnlyUi(await listen(upstream));
    url = `http://127.0.0.1:${await listen(front)}`;
  });
  beforeEach(() => void reached.splice(0));
  after(() => {
    for (const server of [front, upstream]) server.close().closeAllConnections();
  });

  it('the settings say that write actions are off, and keep the rest', async () => {
    const response = await fetch(`${url}/api/v1/settings`);
    assert.equal(response.headers.get('set-cookie'), '_csrf=1');
    const { Version, DisableWriteActions } = (await response.json()) as Record<string, unknown>;
    assert.deepEqual({ Version, DisableWriteActions }, { Version: '2.42.1', DisableWriteActions: true });
  });

  it('a query of a workflow passes with its headers and body', async () => {
    const path = `${WORKFLOW}/query/__temporal_workflow_metadata`;
    const response = await fetch(url + path, { method: 'POST', headers: { 'x-csrf-token': 't' }, body: '{"query":1}' });
    assert.equal(response.status, 200);
    assert.deepEqual(reached, [`POST ${path} t {"query":1}`]);
  });

  const writes: readonly (readonly [method: string, path: string])[] = [
    ['POST', `${WORKFLOW}/cancel`],
    ['POST', `${WORKFLOW}/terminate`],
    ['POST', `${WORKFLOW}/signal/chargeNotice`],
    ['POST', WORKFLOW],
    ['POST', '/api/v1/namespaces/default/workflows/x%2Fquery%2Fy/terminate'],
    ['POST', '/api/v1/namespaces/default/workflows/x%2fsignal/query/y'],
    ['POST', '/api/v1/namespaces/default/workflows/x/query/y/terminate'],
    ['POST', '/api/v1/namespaces/default/batch-operations/b'],
    ['PUT', '/api/v1/namespaces/default/schedules/day-close'],
    ['DELETE', '/api/v1/namespaces/default/schedules/day-close'],
  ];
  for (const [method, path] of writes) {
    it(`${method} ${path} is refused and reaches nobody`, async () => {
      const response = await fetch(url + path, { method, body: '{}' });
      assert.equal(response.status, 405);
      assert.match(await response.text(), /only reads/);
      assert.deepEqual(reached, []);
    });
  }

  it('the cluster’s own UI is configured to refuse writes', () => {
    const { disableWriteActions } = uiConfig('127.0.0.1:7900', 7901);
    assert.equal(disableWriteActions, true);
  });
});
