// prisma/grants.ts has a line for every table and function, names nothing that is gone, and says of each line why.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../platform/config/project-root.js';
import { mentioned, TABLE_GRANTS } from '../../prisma/grants.js';
import { FUNCTION_GRANTS } from '../../prisma/grants/functions.js';

const prisma = join(projectRoot(), 'prisma');
const models = readFileSync(join(prisma, 'schema.prisma'), 'utf8')
  .split(/^model /m)
  .slice(1);
const columnsOf = new Map(
  models.map((model) => {
    const fields = [...model.matchAll(/^ {2}(\w+) +(?:String|Int|BigInt|Boolean|DateTime|Decimal|Json|Bytes)\b.*$/gm)];
    const columns = fields.map(([line, field]) => / @map\("(\w+)"\)/.exec(line)?.[1] ?? field);
    return [/@@map\("(\w+)"\)/.exec(model)?.[1] ?? '', columns] as const;
  }),
);
const functions = readdirSync(join(prisma, 'functions')).flatMap((file) =>
  [...readFileSync(join(prisma, 'functions', file), 'utf8').matchAll(/CREATE OR REPLACE FUNCTION (\w+)/g)].map(
    ([, name = '']) => name,
  ),
);
/** Written once; no role may change or delete a row. */
const APPEND_ONLY_TABLES = [
  'decision',
  'event',
  'ledger_entry',
  'suspense_entry',
  'cash_movement',
  'statement_line',
  'statement_day',
  'statement_removal',
  'statement_resolution',
  'return_conclusion',
  'reconciliation_day',
  'reconciliation_item',
  'audit_entry',
  'audit_seal',
];

describe('prisma/grants.ts', () => {
  it('has an entry for every table: add one to TABLE_GRANTS, empty if no process needs the table', () => {
    const missing = [...columnsOf.keys()].filter((table) => !(table in TABLE_GRANTS));
    assert.deepEqual(missing, [], `TABLE_GRANTS lacks ${missing.join(', ')}`);
    const gone = Object.keys(TABLE_GRANTS).filter((table) => !columnsOf.has(table));
    assert.deepEqual(gone, [], `the schema has no ${gone.join(', ')}`);
  });

  it('has an entry for every function: add one to FUNCTION_GRANTS, empty if no role calls it', () => {
    const missing = functions.filter((name) => !(name in FUNCTION_GRANTS));
    assert.deepEqual(missing, [], `FUNCTION_GRANTS lacks ${missing.join(', ')}`);
    const gone = Object.keys(FUNCTION_GRANTS).filter((name) => !functions.includes(name));
    assert.deepEqual(gone, [], `prisma/functions has no ${gone.join(', ')}`);
  });

  it('names columns that there are', () => {
    const unknown = Object.entries(TABLE_GRANTS).flatMap(([table, lines]) =>
      lines
        .flatMap(mentioned)
        .filter((column) => columnsOf.get(table)?.includes(column) !== true)
        .map((column) => `${table}.${column}`),
    );
    assert.deepEqual(unknown, []);
  });

  it('lets nobody change or remove what stands in a book', () => {
    for (const table of APPEND_ONLY_TABLES)
      for (const line of TABLE_GRANTS[table] ?? [])
        assert.deepEqual([line.update, line.delete], [undefined, undefined], table);
  });

  it('says why, in each line', () => {
    const lines = [...Object.values(TABLE_GRANTS), ...Object.values(FUNCTION_GRANTS)].flat();
    for (const { because, to } of lines) assert.ok(because.length > 10 && to.length > 0, because);
  });
});
