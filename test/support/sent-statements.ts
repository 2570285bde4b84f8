// Which statements some work sends to PostgreSQL, whether by Prisma or by the driver.
import { type Database, poolOf } from '../../store/database.js';

/** The first words of the statements that `work` sends, but for transactions' own. */
export async function statementsOf(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const pool = poolOf(database);
  const query = pool.query.bind(pool) as (...given: unknown[]) => unknown;
  const sent: string[] = [];
  pool.query = ((...given: unknown[]) => {
    const [statement] = given as [string | { text: string }];
    sent.push((typeof statement === 'string' ? statement : statement.text).trim().split(/\s/)[0] ?? '');
    return query(...given);
  }) as typeof pool.query;
  try {
    await work();
  } finally {
    pool.query = query as typeof pool.query;
  }
  return sent;
}
