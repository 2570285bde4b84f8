// The role of a process's connection: production refuses one that could switch the books' guards off. About 2 s.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createDatabase, faultOfRole, roleRefusal, watchRole } from '../../../store/database.js';
import { createTestDatabase, type TestDatabase } from '../../../lab/harness/database.js';
import { runWith } from '../cli/support.js';

describe('the role of a process', function () {
  this.timeout(60_000);
  let test: TestDatabase;
  before(async () => (test = await createTestDatabase()));
  after(() => test.drop());

  async function within<Result>(url: string, work: (database: ReturnType<typeof createDatabase>) => Promise<Result>) {
    const database = createDatabase({ url, poolSize: 1, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 });
    try {
      return await work(database);
    } finally {
      await database.$disconnect();
    }
  }
  const faultOf = (url: string) => within(url, faultOfRole);

  it('the owner of the tables, a member of it, a superuser → refused, with what to do', async () => {
    assert.equal(await faultOf(test.url), 'superuser');
    const [owner, member] = [`owner_${randomUUID().slice(0, 8)}`, `member_${randomUUID().slice(0, 8)}`];
    const as = (username: string) => Object.assign(new URL(test.url), { username, password: 'p' }).href;
    await within(test.url, async (database) => {
      const run = (sql: string) => database.$executeRawUnsafe(sql);
      await run(`CREATE ROLE ${owner} LOGIN PASSWORD 'p'`);
      await run(`CREATE ROLE ${member} LOGIN NOINHERIT PASSWORD 'p' IN ROLE ${owner}`);
      try {
        await run(`GRANT CONNECT ON DATABASE ${new URL(test.url).pathname.slice(1)} TO ${owner}, ${member}`);
        await run(`GRANT USAGE ON SCHEMA public TO ${owner}, ${member}`);
        await run(`ALTER TABLE operation OWNER TO ${owner}`);
        assert.deepEqual([await faultOf(as(owner)), await faultOf(as(member))], ['owner', 'owner']);
        await run('ALTER TABLE operation OWNER TO CURRENT_USER');
        assert.equal(await faultOf(as(member)), null);
      } finally {
        await run('ALTER TABLE operation OWNER TO CURRENT_USER');
        for (const role of [member, owner]) {
          await run(`DROP OWNED BY ${role}`);
          await run(`DROP ROLE ${role}`);
        }
      }
    });
    assert.match(roleRefusal('owner'), /^DATABASE_URL: connects as the owner .*Roles of the database\)$/);
  });

  it('the roles that are made for processes → nothing to say', async () => {
    for (const role of ['gateway_api', 'gateway_worker', 'gateway_command'] as const)
      assert.equal(await faultOf(test.urlOfRole(role)), null);
  });

  it('a process of production ends, one of a sandbox continues', async () => {
    await within(test.url, async (database) => {
      const ended = new Promise<string>((resolve) => watchRole(database, 'production', resolve));
      assert.match(await ended, /connects as a superuser, which production refuses/);
      watchRole(database, 'sandbox', () => assert.fail('a sandbox may use any role'));
    });
  });

  it('a command of production is refused in one line', async () => {
    const environment = { GATEWAY_ENVIRONMENT: 'production', DATABASE_URL: test.url };
    const { exitCode, stderr } = await runWith(environment, ['audit', 'verify']);
    assert.deepEqual([exitCode, stderr.split('\n').at(-2)], [1, `gateway: ${roleRefusal('superuser')}`]);
    const ofCommand = { ...environment, DATABASE_URL: test.urlOfRole('gateway_command') };
    const { exitCode: passed, stdout } = await runWith(ofCommand, ['audit', 'verify']);
    assert.deepEqual([passed, (JSON.parse(stdout) as { ok: boolean }).ok], [0, true]);
  });
});
