// The client behind a TLS edge that demands a client certificate.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createGatewayClient, NoAnswerError } from '../../../client/index.js';
import { TEST_CERTIFICATE, TEST_KEY } from '../providers/test-certificate.js';
import { STAND_IN_KEY } from './stand-in-gateway.js';

describe('client: the client certificate', () => {
  let edge: Server;
  const presented: (string | undefined)[] = [];
  before(async () => {
    edge = createServer(
      { cert: TEST_CERTIFICATE, key: TEST_KEY, ca: TEST_CERTIFICATE, requestCert: true, rejectUnauthorized: true },
      (request, response) => {
        presented.push((request.socket as TLSSocket).getPeerCertificate().fingerprint256);
        response.setHeader('Content-Type', 'application/json').end('{"ok":true}');
      },
    );
    edge.on('tlsClientError', () => undefined);
    edge.listen(0, '127.0.0.1');
    await once(edge, 'listening');
  });
  after(() => {
    edge.closeAllConnections();
    edge.close();
  });

  const connect = (more: object) =>
    createGatewayClient({
      baseUrl: `https://127.0.0.1:${(edge.address() as AddressInfo).port}/v1`,
      ...STAND_IN_KEY,
      maxAttempts: 1,
      ...more,
    });

  it('is presented, and the edge is trusted by the given authorities only', async () => {
    const client = connect({ tls: { certificate: TEST_CERTIFICATE, key: TEST_KEY, authorities: TEST_CERTIFICATE } });
    assert.deepEqual((await client.ping()).body, { ok: true });
    assert.equal(presented.length, 1);
    assert.notEqual(presented[0], undefined);
    await client.close();
  });

  it('absent, or for an edge that nobody vouches for → no answer, nothing decided', async () => {
    for (const tls of [undefined, { certificate: TEST_CERTIFICATE, key: TEST_KEY }]) {
      const client = connect(tls === undefined ? {} : { tls });
      await assert.rejects(client.ping(), NoAnswerError);
      await client.close();
    }
    assert.equal(presented.length, 1);
  });
});
