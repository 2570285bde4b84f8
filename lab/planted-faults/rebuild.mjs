// `node lab/planted-faults/rebuild.mjs FILE`: brings dist/ up to date after a change of this one file of the tree that
// it lies in. Types are not checked: a whole compilation takes longer than most faults need to be found.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { transform } from 'esbuild';
import { ensureBundled } from '../../tools/bootstrap/bundle.mjs';
import { stampCompiled } from '../../tools/bootstrap/compile.mjs';
import { inRoot } from '../../tools/bootstrap/root.mjs';

const [file = ''] = process.argv.slice(2);
if (file.endsWith('.ts')) {
  const { code, map } = await transform(readFileSync(inRoot(file), 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'es2022',
    sourcefile: file,
    sourcemap: 'external',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  const built = inRoot('dist', file.replace(/\.ts$/, '.js'));
  writeFileSync(built, code);
  writeFileSync(`${built}.map`, map);
}
if (file.startsWith('store/') && file.endsWith('.sql')) copyFileSync(inRoot(file), inRoot('dist', file));
stampCompiled();
await ensureBundled(inRoot('var', 'logs', 'build-bundle.log'));
