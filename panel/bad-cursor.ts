// The refusal of a cursor that is not ours.
import { refuse } from './refusal.js';

export function badCursor() {
  return refuse('invalid', { issues: [{ path: 'cursor', problem: 'is not a cursor of this list' }] });
}
