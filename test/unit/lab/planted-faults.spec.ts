// The faults planted for the searcher fit today's code.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AREAS, FAULTS, KINDS } from '../../../lab/planted-faults/faults/index.mjs';
import { plantedText } from '../../../lab/planted-faults/plant.mjs';
import { judged } from '../../../lab/planted-faults/search.mjs';
import { projectRoot } from '../../../platform/config/project-root.js';

function textOf(file: string): string {
  return readFileSync(join(projectRoot(), file), 'utf8');
}

/** The lines of one text that the other does not have at the same place, counted from both ends. */
function changedLines(text: string, other: string): readonly string[] {
  const [lines, others] = [text.split('\n'), other.split('\n')];
  while (lines.length > 0 && lines[0] === others[0]) {
    lines.shift();
    others.shift();
  }
  while (lines.length > 0 && lines.at(-1) === others.at(-1)) {
    lines.pop();
    others.pop();
  }
  return lines;
}

describe('planted faults', () => {
  it('have their text exactly once, and change one line of it', () => {
    for (const fault of FAULTS) {
      const text = textOf(fault.file);
      const planted = plantedText(text, fault);
      assert.equal(changedLines(text, planted).length, 1, `${fault.name}: lines that are changed or left out`);
      assert.ok(changedLines(planted, text).length <= 1, `${fault.name}: new lines`);
    }
  });

  it('each do something of their own', () => {
    const changes = FAULTS.map(({ file, from, to }) => plantedText(textOf(file), { name: '', file, from, to }));
    assert.equal(new Set(changes).size, FAULTS.length);
  });

  it('are of every kind, enough in every area, and in its files', () => {
    assert.deepEqual([...new Set(FAULTS.map(({ kind }) => kind))].sort(), [...KINDS]);
    for (const { name, files, atLeast, faults } of AREAS) {
      assert.ok(faults.length >= atLeast, name);
      for (const fault of faults) assert.match(fault.file, files, fault.name);
    }
  });
});

describe('planting a fault', () => {
  const fault = { name: 'a-fault', file: 'a-file', from: 'b > 1', to: 'b >= 1' };

  it('replaces the text and nothing else, whatever characters it has', () => {
    assert.equal(plantedText('a b > 1 c', { ...fault, to: "$& $1 $'" }), "a $& $1 $' c");
  });
});

describe('what a searcher says of a fault', () => {
  const failed = (output: string, isSeeded: boolean) => judged({ code: 1, output }, isSeeded);

  it('is found when it fails with a seed, broken when it fails without the seed that it prints', () => {
    const output = 'trying seed 7\nused 31 s of processors\nfailed: npm run explore -- --seed 12 --until 40\n';
    assert.deepEqual(failed(output, true), { outcome: 'found', seed: '12', processorSeconds: 31 });
    assert.deepEqual(failed('out of memory', true), { outcome: 'broken', seed: null, processorSeconds: null });
    assert.deepEqual(failed('1 failed', false), { outcome: 'found', seed: null, processorSeconds: null });
  });

  it('is neither when it passes, fails in another way, or does not end', () => {
    const others = [{ code: 0, output: '' }, { code: 127, output: 'not found' }, null];
    assert.deepEqual(
      others.map((ended) => judged(ended, false).outcome),
      ['not_found', 'broken', 'no_end'],
    );
  });
});
