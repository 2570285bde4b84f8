// What a text that people have in hand can be.
import assert from 'node:assert/strict';
import { readingsOf } from '../../../staff/reads/find/texts.js';

describe('a text to look for', () => {
  const amount = (text: string) => readingsOf(text).find(({ kind }) => kind === 'amount')?.value;

  for (const text of ['7.400,00', '7400,00', '7,400.00', '7400.00', '7400', 'R$ 7.400,00', 'R$7400'])
    it(`${text} is an amount`, () => assert.equal(amount(text), '740000'));

  for (const text of ['7.400', '7400,0', '74,00,00', 'abc', '1234567890', '-5'])
    it(`${text} is none`, () => assert.equal(amount(text), undefined));
});
