// The words for banks' codes: every code that an adapter takes as final has some, and they say something.
import assert from 'node:assert/strict';
import { BANK_CODES } from '../../../domain/bank-codes.js';
import { RETURN_NOT_PERFORMED } from '../../../domain/payments/charge-findings.js';
import { ALL_PROVING_CODES } from '../../../providers/pix-api/refusals.js';

describe('codes of banks', () => {
  it('every code that proves a refusal, and the returns of PIX, have words in both languages', () => {
    const known = [...ALL_PROVING_CODES, RETURN_NOT_PERFORMED, 'AB09', 'FR01', 'MD06', 'UPAY'];
    assert.deepEqual(
      known.filter((code) => !Object.hasOwn(BANK_CODES, code)),
      [],
    );
  });

  it('each meaning is one sentence, and another in the other language', () => {
    for (const [code, { 'pt-BR': ptBr, en }] of Object.entries(BANK_CODES)) {
      assert.match(ptBr, /^\p{Lu}.+\.$/u, code);
      assert.match(en, /^\p{Lu}.+\.$/u, code);
      assert.notEqual(ptBr, en, code);
    }
  });
});
