// The people of a sandbox, and the file that lists them.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDemoOperation } from '../../../sandbox/demo-operation.js';
import { createTestGateway, type TestGateway } from './support.js';

const PEOPLE = [
  { handle: 'rita.demo', roles: ['reviewer', 'risk_manager', 'admin'] },
  { handle: 'paulo.demo', roles: ['reviewer', 'risk_manager', 'admin', 'approver'] },
  { handle: 'clara.demo', roles: ['auditor'] },
];

describe('the people of a sandbox', function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let folder: string;
  before(async () => {
    gateway = await createTestGateway();
    folder = mkdtempSync(join(tmpdir(), 'demo-people-'));
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await gateway.close();
  });

  const written = async (more: object = {}) => {
    const file = join(folder, 'sandbox.json');
    const places = {
      file,
      webhookUrl: 'http://127.0.0.1:9999/hooks',
      base_url: 'http://localhost:7800',
      panel_url: 'http://localhost:7804',
      temporal_ui_url: 'http://localhost:7808',
      ...more,
    };
    const run = async (argv: string[]) => {
      const { exitCode: code, stdout, stderr } = await gateway.run(...argv);
      return { code, stdout, stderr };
    };
    await ensureDemoOperation(places, gateway.ownerUrl, run, () => undefined);
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, unknown>>;
  };
  const accountsIn = (sandbox: Record<string, unknown>) =>
    (sandbox['panel_accounts'] as { handle: string; roles: string[]; link: string }[]).map(
      ({ handle, roles, link }) => {
        assert.match(link, /^http:\/\/localhost:7804\/sign-in#[\w-]{20,}$/, handle);
        return { handle, roles };
      },
    );

  it('are a reviewer with risk and admin, the same with approver, and an auditor; the file has a link for each', async () => {
    assert.deepEqual(accountsIn(await written()), PEOPLE);
    const rows = await gateway.rows(`SELECT staff_handle, role, operation_id FROM staff_role`);
    const held = rows.map((row) => [row['staff_handle'], row['role'], row['operation_id']].join(' '));
    const expected = PEOPLE.flatMap(({ handle, roles }) => roles.map((role) => `${handle} ${role} *`));
    assert.deepEqual(held.filter((text) => text.includes('.demo ')).sort(), expected.sort());
  });

  it('what somebody else added to the file survives its next writing, and what is the gateway’s is new', async () => {
    const first = await written();
    const file = join(folder, 'sandbox.json');
    const operation = { ...first['operation'], notes: 'mine' };
    const tls = { certificate_file: 'a', key_file: 'b', authorities_file: 'c' };
    writeFileSync(file, JSON.stringify({ ...first, operation, tls, integrator: { port: 9 } }));
    const second = await written({ base_url: 'http://localhost:7900' });
    assert.deepEqual(second['integrator'], { port: 9 });
    assert.deepEqual(second['operation'], operation);
    assert.equal(second['base_url'], 'http://localhost:7900');
    assert.equal(second['tls'], undefined, 'a key of the gateway’s own that this start has not');
    assert.deepEqual(accountsIn(second), PEOPLE);
    assert.notDeepEqual(second['panel_accounts'], first['panel_accounts'], 'links are new');
  });
});
