// The actions of the audit trail: what code writes is in the table (the compiler sees to TypeScript, this file to SQL),
// and what is in the table is written. The panel's texts have an entry for each, or they do not compile.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AUDITED_DECISIONS, NAMED_ACTIONS } from '../../domain/audit-actions.js';
import { projectRoot } from '../../platform/config/project-root.js';

const root = projectRoot();
const filesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|sql)$/.test(entry.name))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));

describe('actions of the audit trail', () => {
  it('what SQL appends by itself is in the table', () => {
    const statements = [...filesOf('prisma/functions'), readFileSync(join(root, 'prisma/deploy.ts'), 'utf8')];
    const appended = statements.flatMap((text) =>
      [...text.matchAll(/PERFORM append_audit\(([\s\S]*?)\);/g)].flatMap(([, given = '']) =>
        [...given.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, action]) => String(action)),
      ),
    );
    assert.deepEqual(new Set(appended), new Set(['rules.set', 'staff.policy']));
    for (const action of appended) assert.ok((NAMED_ACTIONS as readonly string[]).includes(action), action);
  });

  it('what is in the table is written somewhere, once', () => {
    assert.equal(new Set(NAMED_ACTIONS).size, NAMED_ACTIONS.length);
    const code = ['staff', 'store', 'activities', 'prisma', 'panel/handlers', 'cli']
      .flatMap(filesOf)
      .concat(
        readFileSync(join(root, 'domain/approvals.ts'), 'utf8'),
        readFileSync(join(root, 'domain/staff.ts'), 'utf8'),
      );
    const made = /^case\.|_refused$|^rule_change\.(approve|reject)$|^request\./;
    const unwritten = NAMED_ACTIONS.filter((action) => !made.test(action) || action === 'staff.sign_in_refused').filter(
      (action) => !code.some((text) => text.includes(`'${action}'`)),
    );
    assert.deepEqual(unwritten, []);
    assert.equal(AUDITED_DECISIONS.length, 10);
  });
});
