// The signing code in docs/integrating.md does what it says: the JavaScript of it is run against the published vectors.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../../config/project-root.js';
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
      for (const { secret, timestamp, nonce, method, target, body, signature_header: expected, name } of vectors.requests) {
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
});
