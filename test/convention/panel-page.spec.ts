// What a browser loads of the panel: small, named by its content, compressed ahead, and nothing inline.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { projectRoot } from '../../platform/config/project-root.js';

const FOLDER = join(projectRoot(), 'dist', 'panel', 'web');
const LIMIT_BYTES = 254 * 1024;

describe('the panel’s page', () => {
  const names = readdirSync(FOLDER);
  const read = (name: string) => readFileSync(join(FOLDER, name));
  const assets = names.filter((name) => /\.(js|css|svg)$/.test(name));

  it('weighs less than 254 KiB in all, compressed', () => {
    const bytes = names.filter((name) => name.endsWith('.gz')).reduce((sum, name) => sum + read(name).length, 0);
    assert.ok(bytes > 0 && bytes < LIMIT_BYTES, `${bytes} bytes`);
  });

  it('every file has its hash in its name, and both compressed forms with the same content', () => {
    assert.deepEqual(
      assets.filter((name) => !/-[A-Z0-9]{8,}\.[a-z]+$/.test(name)),
      [],
    );
    for (const name of assets) {
      assert.deepEqual(gunzipSync(read(`${name}.gz`)), read(name), name);
      assert.deepEqual(brotliDecompressSync(read(`${name}.br`)), read(name), name);
    }
  });

  it('index.html has nothing inline and asks for nothing but these files', () => {
    const html = read('index.html').toString('utf8');
    assert.doesNotMatch(html, /<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/i);
    const asked = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path = '']) => path);
    assert.equal(asked.length, 3);
    for (const path of asked) assert.ok(assets.includes(path.slice(1)), path);
  });
});

describe('the panel’s Portuguese', () => {
  const root = projectRoot();
  const TEXTS = join(root, 'panel', 'web', 'texts');
  const banned = readFileSync(join(root, 'docs', 'panel-words.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .flatMap((line) => line.split('|').at(-2)?.split(',') ?? [])
    .map((word) => word.trim())
    .filter((word) => /^[\p{L} ]+$/u.test(word));

  it('has no word that docs/panel-words.md rules out', () => {
    assert.ok(banned.length > 20, String(banned.length));
    const found = readdirSync(TEXTS).flatMap((file) =>
      readFileSync(join(TEXTS, file), 'utf8')
        .split('\n')
        .flatMap((line, at) =>
          banned
            .filter((word) => new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, 'iu').test(line))
            .map((word) => `${file}:${at + 1}: ${word}`),
        ),
    );
    assert.deepEqual(found, []);
  });
});
