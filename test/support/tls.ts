// A private authority for tests: certificates for servers and clients, and a server that takes TLS off.
import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, isIP, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer, type TlsOptions } from 'node:tls';
import * as x509 from '@peculiar/x509';
import { ALGORITHM, keyPem, newKeys } from '../../cli/certificates/authority.js';

const HOUR_MS = 3_600_000;

export interface Pair {
  readonly certificate: string;
  readonly key: string;
  readonly certificateFile: string;
  readonly keyFile: string;
}

export interface TestAuthority extends Pick<Pair, 'certificate' | 'certificateFile'> {
  /** Names and addresses for a server, or anything for a client. */
  issue(file: string, ...names: string[]): Promise<Pair>;
}

x509.cryptoProvider.set(webcrypto);
const serialNumber = () => `01${randomBytes(12).toString('hex')}`;

/** Its certificates and keys are files of `folder`. */
export async function testAuthority(folder: string, name: string): Promise<TestAuthority> {
  const validity = { notBefore: new Date(Date.now() - HOUR_MS), notAfter: new Date(Date.now() + 24 * HOUR_MS) };
  const keys = await newKeys();
  const own = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    serialNumber: serialNumber(),
    name: `CN=${name}`,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    ],
  });
  const write = (file: string, text: string) => {
    writeFileSync(join(folder, file), text, { mode: 0o600 });
    return join(folder, file);
  };
  const certificate = own.toString('pem');
  return {
    certificate,
    certificateFile: write(`${name}.ca.pem`, certificate),
    async issue(file, ...names) {
      const pair = await newKeys();
      const issued = await x509.X509CertificateGenerator.create({
        ...validity,
        serialNumber: serialNumber(),
        subject: `CN=${names[0]}`,
        issuer: own.subject,
        publicKey: pair.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth]),
          new x509.SubjectAlternativeNameExtension(
            names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
          ),
        ],
      });
      const [text, key] = [issued.toString('pem'), await keyPem(pair.privateKey)];
      return {
        certificate: text,
        key,
        certificateFile: write(`${file}.crt.pem`, text),
        keyFile: write(`${file}.key.pem`, key),
      };
    },
  };
}

export interface TlsFront {
  readonly port: number;
  /** Connections that came through. */
  readonly accepted: () => number;
  close(): Promise<void>;
}

/** A TLS server on 127.0.0.1 in front of a plain one: what arrives over TLS is forwarded to `target`. */
export async function startTlsFront(target: number, options: TlsOptions): Promise<TlsFront> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer(options, (secured) => {
    accepted += 1;
    const plain = connect(target, '127.0.0.1');
    for (const socket of [secured, plain]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => [secured, plain].forEach((one) => one.destroy()));
    }
    secured.pipe(plain).pipe(secured);
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
