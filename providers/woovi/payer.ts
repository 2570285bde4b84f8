// Who paid. Woovi names the payer in up to three places, and one of them is the customer of its own register, who need
// not be the payer. If they differ, none is trusted: the payer is unknown, and people decide.
import type { ReceivedPix } from '../port.js';
import type { WireCharge, WireTransaction } from './wire.js';

type Person = NonNullable<WireTransaction['payer']>;

/** The payer that all places agree on; `null` if they do not, or none has a document. */
export function payerOf(charge: WireCharge, transaction: WireTransaction): ReceivedPix['payer'] {
  // The holder of the debited account first: it comes from the payment itself.
  const named = [transaction.debitParty?.holder, charge.payer, transaction.payer].filter(hasDocument);
  const [first] = named;
  if (first === undefined) return null;
  const number = digitsOf(first);
  if (!named.every((person) => digitsOf(person) === number)) return null;
  const type = number.length === 11 ? 'CPF' : 'CNPJ';
  return { document: { type, number }, name: named.find(({ name }) => name !== null)?.name ?? null };
}

function hasDocument(person: Person | null | undefined): person is Person & { taxID: NonNullable<Person['taxID']> } {
  return person?.taxID !== null && person?.taxID !== undefined;
}

function digitsOf({ taxID }: { taxID: { taxID: string } }): string {
  return taxID.taxID.replace(/[.\-/]/g, '').toUpperCase();
}
