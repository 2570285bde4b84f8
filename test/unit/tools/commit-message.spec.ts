// The hook that checks the subject of a commit message, run as Git runs it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRoot } from '../../../tools/bootstrap/root.mjs';

describe('the commit-msg hook', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commit-msg-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** What the hook prints; `null` if it accepts the message. */
  function refusalOf(message: string): string | null {
    const file = join(folder, 'COMMIT_EDITMSG');
    writeFileSync(file, message);
    const { status, stderr } = spawnSync(inRoot('.githooks', 'commit-msg'), [file], { encoding: 'utf8' });
    assert.equal(status, stderr === '' ? 0 : 1);
    return stderr === '' ? null : stderr;
  }

  const scoped = (length: number) => `store: ${'x'.repeat(length - 'store: '.length)}`;

  for (const [name, message] of [
    ['a scope and a subject', 'store: read the keys once\n\nWhy.\n'],
    ['a scope of two words', 'account sweep: name what a list shows\n'],
    ['two scopes', 'docs, staff: keep lines within their lengths\n'],
    ['72 characters', `${scoped(72)}\n`],
    ['72 characters with more bytes', `store: ${'é'.repeat(65)}\n`],
    ['a comment of Git before it', '# Please enter the commit message\n\nstore: read the keys once\n'],
    ['a merge', "Merge branch 'names'\n"],
    ['a commit to be squashed', 'fixup! store: read the keys once\n'],
  ] as const)
    it(`${name} → accepted`, () => assert.equal(refusalOf(message), null));

  for (const [name, message, reason] of [
    ['no scope', 'Read the keys once\n', /has no scope/],
    ['a scope without a subject', 'store: \n', /has no scope/],
    ['a scope with capitals', 'Store: read the keys once\n', /has no scope/],
    ['73 characters', `${scoped(73)}\n`, /has 73 characters/],
    ['a full stop', 'store: read the keys once.\n', /ends with a full stop/],
    ['nothing', '\n# Please enter the commit message\n', /has no scope/],
  ] as const)
    it(`${name} → refused`, () => assert.match(refusalOf(message) ?? '', reason));
});
