// The tables' two descriptions agree: prisma/migrations give exactly prisma/schema.prisma.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import { createTestDatabase, type TestDatabase, testPostgresUrl } from '../../lab/harness/database.js';
import { readCatalogue } from '../../tools/schema/catalogue.js';
import { compareMigrations } from '../../tools/schema/check.js';
import { differencesOf } from '../../tools/schema/compare.js';
import { describedCatalogue } from '../../tools/schema/datamodel.js';

/** Compiled or as source, as this test itself runs. */
const PROGRAM = import.meta.url.endsWith('.js')
  ? [join(import.meta.dirname, '..', '..', 'tools', 'schema', 'main.js')]
  : ['--import', 'tsx', join(import.meta.dirname, '..', '..', 'tools', 'schema', 'main.ts')];

/** What somebody changed in the database alone, and how the check says it. */
const CHANGES: readonly [sql: string, difference: string][] = [
  ['DROP TABLE nonce', 'table nonce: missing in the database'],
  ['CREATE TABLE extra (id text PRIMARY KEY)', 'table extra: not in the schema'],
  ['ALTER TABLE alert DROP COLUMN detail', 'column alert.detail: missing in the database'],
  ['ALTER TABLE alert ADD COLUMN extra text', 'column alert.extra: not in the schema'],
  [
    'ALTER TABLE alert ALTER detail TYPE varchar(9)',
    'column alert.detail: is character varying(9), the schema says text',
  ],
  [
    'ALTER TABLE alert ALTER created_at TYPE timestamptz(6)',
    'column alert.created_at: is timestamp(6) with time zone, the schema says timestamp(3) with time zone',
  ],
  [
    'ALTER TABLE withdrawal ALTER fee_minor TYPE decimal(38, 2)',
    'column withdrawal.fee_minor: is numeric(38,2), the schema says numeric(38,0)',
  ],
  [
    'ALTER TABLE api_key ALTER scopes TYPE text USING scopes[1]',
    'column api_key.scopes: is text, the schema says text[]',
  ],
  ['ALTER TABLE alert ALTER detail DROP NOT NULL', 'column alert.detail: may be null, the schema says otherwise'],
  [
    'ALTER TABLE alert ALTER occasion SET NOT NULL',
    'column alert.occasion: may not be null, the schema says otherwise',
  ],
  [
    'ALTER TABLE operation ALTER status DROP DEFAULT',
    'column operation.status: has the default null, the schema says active',
  ],
  [
    `ALTER TABLE operation ALTER status SET DEFAULT 'suspended'`,
    'column operation.status: has the default suspended, the schema says active',
  ],
  [
    `ALTER TABLE alert ALTER detail SET DEFAULT 'none'`,
    'column alert.detail: has the default none, the schema says null',
  ],
  [
    'DROP INDEX alert_resolved_at_created_at_idx',
    'table alert: index (resolved_at, created_at) is missing in the database',
  ],
  ['CREATE INDEX ON alert (detail)', 'table alert: index (detail) is not in the schema'],
  [
    'DROP INDEX payout_send_reference_key; CREATE INDEX ON payout_send (reference)',
    'table payout_send: unique index (reference) is missing in the database',
  ],
  [
    'DROP INDEX idempotency_key_trace_ids_idx; CREATE INDEX ON idempotency_key (trace_ids)',
    'table idempotency_key: index (trace_ids) using gin is missing in the database',
  ],
  [
    'ALTER TABLE nonce DROP CONSTRAINT nonce_pkey, ADD PRIMARY KEY (nonce, key_id)',
    'table nonce: primary key (key_id, nonce) is missing in the database',
  ],
  [
    'ALTER TABLE api_key DROP CONSTRAINT api_key_operation_id_fkey',
    'table api_key: foreign key (operation_id) to operation (id), on delete Restrict, on update Cascade ' +
      'is missing in the database',
  ],
  [
    'ALTER TABLE nonce ADD FOREIGN KEY (key_id) REFERENCES api_key (key_id) ON DELETE CASCADE',
    'table nonce: foreign key (key_id) to api_key (key_id), on delete Cascade, on update NoAction is not in the schema',
  ],
];

describe('the schema', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let client: pg.Client;
  before(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  after(async () => {
    await client?.end();
    await database?.drop();
  });

  it('is exactly what the migrations give', async () => {
    assert.deepEqual(await compareMigrations(testPostgresUrl()), []);
  });

  for (const [sql, difference] of CHANGES) {
    it(`differs after ${sql}`, async () => {
      await client.query(`BEGIN; ${sql}`);
      try {
        const differences = differencesOf(describedCatalogue(), await readCatalogue(client));
        assert.ok(differences.includes(difference), differences.join('\n') || 'no difference');
      } finally {
        await client.query('ROLLBACK');
      }
    });
  }

  it('says of every table what it is for', () => {
    const undocumented = readFileSync(inRoot('prisma', 'schema.prisma'), 'utf8').match(/(?<!\/\/\/.*\n)^model \w+/gm);
    assert.equal(undocumented, null);
  });

  it('is not checked by a role that may not create databases, which is one line', async () => {
    const [role, password] = [`checker_${randomUUID().slice(0, 8)}`, randomUUID()];
    try {
      await client.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
      await client.query(`GRANT CONNECT ON DATABASE ${new URL(database.url).pathname.slice(1)} TO ${role}`);
      const url = Object.assign(new URL(database.url), { username: role, password });
      const { status, stdout, stderr } = spawnSync(process.execPath, PROGRAM, {
        env: { PATH: process.env['PATH'], DATABASE_URL: url.href },
        encoding: 'utf8',
        timeout: 30_000,
      });
      assert.deepEqual([status, stdout], [1, '']);
      assert.match(stderr, /^schema: the role in DATABASE_URL needs the right to create databases[^\n]*\n$/);
    } finally {
      await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });
});
