// In production the database itself asks for a request of two people before anybody becomes somebody: of every role,
// and of the owner. Attacks by a process that was taken over. About 5 s.
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { ROLE_NAMES } from '../../../prisma/roles.js';
import { createTestDatabase, type TestDatabase } from '../../../lab/harness/database.js';

const [REFUSED, DENIED] = ['23001', '42501'];
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A request about a person, as its rows say that it was decided. */
interface Request {
  readonly kind: string;
  readonly payload: object;
  readonly by?: string;
  readonly decidedBy?: string;
  readonly status?: 'pending' | 'approved' | 'rejected';
  readonly decidedAt?: string;
  /** The passkey that the approval names as its own; `null`: it is not signed. */
  readonly signedWith?: string | null;
  readonly approvedAs?: string;
  readonly isAskedByAct?: boolean;
}

/** What makes somebody more than they were, and the request that it takes. */
const GIFTS: readonly (readonly [what: string, sql: string, request: Request])[] = [
  [
    'a person',
    `INSERT INTO staff (handle, handle_folded, created_by) VALUES ('eva', 'eva', 'ana')`,
    { kind: 'person', payload: { handle: 'eva' } },
  ],
  [
    'a role in every operation',
    `INSERT INTO staff_role (staff_handle, role, operation_id, granted_by) VALUES ('rui', 'approver', '*', 'ana')`,
    { kind: 'role', payload: { handle: 'rui', role: 'approver', operation: null } },
  ],
  [
    'a role in one operation',
    `INSERT INTO staff_role (staff_handle, role, operation_id, granted_by) VALUES ('rui', 'reviewer', 'op_1', 'ana')`,
    { kind: 'role', payload: { handle: 'rui', role: 'reviewer', operation: 'op_1' } },
  ],
  [
    'a disabled person enabled again',
    `UPDATE staff SET disabled_at = NULL WHERE handle = 'old'`,
    { kind: 'person_enable', payload: { handle: 'old' } },
  ],
  [
    'an account of the identity provider',
    `UPDATE staff SET oidc_issuer = 'https://id', oidc_subject = '4711' WHERE handle = 'rui'`,
    { kind: 'account', payload: { handle: 'rui', issuer: 'https://id', subject_sha256: sha256('4711') } },
  ],
  [
    'somebody’s passkey removed',
    `UPDATE staff_passkey SET removed_at = now(), removed_by = 'ana' WHERE staff_handle = 'rui'`,
    { kind: 'passkey_reset', payload: { handle: 'rui' } },
  ],
  [
    'a code',
    `INSERT INTO staff_sign_in_link (token_hash, staff_handle, created_by, purpose, expires_at)
     VALUES ('\\x01', 'rui', 'ana', 'enrolment', now() + interval '15 minutes')`,
    { kind: 'sign_in_code', payload: { handle: 'rui' } },
  ],
];

/** Other ways to become somebody, for which there is no request. */
const ATTACKS: readonly (readonly [what: string, sql: string])[] = [
  [
    'the installation repeated',
    `INSERT INTO staff (handle, handle_folded, created_by) VALUES ('eve', 'eve', '(installation)')`,
  ],
  [
    'a person of the installation with an older date',
    `INSERT INTO staff (handle, handle_folded, created_by, created_at)
     VALUES ('eve', 'eve', '(installation)', '2020-01-01')`,
  ],
  [
    'an admin of the installation who is one again',
    `DELETE FROM staff_role; INSERT INTO staff_role (staff_handle, role, operation_id, granted_by)
     VALUES ('ana', 'admin', '*', '(installation)')`,
  ],
  [
    'nobody who created them',
    `INSERT INTO staff (handle, handle_folded, created_by, disabled_at) VALUES ('eve', 'eve', NULL, now())`,
  ],
  [
    'a code that signs in',
    `INSERT INTO staff_sign_in_link (token_hash, staff_handle, created_by, purpose, expires_at)
     VALUES ('\\x02', 'ben', 'ben', 'sign_in', now() + interval '15 minutes')`,
  ],
  [
    'a code of the installation, later',
    `INSERT INTO staff_sign_in_link (token_hash, staff_handle, created_by, purpose, expires_at)
     VALUES ('\\x02', 'ana', '(installation)', 'enrolment', now() + interval '15 minutes')`,
  ],
  [
    'a passkey that nobody signed for',
    `INSERT INTO staff_passkey (id, staff_handle, name, public_key, counter, transports, is_synced)
     VALUES ('planted-by-nobody', 'ben', 'laptop', '\\x01', 0, '{}', false)`,
  ],
  [
    'a passkey as if by a code',
    `INSERT INTO staff_passkey (id, staff_handle, name, public_key, counter, transports, is_synced, issued_by)
     VALUES ('planted-by-nobody', 'ben', 'laptop', '\\x01', 0, '{}', false, 'ana')`,
  ],
  [
    'a passkey confirmed by a name',
    `UPDATE staff_passkey SET confirmed_by = 'ana' WHERE id = 'the-passkey-of-rui'; SET CONSTRAINTS ALL IMMEDIATE`,
  ],
  [
    'a passkey removed in its person’s name',
    `UPDATE staff_passkey SET removed_at = now(), removed_by = 'rui' WHERE id = 'the-passkey-of-rui'`,
  ],
  ['the deployment called a sandbox', `UPDATE staff_policy SET environment = 'sandbox', wait_hours = 0`],
];

