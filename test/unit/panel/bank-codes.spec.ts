// The words for banks' codes: every code that an adapter takes as final has some, and they say something.
import assert from 'node:assert/strict';
import { RETURN_NOT_PERFORMED } from '../../../domain/payments/charge-findings.js';
import { BANK_CODES } from '../../../panel/web/texts/bank-codes.js';
import { failureTexts } from '../../../panel/web/texts/failures.js';
import { ALL_PROVING_CODES } from '../../../providers/pix-api/refusals.js';

describe('panel: codes of banks', () => {
  it('every code that proves a refusal, and the returns of PIX, have words in both languages', () => {
    const known = [...ALL_PROVING_CODES, RETURN_NOT_PERFORMED, 'AB09', 'FR01', 'MD06', 'UPAY'];
    const silent = known.filter((code) => !failureTexts.en[code] || !failureTexts['pt-BR'][code]);
    assert.deepEqual(silent, []);
  });

  it('each meaning is one sentence, and another in the other language', () => {
    for (const [code, { 'pt-BR': ptBr, en }] of Object.entries(BANK_CODES)) {
      assert.match(ptBr, /^\p{Lu}.+\.$/u, code);
      assert.match(en, /^\p{Lu}.+\.$/u, code);
      assert.notEqual(ptBr, en, code);
    }
  });
});
