// The audit trail: every human act of the command is in it, in the act's own transaction, and no change of it stays
// unseen.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withDatabase } from '../../../cli/connections/database.js';
import { createSealSigner, SealKeys } from '../../../store/audit/seal.js';
import { sealFolder } from '../../../store/audit/seal-folder.js';
import { sealAudit, type Sealing } from '../../../store/audit/sealing.js';
import { createTestGateway, runWith, type TestGateway } from './support.js';

describe('gateway audit', () => {
  let gateway: TestGateway;
  let sandbox: string;
  before(async () => {
    gateway = await createTestGateway();
    sandbox = (await gateway.operation('--as', 'ana'))['operation_id'];
  });
  after(() => gateway.close());

  const acts = async (...more: string[]) =>
    (
      (await gateway.json('audit', 'list', ...more))['entries'] as {
        person: string;
        action: string;
        subject: string;
        detail: Record<string, unknown>;
      }[]
    ).reverse();
  const actionsOf = async (work: () => Promise<unknown>) => {
    const before = (await acts()).length;
    await work();
    return (await acts()).slice(before).map(({ person, action }) => `${person} ${action}`);
  };

  it('an act that changes nothing leaves no entry, and none holds a value or a secret', async () => {
    const list = `--operation ${sandbox} --list block --kind player player-7 --as ben`;
    assert.deepEqual(await actionsOf(() => gateway.json(`list add ${list}`)), ['ben list.add']);
    assert.deepEqual(await actionsOf(() => gateway.json(`list add ${list}`)), []);
    const { key_id: id, secret } = await gateway.json(`key create --operation ${sandbox} --scopes read`);
    assert.deepEqual(await actionsOf(() => gateway.json(`key revoke ${id} --as eva`)), ['eva key.revoke']);
    assert.deepEqual(await actionsOf(() => gateway.json(`key revoke ${id} --as eva`)), []);
    const withEngine = gateway.file('{"currencies":{"BRL":{}},"engine":{"auto_suspended":true}}');
    assert.deepEqual(await actionsOf(() => gateway.json(`rules set --operation ${sandbox} --as ben`, withEngine)), [
      'ben rules.set',
      'ben rules.engine_set',
    ]);
    const text = JSON.stringify(await acts());
    for (const hidden of ['player-7', String(secret)]) assert.ok(!text.includes(hidden), hidden);
  });

  it('an act that fails leaves no entry', async () => {
    const free = await gateway.blockInserts('list_entry');
    const adding = gateway.run(`list add --operation ${sandbox} --list block --kind device device-9`);
    await gateway.untilWaiting(1);
    const during = await acts();
    await free();
    assert.equal((await adding).exitCode, 0);
    assert.equal((await acts()).length, during.length + 1);
    assert.deepEqual(await actionsOf(() => gateway.run('operation', 'suspend', `op_${'0'.repeat(32)}`)), []);
  });

  describe('the chain', () => {
    const tampered = async (sql: string, ...values: unknown[]) => {
      await gateway.rows('ALTER TABLE audit_entry DISABLE TRIGGER ALL');
      await gateway.rows(sql, ...values);
      await gateway.rows('ALTER TABLE audit_entry ENABLE TRIGGER ALL');
      const { exitCode, stdout } = await gateway.run('audit', 'verify');
      const { problems } = JSON.parse(stdout) as { problems: { sequence: string; problem: string }[] };
      return { exitCode, problems: problems.map(({ sequence, problem }) => ({ sequence, problem })) };
    };

    it('shows a changed entry, a removed one, and one cut off at the end', async () => {
      const { head_hash: anchor } = await gateway.json('audit', 'verify');
      assert.equal((await gateway.json('audit', 'verify', '--anchor', String(anchor)))['ok'], true);
      assert.equal((await gateway.run('audit', 'verify', '--anchor', 'f'.repeat(64))).exitCode, 1);
      const changed = await tampered("UPDATE audit_entry SET person = 'eve' WHERE sequence = 3");
      assert.deepEqual(changed, { exitCode: 1, problems: [{ sequence: '3', problem: 'hash_differs' }] });
      const removed = await tampered('DELETE FROM audit_entry WHERE sequence = 3');
      assert.deepEqual(removed, { exitCode: 1, problems: [{ sequence: '3', problem: 'entry_missing' }] });
      const cut = await tampered('DELETE FROM audit_entry WHERE sequence = (SELECT max(sequence) FROM audit_entry)');
      assert.deepEqual(
        cut.problems.map(({ problem }) => problem),
        ['entry_missing'],
        'the end is proven by seals alone',
      );
    });
  });

  describe('with seals', () => {
    let sealing: Sealing;
    let folder: string;
    let others: TestGateway;
    const publicKeyOf = (json: Record<string, string>) => String(json['public_key']);
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'audit-seals-'));
      const seed = randomBytes(32);
      others = await createTestGateway({
        GATEWAY_AUDIT_KEY: seed.toString('base64'),
        GATEWAY_AUDIT_SEALS_DIR: join(folder, 'seals'),
      });
      const signer = createSealSigner(seed);
      sealing = { signer, keys: new SealKeys([signer.publicKey]), exports: sealFolder(join(folder, 'seals')) };
      await others.operation('--as', 'ana');
      const ofWorker = { ...others.environment, DATABASE_URL: others.urlOfRole('gateway_payments') };
      await withDatabase(ofWorker, 10_000, (database) => sealAudit(database, sealing, new Date()));
    });
    after(async () => {
      await others.close();
      rmSync(folder, { recursive: true });
    });

    it('verify counts them; the public key alone is enough', async () => {
      const seals = { seals: 1, unsealed: 0 };
      assert.deepEqual((await others.json('audit', 'verify'))['seals'], seals);
      const environment = {
        DATABASE_URL: others.environment['DATABASE_URL'],
        GATEWAY_AUDIT_PUBLIC_KEYS: publicKeyOf(await others.json('audit', 'key')),
        GATEWAY_AUDIT_SEALS_DIR: join(folder, 'seals'),
      };
      const { stdout } = await runWith(environment, ['audit', 'verify']);
      assert.deepEqual((JSON.parse(stdout) as { seals: unknown }).seals, seals);
      assert.equal(
        (await runWith({ ...environment, GATEWAY_AUDIT_PUBLIC_KEYS: 'x' }, ['audit', 'verify'])).exitCode,
        2,
      );
      const { stderr } = await gateway.run('audit', 'verify');
      assert.match(stderr, /the seals are not verified/);
    });

    it('export fills a new folder, and is an act', async () => {
      rmSync(join(folder, 'seals'), { recursive: true });
      assert.equal((await others.run('audit', 'verify')).exitCode, 0, 'the newest may be on its way');
      assert.deepEqual(await others.json('audit', 'export', '--as', 'ben'), { exported: 1 });
      assert.deepEqual(await others.json('audit', 'export', '--as', 'ben'), { exported: 0 });
      const { entries } = await others.json('audit', 'list', '--limit', '1');
      const [{ person, action, detail }] = entries as [{ person: string; action: string; detail: object }];
      assert.deepEqual(
        { person, action, detail },
        { person: 'ben', action: 'audit.export', detail: { means: 'claim', seals: 0 } },
      );
    });

    it('verify names the first entry that is gone', async () => {
      await others.rows("SET session_replication_role = 'replica'");
      await others.rows('DELETE FROM audit_entry WHERE sequence >= 2');
      const { exitCode, stdout } = await others.run('audit', 'verify');
      assert.equal(exitCode, 1);
      const { problems } = JSON.parse(stdout) as { problems: unknown[] };
      const meaning = 'the entry was sealed and is gone: cut off at the end';
      assert.deepEqual(problems, [{ sequence: '2', problem: 'sealed_entry_missing', seal: '1', meaning }]);
    });
  });
});
