// Who paid. Woovi names the payer in up to three places, and one of them is the customer of its own register, who need
// not be the payer. If they differ, or one cannot be read, none is trusted: the payer is unknown, and people decide.
import type { ReceivedPix } from '../port.js';
import type { WireCharge, WirePerson, WireTransaction } from './wire.js';

/** The payer that all places agree on; `null` if they do not, or none has a document. */
export function payerOf(charge: WireCharge, transaction: WireTransaction): ReceivedPix['payer'] {
  // The holder of the debited account first: it comes from the payment itself.
  const places = [transaction.debitParty?.holder, charge.payer, transaction.payer];
  const named = places.filter((person): person is WirePerson => person?.isNamed === true);
  const documents = named.flatMap(({ document }) => (document === null ? [] : [bare(document)]));
  const [first] = documents;
  if (first === undefined || documents.length < named.length) return null;
  if (!documents.every(({ number }) => number === first.number)) return null;
  return { document: first, name: named.find(({ name }) => name !== null)?.name ?? null };
}

function bare({ type, number }: NonNullable<WirePerson['document']>) {
  return { type, number: number.replace(/[.\-/]/g, '') };
}
