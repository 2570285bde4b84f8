// The panel's tables of texts. They are read from the sources, which only the page's build compiles.
import { readdirSync } from 'node:fs';
import { build } from 'esbuild';
import { inRoot } from '../../tools/bootstrap/root.mjs';

const FOLDER = inRoot('panel', 'web', 'texts');

/** What the files of texts export, by its name. */
export async function readTables(): Promise<Readonly<Record<string, unknown>>> {
  const files = readdirSync(FOLDER).map((name) => `export * from './${name.replace(/\.ts$/, '.js')}';`);
  const { outputFiles } = await build({
    stdin: { contents: files.join('\n'), resolveDir: FOLDER, loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  return (await import(`data:text/javascript;base64,${code}`)) as Readonly<Record<string, unknown>>;
}
