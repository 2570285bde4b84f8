// How a person shows that they mean an act by which money moves, an access opens or rules change: they sign it with a
// passkey, or, without one in a sandbox, type what the page asks for.
import { confirm } from './common.js';
import { proof } from './passkeys.js';

export const confirmation = { confirm, proof: proof.optional() };
