// `gateway statement`: a file is read whole or not at all, and the result of a day is stored, printed and audited.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localDate } from '../../../domain/rules/local-time.js';
import { STATEMENT_TIME_ZONE } from '../../../domain/statements.js';
import { createTestGateway, productionVariables, type TestGateway } from './support.js';

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
    const [difference] = answer['differences'] as Record<string, unknown>[];
    const id = difference?.['id'];
    assert.deepEqual(answer['differences'], [
      {
        ...{ id, comparison: 'missing_here', kind: 'received', reference: E2E, return_id: null, line: 'l-1' },
        ...{ operation_id: null, subject: null, statement: '5000', ledger: null, explained: false },
      },
    ]);
    const listed = await answerOf('statement', 'differences', 'a');
    const [item] = listed.answer['differences'] as Record<string, unknown>[];
    assert.deepEqual([listed.exitCode, item?.['id'], item?.['day']], [1, id, '2026-11-20']);
    const { alerts } = await gateway.json('alerts');
    assert.equal(alerts[0].kind, 'STATEMENT_DIFFERS');
    const more = await answerOf(...importing(`\ufeff${HEADER}`, '', LINE, 'l-2,fee,35,2026-11-20T12:00:01.5Z,'));
    assert.deepEqual([more.answer['imported'], more.answer['revision']], [1, 2]);
    const resolve = ['statement', 'resolve', 'a', String(id), '--reason', 'the bank took it back', '--as', 'ana'];
    assert.deepEqual((await gateway.json(...resolve))['resolved'], id, 'in the sandbox one person is enough');
    assert.equal((await gateway.rows(`SELECT FROM audit_entry WHERE action = 'statement.resolve'`)).length, 1);
    await gateway.fails(1, /is none any more, or was explained/, ...resolve);
    await gateway.fails(1, /a has no such difference/, ...resolve.with(3, 'sti_1'));
    assert.equal((await answerOf('statement', 'differences', 'a', '--all')).exitCode, 1);
    assert.deepEqual((await answerOf('statement', 'show', 'a', '2026-11-20')).answer['revision'], 3);
    assert.deepEqual((await answerOf('statement', 'show', 'a', '2026-11-20', '--revision', '1')).answer['lines'], 1);
    const { days } = await gateway.json('statement', 'list', 'a');
    assert.deepEqual(
      days.map(({ day, revision }: { day: string; revision: number }) => [day, revision]),
      [['2026-11-20', 3]],
    );
    const audited = await gateway.rows(`SELECT person FROM audit_entry WHERE action = 'statement.import'`);
    assert.equal(audited.length, 2);
  });

  it('refuses a file whole for one wrong line, and stores nothing', async () => {
    const of = (settledAt: string) => `l-2,fee,35,${settledAt},`;
    const another = /line l-2: was settled at .*, which is not 2026-11-20/;
    for (const [exitCode, lines, text] of [
      [2, [LINE], /first line must be id,kind/],
      [2, [HEADER, `${LINE},x`], /is no CSV: line 2/],
      [2, [HEADER, LINE, LINE.replace('l-1', 'l-2').replace('5000', '50.00')], /line 3, amount: must/],
      [2, [HEADER, LINE.replace('received', 'pix')], /line 2, kind: must be one of/],
      [2, [HEADER], /FILE: has no lines/],
      [2, [HEADER, LINE.replace('11-20T', '02-30T')], /line 2, settled_at: must/],
      [2, [HEADER, LINE.slice(0, -3)], /line 2, end_to_end_id: must/],
      [2, [`${HEADER},return_id`, `${LINE},E1`], /line 2, return_id: must/],
      [2, [HEADER, LINE, LINE], /line 3, id: stands in an earlier line/],
      [1, [HEADER, LINE, of('2026-11-19T12:00:00-03:00')], another],
      [1, [HEADER, LINE, of('2026-11-21T01:00:01-03:00')], another],
    ] as const)
      await gateway.fails(exitCode, text, ...importing(...lines));
    assert.equal(await linesStored(), 0);
  });

  it('what was settled within an hour of midnight may be in either day’s statement', async () => {
    const around = ['2026-11-19T23:00:00-03:00', '2026-11-21T00:59:59-03:00'];
    const { answer } = await answerOf(...importing(HEADER, ...around.map((at, index) => `l-${index},fee,35,${at},`)));
    assert.equal(answer['imported'], 2);
  });

  it('a day that is not over in Brasília is refused', async () => {
    const now = new Date().toISOString();
    const today = localDate(new Date(), STATEMENT_TIME_ZONE);
    const file = fileOf(HEADER, `l-1,fee,35,${now},`);
    await gateway.fails(1, /is not over/, 'statement', 'import', 'a', today, file, '--as', 'ana');
    await gateway.fails(1, /is not over/, 'statement', 'import', 'a', '2999-01-01', file, '--as', 'ana');
    assert.equal(await linesStored(), 0);
  });

  it('a day that was imported wrongly is taken back: the right day and the right file follow, both stay on record', async () => {
    const ofNext = LINE.replace('2026-11-20T12', '2026-11-20T23');
    const next = fileOf(HEADER, ofNext);
    const { answer: wrong } = await answerOf('statement', 'import', 'a', '2026-11-21', next, '--as', 'ana');
    assert.equal(wrong['imported'], 1);
    await gateway.fails(1, /line l-1: was imported with 2026-11-21/, ...importing(HEADER, ofNext));
    const remove = ['statement', 'remove', 'a', '2026-11-21', '--reason', 'the day before', '--as', 'ana'];
    assert.deepEqual(await gateway.json(...remove), { slot: 'a', day: '2026-11-21', lines_removed: 1 });
    await gateway.fails(1, /nothing is imported/, ...remove);
    await gateway.fails(1, /import the day first/, 'statement', 'show', 'a', '2026-11-21');
    assert.deepEqual((await gateway.json('statement', 'list', 'a'))['days'], []);
    assert.deepEqual((await gateway.json('alerts'))['alerts'], [], 'its alert ended');

    assert.equal((await answerOf(...importing(HEADER, ofNext))).answer['imported'], 1);
    const right = fileOf(HEADER, 'l-9,fee,35,2026-11-21T12:00:00-03:00,');
    const { answer } = await answerOf('statement', 'import', 'a', '2026-11-21', right, '--as', 'ana');
    assert.deepEqual([answer['imported'], answer['lines'], answer['revision']], [1, 1, 2]);
    const again = fileOf(HEADER, 'l-9,fee,35,2026-11-21T12:00:00-03:00,');
    const repeated = await answerOf('statement', 'import', 'a', '2026-11-21', again, '--as', 'ana');
    assert.deepEqual([repeated.answer['imported'], repeated.answer['revision']], [0, 2]);
    const first = await answerOf('statement', 'show', 'a', '2026-11-21', '--revision', '1');
    assert.equal(first.answer['lines'], 1, 'what the wrong file came to');
    const [removal] = await gateway.rows('SELECT * FROM statement_removal');
    assert.deepEqual([removal?.['requested_by'], removal?.['approved_by'], removal?.['line_count']], ['ana', null, 1]);
    const audited = await gateway.rows(`SELECT person FROM audit_entry WHERE action = 'statement.remove'`);
    assert.equal(audited.length, 1);
    assert.equal(await linesStored(), 3);
  });

  it('the same file for the same day, after it was taken back, counts again; it is taken back again', async () => {
    const remove = ['statement', 'remove', 'a', '2026-11-20', '--reason', 'to try', '--as', 'ana'];
    for (const revision of [1, 2, 3]) {
      const { answer } = await answerOf(...importing(HEADER, LINE));
      assert.deepEqual([answer['imported'], answer['lines'], answer['revision']], [1, 1, revision]);
      assert.equal((await gateway.json(...remove))['lines_removed'], 1);
    }
  });

  it('in production two people take it back, and only what both have seen', async () => {
    await gateway.close();
    gateway = await createTestGateway(productionVariables());
    const [ana, ben] = [await gateway.signedIn('ana'), await gateway.signedIn('ben')];
    const plant = (id: string) =>
      gateway.rows(
        `INSERT INTO statement_line (provider, line_id, day, kind, amount_minor, settled_at)
         VALUES ('a', $1, '2026-11-20', 'fee', 35, '2026-11-20T12:00:00Z')`,
        id,
      );
    await plant('l-1');
    const remove = ['statement', 'remove', 'a', '2026-11-20', '--reason', 'wrong file'];
    assert.equal((await ana.json(...remove))['lines_removed'], 0, 'one person changes nothing');
    const requests = async () => (await ana.json('request', 'list'))['requests'] as Record<string, unknown>[];
    const [first] = await requests();
    assert.equal(first?.['kind'], 'statement_removal');
    await ana.fails(1, /another person must approve it/, 'request', 'approve', String(first?.['id']));
    await plant('l-2');
    await ben.fails(1, /other lines are imported/, 'request', 'approve', String(first?.['id']));
    await ben.json('request', 'reject', String(first?.['id']));
    const second = await ana.json(...remove);
    const approved = await ben.json('request', 'approve', String(second['requests'][0].id));
    assert.equal(approved['lines_removed'], 2);
    const [removal] = await gateway.rows('SELECT * FROM statement_removal');
    assert.deepEqual([removal?.['requested_by'], removal?.['approved_by']], ['ana', 'ben']);
    await ana.fails(1, /nothing is imported/, ...remove);

    // And two people explain a difference.
    await gateway.rows(
      `INSERT INTO statement_item (id, provider, identity, day, comparison, reference, statement_minor, ledger_minor,
        opened_at) VALUES ('sti_1', 'a', 'balance', '2026-11-20', 'balance_differs', 'a', 700, 0, now())`,
    );
    const asked = await ana.json('statement', 'resolve', 'a', 'sti_1', '--reason', 'own money of the company');
    assert.equal(asked['resolved'], null);
    const explained = await ben.json('request', 'approve', String(asked['requests'][0].id));
    assert.equal(explained['resolved'], 'sti_1');
    const [kept] = await gateway.rows('SELECT requested_by, approved_by FROM statement_resolution');
    assert.deepEqual([kept?.['requested_by'], kept?.['approved_by']], ['ana', 'ben']);
    assert.deepEqual((await ana.json('statement', 'differences', 'a'))['differences'], []);
  });

  it('a line that says something else now refuses the whole file', async () => {
    await answerOf(...importing(HEADER, LINE));
    const changed = [HEADER, 'l-2,sent,10,2026-11-20T12:00:00Z,', LINE.replace('5000', '5001')];
    const other = /line l-1: was imported with 2026-11-20 and says something else now/;
    await gateway.fails(1, other, ...importing(...changed));
    assert.equal(await linesStored(), 1);
    assert.equal((await gateway.rows('SELECT 1 FROM statement_day')).length, 1);
  });
});
