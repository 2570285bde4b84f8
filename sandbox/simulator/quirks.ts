// What banks were publicly seen to do, switched on by a tester: a wrong clock, a code of another charge, odd payers,
// keys in capitals, returns that are not done, and a wish for fewer calls.
import { buildDynamicBrCode } from '../../domain/br-code.js';

export const PAYER_QUIRKS = ['long_name', 'empty_fields', 'number'] as const;

export interface Quirks {
  /** By how much the bank's clock is ahead; negative: behind. */
  readonly clockSeconds: number;
  /** The code is one of another location. */
  readonly isCodeForeign: boolean;
  readonly payer: (typeof PAYER_QUIRKS)[number] | null;
  readonly isKeyInCapitals: boolean;
  /** Returns that the account itself asks for end as not done. */
  readonly refusesReturns: boolean;
  /** Every call is answered 429 with this `Retry-After`; `null`: none is. */
  readonly retryAfterSeconds: number | null;
}

export const NO_QUIRKS: Quirks = {
  clockSeconds: 0,
  isCodeForeign: false,
  payer: null,
  isKeyInCapitals: false,
  refusesReturns: false,
  retryAfterSeconds: null,
};

const TIMES = ['criacao', 'horario', 'solicitacao', 'liquidacao'];
const NAME_LENGTH = 250;

/** The rendered charge as such a bank would render it. */
export function withQuirks(charge: object, quirks: Quirks): object {
  if (quirks === NO_QUIRKS) return charge;
  return JSON.parse(JSON.stringify(charge), (name, value: unknown) => {
    if (TIMES.includes(name) && typeof value === 'string') return shifted(value, quirks);
    if (name === 'chave' && typeof value === 'string' && quirks.isKeyInCapitals) return value.toUpperCase();
    if (name === 'pixCopiaECola' && quirks.isCodeForeign) return FOREIGN_CODE;
    if (name === 'pagador' && quirks.payer !== null) return oddPayer(value as { readonly cpf?: string }, quirks.payer);
    return value;
  }) as object;
}

const FOREIGN_CODE = buildDynamicBrCode({
  location: '127.0.0.1/another-charge',
  amountMinor: 5_000n,
  merchantName: 'SANDBOX OUTRO',
  merchantCity: 'RECIFE',
});

function shifted(instant: string, { clockSeconds }: Quirks): string {
  return new Date(Date.parse(instant) + clockSeconds * 1_000).toISOString();
}

function oddPayer({ cpf, ...rest }: { readonly cpf?: string }, kind: NonNullable<Quirks['payer']>): object {
  switch (kind) {
    case 'long_name':
      return { ...rest, ...(cpf === undefined ? {} : { cpf }), nome: 'X'.repeat(NAME_LENGTH) };
    case 'empty_fields':
      return { cpf: '', cnpj: '', nome: '' };
    case 'number':
      return { ...rest, cpf: Number(cpf) };
  }
}
