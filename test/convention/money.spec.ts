// Amounts are bigint inside (docs/decisions/0040): nobody has to remember which of two kinds a field is.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { projectRoot } from '../../platform/config/project-root.js';

const ROOT = projectRoot();
const INSIDE = [
  ...['activities', 'contract/temporal', 'domain', 'platform', 'providers', 'staff', 'store', 'worker', 'workflows'],
  ...['api', 'cli', 'ingress', 'panel/handlers'],
];

const files = INSIDE.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name)),
);
const linesWith = (pattern: RegExp) =>
  files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => (pattern.test(line) ? [`${relative(ROOT, file).split(sep).join('/')}: ${line.trim()}`] : [])),
  );

describe('amounts', () => {
  it('are bigint wherever the gateway works with them', () => {
    assert.ok(linesWith(/Minor\??: bigint/).length > 100);
    assert.deepEqual(linesWith(/Minor\??: (string|number)\b/), []);
  });

  it('are not made of something else with the name of an amount', () => {
    assert.deepEqual(linesWith(/(^|[^o])BigInt\(([a-zA-Z]+[.?!]*)*[a-z]Minor\)/), []);
  });

  it('cross Temporal by one converter: every client and worker of a process names it', () => {
    const makers = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?:new (?:Workflow)?Client|Worker\.create)\(\{[^;]*?\}\)/g)].map(
        ([text]) => [relative(ROOT, file), text] as const,
      ),
    );
    assert.ok(makers.length >= 3);
    for (const [file, text] of makers) assert.match(text, /dataConverter: DATA_CONVERTER|new Client\(\{ connect/, file);
  });
});
