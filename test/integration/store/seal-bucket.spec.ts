// The export of seals in an S3-compatible store, against a real one. About 2 s.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { appendAudit } from '../../../store/audit/audit.js';
import { createSealSigner, isSameSeal, NO_SEAL, type Seal, SealKeys } from '../../../store/audit/seal.js';
import { sealBucket } from '../../../store/audit/seal-bucket.js';
import { sealAudit } from '../../../store/audit/sealing.js';
import { verifyAudit } from '../../../store/audit/verification.js';
import { createDatabase } from '../../../store/database.js';
import { createTestDatabase } from '../../../lab/harness/database.js';
import { S3_CREDENTIALS, type S3Server, startS3Server } from '../../support/s3-server.js';

describe('seals in a bucket', function () {
  this.timeout(60_000);
  let store: S3Server;
  const signer = createSealSigner(randomBytes(32));
  const sealOf = (number: bigint): Seal =>
    signer.seal({ number, sequence: number, hashes: ['a'.repeat(64)], previous: NO_SEAL, sealedAt: new Date() });

  before(async () => (store = await startS3Server('seals', 'whole')));
  after(() => store.close());

  it('are read as they were written; there is none of another number', async () => {
    const bucket = sealBucket({ url: `${store.url}/seals`, ...S3_CREDENTIALS });
    const seal = sealOf(1n);
    await bucket.write(seal);
    const read = await bucket.read(1n);
    assert.ok(read !== null && read !== 'unreadable' && isSameSeal(read, seal));
    assert.equal(await bucket.read(2n), null);
    await bucket.write({ ...sealOf(1n), sequence: 7n });
    assert.deepEqual(await bucket.read(1n), read, 'what is there stays as it is');
  });

  it('hold what is sealed, like a folder', async () => {
    const test = await createTestDatabase();
    const database = createDatabase({
      url: test.url,
      poolSize: 2,
      connectTimeoutMs: 10_000,
      statementTimeoutMs: 10_000,
    });
    try {
      const exports = sealBucket({ url: `${store.url}/whole`, ...S3_CREDENTIALS });
      const sealing = { signer, keys: new SealKeys([signer.publicKey]), exports };
      for (let times = 1; times <= 2; times += 1) {
        await appendAudit(database, { person: 'ana', action: 'list.add', operationId: null, subject: null });
        assert.equal((await sealAudit(database, sealing, new Date())).kind, 'sealed');
      }
      const { problems, seals } = await verifyAudit(database, { anchor: null, witness: sealing, now: new Date() });
      assert.deepEqual({ problems, seals }, { problems: [], seals: { seals: 2, unsealed: 0 } });
    } finally {
      await database.$disconnect();
      await test.drop();
    }
  });

  it('refused or absent: an error, never “there is none”', async () => {
    const refused = sealBucket({ url: `${store.url}/seals`, ...S3_CREDENTIALS, secretAccessKey: 'another' });
    await assert.rejects(refused.read(1n), { name: 'SealStoreError', message: /answered 403 to a read/ });
    await assert.rejects(refused.write(sealOf(2n)), { name: 'SealStoreError' });
    const nowhere = sealBucket({ url: 'http://127.0.0.1:1/seals', ...S3_CREDENTIALS });
    await assert.rejects(nowhere.read(1n));
  });
});
