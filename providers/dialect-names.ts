// The dialects by name, and the default dialect of each slot.
import type { SlotName } from './port.js';

/** The `simulator` ones are the sandbox's own and exist at no bank. */
export const DIALECT_NAMES = [
  'simulator',
  'simulator-a',
  'simulator-b',
  'efi',
  'woovi',
  'api-pix',
  'sicredi',
  'banco-do-brasil',
  'sicoob',
] as const;
export type DialectName = (typeof DIALECT_NAMES)[number];

/** In a sandbox. Production names a bank's dialect for every slot that it uses. */
export const DEFAULT_DIALECTS = {
  simulator: 'simulator',
  a: 'simulator-a',
  b: 'simulator-b',
} as const satisfies Record<SlotName, DialectName>;

/** Whether a dialect is only spoken in a sandbox. */
export function isOfSandbox(name: DialectName): boolean {
  return name.startsWith('simulator');
}
