// Answers on a person's terminal: blocks and tables from plain data, as wide as the terminal, and nothing that steers
// it.
import assert from 'node:assert/strict';
import { shown } from '../../../cli/terminal/show.js';
import { displayWidth } from '../../../cli/terminal/cells.js';

const plain = (width: number) => ({ width, isColoured: false });
const lines = (value: object, width = 80) => shown(value, plain(width)).split('\n');

describe('gateway: on a terminal', () => {
  it('scalars are a block: money, instants, yes and no, and a dash for nothing', () => {
    const value = {
      id: 'dep_1',
      amount: { amount: '123456', currency: 'BRL' },
      other: { amount: '5', currency: 'USD' },
      at: new Date('2026-11-22T13:04:05.678Z'),
      late_payment: false,
      reasons: ['A', 'B'],
      none: [],
      failure_code: null,
      version: 3,
    };
    assert.deepEqual(lines(value), [
      'id            dep_1',
      'amount        R$ 1.234,56',
      'other         5 USD',
      'at            2026-11-22 13:04:05Z',
      'late payment  no',
      'reasons       A, B',
      'none          –',
      'failure code  –',
      'version       3',
    ]);
  });

  it('a list is a table with its count; columns without anything are left out, amounts stand right', () => {
    const value = {
      keys: [
        { id: 'k', amount: { amount: '5', currency: 'BRL' }, note: null, given: { needed: 2 } },
        { id: 'longer', amount: { amount: '500000', currency: 'BRL' }, note: null, given: { needed: 1 } },
      ],
    };
    assert.deepEqual(lines(value), [
      '',
      'keys (2)',
      '  id           amount  given needed',
      '  k           R$ 0,05             2',
      '  longer  R$ 5.000,00             1',
    ]);
    assert.deepEqual(lines({ keys: [] }), ['keys  –']);
  });

  it('a table as wide as the terminal stays one; where it is one column wider each row is a block', () => {
    const rows = {
      keys: [
        { id: 'a'.repeat(10), name: 'b'.repeat(10) },
        { id: 'c', name: 'd' },
      ],
    };
    assert.deepEqual(lines(rows, 24), [
      '',
      'keys (2)',
      '  id          name',
      `  ${'a'.repeat(10)}  ${'b'.repeat(10)}`,
      '  c           d',
    ]);
    assert.deepEqual(lines(rows, 23), [
      '',
      'keys (2)',
      `  id    ${'a'.repeat(10)}`,
      `  name  ${'b'.repeat(10)}`,
      '',
      '  id    c',
      '  name  d',
    ]);
  });

  it('what could steer a terminal is written out', () => {
    const text = shown({ name: 'a\u001b[31mred\u0007\u202e', rows: [{ note: '\u009b2J' }] }, plain(80));
    assert.doesNotMatch(text, /(?!\n)[\p{Cc}\u202e]/u);
    assert.ok(text.includes('a\\u001b[31mred\\u0007\\u202e') && text.includes('\\u009b2J'));
  });

  it('wide characters are two columns, marks none', () => {
    assert.deepEqual(
      [displayWidth('São'), displayWidth('a\u0301'), displayWidth('漢字'), displayWidth('🎲')],
      [3, 1, 4, 2],
    );
    assert.deepEqual(
      lines({
        rows: [
          { name: '漢字', id: 'x' },
          { name: 'abcd', id: 'y' },
        ],
      }).slice(-2),
      ['  漢字  x', '  abcd  y'],
    );
  });
});
