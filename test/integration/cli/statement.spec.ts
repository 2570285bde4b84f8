// `gateway statement`: a file is read whole or not at all, and the result of a day is stored, printed and audited.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestGateway, type TestGateway } from './support.js';

const HEADER = 'id,kind,amount,settled_at,end_to_end_id';
const E2E = `E${'0'.repeat(31)}`;
const LINE = `l-1,received,5000,2026-11-20T12:00:00-03:00,${E2E}`;

describe('gateway statement', () => {
  let gateway: TestGateway;
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-statement-'));
    gateway = await createTestGateway();
  });
  afterEach(async () => {
    await gateway.close();
    rmSync(folder, { recursive: true });
  });

  const fileOf = (...lines: string[]) => {
    const file = join(folder, 'extrato.csv');
    writeFileSync(file, lines.join('\n'));
    return file;
  };
  const importing = (...lines: string[]) => ['statement', 'import', 'a', '2026-11-20', fileOf(...lines), '--as', 'ana'];
  const answerOf = async (...argv: string[]) => {
    const { exitCode, stdout } = await gateway.run(...argv);
    return { exitCode, answer: JSON.parse(stdout) as Record<string, unknown> };
  };
  const linesStored = async () => (await gateway.rows('SELECT 1 FROM statement_line')).length;

  it('imports, compares, reports by the exit code, alerts and audits; another file adds what is new', async () => {
    const { exitCode, answer } = await answerOf(...importing(HEADER, LINE));
    assert.deepEqual(
      [exitCode, answer['imported'], answer['ok'], answer['lines'], answer['missing_here'], answer['revision']],
      [1, 1, false, 1, 1, 1],
    );
    assert.deepEqual(answer['differences'], [
      {
        comparison: 'missing_here',
        kind: 'received',
        reference: E2E,
        operation_id: null,
        subject: null,
        statement: '5000',
        ledger: null,
        payment: null,
      },
    ]);
    const { alerts } = await gateway.json('alerts');
    assert.equal(alerts[0].kind, 'STATEMENT_DIFFERS');
    const more = await answerOf(...importing(`\ufeff${HEADER}`, '', LINE, 'l-2,fee,35,2026-11-20T12:00:01.5Z,'));
    assert.deepEqual([more.answer['imported'], more.answer['revision']], [1, 2]);
    assert.deepEqual((await answerOf('statement', 'show', 'a', '2026-11-20')).answer['revision'], 2);
    assert.deepEqual((await answerOf('statement', 'show', 'a', '2026-11-20', '--revision', '1')).answer['lines'], 1);
    const { days } = await gateway.json('statement', 'list', 'a');
    assert.deepEqual(
      days.map(({ day, revision }: { day: string; revision: number }) => [day, revision]),
      [['2026-11-20', 2]],
    );
    const audited = await gateway.rows(`SELECT person FROM audit_entry WHERE action = 'statement.import'`);
    assert.equal(audited.length, 2);
  });

  it('a day without lines and without movements agrees', async () => {
    const { exitCode, answer } = await answerOf(...importing(HEADER));
    assert.deepEqual([exitCode, answer['ok'], answer['lines']], [0, true, 0]);
  });

  for (const [title, lines, text] of [
    ['no header', [LINE], /first line must be id,kind/],
    ['a field too many', [HEADER, `${LINE},x`], /is no CSV: line 2/],
    ['an amount in reais', [HEADER, LINE, LINE.replace('l-1', 'l-2').replace('5000', '50.00')], /line 3, amount: must/],
    ['no kind of ours', [HEADER, LINE.replace('received', 'pix')], /line 2, kind: must be one of/],
    ['a day for an instant', [HEADER, LINE.replace('T12:00:00-03:00', '')], /line 2, settled_at: must/],
    ['half an end-to-end id', [HEADER, LINE.slice(0, -3)], /line 2, end_to_end_id: must/],
    ['the same id twice', [HEADER, LINE, LINE], /line 3, id: stands in an earlier line/],
    ['no id', [HEADER, LINE.replace('l-1', '')], /line 2, id: must/],
  ] as const)
    it(`${title} → refused, and nothing is stored`, async () => {
      await gateway.fails(2, text, ...importing(...lines));
      assert.equal(await linesStored(), 0);
    });

  it('a line that says something else now refuses the whole file', async () => {
    await answerOf(...importing(HEADER, LINE));
    const changed = [HEADER, 'l-2,sent,10,2026-11-20T12:00:00Z,', LINE.replace('5000', '5001')];
    await gateway.fails(
      1,
      /line l-1: was imported with 2026-11-20 and says something else now/,
      ...importing(...changed),
    );
    assert.equal(await linesStored(), 1);
    assert.equal((await gateway.rows('SELECT 1 FROM statement_day')).length, 1);
  });

  it('a day that was not imported is refused', async () => {
    await gateway.fails(1, /import the day first/, 'statement', 'show', 'a', '2026-11-20');
  });
});
