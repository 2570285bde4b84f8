// The order of the spec files in `npm test`: which files run at the same time.
import assert from 'node:assert/strict';
import { GROUPS, type SpecFile } from '../../../tools/test-run/groups.js';
import { Schedule } from '../../../tools/test-run/schedule.js';

const LONG = 'test/proof/matrix.spec.ts';

function file(source: string): SpecFile {
  const group = GROUPS.find(({ name }) => source.startsWith(`test/${name}/`));
  assert.ok(group !== undefined);
  return { group, source, path: source };
}

function schedule(...sources: string[]): Schedule {
  return new Schedule(sources.map(file));
}

describe('the schedule of a test run', () => {
  const UNIT = 'test/unit/a.spec.ts';
  const WORKFLOW = 'test/workflow/a.spec.ts';
  const INTEGRATION = 'test/integration/a.spec.ts';

  it('long files begin first', () => {
    const queue = schedule(INTEGRATION, LONG);
    assert.equal(queue.take(undefined, false, true)?.source, LONG);
    assert.equal(queue.take(undefined, false, true)?.source, INTEGRATION);
    assert.equal(queue.isEmpty, true);
  });

  it('one slot computes while others wait', () => {
    const queue = schedule(UNIT, WORKFLOW, 'test/unit/b.spec.ts');
    assert.equal(queue.take(undefined, true, true)?.source, UNIT);
    assert.equal(queue.take(undefined, false, true)?.source, WORKFLOW);
  });

  it('several slots compute when nothing else is left', () => {
    assert.equal(schedule(UNIT).take(undefined, false, true)?.source, UNIT);
  });

  it('a slot stays in its group', () => {
    const queue = schedule(WORKFLOW, INTEGRATION, 'test/integration/b.spec.ts');
    assert.equal(queue.take('integration', false, true)?.source, INTEGRATION);
  });

  it('before the servers are up only files run that need none', () => {
    const queue = schedule(WORKFLOW, UNIT);
    assert.equal(queue.take(undefined, true, false)?.source, UNIT);
    assert.equal(queue.take(undefined, true, false), undefined);
    assert.equal(queue.isEmpty, false);
  });

  it('without servers, what needs them is dropped', () => {
    const queue = schedule(WORKFLOW, UNIT);
    assert.deepEqual(
      queue.dropServed().map(({ source }) => source),
      [WORKFLOW],
    );
    assert.equal(queue.take(undefined, true, false)?.source, UNIT);
    assert.equal(queue.isEmpty, true);
  });
});
