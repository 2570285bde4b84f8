// How files begin, so that a reader who opens any of them knows its job.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { projectRoot } from '../../platform/config/project-root.js';

const ROOT = projectRoot();
const FOLDERS = [
  'activities',
  'api',
  'cli',
  'client',
  'command',
  'conformance',
  'contract',
  'domain',
  'ingress',
  'lab',
  'panel',
  'platform',
  'providers',
  'sandbox',
  'staff',
  'store',
  'test',
  'tools',
  'worker',
  'workflows',
];

function files(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
}

/** Written from the contract, whose length it has. */
const GENERATED = join(ROOT, 'client', 'types.ts');

describe('files', () => {
  it('open with a comment on their job', () => {
    const silent = files().filter((file) => !/^(#!.*\n)?(\/\/|\/\*\*?)\s*\S/.test(readFileSync(file, 'utf8')));
    assert.deepEqual(
      silent.map((file) => relative(ROOT, file)),
      [],
    );
  });

  it('stay under 500 lines: a file has one subject', () => {
    const long = files().filter((file) => file !== GENERATED && readFileSync(file, 'utf8').split('\n').length > 500);
    assert.deepEqual(
      long.map((file) => relative(ROOT, file)),
      [],
    );
  });

  it('have lines of at most 140 columns, and comments of at most 120', () => {
    const isLong = (line: string) => line.length > (/^ *(\/\/|\*)/.test(line) ? 120 : 140);
    const long = files().flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) => (isLong(line) ? [`${relative(ROOT, file)}:${index + 1}`] : [])),
    );
    assert.deepEqual(long, []);
  });

  it('keep nothing of one workflow for another: all of a worker share their modules', () => {
    const shared = files().filter((file) => /^(workflows|domain|contract)\//.test(relative(ROOT, file)));
    const keeping = shared.filter((file) => /^(export )?(let|var) /m.test(readFileSync(file, 'utf8')));
    assert.ok(shared.length > 100);
    assert.deepEqual(
      keeping.map((file) => relative(ROOT, file)),
      [],
    );
  });

  it('have kebab-case names', () => {
    const odd = files().filter((file) => !/^[a-z0-9]+([.-][a-z0-9]+)*$/.test(file.split(sep).at(-1) ?? ''));
    assert.deepEqual(
      odd.map((file) => relative(ROOT, file)),
      [],
    );
  });

  it('run all of their tests: none is skipped or exclusive', () => {
    const marker = new RegExp(String.raw`\b(it|describe|test|context)\.(only|skip)\(|\bxit\(|\bxdescribe\(`);
    const marked = files().filter(
      (file) =>
        file.endsWith('.spec.ts') && !file.endsWith(`${sep}files.spec.ts`) && marker.test(readFileSync(file, 'utf8')),
    );
    assert.deepEqual(
      marked.map((file) => relative(ROOT, file)),
      [],
    );
  });
});
