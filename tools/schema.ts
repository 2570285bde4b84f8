// `npm run schema -- check | sql`: do the migrations give exactly prisma/schema.prisma (exit code 2: no), or the schema as SQL.
// Needs a PostgreSQL whose user may create databases, in DATABASE_URL; for example the one of `npm test -- --serve`.
import { checkSchema, mayCreateDatabases, schemaAsSql } from './schema-engine.js';

const [command] = process.argv.slice(2);
const databaseUrl = process.env['DATABASE_URL'] ?? process.env['TEST_POSTGRES_URL'];

if (databaseUrl === undefined || (command !== 'check' && command !== 'sql')) {
  process.stderr.write('usage: DATABASE_URL=postgresql://… npm run schema -- check|sql\n');
  process.exit(1);
}

if (command === 'sql') {
  process.stdout.write(await schemaAsSql(databaseUrl));
} else if (!(await mayCreateDatabases(databaseUrl))) {
  process.stderr.write(
    'schema: the role in DATABASE_URL needs the right to create databases (ALTER ROLE … CREATEDB): the migrations are applied to a temporary one\n',
  );
  process.exitCode = 1;
} else {
  const { matches, missingSql } = await checkSchema(databaseUrl);
  process.stdout.write(matches ? 'the migrations give exactly the schema\n' : `the migrations lack:\n${missingSql}`);
  process.exitCode = matches ? 0 : 2;
}
