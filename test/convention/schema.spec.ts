// The tables' two descriptions agree: prisma/migrations give exactly prisma/schema.prisma.
import assert from 'node:assert/strict';
import { checkSchema, readSchema, schemaAsSql } from '../../dev/schema-engine.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';

describe('the schema', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  it('is exactly what the migrations give', async () => {
    const { matches, missingSql } = await checkSchema(database.url);
    assert.ok(matches, `prisma/schema.prisma has what the migrations do not give; add a migration with:\n${missingSql}`);
  });

  it('is found to differ when it has a table that no migration makes', async () => {
    const extended = `${readSchema()}\nmodel NotMigrated {\n  id String @id\n}\n`;
    const { matches, missingSql } = await checkSchema(database.url, extended);
    assert.equal(matches, false);
    assert.match(missingSql, /CREATE TABLE "NotMigrated"/);
  });

  it('can be written as SQL', async () => {
    assert.match(await schemaAsSql(database.url), /CREATE TABLE "operation"/);
  });
});
