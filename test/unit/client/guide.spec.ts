// The signing code in docs/integrating.md does what it says: the JavaScript of it is run against the published vectors.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../../platform/config/project-root.js';
import { vectors } from './test-vectors.js';

type Sign = (secret: string, timestamp: number, nonce: string, method: string, target: string, body: Buffer) => string;

const guide = readFileSync(join(projectRoot(), 'docs', 'integrating.md'), 'utf8');

describe('docs/integrating.md', () => {
  it('signs every request vector as published', async () => {
    const [, program] = /```js\n([\s\S]*?)```/.exec(guide) ?? [];
    const folder = mkdtempSync(join(tmpdir(), 'guide-'));
    try {
      const file = join(folder, 'sign.mjs');
      writeFileSync(file, program ?? '');
      const { sign } = (await import(pathToFileURL(file).href)) as { sign: Sign };
      for (const {
        secret,
        timestamp,
        nonce,
        method,
        target,
        body,
        signature_header: expected,
        name,
      } of vectors.requests) {
        assert.equal(sign(secret, timestamp, nonce, method, target, Buffer.from(body, 'utf8')), expected, name);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('shows the canonical request of a published vector', () => {
    const shown = guide.replaceAll(/^ {4}/gm, '');
    assert.ok(vectors.requests.some(({ canonical_request: canonical }) => shown.includes(`\n${canonical}\n`)));
  });

  it('canonical JSON in Python gives the digests of the published days', function () {
    if (spawnSync('python3', ['--version']).status !== 0) this.skip();
    const [, expression = ''] = /`(json\.dumps\(items,[^`]+)`/.exec(guide) ?? [];
    assert.ok(vectors.reconciliation.length > 0);
    for (const { name, items, digest } of vectors.reconciliation) {
      const program = `import hashlib, json, sys\nitems = json.load(sys.stdin)\nprint(hashlib.sha256(${expression}).hexdigest())`;
      const { stdout, stderr } = spawnSync('python3', ['-c', program], { input: JSON.stringify(items) });
      assert.equal(stdout.toString().trim(), digest, `${name} ${stderr.toString()}`);
    }
  });

  it('says how two v1= values are separated, as the published ones are', () => {
    const two = [
      ...vectors.webhooks.map(({ headers }) => headers['Svc-Signature']),
      ...vectors.reconciliation.map(({ signature_header: header }) => header),
    ].filter((header) => header.split('v1=').length === 3);
    assert.ok(two.length >= 2);
    for (const header of two) assert.match(header, /^v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    assert.ok(guide.includes('separated by a comma without a space (`v1=<64 hex>,v1=<64 hex>`)'));
  });

  it('names every parameter of GET /reconciliation', () => {
    const [, section = ''] = /<!-- generated:reconciliation-query -->([\s\S]*?)<!-- \/generated/.exec(guide) ?? [];
    for (const name of ['date', 'currency', 'cursor', 'limit']) assert.ok(section.includes(`| \`${name}\` |`), name);
  });
});
