// How much there is to read. A figure may fall, and then its limit falls with it; a rise needs a reason.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { projectRoot } from '../../platform/config/project-root.js';

const ROOT = projectRoot();

/** What a payment is made of, from its order in Temporal to its rows. */
const CORE = [
  ...['activities/payments', 'contract/temporal', 'domain/payments', 'platform/temporal', 'store/payments'],
  ...[
    'workflows/deposit',
    'workflows/steps',
    'workflows/withdrawal',
    'workflows/deposit.ts',
    'workflows/withdrawal.ts',
  ],
];

interface Part {
  readonly name: string;
  /** Folders or files. */
  readonly places: readonly string[];
  readonly mostFiles: number;
  readonly mostLines: number;
}

/** The figures of 2026-11-29, rounded up. */
const PARTS: readonly Part[] = [
  { name: 'the core of a payment', places: CORE, mostFiles: 88, mostLines: 12_200 },
  { name: 'the tests', places: ['test'], mostFiles: 605, mostLines: 83_800 },
  { name: 'the tools', places: ['tools'], mostFiles: 126, mostLines: 9_500 },
  { name: 'the lab', places: ['lab'], mostFiles: 196, mostLines: 23_600 },
];

const isCode = (name: string) => /\.(ts|tsx|mjs)$/.test(name);

function filesIn(place: string): string[] {
  if (isCode(place)) return [join(ROOT, place)];
  return readdirSync(join(ROOT, place), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isCode(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !relative(ROOT, file).split(sep).includes('node_modules'));
}

describe('what there is to read', () => {
  for (const { name, places, mostFiles, mostLines } of PARTS)
    it(`${name}: at most ${mostFiles} files and ${mostLines} lines`, () => {
      const files = places.flatMap(filesIn);
      const lines = files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);
      assert.ok(files.length <= mostFiles && lines <= mostLines, `${files.length} files, ${lines} lines`);
    });
});
