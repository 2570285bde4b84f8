// The people who may act, in the panel: who sees them, and what an admin takes away. Nothing is given here.
import assert from 'node:assert/strict';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

interface Shown {
  readonly handle: string;
  readonly roles: { role: string; operation: { id: string; name: string } | null }[];
  readonly disabled_at: string | null;
  readonly sessions: number;
  readonly kept: string | null;
}

describe('panel: staff', function () {
  this.timeout(60_000);
  let world: PanelWorld;
  let operationId: string;
  let ana: Person;
  let ben: Person;
  before(async () => {
    world = await createPanelWorld();
    operationId = (await world.gateway.operation())['operation_id'];
    ana = await world.person('ana', ['admin']);
    ben = await world.person('ben', ['reviewer', { role: 'auditor', operationId }]);
  });
  after(() => world.close());

  const people = async (of: Person) => (await of.get('/staff')).body as { items: Shown[]; manages: boolean };
  const personOf = async (handle: string) => (await people(ana)).items.find((one) => one.handle === handle);
  const act = async (of: Person, handle: string, body: object) => {
    const { status, body: answer } = await of.post(`/staff/${handle}`, body);
    return status === 200 ? (answer as { done: boolean }).done : answer['code'];
  };
  const audited = async (action: string) =>
    (await world.gateway.rows('SELECT person, subject FROM audit_entry WHERE action = $1', action)).map(
      ({ person, subject }) => `${person} ${subject}`,
    );

  it('shows everybody with roles, passkeys and sign-ins; an admin of all may take away', async () => {
    const { items, manages } = await people(ana);
    assert.equal(manages, true);
    const shown = items.find(({ handle }) => handle === 'ben');
    assert.deepEqual(
      shown?.roles.map(({ role, operation }) => [role, operation?.id ?? null]),
      [
        ['auditor', operationId],
        ['reviewer', null],
      ],
    );
    assert.deepEqual([shown?.sessions, shown?.kept], [1, null]);
    assert.equal(items.find(({ handle }) => handle === 'ana')?.kept, 'yourself');
  });

  it('an auditor of every operation sees and takes nothing; one of an operation does not see', async () => {
    const auditor = await world.person('audra', ['auditor']);
    assert.equal((await people(auditor)).manages, false);
    assert.equal(await act(auditor, 'ben', { act: 'disable' }), 'not_permitted');
    assert.equal((await ben.get('/staff')).body['code'], 'not_permitted');
  });

  it('the log and the trail say where people signed in and acted from, as the edge names it', async () => {
    const from = (address: string) => ({ headers: { 'gateway-client-address': address } });
    await world.member('eva', ['admin']);
    const body = { token: await world.link('eva') };
    const begun = await world.send('/session', { method: 'POST', body, ...from('203.0.113.7') });
    const cookie = String(begun.headers['set-cookie']).split(';')[0] ?? '';
    const stop = (address: string) =>
      world.send(`/operations/${operationId}/stops`, {
        method: 'POST',
        body: { what: 'automatic' },
        headers: { cookie, ...from(address).headers },
      });
    assert.equal((await stop('::ffff:198.51.100.9')).status, 200);
    const entries = await world.gateway.rows(
      `SELECT action, detail::jsonb ->> 'address' AS address FROM audit_entry WHERE person = 'eva' ORDER BY sequence`,
    );
    assert.deepEqual(
      entries.map(({ action, address }) => [action, address]),
      [
        ['staff.sign_in', '203.0.113.7'],
        ['automatic.stop', '198.51.100.9'],
      ],
    );
    const acts = await world.gateway.rows(`SELECT address FROM staff_act WHERE staff_handle = 'eva'`);
    assert.deepEqual(acts, [{ address: '198.51.100.9' }]);
    // What names no address is the edge's own.
    assert.equal((await stop('203.0.113.7, 10.0.0.1')).status, 200);
    const lines = world.logged.map((line) => JSON.parse(line) as { route?: string; address?: string });
    const addressesOf = (route: string) => lines.filter((line) => line.route === route).map(({ address }) => address);
    assert.equal(addressesOf('signIn').at(-1), '203.0.113.7');
    assert.deepEqual(addressesOf('stopOperation'), ['198.51.100.9', '127.0.0.1']);
  });

  it('a role that is taken signs the person out everywhere', async () => {
    assert.equal(await act(ana, 'ben', { act: 'take_role', role: 'auditor', operation: operationId }), true);
    assert.equal((await ben.get('/session')).body['code'], 'not_signed_in');
    assert.deepEqual((await personOf('ben'))?.roles, [{ role: 'reviewer', operation: null }]);
    assert.equal(await act(ana, 'ben', { act: 'take_role', role: 'auditor', operation: operationId }), false);
    assert.deepEqual(await audited('staff.role_revoke'), ['ana ben']);
  });

  it('sign-ins are ended; a disabled person is signed out, and stays in the list', async () => {
    for (const [handle, body] of [
      ['cleo', { act: 'end_sessions' }],
      ['dora', { act: 'disable' }],
    ] as const) {
      const person = await world.person(handle, ['support']);
      assert.equal(await act(ana, handle, body), true);
      assert.equal((await person.get('/session')).body['code'], 'not_signed_in');
      assert.equal((await personOf(handle))?.sessions, 0);
      assert.equal((await personOf(handle))?.disabled_at === null, body.act === 'end_sessions');
    }
    assert.deepEqual(await audited('staff.sessions_end'), ['ana cleo']);
  });

  it('nobody does it to themselves, the last admin stays, and nobody who is not there is touched', async () => {
    assert.equal(await act(ana, 'ana', { act: 'disable' }), 'yourself');
    assert.equal(await act(ana, 'nobody', { act: 'disable' }), 'not_found');
    const admin = await world.person('adam', ['admin']);
    assert.equal(await act(admin, 'ana', { act: 'take_role', role: 'admin', operation: null }), true);
    assert.equal(await act(admin, 'adam', { act: 'take_role', role: 'admin', operation: null }), 'yourself');
  });

  it('nothing gives: the panel’s own role in the database makes neither people nor roles', async () => {
    const refused = async (sql: string) =>
      assert.rejects(world.database.$executeRawUnsafe(sql), /permission denied/, sql);
    await refused(`INSERT INTO staff (handle, handle_folded) VALUES ('eva', 'eva')`);
    await refused(
      `INSERT INTO staff_role (staff_handle, role, operation_id, granted_by) VALUES ('ben', 'admin', '*', 'x')`,
    );
    const code = (purpose: string, by: string) =>
      world.database.$executeRawUnsafe(`INSERT INTO staff_sign_in_link
        (token_hash, staff_handle, created_by, purpose, expires_at) VALUES ('x', 'ben', '${by}', '${purpose}', now())`);
    await assert.rejects(code('sign_in', 'ben'), /given by the command/);
    await assert.rejects(code('enrolment', 'ben'), /given by the command/);
    await assert.rejects(code('command', 'x'), /made by its person/);
  });
});
