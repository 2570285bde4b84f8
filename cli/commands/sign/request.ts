// Signs one request (specification, "Signing"), and formats it as a curl command and as an explanation.
import { randomBytes, randomUUID } from 'node:crypto';
import { canonicalRequest, sha256Hex, signatureHeaders } from '../../../client/signing.js';
import type { Credential } from '../../inputs/credential.js';

/** The server accepts a timestamp for five minutes. */
const LIFETIME_SECONDS = 300;

export interface RequestToSign extends Omit<Credential, 'webhookSecret'> {
  readonly method: string;
  /** With the `/v1` in front and the query as sent. */
  readonly path: string;
  readonly body: { readonly bytes: Buffer; readonly path: string } | null;
}

export interface SignedRequest {
  /** The six lines that are signed. */
  readonly canonical: readonly string[];
  /** Lowercase hex, without the `v1=` of the header. */
  readonly signature: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly curl: string;
  /** RFC 3339. Until then the request can be sent once. */
  readonly expiresAt: string;
}

/** Signs with a fresh timestamp and nonce, and for a POST a fresh Idempotency-Key. */
export function signRequest(request: RequestToSign, nowMs: number = Date.now()): SignedRequest {
  const { method, path: target, body } = request;
  const input = {
    method,
    target,
    body: body?.bytes ?? Buffer.alloc(0),
    timestampSeconds: Math.floor(nowMs / 1000),
    nonce: randomBytes(16).toString('hex'),
  };
  const signed = signatureHeaders(request, input);
  const headers = {
    ...signed,
    ...(method === 'POST' ? { 'Idempotency-Key': randomUUID() } : {}),
    ...(body === null && method !== 'POST' ? {} : { 'Content-Type': 'application/json; charset=utf-8' }),
  };
  return {
    canonical: canonicalRequest(input).split('\n'),
    signature: (signed['Svc-Signature'] ?? '').slice('v1='.length),
    headers,
    curl: curlOf(request, headers),
    expiresAt: new Date((input.timestampSeconds + LIFETIME_SECONDS) * 1000).toISOString(),
  };
}

/** The options make curl send exactly the signed bytes: no globbing, no path normalisation, the body as in its file. */
function curlOf({ method, path, body, baseUrl }: RequestToSign, headers: Readonly<Record<string, string>>): string {
  const url = baseUrl.slice(0, -'/v1'.length) + path;
  const data =
    body !== null ? ['--data-binary', quoted(`@${body.path}`)] : method === 'POST' ? ['--data-binary', "''"] : [];
  return [
    'curl --silent --show-error --include --globoff --path-as-is',
    '--request',
    method,
    ...Object.entries(headers).flatMap(([name, value]) => ['--header', quoted(`${name}: ${value}`)]),
    ...data,
    quoted(url),
  ].join(' ');
}

/** Quotes a text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Explains the signature step by step, for authors of clients. */
export function explainSignature({ canonical, headers, expiresAt }: SignedRequest): string[] {
  const [version = '', timestamp = '', nonce = '', method = '', path = '', bodyHash = ''] = canonical;
  const isEmpty = bodyHash === sha256Hex(Buffer.alloc(0));
  return [
    'The canonical request is these six lines, joined by LF (0x0A), with no LF at the end:',
    `  1  ${version.padEnd(34)} the version of the scheme`,
    `  2  ${timestamp.padEnd(34)} Svc-Timestamp: Unix seconds`,
    `  3  ${nonce.padEnd(34)} Svc-Nonce: 16 random bytes in hex, new for every request`,
    `  4  ${method.padEnd(34)} the method in upper case`,
    `  5  ${path.padEnd(34)} the path with /v1, and the query exactly as sent`,
    `  6  ${bodyHash} SHA-256 of the ${isEmpty ? 'empty body' : 'raw body'}`,
    'Svc-Signature is "v1=" and the lowercase hex of HMAC-SHA256 over them, keyed with the UTF-8 bytes of the secret:',
    `  ${headers['Svc-Signature'] ?? ''}`,
    `The curl works once, until ${expiresAt}; ` +
      'sign again for another try (with the same Idempotency-Key if it is a repeat).',
  ];
}
