// The audit trail: every human act of the command is in it, in the act's own transaction, and no change of it stays
// unseen.
import assert from 'node:assert/strict';
import { createDatabase, type Database } from '../../../store/database.js';
import { readWithdrawal } from '../../../store/withdrawals/held.js';
import { storeWithdrawalChange } from '../../../store/withdrawals/transition.js';
import { createTestGateway, type TestGateway, testSealer } from './support.js';

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
          url: String(gateway.environment['DATABASE_URL']),
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
      const held = await readWithdrawal(database, { id, operationId: sandbox, seenVersion: 0 });
      const noteOf = (person: string) => {
        const act = { actId: 'u-1', person, decision: 'approve', reason: 'documents checked', at } as const;
        const decision = { ...held.record.snapshot.decision, decidedBy: [act] };
        const change = { trigger: null, fields: { decision } } as const;
        return storeWithdrawalChange({ database, sealer: testSealer }, { held, change, at, decision: null });
      };
      assert.equal((await noteOf('ana')).kind, 'stored');
      const entries = await acts('--subject', id);
      assert.deepEqual(
        entries.map(({ person, action, detail }) => ({ person, action, detail })),
        [{ person: 'ana', action: 'withdrawal.approve', detail: { reason: 'documents checked', version: 1 } }],
      );
      assert.equal((await noteOf('ben')).kind, 'changed');
      assert.equal((await acts('--subject', id)).length, 1, 'what did not change the payment is no act');
    });
  });

  describe('the chain', () => {
    const tampered = async (sql: string, ...values: unknown[]) => {
      await gateway.rows('ALTER TABLE audit_entry DISABLE TRIGGER ALL');
      await gateway.rows(sql, ...values);
      await gateway.rows('ALTER TABLE audit_entry ENABLE TRIGGER ALL');
      const { exitCode, stdout } = await gateway.run('audit', 'verify');
      return { exitCode, problems: (JSON.parse(stdout) as { problems: unknown[] }).problems };
    };

    it('refuses changes, removals and truncation', async () => {
      for (const sql of [
        "UPDATE audit_entry SET person = 'eve'",
        'DELETE FROM audit_entry',
        'TRUNCATE audit_entry',
        'DELETE FROM audit_head',
      ]) {
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
        (cut.problems as { problem: string }[]).map(({ problem }) => problem),
        ['entry_missing', 'head_differs'],
      );
    });
  });
});
