// What each role of the database may do: exactly what prisma/grants.ts says, tried as that role; and attacks. About 5
// s.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { applyGrants, createRoles } from '../../../prisma/apply-grants.js';
import { type Environment, mayExecute, rightsOn, TABLE_GRANTS } from '../../../prisma/grants.js';
import { FUNCTION_GRANTS } from '../../../prisma/grants/functions.js';
import { type Role, ROLE_NAMES, roleOfWorker } from '../../../prisma/roles.js';
import { createTestDatabase, type TestDatabase } from '../../../tools/harness/database.js';

/** A statement that does nothing, and whether the role may make it. */
interface Try {
  readonly what: string;
  readonly sql: string;
  readonly isGranted: boolean;
}

const PERMISSION_DENIED = '42501';
const TRIGGER = 'EXECUTE FUNCTION suppress_redundant_updates_trigger()';

describe('the roles of the database', function () {
  this.timeout(120_000);
  let test: TestDatabase;
  let owner: pg.Client;
  const clients = new Map<Role, pg.Client>();
  const columnsOf = new Map<string, string[]>();
  const signatures = new Map<string, string>();

  before(async () => {
    test = await createTestDatabase();
    owner = await connected(test.url);
    for (const role of ROLE_NAMES) clients.set(role, await connected(test.urlOfRole(role)));
    const { rows } = await owner.query<{ name: string; columns: string[] }>(
      `SELECT table_name AS name, array_agg(column_name::text ORDER BY ordinal_position) AS columns
       FROM information_schema.columns WHERE table_schema = 'public' GROUP BY 1`,
    );
    for (const { name, columns } of rows) columnsOf.set(name, columns);
    const found = await owner.query<{ name: string; call: string }>(
      `SELECT proname AS name, format('%I(%s)', proname, (
         SELECT string_agg(format('NULL::%s', format_type(type, NULL)), ', ' ORDER BY position)
         FROM unnest(proargtypes::oid[]) WITH ORDINALITY AS argument (type, position)
       )) AS call
       FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prorettype <> 'trigger'::regtype`,
    );
    for (const { name, call } of found.rows) signatures.set(name, call);
  });
  after(async () => {
    for (const client of [...clients.values(), owner]) await client?.end();
    await test?.drop();
  });

  const as = (role: Role) => clients.get(role) as pg.Client;
  async function connected(url: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
    await client.connect();
    return client;
  }

  /** What of these was not refused, in one round trip; all of it is undone. */
  async function passing(client: pg.Client, tries: readonly Try[]): Promise<string[]> {
    const statements = tries.map(({ sql }) => pg.escapeLiteral(sql)).join(', ');
    await client.query('BEGIN');
    try {
      await client.query(`DO $do$
        DECLARE
          statements text[] := ARRAY[${statements}];
          passed text := '';
        BEGIN
          FOR i IN 1 .. cardinality(statements) LOOP
            BEGIN
              EXECUTE statements[i];
              passed := passed || i || ' ';
            EXCEPTION
              WHEN insufficient_privilege THEN NULL;
              WHEN OTHERS THEN passed := passed || i || ' ';
            END;
          END LOOP;
          PERFORM set_config('test.passed', passed, true);
        END $do$`);
      const { rows } = await client.query<{ passed: string }>(`SELECT current_setting('test.passed') AS passed`);
      const numbers = rows[0]?.passed.split(' ').filter((part) => part !== '') ?? [];
      return numbers.map((number) => tries[Number(number) - 1]?.what ?? number);
    } finally {
      await client.query('ROLLBACK');
    }
  }

  function triesOf(table: string, role: Role, environment: Environment): Try[] {
    const columns = columnsOf.get(table) ?? [];
    const rights = rightsOn(table, columns, role, environment);
    const never = (verb: string, sql: string) => ({ what: `${verb} ${table}`, sql, isGranted: false });
    return [
      ...columns.map((column) => ({
        what: `SELECT ${table}.${column}`,
        sql: `SELECT "${column}" FROM "${table}" LIMIT 0`,
        isGranted: rights.select === 'all' || rights.select.includes(column),
      })),
      ...columns.map((column) => ({
        what: `UPDATE ${table}.${column}`,
        sql: `UPDATE "${table}" SET "${column}" = NULL WHERE FALSE`,
        isGranted: rights.update.includes(column),
      })),
      { what: `INSERT ${table}`, sql: `INSERT INTO "${table}" DEFAULT VALUES`, isGranted: rights.insert },
      { what: `DELETE ${table}`, sql: `DELETE FROM "${table}" WHERE FALSE`, isGranted: rights.delete },
      never('TRUNCATE', `TRUNCATE "${table}" CASCADE`),
      never('TRIGGER', `CREATE TRIGGER mine BEFORE UPDATE ON "${table}" FOR EACH ROW ${TRIGGER}`),
      never('DISABLE TRIGGER', `ALTER TABLE "${table}" DISABLE TRIGGER ALL`),
      never('OWNER', `ALTER TABLE "${table}" OWNER TO CURRENT_USER`),
      never('DROP', `DROP TABLE "${table}" CASCADE`),
    ];
  }

  const tablesToo = () => [...Object.keys(TABLE_GRANTS), '_prisma_migrations', '_applied_functions'];

  for (const role of ROLE_NAMES)
    it(`${role}: every table, column and verb that is granted passes, every other one is refused`, async () => {
      const tries = tablesToo().flatMap((table) => triesOf(table, role, 'sandbox'));
      assert.ok(tries.length > 500);
      const granted = tries.filter(({ isGranted }) => isGranted).map(({ what }) => what);
      assert.deepEqual(await passing(as(role), tries), granted);
    });

  for (const role of ROLE_NAMES)
    it(`${role}: calls the functions that it is granted, and no other`, async () => {
      const tries = [...signatures].map(([name, call]) => ({
        what: name,
        sql: `SELECT ${call}`,
        isGranted: mayExecute(name, role),
      }));
      assert.ok(tries.length > 8 && tries.every(({ what }) => what in FUNCTION_GRANTS));
      const granted = tries.filter(({ isGranted }) => isGranted).map(({ what }) => what);
      assert.deepEqual(await passing(as(role), tries), granted);
    });

  describe('attacks, no matter who makes them', () => {
    const ATTACKS: readonly (readonly [what: string, sql: string])[] = [
      ['switch triggers off for the session', `SET session_replication_role = replica`],
      ['switch the guard of a book off', `ALTER TABLE ledger_entry DISABLE TRIGGER ledger_entry_append_only`],
      ['drop the guard', `DROP TRIGGER ledger_entry_append_only ON ledger_entry`],
      [
        'replace the guard’s function',
        `CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`,
      ],
      ['empty the ledger', `TRUNCATE ledger_entry CASCADE`],
      ['alter a ledger entry', `UPDATE ledger_entry SET amount_minor = amount_minor * 10`],
      ['remove an audit entry', `DELETE FROM audit_entry`],
      [
        'write an audit entry of its own',
        `INSERT INTO audit_entry VALUES (1, NULL, now(), 'a', 'b', NULL, NULL, '{}', '', '')`,
      ],
      ['set a seal of the chain back', `UPDATE audit_seal SET sequence = 1`],
      ['raise the amount of a payout', `UPDATE withdrawal SET amount_minor = 100000000`],
      ['point a payout at another key', `UPDATE withdrawal SET request_sealed = request_sealed, destination_hash = ''`],
      ['shadow a table that functions use', `CREATE TEMPORARY TABLE audit_entry (sequence bigint, hash text)`],
      [
        'shadow a function',
        `CREATE FUNCTION public.now() RETURNS timestamptz LANGUAGE sql AS 'SELECT NULL::timestamptz'`,
      ],
      ['a schema of its own', `CREATE SCHEMA mine`],
      ['a look at every value by a view', `CREATE VIEW public.mine AS SELECT * FROM player`],
      ['become the owner', `SET ROLE postgres`],
      ['become another process', `SET ROLE gateway_payments; SET ROLE gateway_api; SET ROLE gateway_reader`],
      ['make a role', `CREATE ROLE mine SUPERUSER`],
      ['give itself a right', `ALTER ROLE CURRENT_USER SUPERUSER`],
      ['write a file', `COPY operation TO '/tmp/stolen'`],
      ['run a program', `COPY operation TO PROGRAM 'true'`],
      ['write a large object over the limits of tables', `SELECT lo_import('/etc/passwd')`],
      [
        'another format or length under a seal',
        `SELECT reseal('player', 'document_sealed', ARRAY['operation_id','external_ref'], ARRAY['["o","p"]'],
           ARRAY['\\x01026b31aabb'::bytea], ARRAY['\\x01026b32aabbcc'::bytea])`,
      ],
      [
        'reseal what is no seal',
        `SELECT reseal('withdrawal', 'amount_minor', ARRAY['id'], ARRAY['["w"]'],
           ARRAY['\\x01026b31aa'::bytea], ARRAY['\\x01026b32aa'::bytea])`,
      ],
    ];
    for (const [what, sql] of ATTACKS)
      it(what, async () => {
        for (const role of ROLE_NAMES) {
          await as(role).query('BEGIN');
          const error = await as(role)
            .query(sql)
            .then(
              () => undefined,
              (reason: unknown) => reason,
            );
          await as(role).query('ROLLBACK');
          assert.equal((error as { code?: string } | undefined)?.code, PERMISSION_DENIED, `${role}: ${String(error)}`);
        }
      });
  });

  describe('another process’s secrets', () => {
    const UNREADABLE: readonly (readonly [Role, string])[] = [
      ['gateway_webhooks', 'withdrawal.request_sealed'],
      ['gateway_webhooks', 'deposit.request_sealed'],
      ['gateway_webhooks', 'player.document_sealed'],
      ['gateway_webhooks', 'api_key.secret_sealed'],
      ['gateway_payments', 'api_key.secret_sealed'],
      ['gateway_payments', 'webhook_secret.secret_sealed'],
      ['gateway_payments', 'event.body_sealed'],
      ['gateway_payments', 'staff_session.token_hash'],
      ['gateway_rules', 'webhook_secret.secret_sealed'],
      ['gateway_rules', 'staff_act.reason'],
      ['gateway_api', 'deposit.request_sealed'],
      ['gateway_api', 'player.document_sealed'],
      ['gateway_ingress', 'withdrawal.request_sealed'],
      ['gateway_ingress', 'provider_callback.body_sealed'],
      ['gateway_reader', 'event.body_sealed'],
      ['gateway_reader', 'data_key.wrapped'],
      ['gateway_reader', 'staff_sign_in_link.token_hash'],
    ];
    for (const [role, name] of UNREADABLE)
      it(`${role} cannot read ${name}`, async () => {
        const [table = '', column = ''] = name.split('.');
        await assert.rejects(as(role).query(`SELECT "${column}" FROM "${table}"`), { code: PERMISSION_DENIED });
      });
  });

  it('a row of an audited table is written with its audit entry by a role that may not write the chain', async () => {
    const operation = `op_${randomUUID()}`;
    await owner.query(
      `INSERT INTO operation (id, name, environment, provider) VALUES ($1, 'a', 'sandbox', 'simulator')`,
      [operation],
    );
    await as('gateway_command').query(
      `INSERT INTO rule_set_version (operation_id, version, rules, created_by) VALUES ($1, 1, '{}', 'ana')`,
      [operation],
    );
    const { rows } = await owner.query('SELECT person, action FROM audit_entry WHERE operation_id = $1', [operation]);
    assert.deepEqual(rows, [{ person: 'ana', action: 'rules.set' }]);
  });

  it('production: an api makes no people, roles, acts or outages, and reads no deliveries', async () => {
    const own = await createTestDatabase();
    const [ownerOfIt, api] = [await connected(own.url), await connected(own.urlOfRole('gateway_api'))];
    try {
      assert.deepEqual(await applyGrants(ownerOfIt, 'production'), []);
      const tables = ['staff', 'staff_role', 'staff_act', 'operation', 'webhook_delivery'];
      const [sandbox, production] = (['sandbox', 'production'] as const).map((environment) =>
        tables.flatMap((table) => triesOf(table, 'gateway_api', environment).filter(({ isGranted }) => isGranted)),
      );
      const passed = await passing(
        api,
        tables.flatMap((table) => triesOf(table, 'gateway_api', 'production')),
      );
      assert.deepEqual(
        passed,
        production?.map(({ what }) => what),
      );
      assert.deepEqual(
        passed.filter((what) => !what.startsWith('SELECT operation.')),
        [],
      );
      assert.ok((sandbox?.length ?? 0) > passed.length);
    } finally {
      await Promise.all([ownerOfIt.end(), api.end()]);
      await own.drop();
    }
  });

  it('roles that are missing: an owner with the right creates them, another gets their names', async () => {
    const [maker, plain, wanted] = ['maker', 'plain', 'wanted'].map(
      (name) => `${name}_${randomUUID().slice(0, 8)}`,
    ) as [string, string, string];
    try {
      await owner.query(`CREATE ROLE ${maker} CREATEROLE; CREATE ROLE ${plain}`);
      await owner.query(`SET ROLE ${plain}`);
      assert.deepEqual(await createRoles(owner, [wanted]), [wanted]);
      await owner.query(`RESET ROLE; SET ROLE ${maker}`);
      assert.deepEqual(await createRoles(owner, [wanted]), []);
      await owner.query('RESET ROLE');
      const { rows } = await owner.query('SELECT rolcanlogin, rolsuper, rolinherit FROM pg_roles WHERE rolname = $1', [
        wanted,
      ]);
      assert.deepEqual(rows, [{ rolcanlogin: false, rolsuper: false, rolinherit: true }]);
    } finally {
      await owner.query(
        `RESET ROLE; DROP ROLE IF EXISTS ${wanted}; DROP ROLE IF EXISTS ${maker}; DROP ROLE IF EXISTS ${plain}`,
      );
    }
  });

  it('a worker’s role is the least that serves its queues', () => {
    const roles = [
      'payments,rules',
      'providers,rules',
      'provider-a',
      'rules',
      'webhooks',
      'payments,webhooks',
      undefined,
    ];
    assert.deepEqual(roles.map(roleOfWorker), [
      'gateway_payments',
      'gateway_payments',
      'gateway_payments',
      'gateway_rules',
      'gateway_webhooks',
      'gateway_worker',
      'gateway_worker',
    ]);
  });
});
