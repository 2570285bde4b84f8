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
import { createDatabase, type Database } from '../../../store/database.js';
import { readWithdrawal } from '../../../store/payments/withdrawal/read.js';
import { storeWithdrawalChange } from '../../../store/payments/withdrawal/transition.js';
import { createTestGateway, runWith, type TestGateway, testSealer } from './support.js';

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

  it('begins with the operation and its rules', async () => {
    const entries = await acts('--operation', sandbox);
    assert.deepEqual(
      entries.map(({ person, action }) => `${person} ${action}`),
      ['ana rules.set', 'ana operation.create'],
    );
    assert.equal((await gateway.json('audit', 'verify'))['ok'], true);
  });

  it('refuses an operation that does not exist', () =>
    gateway.fails(1, /^gateway: operation op_0: there is no such operation/, 'audit', 'list', '--operation', 'op_0'));

  it('has every act with its person', async () => {
    const on = ['--operation', sandbox, '--as', 'ben'];
    const list = ['--list', 'block', '--kind', 'player', 'player-7'];
    assert.deepEqual(await actionsOf(() => gateway.json('operation', 'suspend', sandbox, '--as', 'ben')), [
      'ben operation.suspend',
    ]);
    assert.deepEqual(await actionsOf(() => gateway.json('operation', 'resume', sandbox, '--as', 'ben')), [
      'ben operation.resume',
    ]);
    assert.deepEqual(await actionsOf(() => gateway.json('allowlist', 'set', ...on, '203.0.113.0/24')), [
      'ben allowlist.set',
    ]);
    assert.deepEqual(await actionsOf(() => gateway.json('list', 'add', ...on, ...list)), ['ben list.add']);
    assert.deepEqual(await actionsOf(() => gateway.json('list', 'add', ...on, ...list)), [], 'nothing changed');
    assert.deepEqual(await actionsOf(() => gateway.json('list', 'remove', ...on, ...list)), ['ben list.remove']);
    assert.deepEqual(await actionsOf(() => gateway.json('webhook-secret', 'rotate', ...on)), [
      'ben webhook_secret.rotate',
    ]);
    assert.deepEqual(
      await actionsOf(() => gateway.json('operation', 'set-webhook', ...on, 'http://127.0.0.1:9999/hooks')),
      ['ben webhook.set'],
    );
    assert.deepEqual(
      await actionsOf(() => gateway.json('rules', 'set', ...on, gateway.file('{"currencies":{"BRL":{}}}'))),
      ['ben rules.set'],
    );
    const withEngine = gateway.file('{"currencies":{"BRL":{}},"engine":{"auto_suspended":true}}');
    assert.deepEqual(await actionsOf(() => gateway.json('rules', 'set', ...on, withEngine)), [
      'ben rules.set',
      'ben rules.engine_set',
    ]);
    let key: Record<string, string> = {};
    assert.deepEqual(
      await actionsOf(async () => (key = await gateway.json('key', 'create', ...on, '--scopes', 'read'))),
      ['ben key.create'],
    );
    assert.deepEqual(await actionsOf(() => gateway.json('key', 'revoke', String(key['key_id']), '--as', 'eva')), [
      'eva key.revoke',
    ]);
    assert.deepEqual(
      await actionsOf(() => gateway.json('key', 'revoke', String(key['key_id']), '--as', 'eva')),
      [],
      'revoked before',
    );
    const text = JSON.stringify(await acts());
    for (const secret of ['player-7', String(key['secret'])]) assert.equal(text.includes(secret), false, secret);
  });

  it('what is requested and approved by two people names both', async () => {
    const { requests } = await gateway.json(
      'operation',
      'create',
      '--name',
      'P',
      '--environment',
      'production',
      '--provider',
      'a',
      '--webhook-url',
      'https://p.example/h',
      '--as',
      'ana',
    );
    const id = String((requests as { id: string }[])[0]?.id);
    assert.deepEqual(
      await actionsOf(() => gateway.fails(1, /another person/, 'request', 'approve', id, '--as', 'ANA')),
      [],
    );
    const ben = await gateway.signedIn('ben');
    assert.deepEqual(await actionsOf(() => ben.json('request', 'approve', id)), ['ben request.approve']);
    const [entry] = await acts('--subject', id);
    assert.equal(entry?.detail['requested_by'], 'ana');
  });

  it('an act that fails leaves no entry', async () => {
    const free = await gateway.blockInserts('list_entry');
    const adding = gateway.run(
      'list',
      'add',
      '--operation',
      sandbox,
      '--list',
      'block',
      '--kind',
      'device',
      'device-9',
    );
    await gateway.untilWaiting(1);
    const during = await acts();
    await free();
    assert.equal((await adding).exitCode, 0);
    assert.equal((await acts()).length, during.length + 1);
    assert.deepEqual(await actionsOf(() => gateway.run('operation', 'suspend', `op_${'0'.repeat(32)}`)), []);
  });

  describe('the review of a payment', () => {
    let database: Database;
    before(
      () =>
        (database = createDatabase({
          url: gateway.ownerUrl,
          poolSize: 4,
          connectTimeoutMs: 5_000,
          statementTimeoutMs: 10_000,
        })),
    );
    after(() => database.$disconnect());

    it('is written in the statement that changes it, and only if it does', async () => {
      const id = `wdr_${'7'.repeat(32)}`;
      const at = '2026-11-21T15:00:00.000Z';
      await database.withdrawal.create({
        data: {
          id,
          operationId: sandbox,
          externalId: id,
          status: 'under_review',
          version: 1,
          amountMinor: '5000',
          currency: 'BRL',
          method: 'pix',
          playerRef: 'player-1',
          provider: 'simulator',
          requestSealed: Buffer.from('x'),
          destinationType: 'cpf',
          destinationHash: Buffer.from('x'),
          reviewRequested: false,
          judgement: 'passed',
          decisionMode: 'manual',
          decisionReasons: ['DUAL_APPROVAL_REQUIRED'],
          ruleSetVersion: 1,
          createdAt: at,
          updatedAt: at,
        },
      });
      const held = await readWithdrawal(database, { id, operationId: sandbox });
      const noteOf = (person: string) => {
        const act = { actId: 'u-1', person, decision: 'approve', reason: 'documents checked', at } as const;
        const decision = { ...held.record.snapshot.decision, decidedBy: [act] };
        const change = { trigger: null, fields: { decision } } as const;
        return storeWithdrawalChange({ database, sealer: testSealer }, { row: held, change, at, decision: null });
      };
      assert.notEqual(await noteOf('ana'), null);
      const entries = await acts('--subject', id);
      assert.deepEqual(
        entries.map(({ person, action, detail }) => ({ person, action, detail })),
        [{ person: 'ana', action: 'withdrawal.approve', detail: { reason: 'documents checked', version: 1 } }],
      );
      assert.equal(await noteOf('ben'), null);
      assert.equal((await acts('--subject', id)).length, 1, 'what did not change the payment is no act');
    });
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

    it('refuses changes, removals and truncation', async () => {
      for (const sql of ["UPDATE audit_entry SET person = 'eve'", 'DELETE FROM audit_entry', 'TRUNCATE audit_entry']) {
        await assert.rejects(gateway.rows(sql), /append-only/, sql);
      }
      assert.equal((await gateway.json('audit', 'verify'))['ok'], true);
    });

    it('grows without gaps when many act at once', async () => {
      await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          gateway.json('list', 'add', '--operation', sandbox, '--list', 'review', '--kind', 'device', `d-${index}`),
        ),
      );
      assert.equal((await gateway.json('audit', 'verify'))['ok'], true);
    });

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
