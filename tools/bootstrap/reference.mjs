// Step 6: the renderer of the API reference (Redoc), copied out of the linter's package, so that a deployment without
// development packages has it too, and without the one picture that it fetches from its maker.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from './failure.mjs';
import { inRoot } from './root.mjs';

const SOURCE = inRoot('node_modules', '@redocly', 'cli', 'lib', 'chunks', 'redoc.standalone.js');
const COPY = inRoot('dist', 'api-reference', 'redoc.js');

/** The maker's logo, in two widths. An empty picture is as good: page.css hides its place. */
const LOGOS = /`https:\/\/cdn\.redoc\.ly\/redoc\/logo-[a-z-]+\.svg`/g;
const NO_PICTURE = '`data:,`';

/** Copies it unless it is there. Throws a {@link Failure} if the package no longer has it. */
export function ensureReference() {
  if (!existsSync(SOURCE)) throw new Failure(`The renderer of the API reference is not where it was: ${SOURCE}`);
  const renderer = readFileSync(SOURCE, 'utf8');
  if (renderer.match(LOGOS)?.length !== 2)
    throw new Failure(
      'The renderer of the API reference fetches its logo in another way than it did: see ' +
        'tools/bootstrap/reference.mjs',
    );
  const copy = renderer.replaceAll(LOGOS, NO_PICTURE);
  if (existsSync(COPY) && readFileSync(COPY, 'utf8') === copy) return;
  mkdirSync(dirname(COPY), { recursive: true });
  writeFileSync(COPY, copy);
}
