// A self-signed certificate for the TLS edge, for sandboxes and single machines without a public authority.
import 'reflect-metadata';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { ALGORITHM, keyPem, newKeys, newSerial, writeWhole } from './authority.js';
import { DAY_MS } from '../../domain/instant.js';

/** The files that the edge reads in its folder. */
export const EDGE_FILES = { certificate: 'edge.crt.pem', key: 'edge.key.pem' } as const;

const VALIDITY_DAYS = 365;

x509.cryptoProvider.set(webcrypto);

/** Writes certificate and key (0600) into `folder`. `names`: every host name and address that clients use. */
export async function makeServerCertificate(folder: string, names: readonly [string, ...string[]]): Promise<void> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: `CN=${names[0]}`,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + VALIDITY_DAYS * DAY_MS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
      ),
    ],
  });
  writeWhole(join(folder, EDGE_FILES.key), await keyPem(keys.privateKey), 0o600);
  writeWhole(join(folder, EDGE_FILES.certificate), certificate.toString('pem'), 0o644);
}
