// PIX key formats and end-to-end identifiers.
import assert from 'node:assert/strict';
import {
  isDirectoryKey,
  isEndToEndId,
  isPixKeyFormat,
  newEndToEndId,
  newReturnId,
  normalizePixKey,
  PIX_KEY_TYPES,
  type PixKeyType,
} from '../../../domain/pix.js';

const GOOD: readonly (readonly [PixKeyType, string])[] = [
  ['cpf', '52998224725'],
  ['cnpj', '11222333000181'],
  ['email', 'ana.silva+pix@loja.test'],
  ['email', `${'a'.repeat(67)}@loja.test`],
  ['email', `a@${'b'.repeat(63)}.test`],
  ['email', 'a@b-1.c'],
  ['email', "!#$&'*+/=?^_`{|}~.-@x"],
  ['phone', '+5511999998888'],
  ['phone', '+12'],
  ['phone', '+123456789012345'],
  ['random', '123e4567-e12b-12d1-a456-426655440000'],
];
const BAD: readonly (readonly [PixKeyType, string])[] = [
  ['cpf', '529.982.247-25'],
  ['cpf', '5299822472'],
  ['cpf', 'x52998224725'],
  ['cpf', '529982247250'],
  ['cnpj', '112223330001812'],
  ['cnpj', '1122233300018'],
  ['cnpj', 'x11222333000181'],
  ['cnpj', '11222333000181x'],
  ['email', 'Ana@loja.test'],
  ['email', 'ana@'],
  ['email', '@loja.test'],
  ['email', 'ana silva@loja.test'],
  ['email', ' ana@loja.test'],
  ['email', 'ana@loja.test '],
  ['email', 'ana@-loja.test'],
  ['email', 'ana@loja-.test'],
  ['email', 'ana@loja..test'],
  ['email', 'ana@loja.test.'],
  ['email', 'ana@loja.-test'],
  ['email', 'ana@loja.test-'],
  ['email', `a@${'b'.repeat(64)}.test`],
  ['email', `a@b.${'c'.repeat(64)}`],
  ['email', `${'a'.repeat(68)}@loja.test`],
  ['email', `${'a'.repeat(70)}@loja.test`],
  ['phone', '+1'],
  ['phone', '+1234567890123456'],
  ['phone', '+551199999888x'],
  ['phone', 'x+5511999998888'],
  ['random', 'x123e4567-e12b-12d1-a456-426655440000'],
  ['random', '123e4567-e12b-12d1-a456-4266554400000'],
  ['random', '123e4567-e12b-12d1-a45-4266554400000'],
  ['random', '123g4567-e12b-12d1-a456-426655440000'],
  ['phone', '5511999998888'],
  ['phone', '+0511999998888'],
  ['phone', '+5511999998888123'],
  ['random', '123E4567-E12B-12D1-A456-426655440000'],
  ['random', '123e4567e12b12d1a456426655440000'],
  ['cpf', '52998224725\n'],
];

describe('PIX keys', () => {
  for (const [type, key] of GOOD) it(`takes a ${type} key`, () => assert.equal(isPixKeyFormat(type, key), true));
  for (const [type, key] of BAD)
    it(`refuses ${JSON.stringify(key)} as a ${type} key`, () => assert.equal(isPixKeyFormat(type, key), false));

  const SPELLINGS: readonly (readonly [type: PixKeyType, given: string, spelled: string])[] = [
    ['cpf', '529.982.247-25', '52998224725'],
    ['cpf', ' 52998224725 ', '52998224725'],
    ['cnpj', '11.222.333/0001-81', '11222333000181'],
    ['cnpj', '12.abc.345/01de-35', '12ABC34501DE35'],
    ['email', 'Ana@Loja.TEST', 'ana@loja.test'],
    ['email', ' ana@loja.test\t', 'ana@loja.test'],
    ['phone', '+5511999998888', '+5511999998888'],
    ['phone', '+55 (11) 99999-8888', '+5511999998888'],
    ['phone', '+1 202.555.0143', '+12025550143'],
    ['phone', '(11) 99999-8888', '+5511999998888'],
    ['phone', '1133334444', '+551133334444'],
    ['phone', '5511999998888', '+5511999998888'],
    ['phone', '551133334444', '+551133334444'],
    ['random', '123E4567-E12B-12D1-A456-426655440000', '123e4567-e12b-12d1-a456-426655440000'],
  ];
  for (const [type, given, spelled] of SPELLINGS)
    it(`${type} ${JSON.stringify(given)} is spelled ${spelled}`, () => {
      assert.equal(normalizePixKey(type, given), spelled);
      assert.equal(normalizePixKey(type, spelled), spelled);
    });

  const LEFT_ALONE: readonly (readonly [type: PixKeyType, given: string, why: string])[] = [
    ['phone', '+55 11 99999-8888 x2', 'an extension is not dropped'],
    ['phone', '99998888', 'no area code is invented'],
    ['phone', '441632960961', 'a country other than Brazil needs its +'],
    ['phone', '11999998888999', 'too long for a Brazilian number'],
    ['cpf', 'AB.529.982.247-25', 'letters are not dropped'],
    ['email', 'ana@lo\u212aa.test', 'a letter outside ASCII does not become one inside'],
  ];
  for (const [type, given, why] of LEFT_ALONE)
    it(`${type} ${JSON.stringify(given)} does not become a valid key: ${why}`, () =>
      assert.equal(isPixKeyFormat(type, normalizePixKey(type, given)), false));

  it('stand in the directory, but for CPF and CNPJ', () => {
    const inDirectory = ['cpf', 'cnpj', 'email', 'phone', 'random'] as const;
    assert.deepEqual(PIX_KEY_TYPES, inDirectory);
    assert.deepEqual(inDirectory.map(isDirectoryKey), [false, false, true, true, true]);
  });
});

describe('end-to-end ids', () => {
  const at = new Date('2026-03-05T09:07:59.999Z');

  it('carry participant and minute in UTC', () => {
    assert.match(newEndToEndId('12345678', at), /^E12345678202603050907[A-Za-z0-9]{11}$/);
    assert.match(newReturnId('12345678', at), /^D12345678202603050907[A-Za-z0-9]{11}$/);
    assert.equal(isEndToEndId(newEndToEndId('12345678', at)), true);
  });

  it('differ within a minute', () => {
    assert.equal(new Set(Array.from({ length: 500 }, () => newEndToEndId('12345678', at))).size, 500);
  });

  it('are 32 letters and digits, no matter who wrote them', () => {
    const id = 'E12345678202603050907abcdefghijK';
    assert.equal(isEndToEndId(id), true);
    for (const other of [id.slice(1), `${id}0`, `-${id.slice(1)}`, `${id.slice(1)}-`, `${id}\n`, ''])
      assert.equal(isEndToEndId(other), false, other);
  });

  it('use every letter and digit', () => {
    const tails = Array.from({ length: 500 }, () => newEndToEndId('12345678', at).slice(21)).join('');
    assert.equal(new Set(tails).size, 62);
  });

  for (const ispb of ['1234567', '123456789', 'x12345678', '12345678x', '1234567x', ''])
    it(`refuse "${ispb}", which is no ISPB`, () => {
      assert.throws(() => newEndToEndId(ispb, at), RangeError);
      assert.throws(() => newReturnId(ispb, at), RangeError);
    });
});
