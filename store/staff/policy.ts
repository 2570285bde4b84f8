// What the deployment asks of its people: the one row that the migration writes (prisma/deploy.ts).
import type { Database } from '../database.js';
import type { Transaction } from '../transactions.js';

export type StaffEnvironment = 'sandbox' | 'production';

/**
 * Where people are managed. A command that is configured as a sandbox manages the people of a production database as
 * production asks for.
 */
export async function staffEnvironment(
  database: Pick<Database | Transaction, 'staffPolicy'>,
  deployment: StaffEnvironment,
): Promise<StaffEnvironment> {
  if (deployment === 'production') return deployment;
  const policy = await database.staffPolicy.findUniqueOrThrow({ where: { id: 1 }, select: { environment: true } });
  return policy.environment as StaffEnvironment;
}

/**
 * The people who decide nothing together with this person for now: who made them, and others whom the same one made.
 */
export async function peopleCloseTo(database: Pick<Transaction, '$queryRaw'>, handle: string): Promise<string[]> {
  const [row] = await database.$queryRaw<{ people: string[] }[]>`SELECT people_close_to(${handle}) AS people`;
  return row?.people ?? [];
}
