// The clients as archives on the site, for whoever has only the documentation: the same bytes for the same files.
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { create } from 'tar';
import { inRoot } from '../../bootstrap/root.mjs';
import { runCommand } from '../../bootstrap/run-command.mjs';

/** By folder of the repository: the archive's name on the site. */
export const FOLDER_ARCHIVES: Readonly<Record<string, string>> = {
  'client/python': 'clients/python.tar.gz',
  'client/go': 'clients/go.tar.gz',
  'client/java': 'clients/java.tar.gz',
  'client/bruno': 'clients/bruno.tar.gz',
};
/** What `npm install` takes. */
export const PACKAGE_ARCHIVE = { source: 'client', name: 'clients/typescript.tar.gz' } as const;

/** Beside the folder, as in the repository: its tests and the commands of the README read them there. */
const BESIDE = ['README.md', 'test-vectors.json'];
const IS_BUILT = /(^|\/)(target|__pycache__|[^/]+\.egg-info)(\/|$)|\.(class|pyc)$/;
const LONG_AGO = new Date('2000-01-01T00:00:00Z');
const PACK_TIMEOUT_MS = 120_000;

/** Writes all of them below the folder. Throws when the package cannot be made. */
export async function writeClientArchives(folder: string): Promise<void> {
  mkdirSync(join(folder, 'clients'), { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'client-archives-'));
  try {
    for (const [source, name] of Object.entries(FOLDER_ARCHIVES)) await archive(work, source, join(folder, name));
    await packTypeScript(join(work, 'typescript'), join(folder, PACKAGE_ARCHIVE.name));
  } finally {
    rmSync(work, { recursive: true });
  }
}

async function archive(work: string, source: string, file: string): Promise<void> {
  const from = basename(source);
  const root = join(work, from, 'operator-payments');
  cpSync(inRoot(source), join(root, from), { recursive: true, filter: (path) => !IS_BUILT.test(path) });
  for (const name of BESIDE) copyFileSync(inRoot('client', name), join(root, name));
  await create(
    { cwd: join(work, from), file, gzip: true, portable: true, mtime: LONG_AGO },
    filesBelow(root, work, from),
  );
}

/** In an order of their own, not that of the disk. */
function filesBelow(root: string, work: string, from: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(work, from).length + 1))
    .sort();
}

async function packTypeScript(folder: string, file: string): Promise<void> {
  const logFile = inRoot('var', 'logs', 'client-package.log');
  const { code } = await runCommand(process.execPath, [inRoot('tools', 'client-package.mjs'), folder], {
    logFile,
    timeoutMs: PACK_TIMEOUT_MS,
    cwd: inRoot(),
  });
  const packed = code === 0 ? readdirSync(folder).find((name) => name.endsWith('.tgz')) : undefined;
  if (packed === undefined) throw new Error(`the client's package was not made: see ${logFile}`);
  copyFileSync(join(folder, packed), file);
}
