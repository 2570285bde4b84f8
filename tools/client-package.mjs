// `npm run client-package -- [FOLDER]`: makes the operator's client in TypeScript as a package, for `npm publish` or
// `npm install FILE`. The folder is var/client-package unless another is named.
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { inRoot } from './bootstrap/root.mjs';

const folder = resolve(process.argv[2] ?? inRoot('var', 'client-package'));
rmSync(join(folder, 'package'), { recursive: true, force: true });
mkdirSync(join(folder, 'package'), { recursive: true });
for (const file of ['package.json', 'README.md', 'test-vectors.json'])
  cpSync(inRoot('client', file), join(folder, 'package', file));
run(process.execPath, [
  inRoot('node_modules', 'typescript-7', 'bin', 'tsc'),
  ...['-p', inRoot('client', 'tsconfig.json'), '--outDir', join(folder, 'package', 'dist')],
]);
run('npm', ['pack', '--silent', '--pack-destination', folder], join(folder, 'package'));

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} [cwd]
 */
function run(program, args, cwd) {
  const { status } = spawnSync(program, args, { stdio: 'inherit', cwd });
  if (status !== 0) process.exit(status ?? 1);
}
