// How Temporal's server in containers authenticates its callers: by certificates of its own authorities, and by a
// signed token for each kind of caller. The signing keys are never written to disk, so no other token can be made
// later.
import 'reflect-metadata';
import { randomBytes, randomUUID, webcrypto } from 'node:crypto';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';
import { exportJWK, SignJWT } from 'jose';
import { ALGORITHM, keyPem, newKeys, newSerial, writeWhole } from './authority.js';
import { grantsClaim, TEMPORAL_GRANTS, type TemporalCaller } from './temporal-grants.js';
import { DAY_MS } from '../../domain/instant.js';

export const NAMESPACE = 'default';

/** The names of the files, which docker-compose.yml mounts for the server and its callers. */
export const TEMPORAL_FILES = {
  serverCertificate: 'temporal-server-certificate',
  serverKey: 'temporal-server-key',
  nodeCertificate: 'temporal-node-certificate',
  nodeKey: 'temporal-node-key',
  nodeAuthority: 'temporal-node-authority',
  tokenKeys: 'temporal-token-keys',
  /** Whom the tokens are for: this server, and no other that knows the same keys. */
  tokenAudience: 'temporal-token-audience',
  /** With it the server marks the tasks that it hands out. */
  taskKey: 'temporal-task-key',
  uiAuthorization: 'temporal-ui-authorization',
  /** For callers, among the files of connections. */
  authority: 'temporal-authority.crt.pem',
} as const;

/** The file with a caller's token; the UI's is in {@link TEMPORAL_FILES.uiAuthorization}. */
export const temporalTokenFile = (caller: TemporalCaller) => `temporal-token-${caller}`;

/** The server's name in the containers' network, and of its roles among each other. */
export const SERVER_NAME = 'temporal';
const NODE_NAME = 'temporal-node';

/**
 * As long as a deployment lives. An earlier expiry would stop every payment at once. After a leak, new files are made.
 */
const VALIDITY_DAYS = 3_650;

x509.cryptoProvider.set(webcrypto);

/**
 * Writes everything anew: what was made before is worth nothing to a server that was started with these.
 * @param secrets the folder whose files are handed to single containers
 * @param files the folder that every process of the gateway reads
 */
export async function makeTemporalAccess({ secrets, files }: { secrets: string; files: string }): Promise<void> {
  const write = (name: string, content: string) => writeWhole(join(secrets, name), content, 0o444);
  const [server, node] = [await certified(SERVER_NAME), await certified(NODE_NAME)];
  write(TEMPORAL_FILES.serverCertificate, server.certificate);
  write(TEMPORAL_FILES.serverKey, server.key);
  write(TEMPORAL_FILES.nodeCertificate, node.certificate);
  write(TEMPORAL_FILES.nodeKey, node.key);
  write(TEMPORAL_FILES.nodeAuthority, node.authority);
  writeWhole(join(files, TEMPORAL_FILES.authority), server.authority, 0o444);

  const [keys, kid, audience] = [await newKeys(), randomUUID(), `temporal-${randomUUID()}`];
  write(TEMPORAL_FILES.tokenAudience, audience);
  write(TEMPORAL_FILES.taskKey, randomBytes(32).toString('base64'));
  const published = { ...(await exportJWK(keys.publicKey)), kid, alg: 'ES256', use: 'sig' };
  write(TEMPORAL_FILES.tokenKeys, JSON.stringify({ keys: [published] }));
  for (const caller of Object.keys(TEMPORAL_GRANTS) as TemporalCaller[]) {
    const token = await new SignJWT({ temporal: grantsClaim(NAMESPACE, TEMPORAL_GRANTS[caller]) })
      .setProtectedHeader({ alg: 'ES256', kid })
      .setSubject(caller)
      .setAudience(audience)
      .setIssuedAt()
      .sign(keys.privateKey);
    // The UI has no setting for a token: the proxy before it adds the header.
    if (caller === 'ui') write(TEMPORAL_FILES.uiAuthorization, `grpc_set_header Authorization "Bearer ${token}";\n`);
    else write(temporalTokenFile(caller), token);
  }
}

/** A certificate of this name under an authority that signs nothing else. */
async function certified(name: string): Promise<Record<'certificate' | 'key' | 'authority', string>> {
  const [ofAuthority, keys] = [await newKeys(), await newKeys()];
  const dates = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + VALIDITY_DAYS * DAY_MS) };
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: `CN=${name} authority`,
    ...dates,
    keys: ofAuthority,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: newSerial(),
    subject: `CN=${name}`,
    issuer: authority.subject,
    ...dates,
    publicKey: keys.publicKey,
    signingKey: ofAuthority.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
    ],
  });
  return {
    certificate: certificate.toString('pem'),
    key: await keyPem(keys.privateKey),
    authority: authority.toString('pem'),
  };
}
