// The payer. Woovi reports it in up to three places. One of them is the customer in its own register, who may not be
// the payer. If they differ, none of them counts: the payer is unknown, and people decide.
import type { ReceivedPix } from '../port.js';
import type { WireCharge, WireTransaction } from './wire.js';

type Person = NonNullable<WireTransaction['payer']>;

/** The payer that all places agree on; `null` if they do not, or none has a document. */
export function payerOf(charge: WireCharge, transaction: WireTransaction): ReceivedPix['payer'] {
  // The holder of the debited account first: it comes from the payment itself.
  const told = [transaction.debitParty?.holder, charge.payer, transaction.payer].filter(hasDocument);
  const [first] = told;
  if (first === undefined) return null;
  const number = digitsOf(first);
  if (!told.every((person) => digitsOf(person) === number)) return null;
  const type = number.length === 11 ? 'CPF' : 'CNPJ';
  return { document: { type, number }, name: told.find(({ name }) => name !== null)?.name ?? null };
}

function hasDocument(person: Person | null | undefined): person is Person & { taxID: NonNullable<Person['taxID']> } {
  return person?.taxID !== null && person?.taxID !== undefined;
}

function digitsOf({ taxID }: { taxID: { taxID: string } }): string {
  return taxID.taxID.replace(/[.\-/]/g, '').toUpperCase();
}
