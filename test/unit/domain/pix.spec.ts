// PIX key formats and end-to-end identifiers.
import assert from 'node:assert/strict';
import {
  isEndToEndId,
  isPixKeyFormat,
  newEndToEndId,
  newReturnId,
  normalizePixKey,
  type PixKeyType,
} from '../../../domain/pix.js';

const GOOD: readonly (readonly [PixKeyType, string])[] = [
  ['cpf', '52998224725'],
  ['cnpj', '11222333000181'],
  ['email', 'ana.silva+pix@loja.test'],
  ['phone', '+5511999998888'],
  ['random', '123e4567-e12b-12d1-a456-426655440000'],
];
const BAD: readonly (readonly [PixKeyType, string])[] = [
  ['cpf', '529.982.247-25'],
  ['cpf', '5299822472'],
  ['cnpj', '112223330001812'],
  ['email', 'Ana@loja.test'],
  ['email', 'ana@'],
  ['email', 'ana silva@loja.test'],
  ['email', `${'a'.repeat(70)}@loja.test`],
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

  it('lower-cases e-mails and random keys only', () => {
    assert.equal(normalizePixKey('email', 'Ana@Loja.TEST'), 'ana@loja.test');
    assert.equal(
      normalizePixKey('random', '123E4567-E12B-12D1-A456-426655440000'),
      '123e4567-e12b-12d1-a456-426655440000',
    );
    assert.equal(normalizePixKey('phone', '+5511999998888'), '+5511999998888');
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

  it('refuse a participant that is no ISPB', () => assert.throws(() => newEndToEndId('1234567', at), RangeError));
});
