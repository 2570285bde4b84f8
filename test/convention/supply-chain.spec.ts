// What the project depends on: licences that are allowed, a complete bill of materials, written exceptions of the
// audit.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../platform/config/project-root.js';
import { judgeAudit } from '../../tools/audit/judge.mjs';

interface Package {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly integrity?: string;
}

const read = (...path: string[]): unknown => JSON.parse(readFileSync(join(projectRoot(), ...path), 'utf8'));
const lock = read('package-lock.json') as { packages: Record<string, Package> };
const packages = Object.entries(lock.packages)
  .filter(([path]) => path !== '')
  .map(([path, found]) => ({ ...found, name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length) }));
const { allowed, packages: exceptions } = read('ops', 'supply-chain', 'licences.json') as {
  allowed: string[];
  packages: Record<string, { licence: string; reason: string }>;
};

/** `(MIT OR GPL-2.0)`: one of them; `Apache-2.0 AND MIT`: all of them. */
function isAllowed(expression: string): boolean {
  const plain = expression.replace(/[()]/g, ' ').trim();
  return plain.split(/ or /i).some((choice) => choice.split(/ and /i).every((id) => allowed.includes(id.trim())));
}

describe('licences of packages', () => {
  it('are all on the list, or the package is with its reason', () => {
    assert.ok(packages.length > 300);
    const others = packages
      .filter(({ license }) => !isAllowed(license ?? ''))
      .filter(({ name, license }) => exceptions[name]?.licence !== (license ?? 'none named'))
      .map(({ name, license }) => `${name}: ${license ?? 'none named'}`);
    assert.deepEqual(others, [], 'add the licence to ops/supply-chain/licences.json if it may be used, or do without');
  });

  it('the list has no package that is gone', () => {
    const names = new Set(packages.map(({ name }) => name));
    assert.deepEqual(
      Object.keys(exceptions).filter((name) => !names.has(name)),
      [],
    );
    for (const { reason } of Object.values(exceptions)) assert.ok(reason.length > 10);
  });

  it('every package is named with its hash', () => {
    const bare = packages.filter(({ integrity }) => integrity === undefined).map(({ name }) => name);
    // The linter's builds for platforms on which nothing of the project is built: the lock file only names them.
    const linter = /^@oxlint(-tsgolint)?\/(?!(binding-)?linux-(x64|arm64)(-gnu)?$)/;
    assert.deepEqual(
      bare.filter((name) => !linter.test(name)),
      [],
    );
  });
});

describe('npm run sbom', function () {
  this.timeout(60_000);

  it('names what production installs, each package with its version, licence and hash, and no development tool', () => {
    const { scripts } = read('package.json') as { scripts: Record<string, string> };
    const [program = '', ...args] = scripts['sbom']?.split(' ') ?? [];
    const text = execFileSync(program, args, {
      cwd: projectRoot(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    });
    const bill = JSON.parse(text) as {
      bomFormat: string;
      components: { name: string; version: string; purl: string; hashes?: unknown[]; licenses?: unknown[] }[];
    };
    assert.equal(bill.bomFormat, 'CycloneDX');
    const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
    const installed = new Set(
      packages.filter(({ dev }) => dev !== true).map(({ name, version }) => `${name}@${version}`),
    );
    assert.deepEqual([...listed].sort(), [...installed].sort());
    for (const { name, hashes, purl } of bill.components) {
      assert.match(purl, /^pkg:npm\//, name);
      assert.ok((hashes?.length ?? 0) > 0, `${name} has no hash`);
    }
  });
});

describe('npm run audit', () => {
  const { exceptions: accepted } = read('ops', 'supply-chain', 'audit-exceptions.json') as {
    exceptions: { advisory: string; package: string; reason: string; expires: string }[];
  };
  const exception = { advisory: 'GHSA-1', package: 'a', reason: 'no request reaches it', expires: '2027-01-31' };
  const report = JSON.stringify({
    vulnerabilities: {
      a: { name: 'a', via: [{ url: 'https://advisories.example/GHSA-1', severity: 'high', title: 'A hole' }, 'b'] },
    },
  });

  it('its exceptions say which advisory, why, and until when', () => {
    for (const one of accepted) {
      assert.match(one.advisory, /^GHSA-/);
      assert.ok(one.reason.length > 10);
      assert.match(one.expires, /^20\d\d-\d\d-\d\d$/);
    }
  });

  it('an advisory without an exception, or after its last day, fails', () => {
    assert.deepEqual(judgeAudit(report, [], '2026-12-01').problems, ['a: high, A hole (GHSA-1)']);
    assert.deepEqual(judgeAudit(report, [exception], '2027-01-30'), { isAnswered: true, problems: [] });
    assert.match(judgeAudit(report, [exception], '2027-01-31').problems.join(), /ended on 2027-01-31/);
  });

  it('an exception that nothing needs any more fails, too', () => {
    assert.match(
      judgeAudit('{"vulnerabilities":{}}', [exception], '2026-12-01').problems.join(),
      /remove its exception/,
    );
  });

  it('a registry that answers no audit is said, and proves nothing', () => {
    for (const text of ['', '{"error":{"code":"ENOAUDIT"}}'])
      assert.deepEqual(judgeAudit(text, [exception], '2026-12-01'), { isAnswered: false, problems: [] });
  });
});
