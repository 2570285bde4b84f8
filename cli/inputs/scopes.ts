// The scopes of an API key.
import { SCOPES, type Scope } from '../../contract/http/route.js';
import { badInput } from '../problem.js';

/** Reads `read,deposits:write`. Each scope occurs once, in the order of the catalogue. */
export function readScopes(field: string, text: string): Scope[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(SCOPES as readonly string[]).includes(name));
  if (unknown !== undefined) throw badInput(field, `"${unknown}" is not a scope; the scopes are ${SCOPES.join(', ')}`);
  return SCOPES.filter((scope) => names.includes(scope));
}
