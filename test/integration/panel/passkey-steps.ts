// Steps with passkeys on a panel: signing in with one, adding, removing and enrolling one, as a browser sends them.
import { markOfPasskey } from '../../../domain/signed-act.js';
import type { OwnActKind } from '../../../domain/staff.js';
import { type AuthenticatorFaults, TestAuthenticator } from '../../support/authenticator.js';
import type { PanelWorld, Person, Reply } from './world.js';

/** What the panel asks of an authenticator. */
export type Options = Parameters<TestAuthenticator['get']>[0];

/** The error of a reply. */
export const codeOf = ({ body }: Reply) => String(body['code']);

/** Signs in, with the answer that was sent. */
export const signInWith = async (world: PanelWorld, authenticator: TestAuthenticator, faults?: AuthenticatorFaults) => {
  const { body: asked } = await world.send('/passkeys/sign-in-options', { method: 'POST' });
  const response = authenticator.get(asked['options'] as Options, faults);
  const body = { challenge_id: asked['challenge_id'], response };
  return { body, reply: await world.send('/passkeys/sign-in', { method: 'POST', body }) };
};
/** What a person with a passkey signs about their passkeys; nothing without one. */
export const proofBy = async (
  person: Person,
  by: TestAuthenticator | null,
  kind: OwnActKind,
  id: string,
  reason = '',
) => {
  if (by === null) return {};
  const act = { kind, subject_id: markOfPasskey(id), version: 0, digest: null, reason, evidence: '' };
  const asked = await person.post('/passkeys/signing-options', act);
  if (asked.status !== 200) return { refused: asked };
  const response = by.get(asked.body['options'] as Options);
  return { proof: { challenge_id: asked.body['challenge_id'] as string, response } };
};
/** Adds a passkey, signed with one that the person has. */
export const register = async (
  person: Person,
  authenticator: TestAuthenticator,
  name = 'laptop',
  by: TestAuthenticator | null = null,
) => {
  const { body: asked } = await person.send('/passkeys/registration-options', { method: 'POST' });
  const response = authenticator.create(asked['options'] as Options);
  const { refused, ...proof } = await proofBy(person, by, 'passkey.add', authenticator.id, name);
  return refused ?? person.post('/passkeys', { challenge_id: asked['challenge_id'], response, name, ...proof });
};
export const remove = async (person: Person, { id }: TestAuthenticator, by: TestAuthenticator | null) => {
  const { refused, ...proof } = await proofBy(person, by, 'passkey.remove', id);
  return refused ?? person.post(`/passkeys/${id}/removal`, proof);
};
/** Makes a first passkey with a code. */
export const enrolmentOf = async (world: PanelWorld, token: string, authenticator: TestAuthenticator) => {
  const asked = await world.send('/passkeys/enrolment-options', { method: 'POST', body: { token } });
  if (asked.status !== 200) return asked;
  const response = authenticator.create(asked.body['options'] as Options);
  const body = { token, challenge_id: asked.body['challenge_id'], response, name: 'laptop' };
  return world.send('/passkeys/enrolment', { method: 'POST', body });
};
/** A person by the session that the reply began. */
export const personOf = (world: PanelWorld, handle: string, reply: Reply): Person => {
  const cookie = cookieOf(reply);
  const send: Person['send'] = (path, sent) => world.send(path, { ...sent, headers: { cookie } });
  const post: Person['post'] = (path, body) => send(path, { method: 'POST', body });
  return { handle, cookie, send, post, get: (path) => send(path, {}) };
};
/** The cookie that the reply set. */
export const cookieOf = ({ headers }: Reply) => String(headers['set-cookie']).split(';')[0] ?? '';
