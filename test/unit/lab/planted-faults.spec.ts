// The faults planted for the searcher fit today's code, and the command that plants them reads its options.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AREAS, FAULTS, KINDS } from '../../../lab/planted-faults/faults/index.mjs';
import { readPlantedOptions } from '../../../lab/planted-faults/options.mjs';
import { copyTree, plant, plantedText } from '../../../lab/planted-faults/plant.mjs';
import { report, shareFound } from '../../../lab/planted-faults/report.mjs';
import { judged } from '../../../lab/planted-faults/search.mjs';
import { projectRoot } from '../../../platform/config/project-root.js';

const AT_LEAST = 70;

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
  for (const fault of FAULTS) {
    it(`${fault.name} has its text exactly once and changes one line of it`, () => {
      const text = textOf(fault.file);
      const planted = plantedText(text, fault);
      assert.equal(changedLines(text, planted).length, 1, 'lines that are changed or left out');
      assert.ok(changedLines(planted, text).length <= 1, 'new lines');
    });
  }

  it('have names of their own, in kebab-case', () => {
    const names = FAULTS.map(({ name }) => name);
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
    assert.deepEqual(
      names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(name)),
      [],
    );
  });

  it('each do something of their own', () => {
    const changes = FAULTS.map(({ file, from, to }) => plantedText(textOf(file), { name: '', file, from, to }));
    assert.equal(new Set(changes).size, FAULTS.length);
  });

  it('tell their harm in one sentence', () => {
    const unclear = FAULTS.filter(({ harm }) => !/^[A-Z][^.]{20,}\.$/.test(harm));
    assert.deepEqual(
      unclear.map(({ name }) => name),
      [],
    );
  });

  it('are of every kind, and of no other', () => {
    assert.deepEqual([...new Set(FAULTS.map(({ kind }) => kind))].sort(), [...KINDS]);
  });

  it(`are ${AT_LEAST} at least`, () => assert.ok(FAULTS.length >= AT_LEAST, String(FAULTS.length)));

  for (const { name, files, atLeast, faults } of AREAS) {
    it(`are ${atLeast} at least in ${name}, all in its files`, () => {
      assert.ok(faults.length >= atLeast, String(faults.length));
      assert.deepEqual(
        faults.filter(({ file }) => !files.test(file)).map((fault) => fault.name),
        [],
      );
    });
  }
});

describe('planting a fault', () => {
  const fault = { name: 'a-fault', file: 'a-file', from: 'b > 1', to: 'b >= 1' };

  it('replaces the text and nothing else, whatever characters it has', () => {
    assert.equal(plantedText('a b > 1 c', { ...fault, to: "$& $1 $'" }), "a $& $1 $' c");
  });

  for (const text of ['b < 1', 'b > 1, b > 1'])
    it(`is refused where its text is not there exactly once: ${text}`, () => {
      assert.throws(() => plantedText(text, fault), /a-fault: a-file has its text [02] times/);
    });
});

describe('a copy of the tree', () => {
  let home: string;
  const inHome = (...parts: readonly string[]) => join(home, ...parts);

  before(() => {
    home = mkdtempSync(join(tmpdir(), 'gateway-planted-'));
    for (const folder of ['domain', 'var', 'node_modules/package'])
      mkdirSync(inHome('tree', folder), { recursive: true });
    writeFileSync(inHome('tree', 'domain', 'a.ts'), 'b > 1\n');
    copyTree(inHome('tree'), inHome('copy'), inHome('tree', 'node_modules'));
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  it('has the code and what is installed, and nothing of earlier runs', () => {
    assert.deepEqual(readdirSync(inHome('copy')).sort(), ['domain', 'node_modules']);
    assert.deepEqual(readdirSync(inHome('copy', 'node_modules')), ['package']);
  });

  it('gets a fault of which the tree hears nothing', () => {
    const [some] = FAULTS;
    assert.ok(some);
    const takeOut = plant(inHome('copy'), { ...some, file: 'domain/a.ts', from: 'b > 1', to: 'b >= 1' });
    assert.equal(readFileSync(inHome('copy', 'domain', 'a.ts'), 'utf8'), 'b >= 1\n');
    assert.equal(readFileSync(inHome('tree', 'domain', 'a.ts'), 'utf8'), 'b > 1\n');
    takeOut();
    assert.equal(readFileSync(inHome('copy', 'domain', 'a.ts'), 'utf8'), 'b > 1\n');
  });
});

describe('the options of npm run explore:planted', () => {
  const namesOf = (args: readonly string[]) => readPlantedOptions(args).chosen.map(({ name }) => name);

  it('choose every fault for five minutes of two processors by default', () => {
    const { chosen, processorSeconds, by, withControl } = readPlantedOptions([]);
    assert.deepEqual(
      [chosen, processorSeconds, by, withControl],
      [FAULTS, 600, 'npm run explore -- --no-shrink --players 1', true],
    );
  });

  it('choose faults and areas by name', () => {
    const staff = AREAS.find(({ name }) => name === 'staff')?.faults.map(({ name }) => name) ?? [];
    assert.deepEqual(namesOf(['--only', 'staff', '--only', 'deadline-ignored']), ['deadline-ignored', ...staff]);
  });

  it('share the faults among shards: each is in exactly one', () => {
    const shared = [1, 2, 3].flatMap((own) => namesOf(['--shard', `${own}/3`]));
    assert.deepEqual(shared.sort(), namesOf([]).sort());
  });

  for (const args of [
    ['--only', 'nothing'],
    ['--shard', '3/2'],
    ['--shard', '0/1'],
    ['--processor-seconds', '0'],
    ['--fast'],
  ])
    it(`refuse ${args.join(' ')}`, () => assert.throws(() => readPlantedOptions(args), { name: 'Failure' }));
});

describe('what a searcher says of a fault', () => {
  const failed = (output: string, isSeeded: boolean) => judged({ code: 1, output }, isSeeded);

  it('is found when it fails with a seed, the last one that it prints', () => {
    const output = 'trying seed 7\nused 31 s of processors\nfailed: npm run explore -- --seed 12 --until 40\n';
    assert.deepEqual(failed(output, true), { outcome: 'found', seed: '12', processorSeconds: 31 });
  });

  it('is broken when it fails without the seed that it prints with every failure', () => {
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

describe('the report on planted faults', () => {
  const asked = { by: 'x', question: 'x', code: 'x', at: '2026-01-01T00:00:00.000Z' };
  const answers = FAULTS.slice(0, 4).map((fault, index) => {
    const outcome = index === 0 ? 'not_found' : 'found';
    const result = { ...asked, outcome, seed: '5', seconds: 9, processorSeconds: 7 * index } as const;
    return { fault, result: index === 3 ? null : result };
  });

  it('counts what was not run as not found', () => assert.equal(shareFound(answers), 50));

  it('lists no fault as found that was not', () => assert.equal(shareFound([]), 100));

  it('has a line per fault and one per area', () => {
    const text = report(answers);
    for (const { fault } of answers) assert.match(text, new RegExp(`^\\| ${fault.name} \\|`, 'm'));
    assert.match(text, /^\| workflows \| 4 \| 2 \| 50\.0 % \| 7 \| 14 \|$/m);
  });
});
