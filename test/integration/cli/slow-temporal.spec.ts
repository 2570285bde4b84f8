// A Temporal that is too busy to answer, as after everything was started at once: commands say so, and those that wait
// ask again.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createTestGateway, type TestGateway } from './support.js';

const GRPC = { ok: 0, deadlineExceeded: 4, notFound: 5, unimplemented: 12 };

/** An empty message, or only a status. */
function answer(stream: ServerHttp2Stream, status: number): void {
  const headers = { ':status': 200, 'content-type': 'application/grpc' };
  if (status !== GRPC.ok)
    return void stream.respond({ ...headers, 'grpc-status': String(status) }, { endStream: true });
  stream.respond(headers, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(Buffer.alloc(5));
}

describe('gateway with a Temporal that is slow to answer', function () {
  this.timeout(30_000);
  let gateway: TestGateway;
  let server: Http2Server;
  let address: string;
  let asked: string[];
  /** How many calls it does not answer in time. It knows no build of any worker. */
  let unanswered: number;

  before(async () => {
    server = createServer();
    server.on('stream', (stream, headers) => {
      const method = String(headers[':path']).split('/').at(-1) ?? '';
      stream.resume();
      if (method === 'GetSystemInfo') return answer(stream, GRPC.unimplemented);
      asked.push(method);
      if (asked.length <= unanswered) return answer(stream, GRPC.deadlineExceeded);
      answer(stream, method === 'DescribeTaskQueue' ? GRPC.ok : GRPC.notFound);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    gateway = await createTestGateway({ TEMPORAL_ADDRESS: address });
  });
  after(async () => {
    await gateway.close();
    server.close();
  });
  beforeEach(() => {
    asked = [];
    unanswered = Number.POSITIVE_INFINITY;
  });

  it('a command says in one line that it got no answer', async () => {
    const line = `gateway: Temporal at ${address} did not answer in time; look what was done, or try again\n`;
    const { exitCode, stdout, stderr } = await gateway.run('deploy', 'status');
    assert.deepEqual([exitCode, stdout, stderr], [1, '', line]);
  });

  it('deploy promote --wait asks again while it may wait', async () => {
    unanswered = 1;
    await gateway.fails(1, /build v9: no worker of it has started/, 'deploy promote v9 --wait 3 --as ana');
    assert.ok(asked.length > 1);
  });
});
