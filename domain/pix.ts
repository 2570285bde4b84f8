// PIX vocabulary: key formats of the key directory (DICT), and end-to-end identifiers.

export const PIX_KEY_TYPES = ['cpf', 'cnpj', 'email', 'phone', 'random'] as const;
export type PixKeyType = (typeof PIX_KEY_TYPES)[number];

/** Whether only the directory knows the holder of the key. A CPF or CNPJ key contains it. */
export function isDirectoryKey(type: PixKeyType): boolean {
  return type !== 'cpf' && type !== 'cnpj';
}

/** The maximum length in the directory. The interface accepts 140 characters and refuses longer keys later. */
const PIX_KEY_MAX_LENGTH = 77;

const KEY_PATTERNS = {
  cpf: /^\d{11}$/,
  cnpj: /^\d{14}$/,
  email:
    /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/,
  phone: /^\+[1-9]\d{1,14}$/,
  random: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
} as const satisfies Record<PixKeyType, RegExp>;

/**
 * The directory's one spelling of a key. A request's key is normalised once, when the request is accepted, so that
 * checks, hashes, look-ups and the send use the same key. Only separators, letter case (ASCII) and Brazil's country
 * code are normalised. Anything else stays, so a malformed key stays malformed.
 */
export function normalizePixKey(type: PixKeyType, value: string): string {
  const text = value.trim();
  switch (type) {
    case 'cpf':
    case 'cnpj':
      return text.replace(/[.\-/\s]/g, '').replace(/[a-z]+/g, (letters) => letters.toUpperCase());
    case 'email':
    case 'random':
      return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
    case 'phone':
      return normalizePhone(text.replace(/[\s().-]/g, ''));
  }
}

/** A number without `+` is Brazilian if it has area code and number, with or without `55`. */
function normalizePhone(number: string): string {
  if (/^55\d{10,11}$/.test(number)) return `+${number}`;
  return /^\d{10,11}$/.test(number) ? `+55${number}` : number;
}

/** Whether a normalised key has the format of its type. Does not check digits or existence. */
export function isPixKeyFormat(type: PixKeyType, value: string): boolean {
  return value.length <= PIX_KEY_MAX_LENGTH && KEY_PATTERNS[type].test(value);
}

/**
 * Whether a provider's text is this key, in whatever letter case or punctuation the provider writes keys. The type is
 * that of our own key, so that a phone number is never taken for a CPF of the same digits.
 */
export function isSamePixKey(ours: string, reported: string): boolean {
  const spelling = spellingOf(ours);
  if (spelling === null) return reported.trim().toLowerCase() === ours.trim().toLowerCase();
  return normalizedAs(spelling.type, reported) === spelling.key;
}

function spellingOf(ours: string): { readonly type: PixKeyType; readonly key: string } | null {
  for (const type of PIX_KEY_TYPES) {
    const key = normalizedAs(type, ours);
    if (isPixKeyFormat(type, key)) return { type, key };
  }
  return null;
}

/** Eleven digits without a country code may be a CPF, so they are no phone here. */
function normalizedAs(type: PixKeyType, value: string): string {
  const isLocalNumber = type === 'phone' && /^\d{10,11}$/.test(value.replace(/[\s().-]/g, ''));
  return isLocalNumber ? value : normalizePixKey(type, value);
}

/** Accepts any 32 letters and digits, because participants vary the format. */
export function isEndToEndId(text: string): boolean {
  return /^[a-zA-Z0-9]{32}$/.test(text);
}

const ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** `E` + ISPB (8 digits) + minute in UTC + 11 letters or digits: the globally unique id of a payment. */
export function newEndToEndId(ispb: string, at: Date): string {
  return pixIdentifier('E', ispb, at);
}

/** The id of a return: like an end-to-end id, with `D` in front. */
export function newReturnId(ispb: string, at: Date): string {
  return pixIdentifier('D', ispb, at);
}

function pixIdentifier(kind: 'E' | 'D', ispb: string, at: Date): string {
  if (!/^\d{8}$/.test(ispb)) throw new RangeError('an ISPB has eight digits');
  const minute = at.toISOString().replace(/\D/g, '').slice(0, 12);
  const tail = Array.from(crypto.getRandomValues(new Uint8Array(11)), (byte) => ID_ALPHABET[byte % ID_ALPHABET.length]);
  return `${kind}${ispb}${minute}${tail.join('')}`;
}
