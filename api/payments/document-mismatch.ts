// Whose document does not match: what a `document_mismatch` can say without telling who holds a key.
import { problem, type Problem } from '../../contract/http/errors.js';
import type { CreateWithdrawalBody } from '../../contract/http/schemas/withdrawals.js';
import { isDirectoryKey, normalizePixKey } from '../../domain/pix.js';

const PLAYER = 'The first payment with this `player.external_ref` had another document.';
const KEY = 'The PIX key is not the player’s document.';
const EITHER =
  'The PIX key belongs to somebody other than the player, or the first payment with this `player.external_ref` had ' +
  'another document.';

/** The refusal of a deposit: only the player's document is compared. */
export function explainedDepositRefusal(refusal: Problem): Problem {
  return explained(refusal, () => PLAYER);
}

/** The refusal of a withdrawal. Who holds an e-mail, phone or random key stays between the gateway and the directory. */
export function explainedWithdrawalRefusal(refusal: Problem, { player, destination }: CreateWithdrawalBody): Problem {
  return explained(refusal, () => {
    const { pix } = destination;
    if (pix === undefined || isDirectoryKey(pix.key_type)) return EITHER;
    return normalizePixKey(pix.key_type, pix.key) === player.document.number ? PLAYER : KEY;
  });
}

function explained(refusal: Problem, detail: () => string): Problem {
  return refusal.code === 'document_mismatch' ? problem(refusal.code, { detail: detail() }) : refusal;
}
