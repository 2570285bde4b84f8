// Sealing and hash keys that a process is given as text: how they are written, and which of them it must and must not
// hold.
import { z } from 'zod';
import { type HeldKey, type KeyPurpose, SEALING_PURPOSES, type SealingPurpose } from '../../store/sealing/keys.js';
import { type ConfigurationProblem, DEVELOPMENT_KEY_MARK } from './production.js';

const unmarked = (text: string) =>
  text.startsWith(DEVELOPMENT_KEY_MARK) ? text.slice(DEVELOPMENT_KEY_MARK.length) : text;

/** 32 bytes in base64, with or without the mark of a development key. */
export const keyOf32Bytes = z.string().transform((text, context) => {
  const bytes = Buffer.from(unmarked(text.trim()), 'base64');
  if (bytes.length !== 32) context.addIssue({ code: 'custom', message: 'must be 32 bytes in base64' });
  return bytes;
});

const heldKey = z.object({
  id: z.string().regex(/^[a-z0-9]{1,32}$/, 'must look like k1:<base64> or k1.events:<base64>'),
  purpose: z.enum(SEALING_PURPOSES).optional(),
  key: keyOf32Bytes,
});

/** `k1:<base64>` is whole, `k1.events:<base64>` is of one purpose. */
const sealingKeys = z
  .string()
  .transform((text) => text.split(',').map((item) => itemOf(unmarked(item.trim()))))
  .pipe(z.array(heldKey).min(1));

function itemOf(text: string): z.input<typeof heldKey> {
  const [name, key] = [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)];
  const [id = '', purpose] = name.split(/\.(.*)/s, 2);
  return { id, ...(purpose === undefined ? {} : { purpose: purpose as SealingPurpose }), key };
}

export const heldKeysSchema = z.object({
  GATEWAY_SEALING_KEYS: sealingKeys.optional(),
  GATEWAY_HASH_KEY: keyOf32Bytes.optional(),
});

/** The keys that are needed, and whether more than these are refused: what a process of production does. */
export interface Holding {
  readonly purposes: readonly KeyPurpose[];
  readonly isExcessRefused: boolean;
}

/** Which keys are missing or superfluous. Never repeats a key. */
export function holdingProblems(
  { GATEWAY_SEALING_KEYS: given, GATEWAY_HASH_KEY: hashKey }: z.output<typeof heldKeysSchema>,
  { purposes, isExcessRefused }: Holding,
): ConfigurationProblem[] {
  const held = given ?? [];
  const missing = purposes.filter((purpose) => purpose !== 'look_up' && !held.some(servesFor(purpose)));
  const excess = !isExcessRefused
    ? []
    : held.filter(({ purpose }) => purpose !== undefined && !purposes.includes(purpose)).map(({ purpose }) => purpose);
  const isWhole = isExcessRefused && held.some(({ purpose }) => purpose === undefined);
  const needsHash = purposes.includes('look_up');
  const problems: readonly [isWrong: boolean, variable: string, message: string][] = [
    [given === undefined, SEALING, 'is required'],
    [given !== undefined && missing.length > 0, SEALING, `must hold a key for ${missing.join(', ')}`],
    [excess.length > 0, SEALING, `must hold no key for ${[...new Set(excess)].join(', ')}: this process needs none`],
    [isWhole, SEALING, 'must not hold whole keys: "gateway sealing split" makes those that this process needs'],
    [needsHash && hashKey === undefined, HASH, 'is required'],
    [
      isExcessRefused && !needsHash && hashKey !== undefined,
      HASH,
      'must be absent here: this process looks nothing up',
    ],
  ];
  return problems.flatMap(([isWrong, variable, message]) => (isWrong ? [{ variable, message }] : []));
}

const [SEALING, HASH] = ['GATEWAY_SEALING_KEYS', 'GATEWAY_HASH_KEY'];

const servesFor = (purpose: SealingPurpose) => (key: HeldKey) => key.purpose === undefined || key.purpose === purpose;
