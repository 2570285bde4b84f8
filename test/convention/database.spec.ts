// Only `store/` calls the database: the code that reads or changes a table is in one folder.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { projectRoot } from '../../platform/config/project-root.js';
import { PRODUCT_FOLDERS } from '../../tools/layout/folders.mjs';

const ROOT = projectRoot();
/** `prisma/generated` is the client itself. */
const MAY_CALL = ['store', 'prisma'];
const FOLDERS = [...new Set(PRODUCT_FOLDERS.map((folder) => folder.split('/')[0] ?? ''))].filter(
  (folder) => !MAY_CALL.includes(folder),
);

const models = [...readFileSync(join(ROOT, 'prisma', 'schema.prisma'), 'utf8').matchAll(/^model (\w)(\w*)/gm)].map(
  ([, first = '', rest = '']) => `${first.toLowerCase()}${rest}`,
);
const CALLS = 'find|create|update|delete|count|upsert|aggregate|groupBy';
const CALL = new RegExp(
  [
    // A model call, on whatever the client or the transaction is called there.
    String.raw`\b\w+\s*\.(?:${models.join('|')})\s*\.(?:${CALLS})`,
    String.raw`\$(?:queryRaw|executeRaw|transaction)`,
    String.raw`\b(?:rowOf|rowsOf|poolOf)\b`,
    String.raw`\bPrisma\.(?:sql|raw|join)\b`,
  ].join('|'),
);

/** There were 118. Only lists whose filters people choose are put together. */
const MOST_PIECES = 25;

const files = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));

const callers = (folders: readonly string[]) =>
  folders.flatMap(files).flatMap((file) => {
    const [found] = CALL.exec(readFileSync(file, 'utf8')) ?? [];
    return found === undefined ? [] : [`${relative(ROOT, file).split(sep).join('/')}: ${found}`];
  });

describe('the database', () => {
  it('is called in store/ only', () => {
    assert.ok(FOLDERS.includes('staff') && FOLDERS.includes('cli'), FOLDERS.join(', '));
    assert.deepEqual(callers(FOLDERS), []);
  });

  it('is called there in ways that this test recognises', () => {
    assert.ok(models.length > 20, models.join(', '));
    const found = callers(['store']).length;
    assert.ok(found > 80, `${found} files of store/`);
  });

  it('reads whole statements: few functions of store/ return a piece of one', () => {
    const returning = files('store').flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/\): (?:Prisma\.)?Sql\b/g),
    ]);
    assert.ok(
      returning.length <= MOST_PIECES,
      `${returning.length} functions return SQL: write the statement in a .sql file (docs/decisions/0003)`,
    );
  });
});
