// Whose document a document_mismatch is about: the player's own is named, the holder of a directory key never.
import assert from 'node:assert/strict';
import { explainedDepositRefusal, explainedWithdrawalRefusal } from '../../../api/routes/creation-checks.js';
import { problem } from '../../../contract/http/errors.js';
import type { CreateWithdrawalBody } from '../../../contract/http/schemas/withdrawals.js';
import type { PixKeyType } from '../../../domain/pix.js';

const CPF = '52998224725';
const mismatch = problem('document_mismatch');
const withdrawal = (key_type: PixKeyType, key: string) =>
  ({ player: { document: { number: CPF } }, destination: { pix: { key_type, key } } }) as CreateWithdrawalBody;

describe('a document_mismatch says whose document', () => {
  it('of a deposit: the player’s', () =>
    assert.match(String(explainedDepositRefusal(mismatch).detail), /^The first payment with this/));

  for (const [title, body, text] of [
    ['the player’s own CPF as the key', withdrawal('cpf', CPF), /^The first payment with this/],
    ['the same with punctuation', withdrawal('cpf', '529.982.247-25'), /^The first payment with this/],
    ['another CPF', withdrawal('cpf', '11144477735'), /^The PIX key is not the player’s document\.$/],
    ['a CNPJ', withdrawal('cnpj', '11222333000181'), /^The PIX key is not the player’s document\.$/],
    ['an e-mail', withdrawal('email', 'ana@player.test'), /^The PIX key belongs to somebody other .*, or the first/],
  ] as const) {
    it(`of a withdrawal to ${title}`, () => {
      const { code, detail } = explainedWithdrawalRefusal(mismatch, body);
      assert.equal(code, 'document_mismatch');
      assert.match(String(detail), text);
    });
  }

  it('leaves every other refusal as it is', () => {
    const other = problem('player_blocked');
    assert.equal(explainedDepositRefusal(other), other);
    assert.equal(explainedWithdrawalRefusal(other, withdrawal('cpf', CPF)), other);
  });
});
