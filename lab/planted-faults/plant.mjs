// A copy of the tree, in which one fault after the other is planted. It is a real copy: what runs in it cannot change
// the tree itself.
import { constants, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Failure } from '../../tools/bootstrap/failure.mjs';

/** `.build.lock` belongs to the build that made it. */
const LEFT_OUT = new Set(['node_modules', 'var', 'coverage', '.git', '.build.lock']);

/**
 * @typedef {import('./faults/index.mjs').PlantedFault} PlantedFault
 */

/**
 * Copies a tree with what was built of it. Packages are linked.
 * @param {string} from
 * @param {string} to
 * @param {string} packages the node_modules folder to link
 */
export function copyTree(from, to, packages) {
  mkdirSync(to, { recursive: true });
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (path) => path === from || !LEFT_OUT.has(basename(path)),
  });
  symlinkSync(packages, join(to, 'node_modules'));
}

/**
 * @param {string} text the file's
 * @param {Pick<PlantedFault, 'name' | 'file' | 'from' | 'to'>} fault
 * @returns {string} the text with the fault; throws a {@link Failure} unless the text to replace is there exactly once
 */
export function plantedText(text, { name, file, from, to }) {
  const count = text.split(from).length - 1;
  if (count !== 1)
    throw new Failure(`${name}: ${file} has its text ${count} times, not once. Bring the fault up to date.`);
  const at = text.indexOf(from);
  return text.slice(0, at) + to + text.slice(at + from.length);
}

/** What a rebuild of one file may change besides its own output. */
const BUILT = [
  '.compiled-by-bootstrap',
  '.bundled-by-bootstrap',
  'workflow-bundle.js',
  'workflow-bundle-traced.js',
].map((name) => join('dist', name));

/**
 * Plants a fault in a copy.
 * @param {string} folder
 * @param {PlantedFault} fault
 * @returns {() => void} makes the copy and what is built of it what they were
 */
export function plant(folder, fault) {
  const path = join(folder, fault.file);
  const output = join('dist', fault.file.replace(/\.ts$/, '.js'));
  const kept = [fault.file, output, `${output}.map`, ...BUILT].map((name) => keep(join(folder, name)));
  writeFileSync(path, plantedText(readFileSync(path, 'utf8'), fault));
  return () => kept.forEach((restore) => restore());
}

/** @param {string} path */
function keep(path) {
  const content = existsSync(path) ? readFileSync(path) : null;
  return () => (content === null ? rmSync(path, { force: true }) : writeFileSync(path, content));
}
