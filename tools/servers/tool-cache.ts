// Tools that were downloaded or built, kept outside node_modules so that a fresh clone finds them. Each lies in a folder
// named after its version, with a manifest of what it is; it is made once even when two commands want it at the same time.
import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Failure } from '../bootstrap/failure.mjs';
import { withLock } from '../bootstrap/lock.mjs';
import { say } from '../bootstrap/progress.mjs';
import type { Environment, Tool } from './tools.js';

/** What has to be made. */
export interface CachedToolSpec {
  readonly name: string;
  readonly version: string;
  /** The executable's path inside the tool's folder. */
  readonly executable: string;
  /** Fills `folder`; returns where the tool came from, in words. Throws a {@link Failure} when it cannot. */
  readonly make: (folder: string) => Promise<string>;
  /** Whether the executable runs. */
  readonly runs: (executable: string) => boolean;
}

interface Manifest {
  readonly origin: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly modifiedAtMs: number;
}

/** `$XDG_CACHE_HOME/operator-payments-gateway`, by default under `~/.cache`. */
function cacheFolder(environment: Environment): string {
  return join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'operator-payments-gateway');
}

/** The tool from the cache, made first when it is not there or is damaged. */
export async function cachedTool(spec: CachedToolSpec, environment: Environment): Promise<Tool> {
  const folder = join(cacheFolder(environment), `${spec.name}-${spec.version}-${process.platform}-${process.arch}`);
  const found = await readCached(spec, folder);
  if (found) return found;
  return withLock(
    `${folder}.lock`,
    async () => (await readCached(spec, folder)) ?? (await makeTool(spec, folder)),
    (pid) => say(`  · ${spec.name} is being made by process ${pid}; waiting for it …`),
  );
}

async function makeTool(spec: CachedToolSpec, folder: string): Promise<Tool> {
  if (existsSync(join(folder, 'manifest.json')))
    say(`  ! ${join(folder, spec.executable)} is not what was put there; making it again.`);
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const origin = await spec.make(unfinished);
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  const path = join(folder, spec.executable);
  if (!spec.runs(path)) throw new Failure(`${spec.name} ${spec.version} was made, but it does not run: ${path}`);
  const { size, mtimeMs } = statSync(path);
  const manifest: Manifest = { origin, sha256: await sha256Of(path), sizeBytes: size, modifiedAtMs: mtimeMs };
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return { path, origin };
}

/** The cached tool if it is whole: same size and time as recorded, or else at least the same content. */
async function readCached(spec: CachedToolSpec, folder: string): Promise<Tool | undefined> {
  const path = join(folder, spec.executable);
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
    const { size, mtimeMs } = statSync(path);
    const isUntouched = size === manifest.sizeBytes && mtimeMs === manifest.modifiedAtMs;
    if (isUntouched || (await sha256Of(path)) === manifest.sha256)
      return { path, origin: `${manifest.origin}, cached in ${folder}` };
  } catch {
    // Nothing there, or a half-made folder of a killed run: it is made again.
  }
  return undefined;
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
