// The panel's statements of providers: the days that the command imported, and what does not agree of one. Accounts are
// shared, so only people who reach every operation see them.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../../../domain/identifiers.js';
import { createDatabase } from '../../../store/database.js';
import { importedLines } from '../../../store/statements/removals.js';
import { createTestGateway, type TestGateway } from '../cli/support.js';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

const DAY = '2026-03-01';

describe('panel: statements of providers', function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let world: PanelWorld;
  let auditor: Person;
  let folder: string;
  before(async () => {
    gateway = await createTestGateway();
    world = await createPanelWorld({ gateway });
    auditor = await world.person('alba', ['auditor']);
    folder = await mkdtemp(join(tmpdir(), 'statements-'));
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const items = async () => (await auditor.get('/statements')).body['items'] as Record<string, unknown>[];

  it('none, then the day that was imported, and where it does not agree', async () => {
    assert.deepEqual(await items(), []);
    const file = join(folder, 'day.csv');
    const e2e = 'E12345678202603011200aaaaaaaaaaa';
    await writeFile(file, `id,kind,amount,settled_at,end_to_end_id\nl1,received,700,${DAY}T15:00:00Z,${e2e}\n`);
    await gateway.run('statement', 'import', 'a', DAY, file, '--as', 'ana');
    const [{ compared_at: comparedAt, ...day } = {} as Record<string, unknown>, ...rest] = await items();
    assert.deepEqual(rest, []);
    assert.ok(Date.parse(String(comparedAt)) > 0);
    assert.deepEqual(day, {
      provider: 'a',
      day: DAY,
      agrees: false,
      lines: 1,
      matched: 0,
      missing_here: 1,
      missing_there: 0,
      amount_differs: 0,
      undecided: 0,
      resolved: 0,
      compared_by: 'ana',
    });
    const { digest, items: differences } = (await auditor.get(`/statements/a/${DAY}`)).body;
    assert.match(String(digest), /^[0-9a-f]{64}$/);
    const [{ id, ...difference } = {} as Record<string, unknown>, ...more] = differences as Record<string, unknown>[];
    assert.match(String(id), /^sti_/);
    assert.deepEqual(
      [difference, ...more],
      [
        {
          comparison: 'missing_here',
          kind: 'received',
          reference: e2e,
          subject: null,
          statement: { amount: '700', currency: 'BRL' },
          ledger: null,
          explained: false,
        },
      ],
    );
  });

  it('a second person takes the day back, under the panel’s role of the database: it is shown no more', async () => {
    await world.person('rita', ['risk_manager']);
    const paulo = await world.person('paulo', ['approver']);
    const of = { provider: 'a', day: DAY } as const;
    const settings = { url: gateway.ownerUrl, poolSize: 1, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 };
    const database = createDatabase(settings);
    const seen = await importedLines(database, of);
    await database.$disconnect();
    const request = async (digest: string) => {
      const id = newId('approvalRequest');
      await gateway.rows(
        `INSERT INTO approval_request (id, kind, payload, requested_by) VALUES ($1, 'statement_removal', $2, 'rita')`,
        id,
        JSON.stringify({ ...of, ...seen, digest, reason: 'wrong file' }),
      );
      return id;
    };
    const approve = (id: string) =>
      paulo.post(`/approvals/${id}`, { decision: 'approve', reason: 'ticket 4711', confirm: id.slice(-4) });
    assert.equal((await approve(await request('0'.repeat(64)))).body['code'], 'stale');
    assert.equal((await items()).length, 1);
    assert.equal((await approve(await request(seen.digest))).body['status'], 'approved');
    assert.deepEqual(await items(), []);
    const [removal] = await gateway.rows('SELECT requested_by, approved_by FROM statement_removal');
    assert.deepEqual(removal, { requested_by: 'rita', approved_by: 'paulo' });
  });

  it('a day that was not imported, and a slot that is none', async () => {
    assert.equal((await auditor.get('/statements/a/2026-03-02')).body['code'], 'not_found');
    assert.equal((await auditor.get(`/statements/c/${DAY}`)).status, 404);
  });

  it('nothing of it for a person of one operation', async () => {
    const id = (await gateway.operation())['operation_id'];
    const one = await world.person('olga', [{ role: 'auditor', operationId: id }]);
    assert.equal((await one.get('/statements')).body['items'], null);
    assert.equal((await one.get(`/statements/a/${DAY}`)).body['code'], 'not_found');
  });
});
