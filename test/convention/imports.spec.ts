// The direction of imports, as docs/architecture.md draws it. Each rule prints why it exists.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { projectRoot } from '../../platform/config/project-root.js';

const ROOT = projectRoot();

/** What each folder may import of ours, besides itself. */
const ALLOWED: Record<string, { from: readonly string[]; because: string }> = {
  domain: {
    from: [],
    because: 'the rules of the business are pure: anything may be built on them, they build on nothing',
  },
  contract: { from: ['domain'], because: 'what crosses a process must not pull a process in' },
  'platform/failpoints': { from: [], because: 'a place where a fault campaign may stop a process knows nobody' },
  'platform/telemetry': { from: ['domain'], because: 'everything that runs is measured: what measures knows nobody' },
  'platform/temporal': {
    from: ['domain', 'contract', 'platform/telemetry'],
    because: 'whoever starts or asks workflows does it here',
  },
  store: {
    from: ['domain', 'contract', 'prisma', 'providers'],
    because: 'rows are mapped to domain types; no process is known here',
  },
  providers: {
    from: ['domain', 'platform/config'],
    because: 'an adapter knows its provider and the domain, not who uses it',
  },
  workflows: {
    from: ['domain', 'contract', 'activities'],
    because: 'workflow code is replayed: no I/O, no configuration, no database',
  },
  activities: {
    from: ['domain', 'contract', 'providers', 'store', 'prisma', 'platform/telemetry'],
    because: 'activities serve workflows; they know no process',
  },
  api: {
    from: [
      'domain',
      'contract',
      'providers',
      'store',
      'prisma',
      'platform/config',
      'platform/telemetry',
      'platform/failpoints',
      'platform/temporal',
    ],
    because: 'the api starts and asks workflows; work is done by activities in workers',
  },
  client: { from: [], because: 'operators lift the client out of this project' },
  'sandbox/demo-operator': {
    from: ['client', 'platform/config'],
    because: 'the demo operator is what an operator could write',
  },
  sandbox: {
    from: ['client', 'cli', 'platform/config', 'sandbox/demo-operator', 'domain'],
    because: 'the demo plays an operator and a person at the gateway: by their client and their command alone',
  },
  'sandbox/simulator': {
    from: ['domain', 'platform/config', 'providers', 'platform/telemetry'],
    because: 'the simulated provider is typed by the provider contract, and knows nobody who uses it',
  },
};

/** Folders whose rooms have rules of their own. */
const HOUSES = ['platform', 'sandbox'];

/** "platform/config/api.ts" → "platform/config"; "sandbox/demo.ts" → "sandbox"; "api/main.ts" → "api" */
function roomOf(path: string): string {
  const [house = '', room] = path.split(sep);
  return HOUSES.includes(house) && `${house}/${room ?? ''}` in ALLOWED
    ? `${house}/${room ?? ''}`
    : house === 'platform'
      ? `${house}/${room ?? ''}`
      : house;
}

/** Imports of types only: they vanish in compilation. */
const TYPES_ONLY: Record<string, readonly string[]> = { workflows: ['activities'] };

interface Import {
  readonly file: string;
  readonly folder: string;
  readonly target: string;
  readonly specifier: string;
  readonly isType: boolean;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => roomOf(relative(ROOT, file)) === folder);
}

function importsOf(folder: string): Import[] {
  return sourceFiles(folder).flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(/^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm)].map(
      ([, type, specifier = '']) => ({
        file: relative(ROOT, file),
        folder,
        specifier,
        isType: type !== undefined,
        target: specifier.startsWith('.') ? roomOf(relative(ROOT, resolve(dirname(file), specifier))) : '',
      }),
    );
  });
}

describe('imports', () => {
  for (const [folder, { from, because }] of Object.entries(ALLOWED)) {
    it(`${folder}/ imports only ${['itself', ...from.map((name) => `${name}/`)].join(', ')}: ${because}`, () => {
      const wrong = importsOf(folder).filter(
        ({ target }) => target !== '' && target !== folder && !from.includes(target),
      );
      assert.deepEqual(
        wrong.map(({ file, specifier }) => `${file} imports ${specifier}`),
        [],
        because,
      );
    });
  }

  for (const [folder, targets] of Object.entries(TYPES_ONLY)) {
    it(`${folder}/ imports ${targets.join(', ')} as types only: values would pull I/O into replayed code`, () => {
      const values = importsOf(folder).filter(({ target, isType }) => targets.includes(target) && !isType);
      assert.deepEqual(
        values.map(({ file, specifier }) => `${file} imports ${specifier}`),
        [],
      );
    });
  }

  it('workflows/ use no Node built-ins: they do not exist where workflow code runs', () => {
    const builtIns = importsOf('workflows').filter(({ specifier }) => specifier.startsWith('node:'));
    assert.deepEqual(
      builtIns.map(({ file, specifier }) => `${file} imports ${specifier}`),
      [],
    );
  });

  it('only main.ts files and config/ read the environment: everything else gets its configuration as a value', () => {
    const folders = [
      'domain',
      'contract',
      'store',
      'providers',
      'workflows',
      'activities',
      'api',
      'worker',
      'sandbox/simulator',
      'client',
      'sandbox/demo-operator',
      'sandbox',
      'cli',
    ];
    const readers = folders
      .flatMap(sourceFiles)
      .filter((file) => !file.endsWith(`${sep}main.ts`) && /process\.env/.test(readFileSync(file, 'utf8')))
      .map((file) => relative(ROOT, file));
    assert.deepEqual(readers, []);
  });
});
