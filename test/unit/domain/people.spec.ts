// When two names are one person, and which names and reasons a decision may carry.
import assert from 'node:assert/strict';
import { isPersonName, isReason, isSamePerson, looksPersonal } from '../../../domain/people.js';

describe('people', () => {
  for (const other of [
    'ana souza',
    'ANA SOUZA',
    'Ana  Souza',
    ' Ana Souza ',
    'ana.souza',
    'Ana-Souza',
    'AnaSouza',
    'Ána Souza',
    'A\u0301na Souza',
    'Ana\u200bSouza',
    'Ａｎａ Souza',
    // Cyrillic А, а, о and ѕ; Greek Α and ο; both in capitals and small letters.
    'Аnа Ѕоuzа',
    'АΝА SΟUΖА',
    'аnа ѕоuzа',
    'αna sοuza',
    // A zero for an o.
    'Ana S0uza',
  ]) {
    it(`"${other}" is Ana Souza`, () => assert.equal(isSamePerson('Ana Souza', other), true));
  }
  for (const other of ['Ana', 'Ana Sousa', 'Ana Souza 2', 'Anna Souza']) {
    it(`"${other}" is another person`, () => assert.equal(isSamePerson('Ana Souza', other), false));
  }

  it('an i, an l and a 1 are one shape, in whatever alphabet', () => {
    for (const other of ['luis', '1uis', 'Iuis', 'Ιuis', 'іuis'])
      assert.equal(isSamePerson('luis', other), true, other);
  });

  it('the two cases of a foreign letter are one', () => {
    assert.equal(isSamePerson('МИХАИЛ', 'михаил'), true);
    assert.equal(isSamePerson('Виктор', 'Виктория'), false);
  });

  for (const name of ['ana', 'João da Silva', "D'Ávila", 'A\u0301na', 'reviewer 1', 'a'.repeat(64)]) {
    it(`"${name}" is a name`, () => assert.equal(isPersonName(name), true));
  }
  for (const name of ['', ' ', ' ana', '-', 'ana@example.test', 'ana\nbob', 'ana\u0000', 'a'.repeat(65)]) {
    it(`${JSON.stringify(name)} is no name`, () => assert.equal(isPersonName(name), false));
  }

  it('a reason is one line of at most 500 characters, or nothing', () => {
    assert.deepEqual(['', 'documents checked', 'x'.repeat(500)].map(isReason), [true, true, true]);
    assert.deepEqual(['x'.repeat(501), 'two\nlines'].map(isReason), [false, false]);
  });
});

describe('what looks personal', () => {
  const E2E = 'E99999999202611241447WgBvb6kuAKV';
  for (const text of [
    E2E,
    `D${E2E.slice(1)}`,
    `ticket 4711: ${E2E}, answered by the bank`,
    'wdr_01234567890123456789012345678901',
    '01234567890123456789012345678901',
    'slip 7 of 2026-11-24',
  ])
    it(`${text}: no`, () => assert.equal(looksPersonal(text), false));
  for (const text of [
    '12345678909',
    '123.456.789-09',
    '11.222.333/0001-81',
    '+5511999998888',
    'ana@example.com',
    `${E2E} of 12345678909`,
    `${E2E}@example.com`,
    `1${E2E}`,
    '(11) 99999-8888 11',
  ])
    it(`${text}: yes`, () => assert.equal(looksPersonal(text), true));
});
