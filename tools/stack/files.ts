// Small JSON files under var/ that hold secrets: readable for the owner only, never half-written.
import { readFileSync } from 'node:fs';
import { Failure } from '../bootstrap/failure.mjs';

export { writePrivateJson } from '../../sandbox/private-file.js';

/** The parsed content, undefined when there is no such file. Throws a {@link Failure} when it cannot be read. */
export function readJsonFile(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Failure(`${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Failure(`${file} is not valid JSON. Restore it, or start with empty data: "npm start -- --reset".`);
  }
}
