// The HTTP client: tokens, TLS, and what an observer gets.
import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { DIALECTS } from '../../../providers/index.js';
import { aWireCharge, configFor, openFakePsp, type FakePsp } from './fake-psp.js';
import { TEST_CERTIFICATE, TEST_KEY } from './test-certificate.js';

const REFERENCE = 'e'.repeat(32);

describe('bearer tokens', () => {
  let psp: FakePsp;
  beforeEach(async () => {
    psp = await openFakePsp();
  });
  afterEach(() => psp.close());

  it('one is fetched for many calls at once, and kept', async () => {
    const provider = psp.provider('simulator');
    psp.next = Array.from({ length: 30 }, () => ({ json: aWireCharge(REFERENCE) }));
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => provider.lookUpCharge(REFERENCE)));
    assert.ok(outcomes.every(({ kind }) => kind === 'found'));
    await provider.lookUpCharge(REFERENCE);
    assert.equal(psp.tokens, 1);
  });

  it('a new one is fetched before the old one ends', async () => {
    let nowMs = 0;
    const provider = psp.provider('simulator', { now: () => nowMs });
    psp.next = Array.from({ length: 3 }, () => ({ json: aWireCharge(REFERENCE) }));
    await provider.lookUpCharge(REFERENCE);
    nowMs = 3_569_000;
    await provider.lookUpCharge(REFERENCE);
    assert.equal(psp.tokens, 1);
    nowMs = 3_571_000;
    await provider.lookUpCharge(REFERENCE);
    assert.equal(psp.tokens, 2);
  });

  it('a failed fetch is not remembered', async () => {
    const provider = psp.provider('simulator');
    psp.token = { status: 503, json: {} };
    assert.deepEqual(await provider.lookUpCharge(REFERENCE), { kind: 'unknown', reason: 'token_http_503' });
    psp.token = null;
    psp.next = [{ json: aWireCharge(REFERENCE) }];
    assert.equal((await provider.lookUpCharge(REFERENCE)).kind, 'found');
  });
});

describe('mutual TLS', () => {
  const seen: string[] = [];
  const server = createServer(
    { key: TEST_KEY, cert: TEST_CERTIFICATE, ca: TEST_CERTIFICATE, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      seen.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(
          request.url?.endsWith('/token')
            ? { access_token: 't', token_type: 'Bearer', expires_in: 60 }
            : aWireCharge(REFERENCE),
        ),
      );
    },
  );
  let url: string;
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => new Promise<void>((resolve) => server.close(() => resolve())));

  const lookUp = async (tls?: { cert?: string; key?: string; ca?: string }) => {
    const provider = DIALECTS.simulator.open(
      'simulator',
      { ...configFor(url), ...(tls ? { tls } : {}) },
      { callTimeoutMs: 2_000 },
    );
    try {
      return await provider.lookUpCharge(REFERENCE);
    } finally {
      await provider.close();
    }
  };

  it('shows our certificate and trusts the given authority', async () => {
    assert.equal((await lookUp({ cert: TEST_CERTIFICATE, key: TEST_KEY, ca: TEST_CERTIFICATE })).kind, 'found');
    assert.equal(seen.at(-1), 'localhost');
  });
  it('an authority we do not trust → unknown, and nothing was said', async () => {
    const before = seen.length;
    assert.deepEqual(await lookUp({ cert: TEST_CERTIFICATE, key: TEST_KEY }), {
      kind: 'unknown',
      reason: 'token_tls_error',
    });
    assert.equal(seen.length, before);
  });
  it('without our certificate → unknown', async () =>
    assert.equal((await lookUp({ ca: TEST_CERTIFICATE })).kind, 'unknown'));
});
