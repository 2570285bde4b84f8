// docs/security.md: every line of its tables names a test that exists, by its file and a part of its title, or of the
// name of its case.
// docs/faults.md: so does every line of "Played elsewhere" that is played by a test.
// docs/compliance.md: every line has a state, and every file that it names exists.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../platform/config/project-root.js';
import { testTitles } from './test-titles.js';

const read = (path: string) => readFileSync(join(projectRoot(), path), 'utf8');
const rows = read('docs/security.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (attack|---) /.test(line));

function assertNamesTest(row: string, file: string | undefined, title: string | undefined): void {
  assert.ok(file !== undefined && title !== undefined, `names no test: ${row}`);
  assert.ok(existsSync(join(projectRoot(), file)), file);
  assert.ok(
    testTitles(read(file)).some((one) => one.includes(title)),
    `${file} has no test "${title}"`,
  );
}

describe('docs/security.md', () => {
  it('has lines', () => assert.ok(rows.length > 15));
  for (const row of rows) {
    const [, attack = '', , proof = ''] = row.split(' | ').length === 3 ? ['', ...row.slice(2, -2).split(' | ')] : [];
    it(attack, () => {
      const [, file, title] = /^`(test\/[\w/.-]+\.spec\.ts)` "(.+)"$/.exec(proof.trim()) ?? [];
      assertNamesTest(row, file, title);
    });
  }

  it('a title is a test’s, a group’s or a case’s: not one of a comment, an assertion or a skipped test', () => {
    const source = `
      describe('a group', () => {
        // it('a comment', ...)
        it('a test', () => assert.equal(one, 'an assertion'));
        it.${'skip'}('a skipped test', () => undefined);
        for (const [what, { title }] of [['a case', { title: 'another case', text: 'a value' }], ['x', 'a second item']])
          it(\`\${what} → refused\`, () => undefined);
      });`;
    assert.deepEqual(testTitles(source), ['a group', 'a test', '${what} → refused', 'a case', 'another case', 'x']);
    assert.deepEqual(testTitles(`it('one', () => each([['no case', 1]]));`), ['one']);
  });
});

describe('docs/faults.md', () => {
  const [, elsewhere = ''] = read('docs/faults.md').split('## Played elsewhere');
  const played = elsewhere.split('\n').filter((line) => /^\| .*`test\//.test(line));
  it('has lines that tests play', () => assert.ok(played.length > 10));
  for (const row of played) {
    const [what = '', where = ''] = row.slice(2, -2).split(' | ');
    it(what, () => {
      const [, file, title] = /^`(test\/[\w/.-]+\.spec\.ts)` "(.+?)"(;|$)/.exec(where.trim()) ?? [];
      assertNamesTest(row, file, title);
    });
  }
});

const STATES = ['met', 'partly', 'not met', 'not applicable'];
const compliance = read('docs/compliance.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (section|requirement|---) /.test(line));

describe('docs/compliance.md', () => {
  it('has lines of both lists', () => {
    assert.ok(compliance.filter((line) => line.startsWith('| V')).length > 60);
    assert.ok(compliance.filter((line) => /^\| (3|7|8|10)\./.test(line)).length > 20);
  });
  for (const row of compliance) {
    const [section = '', state = '', evidence = ''] = row.slice(2, -2).split(' | ');
    it(section, () => {
      assert.ok(STATES.includes(state), `no state: ${row}`);
      const files = [
        ...evidence.matchAll(/`([\w.-]+(?:\/[\w.-]+)+|\.env\.example|Dockerfile|[\w-]+\.config\.mjs)`/g),
      ].map(([, file = '']) => file);
      for (const file of files) assert.ok(existsSync(join(projectRoot(), file)), file);
      if (state === 'met' || state === 'partly') assert.ok(files.length > 0, `no evidence: ${row}`);
      else assert.ok(evidence.length > 3, `no reason: ${row}`);
    });
  }
});
