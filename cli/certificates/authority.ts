// The private certificate authority of an environment: a folder with its certificate, key and revocation list. Keep
// production's on a separate machine: the TLS edge gets the certificate and the list, never the key.
import 'reflect-metadata';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { badInput, refused } from '../problem.js';
import { DAY_MS } from '../../domain/instant.js';

/** Specification, "Authentication": at most 90 days, renewed after 60. */
export const CLIENT_VALIDITY_DAYS = 90;
export const RENEW_AFTER_DAYS = 60;
const AUTHORITY_VALIDITY_DAYS = 3_650;
/** The list is written at every revocation and daily. An edge with an older list refuses every client. */
const LIST_VALIDITY_DAYS = 7;
// Clocks differ a little: a new certificate must be valid on every machine.
const BACKDATE_MS = 5 * 60_000;

export const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
export const AUTHORITY_FILES = {
  certificate: 'authority.crt.pem',
  key: 'authority.key.pem',
  revoked: 'revoked.crl.pem',
} as const;

export type AuthorityEnvironment = 'sandbox' | 'production';

export interface Authority {
  readonly folder: string;
  readonly environment: AuthorityEnvironment;
  /** SHA-256 of its certificate, lowercase hex. */
  readonly fingerprint: string;
  readonly certificate: x509.X509Certificate;
  readonly key: webcrypto.CryptoKey;
}

export interface ClientCertificate {
  readonly serial: string;
  readonly fingerprint: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly certificatePem: string;
  /** `null` if the operator sent a signing request and kept the key. */
  readonly keyPem: string | null;
}

x509.cryptoProvider.set(webcrypto);

/** Creates an authority in `folder`. Throws a CommandProblem if there is one already. */
export async function createAuthority(
  folder: string,
  environment: AuthorityEnvironment,
  now: Date,
): Promise<Authority> {
  if (existsSync(join(folder, AUTHORITY_FILES.key)))
    throw refused(`${folder} has an authority already; its certificates would be worth nothing under a new one`);
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: authorityName(environment),
    notBefore: new Date(now.getTime() - BACKDATE_MS),
    notAfter: new Date(now.getTime() + AUTHORITY_VALIDITY_DAYS * DAY_MS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeWhole(join(folder, AUTHORITY_FILES.key), await keyPem(keys.privateKey), 0o600);
  writeWhole(join(folder, AUTHORITY_FILES.certificate), certificate.toString('pem'), 0o644);
  const authority = {
    folder,
    environment,
    certificate,
    key: keys.privateKey,
    fingerprint: await fingerprintOf(certificate),
  };
  await writeRevocationList(authority, [], now);
  return authority;
}

/** Reads the authority in `folder`. Throws a CommandProblem that names the faulty file. */
export async function readAuthority(folder: string): Promise<Authority> {
  const [certificatePem, privatePem] = [
    readPem(folder, AUTHORITY_FILES.certificate),
    readPem(folder, AUTHORITY_FILES.key),
  ];
  const certificate = new x509.X509Certificate(certificatePem);
  const environment = environmentOf(certificate.subject);
  if (environment === null)
    throw badInput('--authority', `${folder} holds the certificate of something else (${certificate.subject})`);
  const key = await webcrypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(privatePem), ALGORITHM, false, [
    'sign',
  ]);
  return { folder, environment, certificate, key, fingerprint: await fingerprintOf(certificate) };
}

/** Signs a client certificate for an operation, for a new key or for the key of its signing request (PEM). */
export async function signClientCertificate(
  authority: Authority,
  {
    operationId,
    validityDays,
    requestPem,
    now,
  }: { operationId: string; validityDays: number; requestPem: string | null; now: Date },
): Promise<ClientCertificate> {
  const made = requestPem === null ? await newKeys() : null;
  const publicKey = made?.publicKey ?? (await publicKeyOf(requestPem as string));
  const serial = newSerial();
  // At most 90 days from start to end: the backdated start also moves the end.
  const notBefore = new Date(Math.floor((now.getTime() - BACKDATE_MS) / 1_000) * 1_000);
  const notAfter = new Date(notBefore.getTime() + validityDays * DAY_MS);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial,
    subject: `CN=${operationId}`,
    issuer: authority.certificate.subject,
    notBefore,
    notAfter,
    publicKey,
    signingKey: authority.key,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
      await x509.AuthorityKeyIdentifierExtension.create(authority.certificate.publicKey),
    ],
  });
  return {
    serial,
    fingerprint: await fingerprintOf(certificate),
    notBefore,
    notAfter,
    certificatePem: certificate.toString('pem'),
    keyPem: made === null ? null : await keyPem(made.privateKey),
  };
}

/** Replaces the authority's revocation list atomically. @returns its path */
export async function writeRevocationList(
  authority: Authority,
  revoked: readonly { serial: string; revokedAt: Date }[],
  now: Date,
): Promise<string> {
  const list = await x509.X509CrlGenerator.create({
    issuer: authority.certificate.subject,
    thisUpdate: new Date(now.getTime() - BACKDATE_MS),
    nextUpdate: new Date(now.getTime() + LIST_VALIDITY_DAYS * DAY_MS),
    entries: revoked.map(({ serial, revokedAt }) => ({ serialNumber: serial, revocationDate: revokedAt })),
    signingKey: authority.key,
    signingAlgorithm: ALGORITHM,
  });
  const path = join(authority.folder, AUTHORITY_FILES.revoked);
  // TLS servers expect this label; the library's own is "CRL".
  writeWhole(path, x509.PemConverter.encode(list.rawData, 'X509 CRL'), 0o644);
  return path;
}

/** Copies the certificate and the revocation list to the TLS edge's folder, atomically. Never the key. */
export function publishAuthority(folder: string, edgeFolder: string): void {
  mkdirSync(edgeFolder, { recursive: true });
  for (const name of [AUTHORITY_FILES.certificate, AUTHORITY_FILES.revoked]) {
    writeWhole(join(edgeFolder, name), readPem(folder, name), 0o644);
  }
}

/** Writes a file atomically: readers see the old file or the new one. */
export function writeWhole(path: string, content: string, mode: number): void {
  const unfinished = `${path}.unfinished`;
  writeFileSync(unfinished, content, { mode });
  chmodSync(unfinished, mode);
  renameSync(unfinished, path);
}

/** The environment of the authority with this subject; `null` if it is none of ours. */
export function environmentOf(subject: string): AuthorityEnvironment | null {
  return (['sandbox', 'production'] as const).find((one) => subject === authorityName(one)) ?? null;
}

const authorityName = (environment: AuthorityEnvironment) => `CN=Operator Payments Gateway ${environment} clients`;

/** A random serial of 16 bytes. The first bit is its sign, so it is cleared. */
export function newSerial(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] as number) & 0x3f) | 0x40;
  return bytes.toString('hex');
}

export async function newKeys() {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;
}

export async function keyPem(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

async function fingerprintOf(certificate: x509.X509Certificate): Promise<string> {
  return Buffer.from(await certificate.getThumbprint('SHA-256')).toString('hex');
}

/** The public key of a signing request with a valid signature. The request's name is ignored. */
async function publicKeyOf(requestPem: string): Promise<x509.PublicKey> {
  try {
    const request = new x509.Pkcs10CertificateRequest(requestPem);
    if (await request.verify()) return request.publicKey;
  } catch {
    // Not a signing request: the same problem.
  }
  throw badInput('--request', 'must be a PEM certificate signing request, signed with its own key');
}

function readPem(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    throw badInput(
      '--authority',
      `${join(folder, name)} cannot be read; "gateway cert authority" makes a new authority`,
    );
  }
}
