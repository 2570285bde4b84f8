// Applies prisma/migrations, prisma/functions and prisma/grants.ts to DATABASE_URL, before a new release starts:
// `node dist/prisma/main.js`.
import { readMigrationConfig } from '../platform/config/cli.js';
import { ConfigurationError } from '../platform/config/environment.js';
import { deployDatabase } from './deploy.js';
import { MissingRolesError } from './roles.js';
import { MigrationError } from './sql-file.js';

try {
  const { DATABASE_URL, GATEWAY_ENVIRONMENT: environment, STAFF_WAIT_HOURS } = readMigrationConfig(process.env);
  const waiting = STAFF_WAIT_HOURS === undefined ? {} : { waitHours: STAFF_WAIT_HOURS };
  const deployed = await deployDatabase(DATABASE_URL, { environment, ...waiting });
  process.stdout.write(`${JSON.stringify(deployed)}\n`);
  if (deployed.openToRoles.length > 0)
    process.stderr.write(
      `migrate: the gateway's roles still have: ${deployed.openToRoles.join(', ')}. An administrator of the server runs ` +
        'prisma/administrator.sql in this database (docs/operating.md, Roles of the database)\n',
    );
  if (deployed.missingRoles.length > 0) throw new MissingRolesError(deployed.missingRoles);
} catch (error) {
  process.stderr.write(`migrate: ${explain(error)}\n`);
  process.exitCode = 1;
}

/** One line for what an operator can fix; a fault of the program keeps its stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof MigrationError || error instanceof MissingRolesError)
    return error.message;
  if (!(error instanceof Error)) return String(error);
  // The driver's message names the host and the cause ("password authentication failed for user …"); some errors have
  // a code alone.
  return 'code' in error ? `PostgreSQL: ${error.message || String(error.code)}` : (error.stack ?? error.message);
}
