// A stand-in for HashiCorp Vault's Transit engine over real HTTP: strict about method, path, headers and bodies, with a
// master key of each purpose, versions of them that can be rotated and retired, tokens whose policy names some of them,
// and the ways a vault fails.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StandInVault {
  readonly url: string;
  readonly token: string;
  readonly keyName: string;
  /** A token whose policy allows the master keys of these purposes alone: `webhook-secrets`, … */
  tokenFor(purposes: readonly string[]): string;
  /** What was asked: `datakey/wrapped`, `decrypt`, … */
  readonly calls: readonly string[];
  /** Adds a version of each master key, as `POST /transit/keys/:name/rotate` does. */
  rotateMaster(): void;
  /** Makes older versions unusable, as `min_decryption_version` does. */
  setMinimumVersion(version: number): void;
  /** `sealed`: 503; `denied`: 403 for any token; `silent`: never answers; `nonsense`: 200 with another shape. */
  fail(mode: 'none' | 'sealed' | 'denied' | 'silent' | 'nonsense'): void;
  close(): Promise<void>;
}

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly errors: readonly string[],
  ) {
    super(errors.join());
  }
}

const refuse = (status: number, error: string): never => {
  throw new Refusal(status, [error]);
};

export async function startVault(): Promise<StandInVault> {
  const [token, keyName] = [`hvs.${randomBytes(24).toString('base64url')}`, 'gateway-master'];
  const policies = new Map<string, readonly string[] | 'all'>([[token, 'all']]);
  /** By purpose. Vault makes a key when it is first used. */
  const mastersOf = new Map<string, Buffer[]>();
  let versions = 1;
  const calls: string[] = [];
  let minimumVersion = 1;
  let mode: Parameters<StandInVault['fail']>[0] = 'none';

  const mastersFor = (purpose: string): Buffer[] => {
    const masters = mastersOf.get(purpose) ?? [];
    while (masters.length < versions) masters.push(randomBytes(32));
    mastersOf.set(purpose, masters);
    return masters;
  };
  const encrypt = (purpose: string, plain: Buffer): string => {
    const masters = mastersFor(purpose);
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', masters.at(-1)!, nonce);
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return `vault:v${masters.length}:${Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64')}`;
  };
  const decrypt = (purpose: string, text: unknown): Buffer => {
    const [, version, packed] =
      /^vault:v(\d+):([A-Za-z0-9+/=]+)$/.exec(String(text)) ?? refuse(400, 'invalid ciphertext: no prefix');
    const master = mastersFor(purpose)[Number(version) - 1] ?? refuse(400, 'invalid ciphertext: version is too new');
    if (Number(version) < minimumVersion)
      refuse(400, 'ciphertext or signature version is disallowed by policy (too old)');
    const bytes = Buffer.from(packed!, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', master, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
  };
  const batchOf = (body: Record<string, unknown>): { ciphertext: unknown }[] => {
    const { batch_input: batch, ...rest } = body;
    if (!Array.isArray(batch) || batch.length === 0 || Object.keys(rest).length > 0)
      return refuse(400, 'missing ciphertext to decrypt');
    return batch as { ciphertext: unknown }[];
  };
  const operations: Record<string, (purpose: string, body: Record<string, unknown>) => object> = {
    'datakey/wrapped': (purpose, { bits, ...rest }) => {
      if (bits !== 256 || Object.keys(rest).length > 0) refuse(400, 'invalid bit length');
      return { ciphertext: encrypt(purpose, randomBytes(32)), key_version: versions };
    },
    encrypt: (purpose, { plaintext }) => ({
      ciphertext: encrypt(purpose, Buffer.from(String(plaintext), 'base64')),
      key_version: versions,
    }),
    decrypt: (purpose, body) => ({
      batch_results: batchOf(body).map(({ ciphertext }) => ({
        plaintext: decrypt(purpose, ciphertext).toString('base64'),
      })),
    }),
    rewrap: (purpose, body) => ({
      batch_results: batchOf(body).map(({ ciphertext }) => ({
        ciphertext: encrypt(purpose, decrypt(purpose, ciphertext)),
        key_version: versions,
      })),
    }),
  };

  const answer = async (request: IncomingMessage): Promise<object> => {
    const path = new RegExp(`^/v1/transit/([a-z/]+)/${keyName}-([a-z-]+)$`).exec(request.url ?? '');
    const [operation, purpose] = [path?.[1] ?? '', path?.[2] ?? ''];
    calls.push(operation);
    if (request.headers['x-vault-request'] !== 'true') refuse(412, 'required header X-Vault-Request is missing');
    if (mode === 'sealed') refuse(503, 'Vault is sealed');
    const policy = policies.get(String(request.headers['x-vault-token'])) ?? [];
    if (mode === 'denied' || (policy !== 'all' && !policy.includes(purpose))) refuse(403, 'permission denied');
    const run = operations[operation] ?? refuse(404, 'no handler for route');
    if (request.method !== 'POST') refuse(405, 'unsupported operation');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const data = run(purpose, JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>);
    return mode === 'nonsense'
      ? { data: { answer: 42 } }
      : { request_id: 'x', lease_id: '', renewable: false, lease_duration: 0, data };
  };
  const server = createServer((request, response) => {
    if (mode === 'silent') return;
    answer(request).then(
      (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      (error: unknown) => {
        const { status, errors } = error instanceof Refusal ? error : { status: 400, errors: ['invalid request'] };
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ errors }));
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    keyName,
    tokenFor(purposes) {
      const limited = `hvs.${randomBytes(24).toString('base64url')}`;
      policies.set(limited, purposes);
      return limited;
    },
    calls,
    rotateMaster: () => void (versions += 1),
    setMinimumVersion: (version) => (minimumVersion = version),
    fail: (next) => (mode = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
