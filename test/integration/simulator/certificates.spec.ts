// A bank that demands a certificate of its clients, and shows its own to those that it calls.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { Agent, fetch } from 'undici';
import { parseBrCode } from '../../../domain/br-code.js';
import { type Pair, testAuthority } from '../../support/tls.js';
import { runWith } from '../cli/support.js';
import { aCharge, type Bench, type Changed, environmentFor, openBench } from './harness.js';

describe('a bank with certificates', () => {
  let folder: string;
  let bank: Pair;
  let ca: string;
  let changed: Changed;
  let bench: Bench;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'certificates-'));
    const authority = await testAuthority(folder, 'authority');
    bank = await authority.issue('bank', '127.0.0.1');
    const client = await authority.issue('client', 'client.test');
    ca = authority.certificate;
    const trusted = Object.fromEntries(
      ['A', 'B'].map((name) => [`PROVIDER_${name}_TLS_CA_FILE`, authority.certificateFile]),
    );
    changed = {
      ...trusted,
      PROVIDER_A_DIALECT: 'efi',
      PROVIDER_B_DIALECT: 'efi',
      PROVIDER_A_TLS_CERT_FILE: client.certificateFile,
      PROVIDER_A_TLS_KEY_FILE: client.keyFile,
      SIMULATOR_TLS_CERT_FILE: bank.certificateFile,
      SIMULATOR_TLS_KEY_FILE: bank.keyFile,
      SIMULATOR_TLS_CA_FILE: authority.certificateFile,
    };
    bench = await openBench({}, changed);
  });
  after(async () => {
    await bench.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('with one → created, and found', async () => {
    const charge = aCharge();
    const made = await bench.providers('a').createCharge(charge);
    assert.equal(made.kind, 'created');
    const found = await bench.providers('a').lookUpCharge(charge.reference);
    assert.ok(found.kind === 'found');
    assert.deepEqual([found.status, found.payments], ['open', []]);
  });

  it('without one → the call never leaves, for want of a token', async () => {
    const made = await bench.providers('b').createCharge(aCharge());
    assert.ok(made.kind === 'unknown' && made.reason.startsWith('token_'), JSON.stringify(made));
    assert.equal((await bench.providers('a').createCharge(aCharge())).kind, 'created');
  });

  it('a code is for everybody', async () => {
    const made = await bench.providers('a').createCharge(aCharge());
    assert.ok(made.kind === 'created');
    const code = parseBrCode(made.charge.copyPaste);
    assert.ok(code.ok);
    const dispatcher = new Agent({ connect: { ca } });
    const served = await fetch(`https://${code.brCode.location}`, { dispatcher });
    assert.equal(served.status, 200);
    await served.text();
    await dispatcher.destroy();
  });

  for (const { title, demands, answer, registered } of [
    { title: 'an address that demands it → registered', demands: true, answer: 200, registered: true },
    { title: 'one that takes everybody → refused', demands: false, answer: 200, registered: false },
    { title: 'one that knows it and does not answer 200 → refused', demands: true, answer: 500, registered: false },
  ])
    it(`a webhook with the certificate of the bank: ${title}`, async () => {
      const seen: boolean[] = [];
      const edge = await listening(
        createServer(
          { cert: bank.certificate, key: bank.key, ca, requestCert: true, rejectUnauthorized: demands },
          (request, response) => {
            seen.push((request.socket as TLSSocket).authorized);
            response.writeHead(answer).end();
          },
        ),
      );
      try {
        const { exitCode } = await runWith(
          {
            ...environmentFor(bench.simulator.url, changed),
            PROVIDER_A_CALLBACK_SECRET: undefined,
            PROVIDER_A_CALLBACK_CERTIFICATE: 'CN=127.0.0.1',
          },
          ['provider', 'register-webhook', 'a', '--edge', `https://127.0.0.1:${edge.port}`],
        );
        assert.equal(exitCode, registered ? 0 : 1);
        // An address that takes everybody is never asked with it.
        assert.deepEqual(seen, demands ? [true] : [false]);
      } finally {
        await edge.close();
      }
    });
});

async function listening(server: Server): Promise<{ port: number; close(): Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port: (server.address() as AddressInfo).port, close };
}
