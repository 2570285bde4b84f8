// Step 6: the renderer of the API reference (Redoc), copied out of the linter's package, so that a deployment without
// development packages has it too.
import { copyFileSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from './failure.mjs';
import { inRoot } from './root.mjs';

const SOURCE = inRoot('node_modules', '@redocly', 'cli', 'lib', 'chunks', 'redoc.standalone.js');
const COPY = inRoot('dist', 'api-reference', 'redoc.js');

/** Copies it unless it is there. Throws a {@link Failure} when the package has it no more. */
export function ensureReference() {
  if (!existsSync(SOURCE)) throw new Failure(`The renderer of the API reference is not where it was: ${SOURCE}`);
  if (existsSync(COPY) && statSync(COPY).size === statSync(SOURCE).size) return;
  mkdirSync(dirname(COPY), { recursive: true });
  copyFileSync(SOURCE, COPY);
}
