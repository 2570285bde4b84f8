// Applies the migrations of prisma/migrations to DATABASE_URL: `node dist/prisma/main.js`, before a new release starts.
import { join } from 'node:path';
import { readDatabaseConfig } from '../platform/config/cli.js';
import { ConfigurationError } from '../platform/config/environment.js';
import { projectRoot } from '../platform/config/project-root.js';
import { deployMigrations, MigrationError } from './deploy.js';

try {
  const { DATABASE_URL } = readDatabaseConfig(process.env);
  const applied = await deployMigrations(DATABASE_URL, join(projectRoot(), 'prisma', 'migrations'));
  process.stdout.write(`${JSON.stringify({ applied })}\n`);
} catch (error) {
  process.stderr.write(`migrate: ${explain(error)}\n`);
  process.exitCode = 1;
}

/** One line for what whoever runs it can mend; a fault of the program keeps its stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof MigrationError) return error.message;
  if (!(error instanceof Error)) return String(error);
  // The driver's words name the host and the cause ("password authentication failed for user …"); some have a code alone.
  return 'code' in error ? `PostgreSQL: ${error.message || String(error.code)}` : (error.stack ?? error.message);
}
