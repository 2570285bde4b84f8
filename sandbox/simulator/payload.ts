// The payload of a dynamic code: the charge as a payer's bank reads it, signed (JWS) with the bank's own key, which
// it publishes (JWKS). Each process and account has its own key, so that a restart rotates it.
import { constants, createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { SimulatedAccount } from '../../platform/config/simulator.js';
import { toWireAmount } from '../../providers/pix-api/wire.js';
import { documentField } from './dialects.js';
import type { SimulatedCharge } from './state.js';

interface SigningKey {
  readonly id: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export const PAYLOAD_TYPE = 'application/jose';
const keys = new WeakMap<SimulatedAccount, SigningKey>();

function keyOf(account: SimulatedAccount): SigningKey {
  const known = keys.get(account);
  if (known) return known;
  const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const id = createHash('sha256')
    .update(pair.publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  const made = { id, ...pair };
  keys.set(account, made);
  return made;
}

/** The keys that payloads are signed with. */
export function jwksOf(account: SimulatedAccount): object {
  const { id, publicKey } = keyOf(account);
  return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: id, use: 'sig', key_ops: ['verify'], alg: 'PS256' }] };
}

/** `CobPayload` of API Pix, in the compact form. `jku`: where the keys are. */
export function signedPayload(charge: SimulatedCharge, status: string, account: SimulatedAccount, jku: string): string {
  const { id, privateKey } = keyOf(account);
  const payload = {
    txid: charge.txid,
    revisao: charge.revision,
    calendario: {
      criacao: charge.createdAt,
      apresentacao: new Date().toISOString(),
      expiracao: charge.expiresInSeconds,
    },
    status,
    valor: { original: toWireAmount(BigInt(charge.amountMinor)), modalidadeAlteracao: 0 },
    chave: account.pixKey,
    // The standard names a debtor by document and name, or not at all.
    ...(charge.debtor?.name == null ? {} : { devedor: { ...documentField(charge.debtor), nome: charge.debtor.name } }),
    ...(charge.description === null ? {} : { solicitacaoPagador: charge.description }),
  };
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encoded({ alg: 'PS256', typ: 'JWS', kid: id, jku })}.${encoded(payload)}`;
  const signature = sign('sha256', Buffer.from(signed), {
    key: privateKey,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  });
  return `${signed}.${signature.toString('base64url')}`;
}
