// What each role of the database may do: exactly what prisma/grants.ts says, tried as that role on everything that the
// catalogues of the database hold; and attacks. About 10 s.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { administratorSql } from '../../../prisma/administrator.js';
import { applyGrants, createRoles } from '../../../prisma/apply-grants.js';
import { deployDatabase } from '../../../prisma/deploy.js';
import { type Environment, mayExecute, rightsOn, TABLE_GRANTS } from '../../../prisma/grants.js';
import { FUNCTION_GRANTS } from '../../../prisma/grants/functions.js';
import { type Role, ROLE_NAMES, roleOfWorker } from '../../../prisma/roles.js';
import { createTestDatabase, type TestDatabase } from '../../../lab/harness/database.js';

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
  /** By its name, the table that numbers its rows by it. */
  const sequences = new Map<string, string>();
  const signatures = new Map<string, string>();
  /** Functions of PostgreSQL itself by which a role that only reads would write, or stop others. */
  const writing = new Map<string, string>();

  before(async () => {
    test = await createTestDatabase();
    owner = await connected(test.url);
    for (const role of ROLE_NAMES) clients.set(role, await connected(test.urlOfRole(role)));
    const { rows } = await owner.query<{ name: string; columns: string[] }>(
      `SELECT relname AS name, array_agg(attname::text ORDER BY attnum) AS columns
       FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f') GROUP BY 1 ORDER BY 1`,
    );
    for (const { name, columns } of rows) columnsOf.set(name, columns);
    const numbered = await owner.query<{ name: string; of: string }>(
      `SELECT sequence.relname AS name, refobjid::regclass::text AS of
       FROM pg_class AS sequence JOIN pg_depend ON objid = sequence.oid AND deptype IN ('a', 'i')
       WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' AND refclassid = 'pg_class'::regclass`,
    );
    for (const { name, of } of numbered.rows) sequences.set(name, of);
    const found = await owner.query<{ name: string; call: string; is_ours: boolean }>(
      `SELECT proname AS name, pronamespace = 'public'::regnamespace AS is_ours, format('%I(%s)', proname, (
         SELECT string_agg(
           format(CASE WHEN proisstrict THEN '''0''::%s' ELSE 'NULL::%s' END, format_type(type, NULL)), ', '
           ORDER BY position)
         FROM unnest(proargtypes::oid[]) WITH ORDINALITY AS argument (type, position)
       )) AS call
       FROM pg_proc
       WHERE pronamespace = 'public'::regnamespace
         OR (pronamespace = 'pg_catalog'::regnamespace
           AND proname ~ '^(lo_|loread|lowrite|pg_logical_emit_message|pg_(try_)?advisory_)')`,
    );
    for (const { name, call, is_ours } of found.rows) (is_ours ? signatures : writing).set(is_ours ? name : call, call);
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
      {
        what: `LOCK ROWS ${table}`,
        sql: `SELECT FROM "${table}" LIMIT 0 FOR UPDATE`,
        isGranted: rights.select.length > 0 && rights.update.length > 0,
      },
      // Who may remove every row of a table may hold everybody up there in any case.
      { what: `LOCK ${table}`, sql: `LOCK TABLE "${table}" IN ACCESS EXCLUSIVE MODE`, isGranted: rights.delete },
      never('TRUNCATE', `TRUNCATE "${table}" CASCADE`),
      never('TRIGGER', `CREATE TRIGGER mine BEFORE UPDATE ON "${table}" FOR EACH ROW ${TRIGGER}`),
      never('DISABLE TRIGGER', `ALTER TABLE "${table}" DISABLE TRIGGER ALL`),
      never('OWNER', `ALTER TABLE "${table}" OWNER TO CURRENT_USER`),
      never('DROP', `DROP TABLE "${table}" CASCADE`),
    ];
  }

  /** Numbers are taken by who inserts; nobody sets them back. */
  function numberTriesOf([sequence, table]: readonly [string, string], role: Role): Try[] {
    const { insert } = rightsOn(table, columnsOf.get(table) ?? [], role, 'sandbox');
    return [
      { what: `nextval ${sequence}`, sql: `SELECT nextval('"${sequence}"')`, isGranted: insert },
      { what: `setval ${sequence}`, sql: `SELECT setval('"${sequence}"', 1)`, isGranted: false },
      { what: `SELECT ${sequence}`, sql: `SELECT last_value FROM "${sequence}"`, isGranted: false },
    ];
  }

  it('the database has the tables of the list, and two that a deployment keeps', () => {
    const listed = [...Object.keys(TABLE_GRANTS), '_prisma_migrations', '_applied_functions'];
    assert.deepEqual(new Set(columnsOf.keys()), new Set(listed));
    assert.ok(sequences.size > 4 && writing.size > 30);
  });

  for (const role of ROLE_NAMES)
    it(`${role}: every table, column and verb that is granted passes, every other one is refused`, async () => {
      const tries = [
        ...[...columnsOf.keys()].flatMap((table) => triesOf(table, role, 'sandbox')),
        ...[...sequences].flatMap((sequence) => numberTriesOf(sequence, role)),
      ];
      assert.ok(tries.length > 1_000);
      const granted = tries.filter(({ isGranted }) => isGranted).map(({ what }) => what);
      assert.deepEqual(await passing(as(role), tries), granted);
    });

  for (const role of ROLE_NAMES)
    it(`${role}: calls the functions that it is granted, and no other`, async () => {
      const tries = [...signatures, ...writing].map(([name, call]) => ({
        what: name,
        // It is asked whether it may, and not called.
        sql: `SELECT ${call} FROM generate_series(1, 0)`,
        isGranted: signatures.has(name) && mayExecute(name, role),
      }));
      assert.deepEqual(new Set(signatures.keys()), new Set(Object.keys(FUNCTION_GRANTS)));
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
      ['attack 66: a large object, beside all tables', `SELECT lo_create(0)`],
      ['attack 66: a large object with a content', `SELECT lo_from_bytea(0, 'x')`],
      ['attack 66: everybody’s large objects', `SET lo_compat_privileges = on`],
      ['attack 66: a large object of a file', `SELECT lo_import('/etc/passwd')`],
      [
        'attack 57: hold every act of people up by the lock that the audit trail had',
        `SELECT pg_advisory_xact_lock(hashtextextended('append_audit', 0))`,
      ],
      ['attack 57: by the row that it locks', `SELECT FROM named_lock WHERE name = 'append_audit' FOR UPDATE`],
      ['attack 57: by its table', `LOCK TABLE audit_entry IN EXCLUSIVE MODE`],
      ['hold the next deployment up', `SELECT pg_try_advisory_lock(72707369)`],
      [
        'attack 59: freeze a day of next year, which nobody can repair',
        `INSERT INTO reconciliation_day (operation_id, currency, date, item_count, carried_count, deposits_paid_minor,
           withdrawals_paid_minor, refunds_minor, chargebacks_minor, fees_minor, digest, through_entry_id, frozen_at)
         SELECT 'op', 'BRL', current_date + 365, 0, 0, 0, 0, 0, 0, 0, repeat('0', 64), 0, now()`,
      ],
      [
        'attack 59: add an item to a frozen day',
        `INSERT INTO reconciliation_item SELECT 'op', 'BRL', current_date - 9, 1, 1, '{}'`,
      ],
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

  it('attack 57: whatever others hold, an act is appended', async () => {
    const other = await connected(test.url);
    try {
      // As if a server had left these functions to everybody.
      await other.query(`SELECT pg_advisory_lock(hashtextextended('append_audit', 0))`);
      await as('gateway_reader').query('BEGIN; SELECT * FROM audit_entry LIMIT 1; SELECT * FROM named_lock');
      await as('gateway_command').query(`SET statement_timeout = '10s'`);
      const { rows } = await as('gateway_command').query(
        `SELECT append_audit(NULL, now(), 'ana', 'operation.suspend', NULL, NULL, '{}') > 0 AS appended`,
      );
      assert.deepEqual(rows, [{ appended: true }]);
    } finally {
      await as('gateway_reader').query('ROLLBACK');
      await as('gateway_command').query('RESET statement_timeout');
      await other.end();
    }
  });

  it('attack 59: nobody freezes a day ahead, or an unfinished one, by the function that freezes days', async () => {
    const { rows: days } = await owner.query<{ day: string }>(
      `SELECT unnest(ARRAY[current_date, current_date + 1, current_date + 365])::text AS day`,
    );
    for (const role of ROLE_NAMES.filter((one) => mayExecute('freeze_days', one)))
      for (const { day } of days)
        assert.deepEqual((await as(role).query(`SELECT * FROM freeze_days('op', 'BRL', '${day}')`)).rows, [
          { days: null, last: null },
        ]);
    assert.deepEqual((await owner.query('SELECT FROM reconciliation_day')).rows, []);
  });

  it('attack 60: only the workers that check say what a check of the gateway found', async () => {
    const lie = `('ledger', now(), now(), 0, '{}')`;
    for (const role of ROLE_NAMES) {
      await as(role).query('BEGIN');
      const outcome = await as(role)
        .query(`INSERT INTO self_check (name, ran_at, succeeded_at, problems, figures) VALUES ${lie}`)
        .then(
          () => 'stored',
          (error: unknown) => (error as { code?: string }).code,
        );
      await as(role).query('ROLLBACK');
      const checks = role === 'gateway_payments' || role === 'gateway_worker';
      assert.equal(outcome, checks ? 'stored' : PERMISSION_DENIED, role);
    }
  });

  it('no session of a role hangs for ever: statements, locks and open transactions end', async () => {
    for (const role of ROLE_NAMES) {
      const { rows } = await as(role).query(
        `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
           current_setting('idle_in_transaction_session_timeout') AS idle`,
      );
      assert.deepEqual(rows, [{ statement: '5min', lock: '30s', idle: '1min' }], role);
    }
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

  it('production: an api makes no people, roles, acts or outages, and no deliveries', async () => {
    const tables = ['staff', 'staff_role', 'staff_act', 'operation', 'webhook_delivery'];
    const [sandbox, production] = (['sandbox', 'production'] as const).map((environment) =>
      tables.flatMap((table) => triesOf(table, 'gateway_api', environment).filter(({ isGranted }) => isGranted)),
    );
    try {
      assert.deepEqual(await applyGrants(owner, 'production'), []);
      const tries = tables.flatMap((table) => triesOf(table, 'gateway_api', 'production'));
      const passed = await passing(as('gateway_api'), tries);
      assert.deepEqual(
        passed,
        production?.map(({ what }) => what),
      );
      assert.deepEqual(
        passed.filter((what) => !/^(SELECT|LOCK ROWS) operation|^SELECT webhook_delivery/.test(what)),
        [],
      );
      assert.ok((sandbox?.length ?? 0) > passed.length);
    } finally {
      await applyGrants(owner, 'sandbox');
    }
  });

  it('an owner who is no administrator: the deployment says what an administrator must close, and works after it', async () => {
    const name = `owned_${randomUUID().slice(0, 8)}`;
    const urlAs = (user: string, password: string) => {
      const url = new URL(test.url);
      [url.username, url.password, url.pathname] = [user, password, `/${name}`];
      return url.toString();
    };
    const { username, password } = new URL(test.url);
    await owner.query(`CREATE ROLE ${name} LOGIN PASSWORD 'p'`);
    await owner.query(`CREATE DATABASE ${name} OWNER ${name}`);
    try {
      const { openToRoles } = await deployDatabase(urlAs(name, 'p'));
      assert.deepEqual(openToRoles, ['large objects', 'advisory locks']);
      const administrator = await connected(urlAs(username, password));
      try {
        await administrator.query(administratorSql());
        assert.deepEqual((await deployDatabase(urlAs(name, 'p'))).openToRoles, []);
        // What takes a lock for a role still does.
        for (const [role, call] of [
          ['gateway_api', 'sweep_requests(1)'],
          ['gateway_rules', `is_order_refused('dep_1')`],
          ['gateway_command', `lock_statements('a')`],
          ['gateway_command', `append_audit(NULL, now(), 'ana', 'x', NULL, NULL, '{}')`],
        ] as const) {
          await administrator.query(`SET ROLE ${role}`);
          await administrator.query(`SELECT ${call}`);
          await assert.rejects(administrator.query('SELECT lo_create(0)'), { code: PERMISSION_DENIED });
          await assert.rejects(administrator.query('SELECT pg_advisory_lock(1)'), { code: PERMISSION_DENIED });
          await administrator.query('RESET ROLE');
        }
      } finally {
        await administrator.end();
      }
    } finally {
      await owner.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await owner.query(`DROP ROLE ${name}`);
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
