// A gateway whose slot `simulator` speaks one bank's dialect, for the tests of everything that its account lists.
import type { Client } from '@temporalio/client';
import pg from 'pg';
import type { DialectName } from '../../../../providers/settings.js';
import { type Stack, startStack } from '../../../../lab/harness/stack.js';
import { dialectSettings } from '../simulated-slot.js';

/** Everything can be used once the suite's `before` has run. */
export interface Account {
  readonly stack: () => Stack;
  /** As the database's owner. */
  readonly database: () => pg.Client;
  readonly client: () => Client;
}

/** Starts the gateway before the tests of the suite, and ends it after them. */
export function useAccount(dialect: DialectName): Account {
  let stack: Stack;
  let database: pg.Client;
  before(async () => {
    stack = await startStack({ variables: dialectSettings(dialect) });
    database = new pg.Client({ connectionString: stack.databaseUrl });
    await database.connect();
  });
  after(async () => {
    await database?.end();
    await stack?.close();
  });
  return { stack: () => stack, database: () => database, client: () => stack.temporal.client };
}
