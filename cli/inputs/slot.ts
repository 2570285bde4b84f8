// The slot that a command names.
import { PROVIDER_NAMES, type ProviderName } from '../../domain/provider-names.js';
import { badInput } from '../problem.js';

/** Throws a CommandProblem for anything else. */
export function readSlot(text: string): ProviderName {
  const name = PROVIDER_NAMES.find((known) => known === text);
  if (name === undefined) throw badInput('SLOT', `must be one of ${PROVIDER_NAMES.join(', ')}`);
  return name;
}
