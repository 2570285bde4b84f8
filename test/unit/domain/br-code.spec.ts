// BR Codes: the standard's published vectors, and properties over generated charges.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { buildDynamicBrCode, crc16, parseBrCode } from '../../../domain/br-code.js';

const STATIC =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de ' +
  'Tal6008BRASILIA62070503***63041D3D';
const DYNAMIC =
  '00020101021226850014br.gov.bcb.pix2563exemplodeurl.com.br/pix/v2/11111111-1111-1111-1111-111111111111' +
  '52040000530398654040.015802BR5925TESTE DE TESTE DO TESTEIE6014RIO DE JANEIRO62070503***6304CD52';

const plainText = (maxLength: number) =>
  fc
    .stringMatching(/^[A-Z0-9][A-Z0-9 ]*$/, { maxLength })
    .filter((text) => text.length <= maxLength)
    .map((text) => text.trim());
const anyCharge = fc.record({
  location: fc.stringMatching(/^[a-z0-9.]{1,30}\/[a-zA-Z0-9/-]{1,40}$/),
  amountMinor: fc.bigInt({ min: 1n, max: 999_999_999_999n }),
  merchantName: plainText(25),
  merchantCity: plainText(15),
});

function parsed(text: string) {
  const result = parseBrCode(text);
  assert.ok(result.ok, `expected a valid code, got ${result.ok ? '' : result.problem}`);
  return result.brCode;
}

describe('BR Code', () => {
  it('computes the checksum of the published vector', () => assert.equal(crc16('123456789'), '29B1'));

  it('keeps the leading zeros of a checksum', () => {
    const texts = Array.from({ length: 2_000 }, (_, index) => crc16(String(index)));
    assert.ok(
      texts.some((text) => text.startsWith('0')),
      'the sample should contain a checksum with a leading zero',
    );
    assert.ok(texts.every((text) => /^[0-9A-F]{4}$/.test(text)));
  });

  it('parses the static vector', () => {
    assert.deepEqual(parsed(STATIC), {
      location: null,
      pixKey: '123e4567-e12b-12d1-a456-426655440000',
      singleUse: false,
      amountMinor: null,
      merchantName: 'Fulano de Tal',
      merchantCity: 'BRASILIA',
      transactionId: '***',
    });
  });

  it('parses the dynamic vector', () => {
    assert.deepEqual(parsed(DYNAMIC), {
      location: 'exemplodeurl.com.br/pix/v2/11111111-1111-1111-1111-111111111111',
      pixKey: null,
      singleUse: true,
      amountMinor: 1n,
      merchantName: 'TESTE DE TESTE DO TESTEIE',
      merchantCity: 'RIO DE JANEIRO',
      transactionId: '***',
    });
  });

  it('builds the dynamic vector byte for byte', () => {
    const built = buildDynamicBrCode({
      location: 'exemplodeurl.com.br/pix/v2/11111111-1111-1111-1111-111111111111',
      amountMinor: 1n,
      merchantName: 'TESTE DE TESTE DO TESTEIE',
      merchantCity: 'RIO DE JANEIRO',
    });
    assert.equal(built, DYNAMIC);
  });

  for (const [text, amountMinor] of [
    ['10.5', 1_050n],
    ['10.05', 1_005n],
    ['10', 1_000n],
    ['0.1', 10n],
    ['0.01', 1n],
  ] as const) {
    it(`reads an amount of "${text}" as ${amountMinor} centavos`, () => {
      const field = `54${String(text.length).padStart(2, '0')}${text}`;
      const body =
        '00020101021226300014br.gov.bcb.pix2508host/loc52040000530398' +
        `${field.replace(/^54/, '654')}5802BR5904NAME6004CITY62070503***6304`;
      assert.equal(parsed(body + crc16(body)).amountMinor, amountMinor);
    });
  }

  it('parses back whatever it builds', () => {
    fc.assert(
      fc.property(anyCharge, (charge) => {
        const brCode = parsed(buildDynamicBrCode(charge));
        assert.equal(brCode.location, charge.location);
        assert.equal(brCode.amountMinor, charge.amountMinor);
        assert.equal(brCode.merchantName, charge.merchantName);
        assert.equal(brCode.merchantCity, charge.merchantCity);
        assert.equal(brCode.singleUse, true);
      }),
    );
  });

  it('refuses a code with any one character changed', () => {
    const text = buildDynamicBrCode({
      location: 'psp.test/v2/1',
      amountMinor: 5_000n,
      merchantName: 'SANDBOX LOJA',
      merchantCity: 'RECIFE',
    });
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...'0123456789ABCXYZabc.* '), (at, character) => {
        fc.pre(text[at] !== character);
        assert.equal(parseBrCode(text.slice(0, at) + character + text.slice(at + 1)).ok, false);
      }),
    );
  });

  it('never throws on arbitrary text', () => {
    fc.assert(fc.property(fc.string({ maxLength: 600 }), (text) => typeof parseBrCode(text).ok === 'boolean'));
  });

  const sealed = (body: string) => `${body}6304${crc16(`${body}6304`)}`;
  const PIX = '26580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000';
  for (const [title, text, problem] of [
    ['longer than 512 characters', '0'.repeat(513), 'too_long'],
    ['a length beyond the end', '00990', 'malformed_field'],
    ['no checksum', '000201', 'missing_checksum'],
    ['a wrong checksum', `${STATIC.slice(0, -4)}1D3E`, 'wrong_checksum'],
    ['a lower-case checksum', `${STATIC.slice(0, -4)}1d3d`, 'wrong_checksum'],
    ['a field twice', sealed(`000201${PIX}530398653039865901A6001B`), 'repeated_field'],
    ['another scheme', sealed('00020126080004test53039865901A6001B'), 'not_pix'],
    ['another currency', sealed(`000201${PIX}53038405901A6001B`), 'not_brl'],
    ['an amount with three decimals', sealed(`000201${PIX}530398654051.0005901A6001B`), 'malformed_amount'],
    ['no merchant', sealed(`000201${PIX}5303986`), 'missing_merchant'],
  ] as const) {
    it(`refuses ${title}: ${problem}`, () => assert.deepEqual(parseBrCode(text), { ok: false, problem }));
  }

  it('takes a scheme, an empty name and an amount of zero as faults of the caller', () => {
    const charge = { location: 'psp.test/v2/1', amountMinor: 1n, merchantName: 'A', merchantCity: 'B' };
    assert.throws(() => buildDynamicBrCode({ ...charge, location: 'https://psp.test/v2/1' }), RangeError);
    assert.throws(() => buildDynamicBrCode({ ...charge, location: 'a'.repeat(78) }), RangeError);
    assert.throws(() => buildDynamicBrCode({ ...charge, merchantName: '漢字' }), RangeError);
    assert.throws(() => buildDynamicBrCode({ ...charge, amountMinor: 0n }), RangeError);
  });

  it('writes accented names in ASCII within their lengths', () => {
    const brCode = parsed(
      buildDynamicBrCode({
        location: 'psp.test/v2/1',
        amountMinor: 1n,
        merchantName: 'SANDBOX Café do Açaí Ltda e Filhos',
        merchantCity: 'São José do Rio Preto',
      }),
    );
    assert.equal(brCode.merchantName, 'SANDBOX Cafe do Acai Ltda');
    assert.equal(brCode.merchantCity, 'Sao Jose do Rio');
  });
});
