// The lists of CONTRIBUTING.md: every path exists, and what no compiler checks is complete.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { APPROVAL_KINDS } from '../../domain/approvals.js';
import { DEPOSIT_STATUSES } from '../../domain/payments/deposit.js';
import { DEPOSIT_RULES, PAYMENT_RULES } from '../../domain/rules/deposit-rules.js';
import { DISPATCH_RULES } from '../../domain/rules/dispatch-rules.js';
import { WITHDRAWAL_RULES } from '../../domain/rules/withdrawal-rules.js';
import { WITHDRAWAL_STATUSES } from '../../domain/payments/withdrawal.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { METRICS } from '../../platform/telemetry/metrics.js';
import { accountNameOf, SLOTS } from '../../domain/provider-accounts.js';
import { DIALECT_NAMES, isOfSandbox } from '../../providers/settings.js';

const ROOT = projectRoot();
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The migrations' SQL in their order, in one text: spaces folded, no quoted names. */
const MIGRATIONS = readdirSync(join(ROOT, 'prisma', 'migrations'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort()
  .map((name) => read(join('prisma', 'migrations', name, 'migration.sql')))
  .join('\n')
  .replaceAll('"', '')
  .replaceAll(/\s+/g, ' ');

/** All TypeScript of the folders, in one text. */
function codeOf(...folders: readonly string[]): string {
  return folders
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

/** The names that none of the texts has as a whole word. */
function missingIn(names: readonly string[], ...texts: readonly string[]): readonly string[] {
  return names.filter((name) => !texts.some((text) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text)));
}

/** The values that the newest version of a check constraint allows. */
function allowedBy(constraint: string): readonly string[] {
  const found = [...MIGRATIONS.matchAll(new RegExp(`CONSTRAINT ${constraint} CHECK \\(\\w+ IN \\(([^)]*)\\)`, 'g'))];
  const values = found.at(-1)?.[1];
  assert.ok(values !== undefined, `no migration has ${constraint}`);
  return [...values.matchAll(/'([^']*)'/g)].map(([, value = '']) => value);
}

describe('the lists of CONTRIBUTING.md', () => {
  it('name files and folders that exist', () => {
    const named = [...read('CONTRIBUTING.md').matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/?)`/g)].map(([, path = '']) => path);
    const paths = named.filter((path) => path.includes('/') || /\.(ts|mjs|md|yml|prisma)$/.test(path));
    assert.ok(paths.length > 60);
    assert.deepEqual(
      paths.filter((path) => path !== 'main.ts' && !existsSync(join(ROOT, path))),
      [],
    );
  });

  for (const [constraint, values] of [
    ['deposit_status_check', DEPOSIT_STATUSES],
    ['withdrawal_status_check', WITHDRAWAL_STATUSES],
  ] as const) {
    it(`the database allows exactly what the code has: ${constraint}`, () =>
      assert.deepEqual([...allowedBy(constraint)].sort(), [...values].sort()));
  }

  for (const constraint of [
    'operation_provider_check',
    'provider_pause_provider_check',
    'statement_line_provider_check',
    'statement_day_provider_check',
    'statement_removal_provider_check',
    'statement_item_provider_check',
    'account_balance_provider_check',
    'account_owner_account_check',
  ]) {
    it(`the database allows exactly the accounts that the code has: ${constraint}`, () => {
      const pattern = new RegExp(`CONSTRAINT ${constraint} CHECK \\(\\w+ ~ '([^']*)'\\)`).exec(MIGRATIONS)?.[1];
      assert.ok(pattern !== undefined, `no migration has ${constraint}`);
      const names = [...SLOTS, 'c'].flatMap((slot) =>
        ['', '.acme', '.a2', '.2a', '.Acme', '.', '.a.b', `.${'x'.repeat(21)}`].map((own) => `${slot}${own}`),
      );
      const isOfTable = (name: string) => constraint !== 'account_owner_account_check' || name.includes('.');
      for (const name of names)
        assert.equal(new RegExp(pattern).test(name), accountNameOf(name) !== undefined && isOfTable(name), name);
    });
  }

  for (const name of SLOTS) {
    it(`provider ${name}: Compose, .env.example and the simulator's page name it`, () => {
      const variable = `PROVIDER_${name.toUpperCase()}_`;
      assert.ok(read('docker-compose.yml').includes(variable), 'docker-compose.yml');
      assert.ok(read('.env.example').includes(variable), '.env.example');
      assert.match(read('docs/simulator.md'), new RegExp(`^\\| \\|(.*\\|)? ${name} \\|`, 'm'), 'docs/simulator.md');
    });
  }

  it('every rule has a row in docs/rules.md', () => {
    const rules = [...WITHDRAWAL_RULES, ...DEPOSIT_RULES, ...PAYMENT_RULES, ...DISPATCH_RULES];
    const page = read('docs/rules.md');
    assert.deepEqual(
      [...new Set(rules.map(({ code }) => code))].filter((code) => !new RegExp(`\\b${code}\\b`).test(page)),
      [],
    );
  });

  it('every table has a line on its purpose in prisma/schema.prisma', () => {
    const lines = read('prisma/schema.prisma').split('\n');
    const silent = lines.filter((line, at) => line.startsWith('model ') && lines[at - 1]?.startsWith('///') !== true);
    assert.deepEqual(silent, []);
  });

  it('the guide or the glossary names every state that operators see', () => {
    const pages = ['docs/integrating.md', 'docs/glossary.md'].map(read);
    assert.deepEqual(missingIn([...DEPOSIT_STATUSES, ...WITHDRAWAL_STATUSES], ...pages), []);
  });

  it('the pages and the tests of the simulator name every dialect of a bank', () => {
    const dialects = DIALECT_NAMES.filter((name) => !isOfSandbox(name));
    for (const page of ['docs/simulator.md', 'docs/providers.md'])
      assert.deepEqual(missingIn(dialects, read(page)), []);
  });

  it('a test asks for every kind of request', () =>
    assert.deepEqual(missingIn(Object.keys(APPROVAL_KINDS), codeOf('test/integration')), []));

  it('the code moves every metric of the table', () => {
    const code = codeOf(
      'api',
      'ingress',
      'panel',
      'command',
      'worker',
      'platform',
      'store',
      'activities',
      'providers',
      'sandbox',
      'staff',
      'workflows',
    );
    const rows = read('platform/telemetry/metrics.ts');
    assert.deepEqual(missingIn(Object.keys(METRICS), code.replace(rows, '')), []);
  });

  it('tokens for Temporal grant every workflow and message to somebody', () => {
    const declared = codeOf('contract/temporal').matchAll(
      /^export const (\w+) = (?:define(?:Signal|Update|Query)\b|'\w+';$)/gm,
    );
    const names = [...declared]
      .map(([, name = '']) => name)
      .filter((name) => !/^[A-Z_]+$/.test(name) || name.endsWith('_WORKFLOW'));
    assert.ok(names.length > 20);
    assert.deepEqual(missingIn(names, read('cli/certificates/temporal-grants.ts')), []);
  });
});
