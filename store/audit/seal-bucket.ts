// Seals of the audit trail in a bucket of an S3-compatible store: an object for each, written once. With object lock or
// versions in the bucket not even its owner can take one away.
import { AwsClient } from 'aws4fetch';
import { readSeal, type Seal, type SealExports, sealName, writeSeal } from './seal.js';

export interface SealBucket {
  /** The bucket itself, without a slash at the end: `https://s3.example/bucket` or `https://bucket.s3.example`. */
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The store refuses, or does not answer as it should. */
export class SealStoreError extends Error {
  override readonly name = 'SealStoreError';
  constructor(asked: string, status: number) {
    super(`the store of seals answered ${status} to ${asked}`);
  }
}

const TIMEOUT_MS = 5_000;

export function sealBucket({ url, ...credentials }: SealBucket): SealExports {
  // The sealing process retries on its own.
  const client = new AwsClient({ ...credentials, service: 's3', retries: 0 });
  const ask = (address: string, init: RequestInit = {}) =>
    client.fetch(address, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const objectOf = (number: bigint) => `${url}/${sealName(number)}`;

  async function read(number: bigint): Promise<Seal | 'unreadable' | null> {
    const answer = await ask(objectOf(number));
    const text = await answer.text();
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw new SealStoreError('a read', answer.status);
    return readSeal(text);
  }

  return {
    read,
    async write(seal) {
      // Not every store supports the condition below, which is exact.
      if ((await read(seal.number)) !== null) return;
      const headers = { 'content-type': 'application/json', 'if-none-match': '*' };
      const answer = await ask(objectOf(seal.number), { method: 'PUT', headers, body: writeSeal(seal) });
      await answer.arrayBuffer();
      if (!answer.ok && answer.status !== 412) throw new SealStoreError('a write', answer.status);
    },
  };
}
