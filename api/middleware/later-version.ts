// `Sandbox-Later-Version: true`, outside production: the answer as a later version of this interface may give it, with
// values and fields that today's programs do not know (docs/versions.md). An integration's test sees what its program
// does then. An extension: nothing is stored so, and a repeat without the header gets the answer itself.
import { headerOf, type Middleware } from './request-context.js';

const HEADER = 'sandbox-later-version';
/** What may have new values at any time (docs/versions.md). */
const OPEN_VALUES = ['status', 'type', 'kind', 'method', 'rail', 'reason', 'code', 'failure_code'];
/** What an operator sent comes back as it was. */
const OPERATORS_OWN = ['document', 'metadata', 'player_context'];
const WORD = /^[A-Za-z][A-Za-z0-9_.]*$/;

/** Rewrites JSON answers to requests with the header. */
export function laterVersion(environment: 'sandbox' | 'production'): Middleware {
  return async (context, next) => {
    await next();
    if (environment === 'production' || headerOf(context, HEADER) !== 'true') return;
    const type = context.response.get('content-type');
    if (!/^application\/(problem\+)?json/.test(type) || !Buffer.isBuffer(context.body)) return;
    context.body = Buffer.from(JSON.stringify(asLater(JSON.parse(context.body.toString('utf8')))), 'utf8');
    context.set('Content-Type', type);
  };
}

function asLater(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asLater);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, memberAsLater(name, member)]);
  const later = Object.fromEntries(members) as Record<string, unknown>;
  return { ...later, ...nameOfProblem(later), field_of_a_later_version: { any: ['value', null, 1] } };
}

/** A problem's title equals its code, and its type ends in it. */
function nameOfProblem({ title, code, type }: Record<string, unknown>): object {
  if (typeof title !== 'string' || typeof code !== 'string' || typeof type !== 'string') return {};
  return { title: code, type: type.replace(/[^/]+$/, code) };
}

function memberAsLater(name: string, member: unknown): unknown {
  if (OPERATORS_OWN.includes(name)) return member;
  // One method more; what is known of the others stays true.
  if (name === 'methods' && Array.isArray(member)) return [...(member as unknown[]), 'method_of_a_later_version'];
  if (name === 'method_details') return member;
  if (name === 'reasons' && Array.isArray(member)) return [...(member as unknown[]), 'REASON_OF_A_LATER_VERSION'];
  const isOpen = OPEN_VALUES.includes(name) && typeof member === 'string' && WORD.test(member);
  return isOpen ? `${name}_of_a_later_version` : asLater(member);
}
