// Every failure code that the gateway or an adapter gives is explained in the guide's table.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FAILURE_CODES } from '../../../contract/http/error-help.js';
import { projectRoot } from '../../../platform/config/project-root.js';

/** `failureCode: 'x'`, `failed(reference, 'x')`, `?? 'x'` after one, and the codes of a write-off. */
const GIVEN = [
  /failureCode:(?: [\w.]+ \?\?)? '(\w+)'/g,
  /failed\([\w.]+, '(\w+)'\)/g,
  /'(psp_\w+)'/g,
  /code \?\? '(\w+)'/g,
];
const sources = (folder: string): string[] =>
  readdirSync(join(projectRoot(), folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => readFileSync(join(projectRoot(), folder, file), 'utf8'));

describe('failure codes', () => {
  it('that are given have a meaning and a next step, and no other', () => {
    const texts = ['providers', 'domain', 'activities'].flatMap(sources);
    const given = texts.flatMap((text) => GIVEN.flatMap((form) => [...text.matchAll(form)].map(([, code]) => code!)));
    assert.deepEqual([...new Set(given)].sort(), Object.keys(FAILURE_CODES).sort());
  });
});
