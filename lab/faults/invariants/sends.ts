// S: money leaves once. Counted by the provider, not by us.
import { readBooks } from '../../harness/provider-books.js';
import type { Invariant } from './invariant.js';

export const sends: Invariant = {
  letter: 'S',
  holds:
    'at most one send per withdrawal, counted by the simulator; everything sent belongs to a withdrawal in progress or paid',
  async check({ environment }) {
    const { payouts } = await readBooks(environment.simulator.url);
    const { rows } = await environment.database.query<{ id: string; status: string }>(
      'SELECT id, status FROM withdrawal',
    );
    const statuses = new Map(rows.map(({ id, status }) => [id, status]));
    return payouts.flatMap(({ reference, sends: count, status }) => {
      const ours = statuses.get(`wdr_${reference}`);
      const problems = count > 1 ? [`wdr_${reference} was sent ${count} times`] : [];
      // The bank has paid it: the player must not have the money back.
      if (status === 'paid' && ours !== undefined && ['rejected', 'cancelled', 'failed'].includes(ours))
        problems.push(`wdr_${reference} is ${ours}, and the provider has paid it`);
      return problems;
    });
  },
};
