// What the owner of the database can do to the audit trail, and what shows it: each attack leaves a chain that holds by
// itself, and seals and their export name the first entry that is not what it was. About 3 s.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { appendAudit, auditHash, FIRST_HASH } from '../../../store/audit/audit.js';
import { createSealSigner, SealKeys } from '../../../store/audit/seal.js';
import { sealFolder } from '../../../store/audit/seal-folder.js';
import { exportSeals, sealAudit, type Sealing } from '../../../store/audit/sealing.js';
import { verifyAudit } from '../../../store/audit/verification.js';
import { createDatabase, type Database } from '../../../store/database.js';
import { createTestDatabase, type TestDatabase } from '../../../lab/harness/database.js';

describe('the seals of the audit trail', function () {
  this.timeout(60_000);
  let test: TestDatabase;
  let database: Database;
  let owner: pg.Client;
  let folder: string;
  let sealing: Sealing;
  const key = randomBytes(32);

  before(async () => {
    test = await createTestDatabase();
    database = createDatabase({ url: test.url, poolSize: 4, connectTimeoutMs: 10_000, statementTimeoutMs: 10_000 });
    owner = new pg.Client({ connectionString: test.url });
    await owner.connect();
    // Triggers do not stop somebody with all rights.
    await owner.query("SET session_replication_role = 'replica'");
  });
  after(async () => {
    await owner.end();
    await database.$disconnect();
    await test.drop();
  });
  beforeEach(async () => {
    await owner.query('TRUNCATE audit_entry, audit_seal');
    folder = mkdtempSync(join(tmpdir(), 'audit-seals-'));
    sealing = sealingWith(key);
    for (const acts of [3, 2, 2]) {
      await act(acts);
      await sealed();
    }
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function sealingWith(seed: Buffer, ...others: Buffer[]): Sealing {
    const signer = createSealSigner(seed);
    const keys = new SealKeys([signer.publicKey, ...others.map((one) => createSealSigner(one).publicKey)]);
    return { signer, keys, exports: sealFolder(folder) };
  }
  async function act(times: number, person = 'ana'): Promise<void> {
    for (let done = 0; done < times; done += 1)
      await appendAudit(database, { person, action: 'list.add', operationId: null, subject: null, detail: { done } });
  }
  const seal = (by = sealing) => sealAudit(database, by, new Date());
  async function sealed(): Promise<void> {
    assert.equal((await seal()).kind, 'sealed');
  }
  const verify = (witness: Sealing | null = sealing, now = new Date()) =>
    verifyAudit(database, { anchor: null, witness, now });
  /** The problem that the sealer stops at, as `problem at entry`. */
  async function refusal(): Promise<string> {
    const outcome = await seal();
    return outcome.kind === 'refused' ? `${outcome.finding.problem} at ${outcome.finding.sequence}` : outcome.kind;
  }
  /** What the whole verification finds, the chain's own problems left out: there must be none. */
  async function found(): Promise<string[]> {
    assert.deepEqual((await verify(null)).problems, [], 'the chain holds by itself');
    return (await verify()).problems.map(({ problem, sequence }) => `${problem} at ${sequence}`);
  }
  /** Computes every hash again, as somebody does who changed an entry. */
  async function rechain(): Promise<void> {
    let previousHash = FIRST_HASH;
    for (const entry of await database.auditEntry.findMany({ orderBy: { sequence: 'asc' } })) {
      const hash = auditHash({ ...entry, previousHash });
      await owner.query('UPDATE audit_entry SET previous_hash = $2, hash = $3 WHERE sequence = $1', [
        entry.sequence,
        previousHash,
        hash,
      ]);
      previousHash = hash;
    }
  }
  const exported = () => readdirSync(folder).sort();
  const fileOf = (number: number) => join(folder, `seal-${String(number).padStart(12, '0')}.json`);

  it('cover every entry once, and are exported', async () => {
    assert.equal((await seal()).kind, 'nothing_new');
    await act(1);
    const { problems, seals, entries } = await verify();
    assert.deepEqual({ problems, seals, entries }, { problems: [], seals: { seals: 3, unsealed: 1 }, entries: 8 });
    assert.equal(exported().length, 3, 'no draft is left');
  });

  it('are not changed or removed by anybody without all rights', async () => {
    await assert.rejects(() => database.$executeRaw`DELETE FROM audit_seal`, /append-only/);
    await assert.rejects(() => database.$executeRaw`UPDATE audit_seal SET previous = ''`, /append-only/);
  });

  it('are made once, however many processes seal', async () => {
    await act(4);
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => seal()));
    assert.equal(outcomes.filter(({ kind }) => kind === 'sealed').length, 1);
    assert.ok(outcomes.every(({ kind }) => ['sealed', 'overtaken', 'nothing_new'].includes(kind)));
    assert.deepEqual((await verify()).problems, []);
  });

  it('more than one seal holds → the next ones have the rest', async () => {
    await owner.query('TRUNCATE audit_entry, audit_seal');
    rmSync(folder, { recursive: true });
    await owner.query(
      `SELECT append_audit(NULL, now(), 'ana', 'list.add', NULL, NULL, '{}') FROM generate_series(1, 501)`,
    );
    await sealed();
    assert.equal((await verify()).seals?.unsealed, 1);
    await sealed();
    assert.deepEqual((await verify()).problems, []);
  });

  it('a process that ended before it exported its seal → the next turn exports it', async () => {
    rmSync(fileOf(3), { force: true });
    assert.equal((await seal()).kind, 'nothing_new');
    assert.equal(exported().length, 3);
    assert.deepEqual((await verify()).problems, []);
  });

  it('an entry changed, the chain computed again', async () => {
    await owner.query(`UPDATE audit_entry SET person = 'eve' WHERE sequence = 4`);
    await rechain();
    assert.deepEqual(
      await found(),
      [4, 5, 6, 7].map((sequence) => `sealed_entry_differs at ${sequence}`),
    );
    await act(1);
    assert.equal(await refusal(), 'sealed_entry_differs at 7');
  });

  it('entries cut off at the end', async () => {
    await owner.query('DELETE FROM audit_entry WHERE sequence > 5');
    assert.deepEqual(await found(), ['sealed_entry_missing at 6', 'sealed_entry_missing at 7']);
    assert.equal(await refusal(), 'sealed_entry_missing at 7');
  });

  it('the head set back, other acts in place of the cut ones', async () => {
    await owner.query('DELETE FROM audit_entry WHERE sequence > 5');
    await act(3, 'eve');
    assert.deepEqual(await found(), ['sealed_entry_differs at 6', 'sealed_entry_differs at 7']);
    assert.equal(await refusal(), 'sealed_entry_differs at 7');
  });

  it('the last seal deleted, with its entries', async () => {
    await owner.query('DELETE FROM audit_entry WHERE sequence > 5');
    await owner.query('DELETE FROM audit_seal WHERE number = 3');
    assert.deepEqual(await found(), ['seal_missing at 6', 'sealed_entry_missing at 6', 'sealed_entry_missing at 7']);
    assert.equal(await refusal(), 'seal_missing at 6');
  });

  it('a seal deleted between others', async () => {
    await owner.query('DELETE FROM audit_seal WHERE number = 2');
    assert.deepEqual(await found(), ['seal_missing at 4']);
  });

  it('everything deleted, another history begun', async () => {
    await owner.query('TRUNCATE audit_entry, audit_seal');
    await act(2, 'eve');
    assert.equal((await found())[0], 'seal_missing at 1');
    assert.equal(await refusal(), 'seal_missing at 1');
  });

  it('seals made with a key of the attacker’s own', async () => {
    await owner.query(`UPDATE audit_entry SET person = 'eve' WHERE sequence = 7`);
    await rechain();
    const [entry] = (await owner.query<{ hash: string }>('SELECT hash FROM audit_entry WHERE sequence = 7')).rows;
    const last = await database.auditSeal.findUniqueOrThrow({ where: { number: 3 } });
    const forged = createSealSigner(randomBytes(32)).seal({
      ...last,
      hashes: [String(last.hashes[0]), String(entry?.hash)],
    });
    await owner.query('UPDATE audit_seal SET (hashes, key_id, signature) = ($1, $2, $3) WHERE number = 3', [
      forged.hashes,
      forged.keyId,
      forged.signature,
    ]);
    const problems = ['export_differs at 6', 'seal_forged at 6', 'sealed_entry_differs at 7'];
    assert.deepEqual((await found()).sort(), problems);
    assert.equal(await refusal(), 'seal_forged at 6');
    // Our key’s id on it does not make it ours.
    await owner.query('UPDATE audit_seal SET key_id = $1 WHERE number = 3', [sealing.signer.keyId]);
    assert.equal(await refusal(), 'seal_forged at 6');
  });

  it('the export put back to an older state → nothing is sealed until people exported it again', async () => {
    for (const number of [2, 3]) rmSync(fileOf(number), { force: true });
    assert.equal(await refusal(), 'export_missing at 6');
    const later = new Date(Date.now() + 3_600_000);
    const problems = (await verify(sealing, later)).problems.map(
      ({ problem, sequence }) => `${problem} at ${sequence}`,
    );
    assert.deepEqual(problems, ['export_missing at 4', 'export_missing at 6']);
    assert.equal(await exportSeals(database, sealing), 2);
    assert.deepEqual((await verify(sealing, later)).problems, []);
    assert.equal((await seal()).kind, 'nothing_new');
  });

  it('an exported seal overwritten with an older one', async () => {
    rmSync(fileOf(3), { force: true });
    copyFileSync(fileOf(2), fileOf(3));
    assert.deepEqual(await found(), ['export_differs at 6']);
    assert.equal(await refusal(), 'export_differs at 6');
    rmSync(fileOf(2), { force: true });
    copyFileSync('/dev/null', fileOf(2));
    assert.deepEqual(await found(), ['export_differs at 4', 'export_differs at 6']);
  });

  it('nobody seals → the entries that wait too long', async () => {
    await act(1);
    assert.deepEqual(await found(), []);
    const { problems } = await verify(sealing, new Date(Date.now() + 11 * 60_000));
    assert.deepEqual(problems, [{ sequence: '8', problem: 'not_sealed' }]);
  });

  it('another key takes over → earlier seals hold as long as their public key is named', async () => {
    const next = randomBytes(32);
    await act(1);
    assert.equal((await seal(sealingWith(next))).kind, 'refused', 'a key of the attacker’s choice');
    sealing = sealingWith(next, key);
    await sealed();
    assert.deepEqual((await verify()).problems, []);
  });
});
