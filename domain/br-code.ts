// BR Code: the text behind a PIX "copy and paste" and its QR code. Fields are `ID LL value`, with a checksum at the
// end.

/** The content of a BR Code of a dynamic charge. */
export interface BrCode {
  /** The address of the charge's payload, without scheme; `null` in a static code. */
  readonly location: string | null;
  /** The receiver's key; `null` in a dynamic code. */
  readonly pixKey: string | null;
  /** Field 01 is 12: the code is for one payment. */
  readonly singleUse: boolean;
  /** Minor units of BRL; `null` when only the charge has the amount. */
  readonly amountMinor: bigint | null;
  readonly merchantName: string;
  readonly merchantCity: string;
  readonly transactionId: string;
}

export type BrCodeProblem =
  | 'too_long'
  | 'malformed_field'
  | 'repeated_field'
  | 'missing_checksum'
  | 'wrong_checksum'
  | 'not_pix'
  | 'not_brl'
  | 'malformed_amount'
  | 'missing_merchant';

export type BrCodeParse =
  | { readonly ok: true; readonly brCode: BrCode }
  | { readonly ok: false; readonly problem: BrCodeProblem };

const GUI = 'br.gov.bcb.pix';
/** API Pix: `pixCopiaECola` has at most 512 characters. */
const MAX_LENGTH = 512;

/** CRC-16/CCITT-FALSE over the text's UTF-8 bytes, four upper-case hex digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

function field(id: string, value: string): string {
  if (value.length === 0 || value.length > 99) throw new RangeError(`BR Code field ${id} takes 1 to 99 characters`);
  return `${id}${value.length.toString().padStart(2, '0')}${value}`;
}

/** Reduces text to ASCII, because readers of codes count other characters differently. */
function ascii(text: string, maxLength: number): string {
  const plain = text
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, maxLength)
    .trim();
  if (plain === '') throw new RangeError('a BR Code name needs at least one plain character');
  return plain;
}

/**
 * Builds the code of a dynamic charge. `location` is an address without scheme of at most 77 characters. Names are
 * reduced to ASCII and cut to the standard's lengths (25 and 15). Throws a RangeError when a value cannot be encoded.
 */
export function buildDynamicBrCode(charge: {
  location: string;
  amountMinor: bigint;
  merchantName: string;
  merchantCity: string;
}): string {
  if (/^[a-z]+:\/\//i.test(charge.location) || !/^[\x21-\x7e]{1,77}$/.test(charge.location)) {
    throw new RangeError('a BR Code location is an address without scheme of at most 77 characters');
  }
  if (charge.amountMinor <= 0n || charge.amountMinor > 999_999_999_999n)
    throw new RangeError('a BR Code amount is positive and fits 13 characters');
  const cents = charge.amountMinor.toString().padStart(3, '0');
  const body = [
    field('00', '01'),
    field('01', '12'),
    field('26', field('00', GUI) + field('25', charge.location)),
    field('52', '0000'),
    field('53', '986'),
    field('54', `${cents.slice(0, -2)}.${cents.slice(-2)}`),
    field('58', 'BR'),
    field('59', ascii(charge.merchantName, 25)),
    field('60', ascii(charge.merchantCity, 15)),
    field('62', field('05', '***')),
    '6304',
  ].join('');
  return body + crc16(body);
}

/** Splits `ID LL value` fields. Returns `null` when the lengths are wrong. */
function splitFields(text: string): { fields: Map<string, string>; repeated: boolean } | null {
  const fields = new Map<string, string>();
  let repeated = false;
  let at = 0;
  while (at < text.length) {
    const head = /^(\d{2})(\d{2})/.exec(text.slice(at, at + 4));
    if (!head) return null;
    const value = text.slice(at + 4, at + 4 + Number(head[2]));
    if (value.length !== Number(head[2])) return null;
    repeated ||= fields.has(head[1]!);
    fields.set(head[1]!, value);
    at += 4 + value.length;
  }
  return { fields, repeated };
}

/** The merchant account field (26 to 51) of PIX. */
function pixAccount(fields: ReadonlyMap<string, string>): ReadonlyMap<string, string> | null {
  for (const [id, value] of fields) {
    if (id < '26' || id > '51') continue;
    const account = splitFields(value);
    if (account && account.fields.get('00')?.toLowerCase() === GUI) return account.fields;
  }
  return null;
}

function amountOf(text: string | undefined): bigint | null | 'malformed' {
  if (text === undefined) return null;
  const parts = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(text);
  return parts ? BigInt(parts[1]! + (parts[2] ?? '').padEnd(2, '0')) : 'malformed';
}

/** Parses a code and verifies its checksum. Never throws: the code comes from a provider. */
export function parseBrCode(text: string): BrCodeParse {
  const fault = (problem: BrCodeProblem): BrCodeParse => ({ ok: false, problem });
  if (text.length > MAX_LENGTH) return fault('too_long');
  const split = splitFields(text);
  if (!split) return fault('malformed_field');
  const { fields, repeated } = split;
  if (repeated) return fault('repeated_field');
  if (text.slice(-8, -4) !== '6304' || fields.get('63') !== text.slice(-4)) return fault('missing_checksum');
  if (crc16(text.slice(0, -4)) !== text.slice(-4)) return fault('wrong_checksum');
  const account = pixAccount(fields);
  if (!account || fields.get('00') !== '01') return fault('not_pix');
  if (fields.get('53') !== '986') return fault('not_brl');
  const amountMinor = amountOf(fields.get('54'));
  if (amountMinor === 'malformed') return fault('malformed_amount');
  const merchantName = fields.get('59');
  const merchantCity = fields.get('60');
  if (!merchantName || !merchantCity) return fault('missing_merchant');
  return {
    ok: true,
    brCode: {
      location: account.get('25') ?? null,
      pixKey: account.get('01') ?? null,
      singleUse: fields.get('01') === '12',
      amountMinor,
      merchantName,
      merchantCity,
      transactionId: splitFields(fields.get('62') ?? '')?.fields.get('05') ?? '',
    },
  };
}
