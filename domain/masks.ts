// Personal data as it is shown before a person reveals it: enough to compare with a ticket, too little to identify
// anyone.

/** `529.982.247-25` → `***.982.247-**`; for anything that is not a CPF, the last two characters. */
export function maskedDocument(number: string): string {
  const digits = number.replace(/\D/g, '');
  if (digits.length === 11) return `***.${digits.slice(3, 6)}.${digits.slice(6, 9)}-**`;
  if (digits.length === 14) return `**.${digits.slice(2, 5)}.${digits.slice(5, 8)}/****-**`;
  return maskedEnd(number);
}

/** `Maria da Silva` → `M. d. S.` */
export function maskedName(name: string): string {
  const words = name.split(/\s+/u).filter((word) => word !== '');
  return words.map((word) => `${[...word][0] ?? ''}.`).join(' ');
}

/** `maria@player.test` → `m***@***` */
export function maskedEmail(email: string): string {
  return `${[...email][0] ?? ''}***@***`;
}

/** The last two characters of a text of at least six. */
export function maskedEnd(text: string): string {
  const characters = [...text];
  return characters.length < 6 ? '***' : `***${characters.slice(-2).join('')}`;
}

/** Shows that there is a value, and nothing of it. */
export const MASKED = '***';

/** Masks a PIX key by its kind. */
export function maskedPixKey({ key_type: type, key }: { readonly key_type: string; readonly key: string }): string {
  if (type === 'cpf' || type === 'cnpj') return maskedDocument(key);
  return type === 'email' ? maskedEmail(key) : maskedEnd(key);
}
