// The scopes of an API key.
import { SCOPES, type Scope } from '../../contract/http/route.js';
import { badInput } from '../problem.js';

/** `read,deposits:write` → the scopes, each once, in the catalogue's order. */
export function readScopes(field: string, text: string): Scope[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(SCOPES as readonly string[]).includes(name));
  if (unknown !== undefined) throw badInput(field, `"${unknown}" is not a scope; the scopes are ${SCOPES.join(', ')}`);
  return SCOPES.filter((scope) => names.includes(scope));
}