describe('store: two people decide who somebody is, in production', function () {
  this.timeout(60_000);
  let test: TestDatabase;
  let owner: pg.Client;

  before(async () => {
    test = await createTestDatabase();
    owner = new pg.Client({ connectionString: test.url });
    await owner.connect();
    await owner.query(`
      INSERT INTO staff (handle, handle_folded, created_by, created_at, disabled_at) VALUES
        ('ana', 'ana', '(installation)', now() - interval '1 year', NULL),
        ('ben', 'ben', '(installation)', now() - interval '1 year', NULL),
        ('rui', 'rui', 'ana', now() - interval '1 year', NULL),
        ('old', 'old', 'ana', now() - interval '1 year', now() - interval '8 days');
      INSERT INTO staff_role (staff_handle, role, operation_id, granted_by, granted_at) VALUES
        ('ana', 'admin', '*', '(installation)', now() - interval '1 year'),
        ('ben', 'admin', '*', '(installation)', now() - interval '1 year');
      INSERT INTO staff_passkey (id, staff_handle, name, public_key, counter, transports, is_synced, created_at)
        SELECT 'the-passkey-of-' || handle, handle, 'laptop', '\\x00', 0, '{}', false, now() - interval '1 year'
        FROM staff;
      INSERT INTO staff_session (id, token_hash, staff_handle, means)
        SELECT 'ses_' || handle, sha256(convert_to(handle, 'UTF8')), handle, 'passkey' FROM staff;
      UPDATE staff_policy SET environment = 'production', wait_hours = 24;
      -- One that waits.
      ALTER TABLE staff_passkey DISABLE TRIGGER staff_passkey_kept;
      UPDATE staff_passkey SET signs_from = NULL, issued_by = 'ben' WHERE id = 'the-passkey-of-old';
      ALTER TABLE staff_passkey ENABLE TRIGGER staff_passkey_kept`);
  });
  after(async () => {
    await owner?.end();
    await test?.drop();
  });

  /** Does it in a transaction that is undone, and answers the error's code; `null` without one. */
  async function codeOf(work: () => Promise<unknown>): Promise<string | null> {
    await owner.query('BEGIN');
    try {
      await work();
      await owner.query('SET CONSTRAINTS ALL IMMEDIATE');
      return null;
    } catch (error) {
      return String((error as { code?: string }).code);
    } finally {
      await owner.query('ROLLBACK');
    }
  }

  const act = (kind: string, handle: string, subject: string, key: string | null = null) =>
    owner.query(
      `INSERT INTO staff_act (id, kind, subject_id, subject_version, reason, staff_handle, session_id, means, signature,
         created_at, expires_at, consumed_at, outcome)
       VALUES ($1, $2, $3, 0, '', $4, 'ses_' || $4, $5, $6, now(), now() + interval '1 minute', now(), 'done')`,
      [
        ...[`act_${randomUUID()}`, kind, subject, handle],
        ...(key === null ? ['passkey', null] : ['signature', { credentialId: key }]),
      ],
    );

  /** The rows of the request, in the transaction that is open; ana asked, and ben signed the approval. */
  async function requested({
    kind,
    payload,
    by = 'ana',
    decidedBy = 'ben',
    status = 'approved',
    decidedAt = 'now()',
    signedWith = `the-passkey-of-${decidedBy}`,
    approvedAs = 'access.approve',
    isAskedByAct = true,
  }: Request): Promise<string> {
    const id = `apr_${randomUUID()}`;
    await owner.query(
      `INSERT INTO approval_request (id, kind, payload, requested_by, status, decided_by, decided_at)
       VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $5 <> 'pending' THEN ${decidedAt} END)`,
      [id, kind, payload, by, status, status === 'pending' ? null : decidedBy],
    );
    if (isAskedByAct) await act('staff.manage', by, id);
    if (status === 'approved') await act(approvedAs, decidedBy, id, signedWith);
    return id;
  }
  const useUp = (id: string) => owner.query(`UPDATE approval_request SET status = 'used' WHERE id = $1`, [id]);
  /** Whoever uses an approval gives a code in their own name, by an act of the same transaction. */
  const given = async (sql: string) => {
    await act('staff.manage', 'ana', 'rui');
    return owner.query(sql);
  };

  for (const [what, sql, request] of GIFTS)
    it(`attack 50: ${what}, by no role without a request of two; with it by whoever may write the row`, async () => {
      assert.equal(await codeOf(() => given(sql)), REFUSED, 'as the owner');
      for (const role of ROLE_NAMES) {
        const code = await codeOf(async () => {
          await owner.query(`SET LOCAL ROLE ${role}`);
          await owner.query(sql);
        });
        assert.ok([REFUSED, DENIED].includes(String(code)), `${role}: ${code}`);
      }
      const passes = await codeOf(async () => {
        await useUp(await requested(request));
        await given(sql);
      });
      assert.equal(passes, null);
    });

  const OTHERWISE: readonly (readonly [what: string, change: Partial<Request>])[] = [
    ['that waits', { status: 'pending' }],
    ['that was rejected', { status: 'rejected' }],
    ['about somebody else', { payload: { handle: 'eve' } }],
    ['for something else', { kind: 'sign_in_code' }],
    ['by somebody else than the row says', { by: 'rui' }],
    ['that the person approved whom it is about', { payload: { handle: 'ben' } }],
    ['that was approved eight days ago', { decidedAt: `now() - interval '8 days'` }],
    ['whose approval is not signed', { signedWith: null }],
    ['whose approval names somebody else’s passkey', { signedWith: 'the-passkey-of-rui' }],
    ['whose approval names a passkey that is not there', { signedWith: 'the-passkey-of-nobody' }],
    ['whose approval names a passkey that signs nothing yet', { by: 'ana', decidedBy: 'old' }],
    ['whose approval is of another kind', { approvedAs: 'risk.approve' }],
    ['that nobody’s act asked for', { isAskedByAct: false }],
  ];
  for (const [what, change] of OTHERWISE)
    it(`a person by a request ${what}: refused`, async () => {
      const [, sql, request] = GIFTS[0] as (typeof GIFTS)[number];
      const asked = { ...request, ...change };
      const { handle } = asked.payload as { handle: string };
      // Of ben, whom it is about, another person of that name.
      const insert = handle === 'ben' ? sql.replaceAll(`'eva'`, `'ben'`) : sql;
      const code = await codeOf(async () => {
        const id = await requested(asked);
        if (asked.status === undefined) await useUp(id);
        await owner.query(insert);
      });
      assert.equal(code, REFUSED);
    });

  it('an approval is used once: not by another transaction, nor for something else', async () => {
    const [, sql, request] = GIFTS[0] as (typeof GIFTS)[number];
    const id = await requested(request);
    await useUp(id);
    assert.equal(await codeOf(() => owner.query(sql)), REFUSED, 'used before');
    const touched = await codeOf(async () => {
      await owner.query('SET LOCAL ROLE gateway_panel');
      await owner.query(`UPDATE approval_request SET status = 'used' WHERE id = $1`, [id]);
      await owner.query('RESET ROLE');
      await owner.query(sql);
    });
    assert.equal(touched, REFUSED, 'as if this one used it');
    const other = await codeOf(async () => {
      await useUp(await requested(request));
      await owner.query(sql);
      await owner.query(sql.replaceAll(`'eva'`, `'eve'`));
    });
    assert.equal(other, REFUSED);
  });

  it('enabled again: the request came after the person was disabled', async () => {
    const [, sql, request] = GIFTS[3] as (typeof GIFTS)[number];
    const code = await codeOf(async () => {
      const id = await requested({ ...request, decidedAt: `now() - interval '1 hour'` });
      await owner.query(`ALTER TABLE staff DISABLE TRIGGER ALL`);
      await owner.query(`UPDATE staff SET disabled_at = now() WHERE handle = 'old'`);
      await owner.query(`ALTER TABLE staff ENABLE TRIGGER ALL`);
      await useUp(id);
      await owner.query(sql);
    });
    assert.equal(code, REFUSED);
  });

  for (const [what, sql] of ATTACKS)
    it(`attack 50: ${what}: by no role`, async () => {
      if (!sql.includes('staff_policy')) assert.equal(await codeOf(() => owner.query(sql)), REFUSED, 'as the owner');
      for (const role of ROLE_NAMES) {
        const code = await codeOf(async () => {
          await owner.query(`SET LOCAL ROLE ${role}`);
          await owner.query(sql);
        });
        assert.ok([REFUSED, DENIED].includes(String(code)), `${role}: ${code}`);
      }
    });

  it('a code in another name than that of whoever gives it: refused', async () => {
    const [, sql, request] = GIFTS[6] as (typeof GIFTS)[number];
    const code = await codeOf(async () => {
      await useUp(await requested(request));
      await given(sql.replace(`'ana'`, `'ben'`));
    });
    assert.equal(code, REFUSED);
  });

  it('who is new is new from now on, whatever the row says', async () => {
    const [, sql, request] = GIFTS[0] as (typeof GIFTS)[number];
    let isNew: unknown;
    const code = await codeOf(async () => {
      await useUp(await requested(request));
      await owner.query(
        sql.replace('created_by)', 'created_by, created_at)').replace(`'ana')`, `'ana', '2020-01-01')`),
      );
      isNew = (await owner.query(`SELECT created_at = now()::timestamptz(3) AS is_new FROM staff WHERE handle = 'eva'`))
        .rows[0];
    });
    assert.deepEqual([code, isNew], [null, { is_new: true }]);
  });

  it('a passkey is confirmed by a signed approval of the request that shows its fingerprint', async () => {
    const confirm = `UPDATE staff_passkey SET confirmed_by = 'ana' WHERE id = 'the-passkey-of-old'`;
    const by = (fingerprint: string) =>
      codeOf(async () => {
        const payload = { person: 'old', device: 'laptop', fingerprint };
        await requested({ kind: 'passkey', payload, by: 'old', decidedBy: 'ana' });
        await owner.query(confirm);
      });
    const groups = createHash('sha256').update(Buffer.alloc(1)).digest('hex').match(/.{4}/g)?.join(' ') ?? '';
    assert.deepEqual([await by(groups), await by(groups.replace(/^..../, '0000'))], [null, REFUSED]);
  });

  it('taking away is one person’s act', async () => {
    for (const sql of [
      `DELETE FROM staff_role WHERE staff_handle = 'ben'`,
      `UPDATE staff SET disabled_at = now() WHERE handle = 'rui'`,
      `UPDATE staff SET oidc_issuer = NULL, oidc_subject = NULL WHERE handle = 'rui'`,
    ])
      assert.equal(await codeOf(() => owner.query(sql)), null, sql);
  });

  it('a sandbox asks for nothing', async () => {
    for (const [what, sql] of GIFTS) {
      const code = await codeOf(async () => {
        await owner.query(`UPDATE staff_policy SET environment = 'sandbox', wait_hours = 0`);
        await owner.query(sql);
      });
      assert.equal(code, null, what);
    }
  });
});
