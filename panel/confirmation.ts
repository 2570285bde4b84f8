// Whether a person has confirmed an act by which money moves, access opens or rules change: they have signed it or,
// without a passkey in a sandbox, typed the end of its subject's id.
import type { z } from 'zod';
import type { proof as proofSchema } from '../contract/panel/schemas/passkeys.js';
import type { SignedAct } from '../domain/signed-act.js';
import { signerOf } from '../staff/acts/passkeys.js';
import { isConfirmed } from '../staff/reads/panel/possibilities.js';
import { signsActs, type Viewer } from '../staff/viewer.js';
import type { Actor } from '../store/staff/acts.js';
import { type Refusal, refuse } from './refusal.js';
import type { PanelServices } from './services.js';

export type Proof = z.output<typeof proofSchema>;

interface ConfirmationInput {
  readonly confirm?: string | undefined;
  readonly proof?: Proof | undefined;
}

type IntendedAct = Omit<SignedAct, 'subjectVersion' | 'subjectDigest' | 'evidence'> &
  Partial<Pick<SignedAct, 'subjectVersion' | 'subjectDigest' | 'evidence'>>;

/**
 * Who does the act, recognised as well as they have shown; or why it is not done.
 * @param typed what they type the end of, if they do not sign
 */
export async function confirmed(
  services: PanelServices,
  viewer: Viewer,
  act: IntendedAct,
  { confirm, proof }: ConfirmationInput,
  typed: string = act.subjectId,
): Promise<Actor | Refusal> {
  if (proof !== undefined) {
    const signed = { subjectVersion: 0, subjectDigest: null, evidence: '', ...act };
    return proven(services, viewer, signed, proof);
  }
  if (signsActs(viewer)) return refuse('not_signed');
  return isConfirmed(typed, confirm) ? viewer : refuse('not_confirmed');
}

/** Who signed exactly this act; or why the signature does not count. */
export async function proven(
  services: PanelServices,
  actor: Actor,
  act: SignedAct,
  { challenge_id: challengeId, response }: Proof,
): Promise<Actor | Refusal> {
  const signer = await signerOf(services, actor, act, { challengeId, response });
  if (signer === 'passkey_new') return refuse(signer);
  return signer ?? refuse('proof_not_valid');
}
