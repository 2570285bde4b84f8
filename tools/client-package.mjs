// `npm run client-package -- [FOLDER]`: makes the operator's client in TypeScript as a package.
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { inRoot } from './bootstrap/root.mjs';

const HELP = `npm run client-package [-- FOLDER]

Makes the operator's client in TypeScript, with its tool, as a package for "npm publish" or "npm install FILE".
The folder is var/client-package unless another is named.
`;

const folder = resolve(readFolder() ?? inRoot('var', 'client-package'));
rmSync(join(folder, 'package'), { recursive: true, force: true });
mkdirSync(join(folder, 'package'), { recursive: true });
for (const file of ['package.json', 'README.md', 'test-vectors.json'])
  cpSync(inRoot('client', file), join(folder, 'package', file));
run(process.execPath, [
  inRoot('node_modules', 'typescript-7', 'bin', 'tsc'),
  ...['-p', inRoot('client', 'tsconfig.json'), '--outDir', join(folder, 'package', 'dist')],
]);
run('npm', ['pack', '--silent', '--pack-destination', folder], join(folder, 'package'));

/** @returns {string | undefined} */
function readFolder() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' } },
    });
    if (values.help) {
      process.stdout.write(HELP);
      process.exit(0);
    }
    if (positionals.length > 1) throw new Error('one folder only');
    return positionals[0];
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    process.exit(2);
  }
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} [cwd]
 */
function run(program, args, cwd) {
  const { status } = spawnSync(program, args, { stdio: 'inherit', cwd });
  if (status !== 0) process.exit(status ?? 1);
}
