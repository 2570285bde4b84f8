// The page's own texts in English, so that a test names what it looks for by its place in their tables: texts are
// changed more often than what they stand for. They are read from the sources, which only the page's build compiles.
import { readdirSync } from 'node:fs';
import { build } from 'esbuild';
import { inRoot } from '../../tools/bootstrap/root.mjs';

const FOLDER = inRoot('panel', 'web', 'texts');

/** `caseTexts.confirm` with its arguments. Throws for a place that no table has. */
export type Say = (place: string, ...given: readonly unknown[]) => string;

export async function readTexts(): Promise<Say> {
  const files = readdirSync(FOLDER).map((name) => `export * from './${name.replace(/\.ts$/, '.js')}';`);
  const { outputFiles } = await build({
    stdin: { contents: files.join('\n'), resolveDir: FOLDER, loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  const tables = (await import(`data:text/javascript;base64,${code}`)) as Readonly<Record<string, unknown>>;
  return (place, ...given) => {
    const text = textAt(tables, place.replace('.', '.en.'));
    if (typeof text === 'string') return text;
    if (typeof text === 'function') return String((text as (...more: readonly unknown[]) => unknown)(...given));
    throw new Error(`the page has no text at ${place}`);
  };
}

/** A name may have dots itself: `caseTexts.fields.player.name`. */
function textAt(found: unknown, place: string): unknown {
  if (typeof found !== 'object' || found === null) return undefined;
  const fields = found as Readonly<Record<string, unknown>>;
  if (place in fields) return fields[place];
  const [, name = '', rest = ''] = /^([^.]+)\.(.+)$/.exec(place) ?? [];
  return textAt(fields[name], rest);
}
