// A cache of downloaded or built tools outside node_modules, so that a fresh clone finds them. Each tool has a folder
// named after its version, with a manifest. Two commands that need the same tool at once make it once.
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
import { Failure } from './failure.mjs';
import { withLock } from './lock.mjs';
import { say } from './progress.mjs';

/** @typedef {import('./programs.mjs').Environment} Environment */
/** @typedef {import('./programs.mjs').Tool} Tool */

/**
 * @typedef {object} CachedToolSpec
 * @property {string} name
 * @property {string} version
 * @property {string} executable the executable's path inside the tool's folder
 * @property {(folder: string) => Promise<string>} make fills the folder and returns where the tool came from; throws a
 *   {@link Failure} when it cannot
 * @property {(executable: string) => boolean} runs whether the executable runs
 */

/**
 * @typedef {object} Manifest
 * @property {string} origin
 * @property {string} sha256
 * @property {number} sizeBytes
 * @property {number} modifiedAtMs
 */

/**
 * `$XDG_CACHE_HOME/operator-payments-gateway`, by default below `~/.cache`.
 * @param {Environment} environment
 */
export function cacheFolder(environment) {
  return join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'operator-payments-gateway');
}

/**
 * @param {Pick<CachedToolSpec, 'name' | 'version'>} spec
 * @param {Environment} environment
 */
function folderOf(spec, environment) {
  return join(cacheFolder(environment), `${spec.name}-${spec.version}-${process.platform}-${process.arch}`);
}

/**
 * Whether the cache has a whole tool of that version.
 * @param {CachedToolSpec} spec
 * @param {Environment} environment
 */
export async function isCached(spec, environment) {
  return (await readCached(spec, folderOf(spec, environment))) !== undefined;
}

/**
 * The tool from the cache; makes it first when it is missing or damaged.
 * @param {CachedToolSpec} spec
 * @param {Environment} environment
 * @returns {Promise<Tool>}
 */
export async function cachedTool(spec, environment) {
  const folder = folderOf(spec, environment);
  const found = await readCached(spec, folder);
  if (found) return found;
  return withLock(
    `${folder}.lock`,
    async () => (await readCached(spec, folder)) ?? (await makeTool(spec, folder)),
    (pid) =>
      say(`  · waiting for ${spec.name}, which ${pid === process.pid ? 'this command' : `process ${pid}`} is making …`),
  );
}

/**
 * @param {CachedToolSpec} spec
 * @param {string} folder
 * @returns {Promise<Tool>}
 */
async function makeTool(spec, folder) {
  if (existsSync(join(folder, 'manifest.json')))
    say(`  ! ${join(folder, spec.executable)} has changed since it was made; making it again.`);
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const origin = await spec.make(unfinished);
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  const path = join(folder, spec.executable);
  if (!spec.runs(path)) throw new Failure(`${spec.name} ${spec.version} was made, but it does not run: ${path}`);
  const { size, mtimeMs } = statSync(path);
  /** @type {Manifest} */
  const manifest = { origin, sha256: await sha256Of(path), sizeBytes: size, modifiedAtMs: mtimeMs };
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return { path, origin };
}

/**
 * The cached tool if it is whole: the recorded size and time, or at least the same content.
 * @param {CachedToolSpec} spec
 * @param {string} folder
 * @returns {Promise<Tool | undefined>}
 */
async function readCached(spec, folder) {
  const path = join(folder, spec.executable);
  try {
    const manifest = /** @type {Manifest} */ (JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));
    const { size, mtimeMs } = statSync(path);
    const isUntouched = size === manifest.sizeBytes && mtimeMs === manifest.modifiedAtMs;
    if (isUntouched || (await sha256Of(path)) === manifest.sha256)
      return { path, origin: `${manifest.origin}, cached in ${folder}` };
  } catch {
    // Missing, or left half-made by a killed run: it is made again.
  }
  return undefined;
}

/** @param {string} file */
async function sha256Of(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
