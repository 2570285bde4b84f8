// Tax documents (specification, "Document"): which a PIX takes, and how one that a provider reports compares.
import assert from 'node:assert/strict';
import {
  compareReportedDocument,
  DOCUMENT_TYPES,
  type DocumentType,
  isTaxNumber,
  isUsableForPix,
  TAX_DOCUMENT_TYPES,
} from '../../../domain/documents.js';

describe('documents', () => {
  it('have these types, of which PIX takes two', () => {
    assert.deepEqual(DOCUMENT_TYPES, ['CPF', 'CNPJ', 'PASSPORT', 'NATIONAL_ID', 'TAX_ID']);
    assert.deepEqual(TAX_DOCUMENT_TYPES, ['CPF', 'CNPJ']);
  });

  const USABLE: readonly (readonly [DocumentType, string, boolean])[] = [
    ['CPF', '52998224725', true],
    ['CPF', '11144477735', true],
    ['CNPJ', '11222333000181', true],
    // Check digits.
    ['CPF', '52998224724', false],
    ['CPF', '52998224735', false],
    ['CNPJ', '11222333000180', false],
    ['CNPJ', '11222333000191', false],
    // One digit repeated passes the arithmetic.
    ['CPF', '11111111111', false],
    ['CPF', '00000000000', false],
    ['CNPJ', '00000000000000', false],
    // Digits only.
    ['CPF', '529.982.247-25', false],
    ['CPF', ' 52998224725', false],
    ['CPF', '52998224725 ', false],
    ['CPF', '52998224725\n', false],
    ['CNPJ', '11.222.333/0001-81', false],
    ['CNPJ', ' 11222333000181', false],
    ['CNPJ', '11222333000181 ', false],
    ['CPF', '', false],
    // The number of the other type, and other types.
    ['CPF', '11222333000181', false],
    ['CNPJ', '52998224725', false],
    ['PASSPORT', '52998224725', false],
    ['NATIONAL_ID', '11222333000181', false],
    ['TAX_ID', '52998224725', false],
  ];
  for (const [type, number, isUsable] of USABLE) {
    it(`${type} ${JSON.stringify(number)}: ${isUsable ? 'usable' : 'not usable'}`, () =>
      assert.equal(isUsableForPix({ type, number }), isUsable));
  }

  for (const [text, isNumber] of [
    ['52998224725', true],
    ['529.982.247-25', true],
    ['11222333000181', true],
    ['11.222.333/0001-81', true],
    ['11.222.333:0001-81', true],
    ['52998224724', false],
    ['11111111111', false],
    ['529.982.247--25', false],
    ['52.9982.247-25', false],
    ['52998224725x', false],
    ['', false],
  ] as const)
    it(`${text || 'nothing'} ${isNumber ? 'is' : 'is not'} a tax number`, () =>
      assert.equal(isTaxNumber(text), isNumber));

  for (const [reported, result] of [
    ['52998224725', 'match'],
    ['529.982.247-25', 'match'],
    ['529 982 247/25', 'match'],
    ['***.982.247-**', 'weak_match'],
    ['***********', 'weak_match'],
    ['*2998224725', 'weak_match'],
    ['52998224726', 'mismatch'],
    ['***.983.247-**', 'mismatch'],
    ['*2998224726', 'mismatch'],
    ['11222333000181', 'mismatch'],
    ['5299822472', 'unclear'],
    ['529982247250', 'unclear'],
    ['1122233300018', 'unclear'],
    ['112223330001811', 'unclear'],
    ['', 'unclear'],
    ['529982247x5', 'mismatch'],
  ] as const) {
    it(`52998224725 reported as "${reported}": ${result}`, () =>
      assert.equal(compareReportedDocument('52998224725', reported), result));
  }
});
