// Normalises documents, PIX keys, IP addresses and devices before they are hashed, so that equal values have equal
// hashes.

import { normalizePixKey, type PixKeyType } from '../pix.js';

export const LIST_KINDS = ['player', 'pix_key', 'document', 'ip', 'device'] as const;
export type ListKind = (typeof LIST_KINDS)[number];
export const LISTS = ['block', 'review'] as const;
export type ListName = (typeof LISTS)[number];

/** A document number without punctuation, with letters in upper case (CNPJs may have letters). */
export function documentLookupValue(number: string): string {
  return number.replace(/[.\-/\s]/g, '').toUpperCase();
}

/**
 * A PIX key as the directory spells it. Without a type (list entries) the text decides: `@` is an e-mail, `+` or `(` a
 * phone, digits only a CPF or CNPJ.
 */
export function pixKeyLookupValue(key: string, type: PixKeyType = kindOfPixKey(key.trim())): string {
  return normalizePixKey(type, key);
}

function kindOfPixKey(text: string): 'email' | 'phone' | 'random' | 'cpf' {
  if (text.includes('@')) return 'email';
  if (text.startsWith('+') || text.startsWith('(')) return 'phone';
  return /^[\d.\-/\s]+$/.test(text) ? 'cpf' : 'random';
}

/** An IP address in canonical spelling; `null` for any other text. */
export function addressLookupValue(text: string): string | null {
  const bytes = addressBytes(text.trim());
  return bytes === null ? null : addressText(bytes);
}

/**
 * An IP network in canonical spelling (`203.0.113.0/24`). A single address is a /32 or /128. `null` for any other text.
 */
export function networkLookupValue(text: string): string | null {
  const [address = '', prefix, ...rest] = text.trim().split('/');
  const bytes = addressBytes(address);
  if (bytes === null || rest.length > 0) return null;
  if (prefix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefix)) return null;
  const prefixLength = prefix === undefined ? bytes.length * 8 : Number(prefix);
  return prefixLength > bytes.length * 8 ? null : networkText(bytes, prefixLength);
}

/** Every network that contains the address, as `networkLookupValue` spells it; empty for any other text. */
export function networksContaining(address: string): string[] {
  const bytes = addressBytes(address.trim());
  if (bytes === null) return [];
  const narrowest = bytes.length * 8;
  const widest = bytes.length === 4 ? WIDEST_PREFIX.ipv4 : WIDEST_PREFIX.ipv6;
  return Array.from({ length: narrowest - widest + 1 }, (_, index) => networkText(bytes, narrowest - index));
}

/** The widest network that a list accepts. It limits the effect of a typing error and the cost of a look-up. */
export const WIDEST_PREFIX = { ipv4: 8, ipv6: 16 } as const;

const IPV4_PATTERN = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/;

/** The bytes of an address. An IPv4-mapped IPv6 address counts as IPv4. */
function addressBytes(text: string): number[] | null {
  if (IPV4_PATTERN.test(text)) return text.split('.').map(Number);
  if (!/^[0-9a-fA-F:.]*:[0-9a-fA-F:.]*$/.test(text) || !URL.canParse(`http://[${text}]/`)) return null;
  const bytes = ipv6Bytes(text);
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return isMapped ? bytes.slice(12) : bytes;
}

function ipv6Bytes(text: string): number[] {
  // Plain hex groups with at most one `::`.
  const [head = '', tail] = shortIpv6(text).split('::');
  const groups = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const front = groups(head);
  const back = tail === undefined ? [] : groups(tail);
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => 0);
  return [...front, ...zeros, ...back].flatMap((group) => [group >> 8, group & 255]);
}

function networkText(bytes: readonly number[], prefixLength: number): string {
  const masked = bytes.map((byte, index) => {
    const keptBits = Math.min(8, Math.max(0, prefixLength - index * 8));
    return byte & (0xff << (8 - keptBits)) & 0xff;
  });
  return `${addressText(masked)}/${prefixLength}`;
}

function addressText(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0)).toString(16),
  );
  return shortIpv6(groups.join(':'));
}

/** The URL parser writes every spelling as RFC 5952 recommends. */
function shortIpv6(text: string): string {
  return new URL(`http://[${text}]/`).hostname.slice(1, -1);
}
