// The images of others in docker-compose.yml: each named once, and pinned by what docs/running.md says.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../platform/config/project-root.js';
import { composeText } from '../support/compose.js';

const text = composeText();
const read = (...path: string[]) => readFileSync(join(projectRoot(), ...path), 'utf8');

describe('images of others', () => {
  it('names each image of others once, by a variable', () => {
    const named = [
      ...text.matchAll(/^ +(?:image|[A-Z_]+_IMAGE): (?!operator-payments-gateway(?:-temporal)?:|\*)(.+)$/gm),
    ].map(([, image = '']) => image);
    assert.ok(named.length >= 5);
    for (const image of named) assert.match(image, /^(&\w+ )?\$\{[A-Z_]+_IMAGE:-[a-z/-]+:[^}]+\}$/);
    const defaults = named.map((image) => image.replace(/^.*:-(.+)\}$/, '$1'));
    assert.equal(new Set(defaults).size, named.length, 'one is named twice');
  });

  it('docs/running.md: the command writes the digest of each image of others into .env', () => {
    const page = read('docs', 'running.md');
    const [, command = ''] = /### Images by digest\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? [];
    const folder = mkdtempSync(join(tmpdir(), 'images-'));
    try {
      writeFileSync(join(folder, '.env'), 'WORKER_BUILD_ID=1\n');
      writeFileSync(join(folder, '.env.example'), read('.env.example'));
      // It answers with the digest of what it is asked about, as Docker does; and nothing for what it has not.
      const docker = (body: string) => writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
      const env = { PATH: `${folder}:${process.env['PATH']}` };
      const run = () => spawnSync('sh', ['-c', command], { cwd: folder, env, encoding: 'utf8' }).status;
      docker('[ "$1" = compose ] || exit 1');
      assert.notEqual(run(), 0);
      assert.equal(readFileSync(join(folder, '.env'), 'utf8'), 'WORKER_BUILD_ID=1\n');
      docker('[ "$1" = compose ] || echo "${5%:*}@sha256:0123"');
      assert.equal(run(), 0);
      const written = readFileSync(join(folder, '.env'), 'utf8').trim().split('\n').slice(1).sort();
      const images = [...text.matchAll(/\$\{([A-Z_]+_IMAGE):-([^}:]+):/g)];
      assert.deepEqual(written, images.map(([, name, image]) => `${name}=${image}@sha256:0123`).sort());
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
