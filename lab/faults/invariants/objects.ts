// O: one object per (operation, type, external_id), and one charge or payout at the provider for each.
import { readBooks } from '../../harness/provider-books.js';
import type { Invariant } from './invariant.js';

const TWICE = `
  SELECT kind, operation_id, external_id, count(*)::int AS objects
  FROM (SELECT 'deposit' AS kind, operation_id, external_id FROM deposit
    UNION ALL SELECT 'withdrawal', operation_id, external_id FROM withdrawal) AS payments
  GROUP BY 1, 2, 3 HAVING count(*) > 1`;

export const objects: Invariant = {
  letter: 'O',
  holds: 'one object per operation, type and external_id; every charge and payout at the provider belongs to an object',
  async check({ environment }) {
    const { rows } = await environment.database.query<Record<string, string>>(TWICE);
    const ids = new Set(
      (
        await environment.database.query<{ id: string }>('SELECT id FROM deposit UNION ALL SELECT id FROM withdrawal')
      ).rows.map(({ id }) => id),
    );
    const { charges, payouts } = await readBooks(environment.simulator.url);
    return [
      ...rows.map((row) => `${row['objects']} ${row['kind']}s with external_id ${row['external_id']}`),
      ...charges
        .filter(({ txid }) => !ids.has(`dep_${txid}`))
        .map(({ txid }) => `the provider has a charge ${txid} without a deposit`),
      ...payouts
        .filter(({ reference }) => !ids.has(`wdr_${reference}`))
        .map(({ reference }) => `the provider has a payout ${reference} without a withdrawal`),
      ...repeated(charges.map(({ txid }) => txid)).map((txid) => `the provider has the charge ${txid} twice`),
      ...(await answeredTwice(environment.operators.flatMap(({ journal }) => journal))),
    ];
  },
};

function repeated(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}

/** No external_id was answered 2xx with two different objects, under any keys. */
async function answeredTwice(
  journal: readonly { target: string; body: string; answers: readonly { status: number; text: string }[] }[],
): Promise<string[]> {
  const ids = new Map<string, Set<string>>();
  for (const { target, body, answers } of journal) {
    if (target !== '/v1/deposits' && target !== '/v1/withdrawals') continue;
    const externalId = `${target} ${(JSON.parse(body) as { external_id?: string }).external_id}`;
    const made = answers
      .filter(({ status }) => status < 300)
      .map(({ text }) => (JSON.parse(text) as { id: string }).id);
    ids.set(externalId, new Set([...(ids.get(externalId) ?? []), ...made]));
  }
  return [...ids]
    .filter(([, objects]) => objects.size > 1)
    .map(([externalId, objects]) => `${externalId} was answered with ${[...objects].join(' and ')}`);
}
