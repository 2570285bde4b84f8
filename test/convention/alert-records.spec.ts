// Every alert's record is one of the table's, so that the panel can say it in Portuguese. The compiler sees to the
// alerts that code raises (RecordText); this file to those of SQL.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALERT_RECORDS } from '../../domain/alert-records.js';
import { projectRoot } from '../../platform/config/project-root.js';

const root = projectRoot();
const FOLDERS = ['prisma/functions', 'store', 'activities', 'staff', 'worker', 'ingress', 'api', 'panel', 'cli'];
/** Each takes the record from code, with its type. */
const FROM_CODE = [
  'store/alerts/alerts.ts',
  'store/operations/secret-ages.ts',
  'store/payments/deposit/transition.sql',
  'store/payments/outside-waits.ts',
];
const INSERT = /INSERT INTO alert \(([^)]*)\)\s+VALUES \(([\s\S]*?)\)\s*(?:ON CONFLICT|;)/g;

/** Files that write alerts, by their paths, with their texts. */
const writing = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|sql)$/.test(name))
    .map((name) => ({ path: `${folder}/${name}`, text: readFileSync(join(root, folder, name), 'utf8') }))
    .filter(({ text }) => /INSERT INTO alert\b/i.test(text)),
);

/** The parts of a list of SQL expressions, split at the commas that stand in no parentheses and no text. */
function split(list: string): readonly string[] {
  const parts = [''];
  let [depth, isText] = [0, false];
  for (const character of list) {
    if (character === "'") isText = !isText;
    else if (!isText && character === '(') depth += 1;
    else if (!isText && character === ')') depth -= 1;
    if (character === ',' && depth === 0 && !isText) parts.push('');
    else parts.push(`${parts.pop()}${character}`);
  }
  return parts.map((part) => part.trim());
}

/** The text that SQL joins with `||`, with `{}` for each value. */
const shapeOf = (expression: string) =>
  expression
    .split('||')
    .map((part) => /^'(.*)'$/s.exec(part.trim())?.[1] ?? '{}')
    .join('');

describe('records of alerts', () => {
  it('SQL that writes a record of its own is a function of the database', () =>
    assert.deepEqual(
      writing
        .map(({ path }) => path)
        .filter((path) => !path.startsWith('prisma/functions/'))
        .toSorted(),
      FROM_CODE,
    ));

  it('each record of such a function is one of its kind’s', () => {
    const found = writing
      .filter(({ path }) => path.startsWith('prisma/functions/'))
      .flatMap(({ path, text }) => {
        const inserts = [...text.matchAll(INSERT)];
        assert.equal(inserts.length, text.match(/INSERT INTO alert\b/gi)?.length, `${path}: an INSERT of another form`);
        return inserts.map(([, columns = '', values = '']) => {
          const at = (column: string) => split(values)[split(columns).indexOf(column)] ?? '';
          return { kind: at('kind').replaceAll("'", ''), shape: shapeOf(at('detail')) };
        });
      });
    assert.deepEqual(found.map(({ kind }) => kind).toSorted(), [
      'BREAK_GLASS',
      'IP_NOT_ALLOWED',
      'PASSKEY_ADDED',
      'ROLE_GRANTED',
    ]);
    for (const { kind, shape } of found) {
      const records = Object.values<string>(ALERT_RECORDS[kind as keyof typeof ALERT_RECORDS]);
      assert.ok(records.map((record) => record.replace(/\{\w+\}/g, '{}')).includes(shape), `${kind}: ${shape}`);
    }
  });
});
