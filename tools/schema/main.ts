// `npm run schema`: do the migrations give exactly prisma/schema.prisma? If not, exits with 2 and one line per
// difference. Needs a PostgreSQL whose user may create databases, in DATABASE_URL; `npm test -- --serve` has one.
import { compareMigrations, hasSchemaEngine, mayCreateDatabases } from './check.js';

const databaseUrl = process.env['DATABASE_URL'] ?? process.env['TEST_POSTGRES_URL'];

if (databaseUrl === undefined) {
  process.stderr.write('usage: DATABASE_URL=postgresql://… npm run schema\n');
  process.exitCode = 1;
} else if (!(await mayCreateDatabases(databaseUrl))) {
  process.stderr.write(
    'schema: the role in DATABASE_URL needs the right to create databases (ALTER ROLE … CREATEDB): ' +
      'the migrations are applied to a temporary one\n',
  );
  process.exitCode = 1;
} else {
  const differences = await compareMigrations(databaseUrl);
  const by = hasSchemaEngine() ? 'by comparison and by prisma migrate diff' : 'by comparison';
  process.stdout.write(
    differences.length === 0 ? `the migrations give exactly the schema (${by})\n` : `${differences.join('\n')}\n`,
  );
  process.exitCode = differences.length === 0 ? 0 : 2;
}
