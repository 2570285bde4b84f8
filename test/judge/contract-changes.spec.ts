// What is served now breaks no program that was written for a kept version of the contract.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { KEPT_FILE, keptContract } from '../../contract/http/kept-contract.js';
import { ROUTES } from '../../contract/http/routes.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { breakingChanges } from '../support/oasdiff.js';

const KEPT = join(projectRoot(), 'contract', 'http', 'kept');
const BUILD_MS = 10 * 60_000;

interface Document {
  readonly paths: Record<string, Record<string, unknown>>;
  readonly components: {
    readonly schemas: Record<string, { properties: Record<string, unknown>; required: string[] }>;
  };
}

describe('changes of the contract', function () {
  this.timeout(BUILD_MS);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'contract-changes-'));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** What breaks programs if the present contract becomes this. */
  const breaks = (change: (document: Document) => void) => {
    const document = parse(keptContract(ROUTES)) as Document;
    change(document);
    const file = join(folder, 'changed.yaml');
    writeFileSync(file, stringify(document, { aliasDuplicateObjects: false, compat: 'yaml-1.1' }));
    return breakingChanges(join(KEPT, KEPT_FILE), file);
  };

  for (const kept of readdirSync(KEPT))
    it(`since ${kept.replace('.yaml', '')} break nothing`, async () => {
      const now = join(folder, 'now.yaml');
      writeFileSync(now, keptContract(ROUTES));
      assert.deepEqual(await breakingChanges(join(KEPT, kept), now), []);
    });

  it('are kept as the version that is served', () => {
    assert.ok(readFileSync(join(KEPT, KEPT_FILE), 'utf8').includes(`version: ${KEPT_FILE.replace('.yaml', '')}`));
  });

  it('a new optional field breaks nothing', async () => {
    const found = await breaks(({ components: { schemas } }) => {
      for (const schema of Object.values(schemas))
        if (schema.properties) schema.properties['later'] = { type: 'string' };
    });
    assert.deepEqual(found, []);
  });

  for (const [what, change, named] of [
    ['a route that goes', ({ paths }) => void delete paths['/balances'], /GET \/balances: /],
    [
      'a field of an answer that goes',
      ({ components: { schemas } }) => {
        for (const schema of Object.values(schemas)) {
          delete schema.properties?.['external_id'];
          schema.required = schema.required?.filter((name) => name !== 'external_id');
        }
      },
      /GET \/deposits.*external_id/,
    ],
    [
      'a field of a request that becomes required',
      ({ components: { schemas } }) => {
        for (const schema of Object.values(schemas))
          if (schema.properties?.['expires_in_seconds']) schema.required = [...schema.required, 'expires_in_seconds'];
      },
      /POST \/deposits.*expires_in_seconds/,
    ],
  ] as readonly (readonly [string, (document: Document) => void, RegExp])[])
    it(`${what} is named`, async () => {
      const found = await breaks(change);
      assert.ok(
        found.some((text) => named.test(text)),
        found.join('\n'),
      );
    });
});
