// The role of the installation makes the first admins, in one transaction, and can make nobody afterwards.
import assert from 'node:assert/strict';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../lab/harness/database.js';

describe('the role of the installation', () => {
  let test: TestDatabase;
  let setup: pg.Client;
  before(async () => {
    test = await createTestDatabase();
    setup = new pg.Client({ connectionString: test.urlOfRole('gateway_setup') });
    await setup.connect();
  });
  after(async () => {
    await setup.end();
    await test.drop();
  });

  const person = (handle: string) =>
    `INSERT INTO staff (handle, handle_folded, created_by) VALUES ('${handle}', '${handle}', '(installation)')`;
  const role = (handle: string, name = 'admin') =>
    `INSERT INTO staff_role (staff_handle, role, operation_id, granted_by)
     VALUES ('${handle}', '${name}', '*', '(installation)')`;
  const code = (handle: string) =>
    `INSERT INTO staff_sign_in_link (token_hash, staff_handle, created_by, purpose, expires_at)
     VALUES (sha256('${handle}'), '${handle}', '(installation)', 'enrolment', now() + interval '1 hour')`;

  it('gives no other role than that of an admin', async () => {
    await setup.query('BEGIN');
    await setup.query(person('ana'));
    await assert.rejects(setup.query(role('ana', 'approver')), /the installation makes the first admins, once/);
    await setup.query('ROLLBACK');
  });

  it('makes two admins with their codes at once, and then neither people, roles nor codes', async () => {
    await setup.query('BEGIN');
    for (const handle of ['ana', 'ben']) for (const sql of [person, role, code]) await setup.query(sql(handle));
    await setup.query('COMMIT');
    for (const sql of [
      person('eva'),
      role('ana', 'approver'),
      role('ben'),
      code('ana'),
      'DELETE FROM staff_sign_in_link',
      'DELETE FROM staff_role',
    ])
      await assert.rejects(setup.query(sql), /the installation makes the first admins, once/, sql);
    const { rows } = await setup.query('SELECT staff_handle FROM staff_role ORDER BY staff_handle');
    assert.deepEqual(rows, [{ staff_handle: 'ana' }, { staff_handle: 'ben' }]);
  });
});
