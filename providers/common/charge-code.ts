// The code that a player copies, compared with the charge that it came with: each states some facts twice. A code that
// would pay another charge, key or amount must never reach a player.
import { type BrCode, parseBrCode } from '../../domain/br-code.js';
import { isSamePixKey } from '../../domain/pix.js';
import type { Unknown } from '../port.js';
import { unusable } from './answers.js';

export interface ChargeOfCode {
  readonly amountMinor: bigint;
  /** The key that charges are received on. */
  readonly pixKey: string;
  /** Every address of its payload that the answer states. */
  readonly locations: readonly string[];
  /** Every name of it that the answer states; without any, the reference in a code is not compared. */
  readonly references: readonly string[];
}

export type CodeReading = { readonly kind: 'code'; readonly code: BrCode } | Unknown;

/** A reference in a code has at most so many characters, and a txid up to 35: some banks put its beginning there. */
const REFERENCE_MAX_LENGTH = 25;

/** The content of the code, or why it cannot be delivered. `field`: where the answer has it. */
export function readCode(text: string, charge: ChargeOfCode, field: string): CodeReading {
  const parsed = parseBrCode(text);
  if (!parsed.ok) return unusable(`br_code_${parsed.problem}`, field);
  const { brCode: code } = parsed;
  if (!isOfAmount(code, charge)) return foreign('br_code_of_another_amount');
  if (code.pixKey !== null && !isSamePixKey(charge.pixKey, code.pixKey)) return foreign('br_code_of_another_key');
  // A static code: what is paid with it arrives on the key, and never on the charge.
  if (code.location === null) return foreign('br_code_without_a_location');
  if (!isAt(code.location, charge)) return foreign('br_code_of_another_location');
  return isNamed(code, charge) ? { kind: 'code', code } : foreign('br_code_of_another_reference');
}

function foreign(reason: string): Unknown {
  return { kind: 'unknown', reason, doubt: { kind: 'foreign_code' } };
}

function isOfAmount({ amountMinor }: BrCode, charge: ChargeOfCode): boolean {
  return amountMinor === null || amountMinor === charge.amountMinor;
}

function isAt(location: string, { locations }: ChargeOfCode): boolean {
  const place = placeOf(location);
  return place !== null && locations.every((stated) => placeOf(stated) === place);
}

/** `***` is how a dynamic code states no reference. */
function isNamed({ transactionId }: BrCode, { references }: ChargeOfCode): boolean {
  if (/^\**$/.test(transactionId) || references.length === 0) return true;
  return references.some((reference) => [reference, reference.slice(0, REFERENCE_MAX_LENGTH)].includes(transactionId));
}

/** Host and path, with or without a scheme; `null` for anything that banks could read in two ways. */
function placeOf(location: string): string | null {
  const address = `https://${location.trim().replace(/^https?:\/\//i, '')}`;
  if (!URL.canParse(address)) return null;
  const { host, pathname, search, username } = new URL(address);
  return username === '' ? `${host}${pathname.replace(/\/+$/, '')}${search}` : null;
}
