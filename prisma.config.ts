// Prisma's command line: where schema and migrations are. Migrations are applied by prisma/deploy.ts.
import { defineConfig } from 'prisma/config';

// `generate`, `validate` and `format` run in WebAssembly and only want the native schema engine's file to exist; it
// comes by a download that not every machine can make. Other commands (`migrate diff`, …) would print nothing and
// succeed with a wrong file, so those keep looking for the real one.
const WITHOUT_NATIVE_ENGINE = new Set(['generate', 'validate', 'format']);
if (process.argv.some((argument) => WITHOUT_NATIVE_ENGINE.has(argument))) {
  process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath;
}

// An empty database, for `prisma migrate diff --from-migrations`.
const shadowDatabaseUrl = process.env['SHADOW_DATABASE_URL'];

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  ...(shadowDatabaseUrl !== undefined && { datasource: { shadowDatabaseUrl } }),
});
