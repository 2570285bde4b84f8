// The client's types say what the served contract says.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { projectRoot } from '../../platform/config/project-root.js';
import { CLIENT_TYPES_FILE, clientTypes } from '../../tools/docs/client-types.js';

const MINIFIED_LIMIT_BYTES = 20_000;

describe('the client as a package', () => {
  const folder = join(projectRoot(), 'client');

  it('imports Node and itself, and nothing else', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const foreign = files.flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/ from '([^']+)'/g)]
        .map(([, name]) => `${file}: ${name}`)
        .filter((line) => !/: (node:|\.)/.test(line)),
    );
    assert.ok(files.length > 10);
    assert.deepEqual(foreign, []);
  });

  it('stays small', () => {
    const { outputFiles } = buildSync({
      entryPoints: [join(folder, 'index.ts')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      minify: true,
      write: false,
    });
    assert.ok(outputFiles[0]!.contents.length <= MINIFIED_LIMIT_BYTES, `${outputFiles[0]!.contents.length} bytes`);
  });
});

describe('client/types.ts', () => {
  it('is what the contract gives (otherwise run npm run docs)', () => {
    assert.equal(readFileSync(CLIENT_TYPES_FILE, 'utf8'), clientTypes());
  });

  it('leaves lists open in what an operator reads, and closed in what it sends', () => {
    const text = clientTypes();
    assert.match(text, /export type DepositStatus = Open</);
    assert.match(text, /readonly mode: Open<'automatic' \| 'manual'>;/);
    assert.match(text, /readonly reason_code: 'duplicate' \|/);
  });
});
