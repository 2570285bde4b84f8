// What the project depends on: licences that are allowed, a complete bill of materials, written exceptions of the
// audit.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { projectRoot } from '../../platform/config/project-root.js';
import { judgeAudit } from '../../tools/audit/judge.mjs';

interface Package {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly integrity?: string;
  readonly link?: boolean;
}

const read = (...path: string[]): unknown => JSON.parse(readFileSync(join(projectRoot(), ...path), 'utf8'));
const lock = read('package-lock.json') as { packages: Record<string, Package> };
const packages = Object.entries(lock.packages)
  .filter(([path, { link }]) => path.startsWith('node_modules/') && link !== true)
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
    const bare = packages.filter(({ integrity }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''));
    assert.deepEqual(
      bare.map(({ name }) => name),
      [],
      'npm fills the hashes of entries that are taken out of package-lock.json: npm install --package-lock-only',
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

describe('npm run audit', function () {
  this.timeout(60_000);

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
    assert.deepEqual(judgeAudit(report, [exception], '2027-01-30'), { answer: 'given', problems: [] });
    assert.match(judgeAudit(report, [exception], '2027-01-31').problems.join(), /ended on 2027-01-31/);
  });

  it('an exception that nothing needs any more fails, too', () => {
    assert.match(
      judgeAudit('{"vulnerabilities":{}}', [exception], '2026-12-01').problems.join(),
      /remove its exception/,
    );
  });

  it('without an answer it fails; a registry that does not know the question is said', () => {
    const answer = (text: string) => judgeAudit(text, [exception], '2026-12-01');
    // As npm 10 and 11 write what a registry, a proxy or nobody says.
    for (const said of ['', '{', '{"error":{"code":"ENOAUDIT"}}', ...[401, 403, 429, 500, 503].map(failed)])
      assert.deepEqual(answer(said), { answer: 'none', problems: [] }, said);
    for (const said of [404, 405, 501].map(failed))
      assert.deepEqual(answer(said), { answer: 'no_advisories', problems: [] }, said);
  });

  it('asks for every package, also those that build the image; fails where nobody answers', async () => {
    const asked: Record<string, unknown>[] = [];
    const registry = createServer((request, response) => {
      void buffer(request).then((body) => {
        if (request.headers['content-encoding'] === 'gzip')
          asked.push(JSON.parse(gunzipSync(body).toString()) as Record<string, unknown>);
        response.writeHead(405).end();
      });
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
    const here = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
    try {
      const [away, known, required] = await Promise.all([
        audit('http://127.0.0.1:1/'),
        audit(here),
        audit(here, '--required'),
      ]);
      assert.deepEqual(away, [1, '✗ not checked: the registry did not answer\n']);
      assert.deepEqual(known, [0, '! not checked: this registry has no advisories\n']);
      assert.deepEqual(required, [1, '✗ not checked: this registry has no advisories\n']);
      // An alias is asked for by the name of its package.
      const unasked = packages.filter(({ name }) => name !== 'typescript-7' && asked[0]?.[name] === undefined);
      assert.deepEqual(unasked, []);
    } finally {
      registry.close();
    }
  });
});

const failed = (statusCode: number) => JSON.stringify({ message: `${statusCode}`, method: 'POST', statusCode });

/** Exit code and output of the command against that registry. */
async function audit(registry: string, ...args: string[]): Promise<readonly [number | null, string]> {
  const child = spawn(process.execPath, ['tools/audit.mjs', ...args], {
    cwd: projectRoot(),
    env: { ...process.env, npm_config_registry: registry, npm_config_fetch_retries: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return [code as number | null, output];
}
