// Who a payment is about: the player, the payer and the key, masked. And one field of it in the clear, for an act that
// reveals it.
import type { revealedField } from '../../../contract/panel/schemas/cases.js';
import type { z } from 'zod';
import type { DepositPayer } from '../../../domain/payments/deposit.js';
import { MASKED, maskedDocument, maskedEmail, maskedEnd, maskedName, maskedPixKey } from '../../../domain/masks.js';
import { depositPayer } from '../../../store/payments/deposit/read.js';
import {
  openDepositRequest,
  openWithdrawalRequest,
  type SealedPlayer,
  type SealedWithdrawalRequest,
} from '../../../store/sealing/orders.js';
import type { Sealer } from '../../../store/sealing/sealer.js';
import type { PaymentRow } from './payment.js';

export type RevealedField = z.output<typeof revealedField>;

export interface Persons {
  readonly player: SealedPlayer;
  readonly payer: DepositPayer | null;
  readonly destination: SealedWithdrawalRequest['destination']['pix'] | null;
  /** What the operator said about the player. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Opens the payment's sealed personal data. Throws UnsealableError. */
export function personsOf(sealer: Sealer, { kind, row }: PaymentRow): Persons {
  const { id, operationId, requestSealed: sealedRequest } = row;
  if (kind === 'deposit') {
    const { player, metadata = {} } = openDepositRequest(sealer, { id, operationId, sealedRequest });
    const payerSealed = row.payerSealed === null ? null : Buffer.from(row.payerSealed);
    const payer = depositPayer({ id, operationId, payerSealed }, sealer);
    return { player, payer, destination: null, context: {}, metadata };
  }
  const request = openWithdrawalRequest(sealer, { id, operationId, sealedRequest });
  const { player, player_context: context = {}, metadata = {} } = request;
  return { player, payer: null, destination: request.destination.pix, context, metadata };
}

interface Field {
  readonly value: (persons: Persons) => string | null;
  readonly mask: (value: string, persons: Persons) => string;
}

const all = () => MASKED;

const FIELDS: Readonly<Record<RevealedField, Field>> = {
  'player.name': { value: ({ player }) => player.name ?? null, mask: maskedName },
  'player.document': { value: ({ player }) => player.document.number, mask: maskedDocument },
  'player.email': { value: ({ player }) => player.email ?? null, mask: maskedEmail },
  'player.birth_date': { value: ({ player }) => player.birth_date ?? null, mask: all },
  'player.ip': { value: ({ player }) => player.ip ?? null, mask: all },
  'player.device_id': { value: ({ player }) => player.device_id ?? null, mask: maskedEnd },
  'payer.name': { value: ({ payer }) => payer?.name ?? null, mask: maskedName },
  'payer.document': { value: ({ payer }) => payer?.document?.number ?? null, mask: maskedDocument },
  'destination.key': {
    value: ({ destination }) => destination?.key ?? null,
    mask: (value, { destination }) => (destination === null ? MASKED : maskedPixKey({ ...destination, key: value })),
  },
};

/** The field in the clear; null if the payment does not have it. */
export function clearField(persons: Persons, field: RevealedField): string | null {
  return FIELDS[field].value(persons);
}

/** The masked fields of one part. */
export function maskedFields(persons: Persons, part: 'player' | 'payer' | 'destination') {
  return (Object.keys(FIELDS) as RevealedField[])
    .filter((field) => field.startsWith(`${part}.`))
    .map((field) => {
      const { value, mask } = FIELDS[field];
      const clear = value(persons);
      return { field, masked: clear === null ? null : mask(clear, persons) };
    });
}

/** Compares the payer with the expected payer, and names the payer's bank; `null` without a payment. */
export function comparedPayer(persons: Persons, { kind, row }: PaymentRow) {
  const { player, payer } = persons;
  if (payer === null) return null;
  const [document, name] = [payer.document?.number ?? null, payer.name];
  return {
    is_known: document !== null || name !== null,
    bank_ispb: kind === 'deposit' ? ispbOf(row.endToEndId) : null,
    fields: maskedFields(persons, 'payer'),
    // A masked document proves neither a match nor a difference.
    same_document: document === null || /\D/.test(document) ? null : document === player.document.number,
    same_name: name === null || player.name === undefined ? null : folded(name) === folded(player.name),
  };
}

/** Of the bank that sent the payment; `null` if the id does not begin as the Central Bank's ids do. */
function ispbOf(endToEndId: string | null): string | null {
  return /^E(\d{8})\d{12}/.exec(endToEndId ?? '')?.[1] ?? null;
}

/** A name by its letters: banks write capitals without accents. */
function folded(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\s+/gu, ' ').trim().toLowerCase();
}
