// Which references of a provider belong to no payment here: after a restore, those of payments that were lost.
import { depositIdOf, withdrawalIdOf } from '../../domain/identifiers.js';
import type { Database } from '../../store/database.js';
import { existingPayments } from '../../store/payments/payment-ids.js';

const PER_STATEMENT = 5_000;
const ID_OF = { deposit: depositIdOf, withdrawal: withdrawalIdOf } as const;

/** The references that no deposit (of charges) or withdrawal (of payouts) has. */
export async function unknownReferences(
  database: Database,
  kind: keyof typeof ID_OF,
  references: readonly string[],
): Promise<string[]> {
  const idOf = ID_OF[kind];
  const unknown: string[] = [];
  for (let start = 0; start < references.length; start += PER_STATEMENT) {
    const page = references.slice(start, start + PER_STATEMENT);
    const known = await existingPayments(database, kind, page.map(idOf));
    unknown.push(...page.filter((reference) => !known.has(idOf(reference))));
  }
  return unknown;
}
