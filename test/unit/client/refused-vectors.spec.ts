// The vectors that must be refused, and the verdicts: in TypeScript here, in Python and Go by their own programs. A
// verifier that always says yes, or one that never decides, passes none of them.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { verifyReconciliationSignature, verifyWebhook, WEBHOOK_REFUSAL_STATUS } from '../../../client/index.js';
import { verdictOf } from '../../../client/repetition.js';
import { projectRoot } from '../../../platform/config/project-root.js';
import { vectors } from './test-vectors.js';

const run = promisify(execFile);
const folder = (language: string) => join(projectRoot(), 'client', language);

describe('client: what must be refused', () => {
  for (const { name, headers, body, verifying_secrets: secrets, now, refusal, answer } of vectors.refused_webhooks) {
    it(`webhook: ${name}`, () => {
      const given = Object.fromEntries(Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value]));
      const result = verifyWebhook({ headers: given, rawBody: Buffer.from(body) }, { secrets, nowSeconds: now });
      assert.ok(!result.ok);
      assert.deepEqual([result.refusal, WEBHOOK_REFUSAL_STATUS[result.refusal]], [refusal, answer]);
    });
  }

  it('every refusal of a webhook has a vector', () =>
    assert.deepEqual(
      [...new Set(vectors.refused_webhooks.map(({ refusal }) => refusal))].sort(),
      Object.keys(WEBHOOK_REFUSAL_STATUS).sort(),
    ));

  for (const {
    name,
    signature_header: signature,
    verifying_secrets: secrets,
    ...day
  } of vectors.refused_reconciliation)
    it(`closed day: ${name}`, () => assert.ok(!verifyReconciliationSignature({ ...day, signature }, secrets)));

  for (const { endpoint, status, code, retryable, fields, verdict } of vectors.verdicts) {
    it(`${endpoint}: ${status} ${code} ${JSON.stringify(fields)} is ${verdict}`, () => {
      const errors = fields.map((field) => ({ field }));
      assert.equal(verdictOf({ status, code, retryable: retryable ?? undefined, errors }, endpoint), verdict);
    });
  }
});

describe('the clients in other languages, by the same vectors', function () {
  this.timeout(120_000);

  it('Python', async function () {
    if (spawnSync('python3', ['--version']).status !== 0) {
      process.stderr.write('skipped: there is no python3 on this machine\n');
      this.skip();
    }
    const program = ['-B', 'run_vectors.py', '../test-vectors.json'];
    const { stdout } = await run('python3', program, { cwd: folder('python'), timeout: 60_000 });
    assert.match(stdout, /^1\d\d checks passed/);
  });

  it('Go', async function () {
    if (spawnSync('go', ['version']).status !== 0) {
      process.stderr.write('skipped: there is no Go on this machine\n');
      this.skip();
    }
    const options = { cwd: folder('go'), timeout: 110_000 };
    assert.equal((await run('gofmt', ['-l', '.'], options)).stdout, '');
    await run('go', ['vet', './...'], options);
    assert.match((await run('go', ['test', '-count=1', './...'], options)).stdout, /^ok\s/);
  });
});
