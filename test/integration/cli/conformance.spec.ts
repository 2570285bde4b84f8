// `gateway conformance record`: only a genuine report that passed becomes evidence, and the audit trail keeps it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pageOf } from '../../../conformance/report/page.js';
import type { Report } from '../../../conformance/report/report.js';
import { newReportKey, signReport } from '../../../conformance/report/signature.js';
import { createTestGateway, type TestGateway } from './support.js';

const AT = '2026-11-27T12:00:00.000Z';

function reportWith(outcome: Report['outcome']): Report {
  return {
    ...{ form: 1, operator: 'Casa Azul', run: '0a1b2c3d', started_at: AT, ended_at: AT, contract: 'v1, 1.1.0' },
    pace: { wait_ms: 1, settle_ms: 1, recovery_ms: 1 },
    ...{ requests_seen: 3, outcome, checks: [] },
  };
}

describe('gateway conformance record', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-conformance-'));
  const key = newReportKey();
  let gateway: TestGateway;
  let operation: string;

  before(async () => {
    gateway = await createTestGateway();
    operation = String((await gateway.operation('--as', 'ana'))['operation_id']);
  });
  after(async () => {
    await gateway.close();
    rmSync(folder, { recursive: true });
  });

  const fileOf = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const publicKey = fileOf('key.public.pem', key.publicPem);
  const signed = (outcome: Report['outcome'] = 'passed') => signReport(reportWith(outcome), key.privatePem);
  const record = (report: string, ...more: string[]) =>
    gateway.run('conformance', 'record', operation, report, '--public-key', publicKey, '--as', 'ana', ...more);
  const entries = () =>
    gateway.rows(`SELECT person, operation_id, detail FROM audit_entry WHERE action = 'conformance.record'`);

  it('records a report that passed, with the digest of the file, in either form', async () => {
    const files = [fileOf('r.json', JSON.stringify(signed())), fileOf('r.html', pageOf(signed()))];
    for (const file of files) {
      const { exitCode, stdout } = await record(file);
      assert.equal(exitCode, 0);
      const answer = JSON.parse(stdout) as Record<string, unknown>;
      const digest = createHash('sha256').update(readFileSync(file)).digest('hex');
      assert.deepEqual([answer['operation_id'], answer['digest']], [operation, digest]);
    }
    const recorded = await entries();
    assert.deepEqual(
      recorded.map((entry) => [entry['person'], entry['operation_id']]),
      [
        ['ana', operation],
        ['ana', operation],
      ],
    );
    const detail = JSON.parse(String(recorded[0]?.['detail'])) as Record<string, unknown>;
    assert.deepEqual(
      [detail['operator'], detail['run'], detail['ended_at'], detail['key']],
      ['Casa Azul', '0a1b2c3d', AT, signed().signature.key],
    );
  });

  it('refuses what failed, what was changed, what another signed, and what is no report: nothing is recorded', async () => {
    const before = (await entries()).length;
    const other = signReport(reportWith('passed'), newReportKey().privatePem);
    const changed = { ...signed('failed'), report: reportWith('passed') };
    const tries: readonly (readonly [string, RegExp])[] = [
      [fileOf('failed.json', JSON.stringify(signed('failed'))), /"failed": only one that passed/],
      [fileOf('incomplete.json', JSON.stringify(signed('incomplete'))), /"incomplete": only one that passed/],
      [fileOf('changed.json', JSON.stringify(changed)), /signed by another key, or was changed/],
      [fileOf('changed.html', pageOf(signed()).replace('Casa Azul', 'Casa Verde')), /is no conformance report/],
      [fileOf('other.json', JSON.stringify(other)), /signed by another key, or was changed/],
      [publicKey, /is no conformance report/],
    ];
    for (const [file, problem] of tries) {
      const { exitCode, stderr } = await record(file);
      assert.match(stderr, problem);
      assert.notEqual(exitCode, 0, file);
    }
    assert.equal((await entries()).length, before);
  });

  it('needs a role, and an operation that exists', async () => {
    const report = fileOf('r.json', JSON.stringify(signed()));
    await gateway.rows(`INSERT INTO staff (handle, handle_folded) VALUES ('eva', 'eva')`);
    const asEva = ['conformance', 'record', operation, report, '--public-key', publicKey, '--as', 'eva'];
    const refusedRun = await gateway.run(...asEva);
    assert.equal(refusedRun.exitCode, 1);
    assert.match(refusedRun.stderr, /eva/);
    const nowhere = `op_${'0'.repeat(32)}`;
    const { stderr } = await gateway.run(
      ...['conformance', 'record', nowhere, report, '--public-key', publicKey, '--as', 'ana'],
    );
    assert.match(stderr, /there is no such operation/);
  });
});
