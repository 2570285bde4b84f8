// The direction of imports, as tools/layout/folders.mjs lists it. Each rule prints why it exists.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { ICruiseResult } from 'dependency-cruiser';
import { projectRoot } from '../../platform/config/project-root.js';
import { FOLDERS, folderOf } from '../../tools/layout/folders.mjs';
import { CRUISED, FOLDER_RULES, OTHER_RULES } from '../../tools/layout/import-rules.mjs';

const CRUISE_TIMEOUT_MS = 180_000;

/** What `npm run imports` finds. A process of its own: the loader that tests run under makes it twice as slow. */
function readImports(): Promise<ICruiseResult> {
  const program = join(projectRoot(), 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
  const args = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...CRUISED];
  const options = { cwd: projectRoot(), timeout: CRUISE_TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024, env: {} };
  return new Promise((resolve, reject) => {
    // The exit code is the number of violations.
    execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
      if (stdout.startsWith('{')) resolve(JSON.parse(stdout) as ICruiseResult);
      else reject(new Error(`dependency-cruiser failed: ${stderr || String(error)}`));
    });
  });
}

describe('imports', () => {
  let found: ICruiseResult;

  before('read every import', async function () {
    this.timeout(CRUISE_TIMEOUT_MS);
    found = await readImports();
  });

  const violationsOf = (rule: string) =>
    found.summary.violations
      .filter((violation) => violation.rule.name === rule)
      .map(({ from, to, cycle }) =>
        cycle === undefined ? `${from} imports ${to}` : [from, ...cycle.map(({ name }) => name)].join(' → '),
      );

  for (const { name, comment } of FOLDER_RULES) {
    it(`${name}/ imports what the table of folders allows: ${comment}`, () => {
      assert.deepEqual(violationsOf(name), [], comment);
    });
  }

  for (const { name, comment } of OTHER_RULES) {
    it(`${name}: ${comment}`, () => {
      assert.deepEqual(violationsOf(name), [], comment);
    });
  }

  it('every file belongs to a folder of the table', () => {
    const strays = found.modules
      .filter(({ source, coreModule, matchesDoNotFollow }) => !coreModule && !matchesDoNotFollow && !folderOf(source))
      .map(({ source }) => source);
    assert.deepEqual(strays, []);
  });

  it('the table itself has no circle: a folder never gets back to itself', () => {
    const next = (folder: string) => [...(FOLDERS[folder]?.mayImport ?? []), ...(FOLDERS[folder]?.typesOf ?? [])];
    const reachable = (folder: string, seen = new Set<string>()): Set<string> => {
      for (const other of next(folder).filter((one) => !seen.has(one))) reachable(other, seen.add(other));
      return seen;
    };
    assert.deepEqual(
      Object.keys(FOLDERS).filter((folder) => reachable(folder).has(folder)),
      [],
    );
  });

  it('the table names only folders that it has', () => {
    const named = Object.values(FOLDERS).flatMap(({ mayImport, typesOf = [] }) => [...mayImport, ...typesOf]);
    assert.deepEqual(
      named.filter((folder) => !(folder in FOLDERS)),
      [],
    );
  });
});
