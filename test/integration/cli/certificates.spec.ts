// `gateway cert …`: certificates that a TLS server which asks for them accepts, until they are revoked.
import assert from 'node:assert/strict';
import 'reflect-metadata';
import { webcrypto, X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { once } from 'node:events';
import * as x509 from '@peculiar/x509';
import { createTestGateway, type TestGateway } from './support.js';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const newKeys = () =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;
const privatePem = async ({ privateKey }: webcrypto.CryptoKeyPair) =>
  x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY');

describe('gateway cert', function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let folder: string;
  let authority: string;
  before(async () => {
    gateway = await createTestGateway();
    folder = mkdtempSync(join(tmpdir(), 'gateway-certificates-'));
    authority = join(folder, 'authority');
    await gateway.json('cert', 'authority', '--environment', 'sandbox', '--authority', authority);
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await gateway.close();
  });

  const read = (path: string) => readFileSync(path, 'utf8');
  const operation = async () => (await gateway.operation())['operation_id'] as string;
  const issuing = (operationId: string, out: string, by = authority) =>
    `cert issue --operation ${operationId} --authority ${by} --out ${join(folder, out)}`;
  const issue = (operationId: string, out: string, ...more: string[]) =>
    gateway.json(`${issuing(operationId, out)} --as ana`, ...more);

  /** A TLS handshake with a server that trusts only the authority; what the server says of the client. */
  async function handshake(client: { cert: string; key: string } | null): Promise<'accepted' | string> {
    const own = read(join(folder, 'server.crt.pem'));
    const server = createServer({
      cert: own,
      key: read(join(folder, 'server.key.pem')),
      ca: read(join(authority, 'authority.crt.pem')),
      crl: read(join(authority, 'revoked.crl.pem')),
      requestCert: true,
      rejectUnauthorized: false,
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const seen = once(server, 'secureConnection') as Promise<[TLSSocket]>;
    const socket = connect({
      port: (server.address() as { port: number }).port,
      host: '127.0.0.1',
      ca: own,
      checkServerIdentity: () => undefined,
      ...client,
    });
    const [peer] = await seen;
    const verdict = peer.authorized ? 'accepted' : String(peer.authorizationError);
    socket.destroy();
    peer.destroy();
    server.close();
    return verdict;
  }
  before(async () => {
    const keys = await newKeys();
    const own = await x509.X509CertificateGenerator.createSelfSigned({
      serialNumber: '01',
      name: 'CN=edge',
      notBefore: new Date(Date.now() - 60_000),
      notAfter: new Date(Date.now() + 86_400_000),
      keys,
      signingAlgorithm: ALGORITHM,
    });
    writeFileSync(join(folder, 'server.crt.pem'), own.toString('pem'));
    writeFileSync(join(folder, 'server.key.pem'), await privatePem(keys));
  });

  it('issues a certificate that names the operation, valid 90 days, accepted by TLS', async () => {
    const operationId = await operation();
    const issued = await issue(operationId, 'one');
    const certificate = new X509Certificate(read(issued['files'].certificate));
    assert.equal(certificate.subject, `CN=${operationId}`);
    assert.equal(certificate.serialNumber.toLowerCase(), issued['serial']);
    assert.equal(Date.parse(issued['not_after']) - Date.parse(issued['not_before']), 90 * 86_400_000);
    assert.equal(statSync(issued['files'].key).mode & 0o777, 0o600);
    assert.equal(certificate.ca, false);
    assert.equal(
      await handshake({ cert: read(issued['files'].certificate), key: read(issued['files'].key) }),
      'accepted',
    );
    assert.notEqual(await handshake(null), 'accepted');
  });

  it('signs the operator’s own key when it sends a request, under the operation’s name, whatever the request says', async () => {
    const operationId = await operation();
    const keys = await newKeys();
    const request = join(folder, 'operator.csr');
    writeFileSync(
      request,
      (
        await x509.Pkcs10CertificateRequestGenerator.create({
          name: 'CN=op_somebody_else',
          keys,
          signingAlgorithm: ALGORITHM,
        })
      ).toString('pem'),
    );
    const issued = await issue(operationId, 'two', '--request', request, '--days', '30');
    assert.equal(issued['files'].key, null);
    assert.equal(new X509Certificate(read(issued['files'].certificate)).subject, `CN=${operationId}`);
    assert.equal(await handshake({ cert: read(issued['files'].certificate), key: await privatePem(keys) }), 'accepted');
  });

  it('revoked → refused by the next list; other certificates stay', async () => {
    const operationId = await operation();
    const [kept, lost] = [await issue(operationId, 'kept'), await issue(operationId, 'lost')];
    const files = ({ files }: { files?: { certificate: string; key: string } }) => {
      assert.ok(files);
      return { cert: read(files.certificate), key: read(files.key) };
    };
    const revoked = await gateway.json('cert', 'revoke', lost['serial'], '--authority', authority, '--as', 'ana');
    assert.equal(revoked['revoked'], 1);
    assert.equal(await handshake(files(lost)), 'CERT_REVOKED');
    assert.equal(await handshake(files(kept)), 'accepted');
    const { certificates } = await gateway.json('cert', 'list', '--operation', operationId);
    assert.deepEqual(
      certificates.map((one: Record<string, unknown>) => [one['serial'], one['revoked_at'] !== null]).sort(),
      [
        [kept['serial'], false],
        [lost['serial'], true],
      ].sort(),
    );
    const { entries } = await gateway.json('audit', 'list', '--subject', lost['serial']);
    assert.deepEqual(
      entries.map((one: Record<string, unknown>) => one['action']),
      ['certificate.revoke', 'certificate.issue'],
    );
  });

  it('two are valid at once, a third is refused until one is revoked; nothing is written for it', async () => {
    const operationId = await operation();
    const [first] = [await issue(operationId, 'a'), await issue(operationId, 'b')];
    const third = /two certificates of this operation are valid already/;
    await gateway.fails(1, third, issuing(operationId, 'c'));
    assert.throws(() => statSync(join(folder, 'c')));
    await gateway.json('cert', 'revoke', first['serial'], '--authority', authority);
    await issue(operationId, 'd');
  });

  it('--publish: the edge’s folder gets certificate and list, and the list at every revocation, and never the key', async () => {
    const edge = join(folder, 'edge');
    await gateway.json('cert', 'revocation-list', '--authority', authority, '--publish', edge);
    assert.deepEqual(readdirSync(edge).sort(), ['authority.crt.pem', 'revoked.crl.pem']);
    const before = read(join(edge, 'revoked.crl.pem'));
    const { serial } = await issue(await operation(), 'published');
    await gateway.json('cert', 'revoke', serial, '--authority', authority, '--publish', edge);
    const after = read(join(edge, 'revoked.crl.pem'));
    assert.notEqual(after, before);
    assert.equal(after, read(join(authority, 'revoked.crl.pem')));
  });

  it('overwrites no earlier certificate or key, and issues nothing then', async () => {
    const operationId = await operation();
    const { files } = await issue(operationId, 'kept-whole');
    const before = [read(files.certificate), read(files.key)];
    const again = issuing(operationId, 'kept-whole');
    await gateway.fails(1, /kept-whole\/client\.crt\.pem is there already/, again);
    assert.deepEqual([read(files.certificate), read(files.key)], before);
    rmSync(files.certificate);
    await gateway.fails(1, /kept-whole\/client\.key\.pem is there already/, again);
    assert.equal(read(files.key), before[1]);
    const unwritable = issuing(operationId, join('server.key.pem', 'out'));
    await gateway.fails(2, /--out: .* cannot be written by this user/, unwritable);
    assert.equal((await gateway.json('cert', 'list', '--operation', operationId))['certificates'].length, 1);
  });

  it('production: issued only when a second person has approved just this, and once', async () => {
    const operationId = await gateway.production();
    const live = join(folder, 'live-authority');
    await gateway.json('cert', 'authority', '--environment', 'production', '--authority', live);
    const [ana, ben] = [await gateway.signedIn('ana'), await gateway.signedIn('ben')];
    const at = (out: string, ...more: string[]) => [issuing(operationId, out, live), ...more];
    const asked = await ana.json(...at('live'));
    assert.deepEqual([asked['serial'], asked['requests'][0].kind], [null, 'certificate']);
    const { id } = asked['requests'][0];
    assert.deepEqual((await ana.json(...at('live')))['requests'], asked['requests'], 'it still waits');
    await ana.fails(1, /another person must approve it/, 'request', 'approve', id);
    await ben.json('request', 'approve', id);
    const other = await ana.json(...at('live-other', '--days', '30'));
    assert.notEqual(other['requests'][0].id, id, 'for thirty days nobody approved one');
    assert.match((await ana.json(...at('live')))['serial'], /^[0-9a-f]{32}$/);
    assert.equal((await ana.json(...at('live-again')))['serial'], null, 'the approval is used up');
    const { certificates } = await gateway.json('cert', 'list', '--operation', operationId);
    assert.equal(certificates.length, 1);
  });

  it('refuses what it cannot do, naming the option', async () => {
    const operationId = await operation();
    const live = join(folder, 'production-authority');
    await gateway.json('cert', 'authority', '--environment', 'production', '--authority', live);
    writeFileSync(join(folder, 'not-a-request'), 'hello');
    const never = issuing(operationId, 'never');
    const noRequest = /--request: must be a PEM certificate signing request/;
    await gateway.fails(1, /sandbox; the authority is production's/, issuing(operationId, 'never', live));
    await gateway.fails(2, noRequest, `${never} --request ${join(folder, 'not-a-request')}`);
    await gateway.fails(2, /--days: must be 1 to 90/, `${never} --days 91`);
    const again = `cert authority --environment sandbox --authority ${authority}`;
    await gateway.fails(1, /has an authority already/, again);
    await gateway.fails(1, /there is no such certificate/, `cert revoke ${'f'.repeat(32)} --authority ${authority}`);
  });
});
